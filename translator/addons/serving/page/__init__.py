"""The page of the server. It loads nothing from other servers."""

import itertools
from collections.abc import Sequence
from importlib import resources

from translator.addons.page.offline_page import offline_page
from translator.base.languages import language_facts
from translator.translation.whole_files import FORMATS

PAGE = resources.files("translator.addons.serving.page")
POLICY = "connect-src 'self'; frame-src 'self'"
PURPOSE = (
    "The models run on the server of this page: your text is sent nowhere else. They work best on"
    " text that is like their training data."
)


def live_page(
    pairs: Sequence[tuple[str, str]], with_formality: Sequence[tuple[str, str]], characters: int
) -> str:
    """The page to type on.

    Args:
        pairs: the languages of each model.
        with_formality: the languages of the models that know formal and informal address.
    """
    names = {code: language_facts(code).name or code for pair in pairs for code in pair}
    data = {
        "pairs": pairs,
        "withFormality": with_formality,
        "names": names,
        "characters": characters,
        "purpose": PURPOSE,
        "endings": list(itertools.chain.from_iterable(FORMATS.values())),
    }
    scripts = [PAGE / "live.js", PAGE / "file.js"]
    return offline_page(
        "translator", PAGE / "live.html", [PAGE / "live.css"], scripts, data, POLICY
    )
