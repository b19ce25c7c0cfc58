"""What the tests of inspection share."""

import pytest

from translator.addons.inspection.languages import LanguageIdentifier


@pytest.fixture(scope="session")
def identifier() -> LanguageIdentifier:
    """The languages that it knows are read once."""
    return LanguageIdentifier()
