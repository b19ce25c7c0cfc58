"""Names of languages as BPEmb knows them."""

import difflib

from translator.base.errors import InputError
from translator.base.languages import code_of


def language_code(language: str) -> str:
    """The code of a language, such as ``de`` for ``deu`` or ``German``; else what was given."""
    if len(language) == 2 and language.islower():  # a code already, and no need to import BPEmb
        return language
    from bpemb.available_languages import to_wikicode

    return str(to_wikicode.get(language, language))


def bpemb_language(language: str) -> str:
    """BPEmb's code of a language, such as ``de`` for ``de``, ``deu`` or ``German``.

    Raises:
        InputError: BPEmb does not know it; the message names the nearest ones.
    """
    from bpemb.available_languages import to_wikicode, wikicode

    if language == "multi" or language in wikicode:
        return language
    if language in to_wikicode:
        return str(to_wikicode[language])
    code = code_of(language)
    same = [each for each in wikicode if code is not None and code_of(each) == code]
    if same:
        return str(min(same, key=len))
    names = {name.lower(): name for name in (*wikicode, *to_wikicode)}
    nearest = difflib.get_close_matches(language.lower(), names, n=3, cutoff=0.6)
    found = [
        f"{names[n]} ({to_wikicode[names[n]]})" if names[n] in to_wikicode else n for n in nearest
    ]
    advice = f"the nearest are {', '.join(found)}" if found else "such as en, de or zh"
    raise InputError(f"{language}: expected a language of BPEmb, {advice}")
