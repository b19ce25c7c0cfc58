"""The model that scores pairs."""

from pathlib import Path

from translator.runs.choosing import check_languages, find_run, find_shipped
from translator.translation.translator import Translator


def open_model(languages: tuple[str, str], run: Path | None) -> Translator | None:
    """Opens a model between two languages, in either direction.

    Args:
        languages: the codes of both sides of the pairs.
        run: the one to open; None for the model that comes with the program. The newest run is
            never taken: it may have been trained on the very pairs that it is to judge.

    Returns:
        None if no run is named and no model comes with the program for these languages.

    Raises:
        InputError: the run has other languages, or cannot be read.
    """
    if run is None:
        shipped = find_shipped(languages)
        return None if shipped is None else Translator(shipped)
    found = find_run(run)
    check_languages(found, languages)
    return Translator(found)
