"""The benchmarks, as modules."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Their folder, from which they import each other."""
    folder = Path(__file__).parents[3] / "benchmarks"
    monkeypatch.syspath_prepend(str(folder))
    return folder
