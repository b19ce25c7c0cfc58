"""The live page, and the page that explains the API; neither loads anything from elsewhere."""

from collections.abc import Sequence
from importlib import resources

from translator.addons.page.offline_page import offline_page
from translator.addons.serving.limits import ServerLimits
from translator.base.languages import language_facts

PAGE = resources.files("translator.addons.serving.page")
POLICY = "connect-src 'self'; frame-src 'self'"


def live_page(pairs: Sequence[tuple[str, str]], characters: int) -> str:
    """The page to type on.

    Args:
        pairs: source and target language of each model.
        characters: the most of one request.
    """
    names = {code: language_facts(code).name or code for pair in pairs for code in pair}
    data = {"pairs": pairs, "names": names, "characters": characters}
    return offline_page(
        "translator", PAGE / "live.html", [PAGE / "live.css"], [PAGE / "live.js"], data, POLICY
    )


def api_page(pairs: Sequence[tuple[str, str]], limits: ServerLimits) -> str:
    """The page that lists the paths of the API, with fields and examples to try."""
    data = {"pairs": pairs, "limits": limits._asdict()}
    return offline_page(
        "API", PAGE / "api.html", [PAGE / "api.css"], [PAGE / "api.js"], data, POLICY
    )
