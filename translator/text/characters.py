"""Writes a text in plain characters, for training and translating alike.

Letters, apostrophes, dashes and spaces have several forms in Unicode that mean the same. A model
has hardly seen most forms, so each of these characters gets one form here.
"""

import functools
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable

from translator.base.languages import language_facts
from translator.base.late import html
from translator.text.copied_spans import MARKUP, WEB_ADDRESS
from translator.text.punctuation import is_plain
from translator.text.shown import Intervals
from translator.text.tags import find_tags

INVISIBLE = ("Cc", "Cf", "Zl", "Zp", "Zs")  # Unicode categories: control, format, separators
REPLACED = "\ufffd"  # replaces bytes that are not UTF-8
UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")  # these break a line or cannot be encoded
ENTITY = rf"(?!{MARKUP})&#?\w+;"
JOINERS = frozenset("\u200c\u200d") | {chr(tag) for tag in range(0xE0020, 0xE0080)}  # in emoji
JOINED_LATIN = "(?<=[A-Za-zÀ-ɏ])[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]++(?=[A-Za-zÀ-ɏ])"
LETTERS = ("Lu", "Ll", "Lt", "Lo", "Nl", "Nd")  # letters, Roman numerals and digits
OTHER_SHAPES = ("<compat>", "<font>", "<wide>")  # without raised, lowered and circled ones
EMOJI_LETTER = "ℹ"
LETTER = r"[^\W\d_]"
DASH = (  # but not in a range or a table, nor at the beginning of a program's option
    r"(?<=[^\s<(\[|/\\=+*_>-])"
    rf"(?: -{{1,3}} | – |(?<!\d)\s*[—―]\s*(?!\d)|(?<={LETTER})--(?={LETTER}))"
    r"(?=[^\s>)\]|/\\=+*_<-])"
)
SIGN = rf"(?P<dash>{DASH})|(?P<points>…|(?<=\w)\.{{4,}}|(?<!\.)\.{{3}}(?!\.))"
WRITTEN_SIGN = rf"(?P<dash>{DASH})|(?P<points>…|\.{{2,}})"  # by a model
PLAIN_SIGNS = {"dash": " – ", "points": "..."}  # plain signs by their kinds
MARK = (
    r"(?P<quotation>''|’’|``|´´|,,(?=\w)|[\"“”„‟«»″〝〞〟❝❞])|(?P<inner>[‚‹›])"
    rf"|(?P<apostrophe>[’‘‛ʼʻʽ❛❜]|(?<={LETTER})[`´′ʹ‵]|[`´′ʹ‵](?={LETTER}))"
    rf"|(?!{DASH})(?P<other>[—―‒‐‑﹣−])"
)
SPOKEN = (  # 'No way!' in single marks, which are read as double ones
    r"(?<!\S)['‘‚](?=\w)((?:[^'‘’‚\"“”„«»]|(?<=\w)['’](?=\w))+[.,!?…])['’‘](?!\w)"
)
LOOSE = r"^\d[\"”″]|^\s?[«»](?:\s|$)"  # 27"; « and » alone
OTHER_MARKS = dict(zip("—―‒‐‑﹣−", "–––----"))


def with_plain_characters(text: str, language: str) -> str:
    """A text in the characters that a model knows best; see `with_plain_letters`.

    All dashes become – between spaces; an ellipsis becomes three points.
    """
    return text if is_plain(text) else with_plain_signs(with_plain_letters(text, language))


def with_plain_signs(text: str, fixed: Iterable[tuple[int, int]] = ()) -> str:
    """A text with plain dashes and points outside of its fixed parts."""
    if is_plain(text):
        return text
    taken = Intervals(fixed)

    def plain(sign: re.Match[str]) -> str:
        return PLAIN_SIGNS[sign.lastgroup or ""] if taken.are_free(*sign.span()) else sign[0]

    return re.sub(SIGN, plain, text)


def with_signs_of(source: str, text: str) -> str:
    """A translation with the dashes and points of its source, if both have the same kinds in order.

    A dash without spaces around it belongs to its language, and stays.
    """
    if is_plain(source):
        return text
    source_signs, signs = [*re.finditer(SIGN, source)], [*re.finditer(WRITTEN_SIGN, text)]
    if [sign.lastgroup for sign in source_signs] != [sign.lastgroup for sign in signs]:
        return text
    typed = iter(source_signs)

    def as_typed(sign: re.Match[str]) -> str:
        form = next(typed)[0]
        is_language = sign.lastgroup == "dash" and not form.startswith(" ")
        return sign[0] if is_language else form

    return re.sub(WRITTEN_SIGN, as_typed, text)


def with_plain_letters(
    text: str,
    language: str,
    find_fixed: Callable[[str], Iterable[tuple[int, int]]] = lambda text: (),
) -> str:
    """A text whose letters, spaces, quotation marks and apostrophes have one form each.

    - Characters are composed (Unicode NFC). Ligatures and full-width or mathematical letters and
      digits become the plain characters that they stand for. Characters that say more, as in ½,
      m², № and ™, stay.
    - Every white space is a space, and there are no other invisible characters.
    - All apostrophes are ', all hyphens and minus signs -.
    - Quotation marks are those of the language. They open and close quotations in turns.
    - Entities of HTML are read as their characters, except entities that would become markup and
      entities within tags and web addresses.

    A second call changes nothing more.

    Args:
        language: its code. If it is unknown, marks that depend on it stay.
        find_fixed: finds the parts whose marks stay, such as tags and web addresses, in the text
            with plain letters. Returns their starts and ends.
    """
    if is_plain(text):
        return text
    if "&" in text:
        text = _with_entities_read(text)
    facts = language_facts(language)
    if not text.isascii() or not text.isprintable():
        text = "".join(_plain_character(character, facts.has_spaces) for character in text)
        text = unicodedata.normalize("NFC", re.sub(JOINED_LATIN, "", text))
    return _with_plain_marks(text, facts.quotation_marks, find_fixed(text))


@functools.lru_cache(1 << 14)
def _plain_character(character: str, all_widths: bool) -> str:
    """The plain letter or space of a character that is another shape of it; otherwise itself."""
    if character.isspace() or unicodedata.category(character) == "Cc":
        return " "
    if _has_category(character, INVISIBLE):
        return character if character in JOINERS else ""
    shape = unicodedata.decomposition(character).partition(" ")[0]
    plain = unicodedata.normalize("NFKC", character)
    if shape == "<wide>" and all_widths and plain.isascii():
        return plain
    if shape not in OTHER_SHAPES or not _has_category(character, LETTERS):
        return character
    is_other_shape = plain.isascii() or len(plain) > 1  # µ is no other shape
    return plain if is_other_shape and character != EMOJI_LETTER else character


def _with_plain_marks(
    text: str, quotation_marks: tuple[str, str] | None, fixed: Iterable[tuple[int, int]]
) -> str:
    """A text with plain apostrophes, hyphens and quotation marks outside of its fixed parts."""
    taken = Intervals(fixed)
    text = re.sub(SPOKEN, r'"\1"', text) if quotation_marks else text
    marks = [mark for mark in re.finditer(MARK, text) if taken.are_free(*mark.span())]
    quotations = [mark.start() for mark in marks if mark["quotation"]]
    loose = [place for place in quotations if re.search(LOOSE, text[max(place - 1, 0) : place + 2])]
    alone = loose[0] if loose and len(quotations) % 2 else -1
    in_turns = itertools.cycle(quotation_marks or ())
    pieces: list[str] = []
    end = 0
    for mark in marks:
        kind, plain = mark.lastgroup, mark[0]
        if kind == "quotation" and quotation_marks:
            is_alone = mark.start() == alone
            plain = plain.replace("″", '"') if is_alone else next(in_turns)
        elif quotation_marks or kind not in ("quotation", "inner"):
            plain = OTHER_MARKS.get(plain, "'")
        pieces += (text[end : mark.start()], plain)
        end = mark.end()
    return "".join([*pieces, text[end:]])


def _with_entities_read(text: str) -> str:
    addresses = Intervals(match.span() for match in re.finditer(WEB_ADDRESS, text))
    tags = Intervals(find_tags(text))

    def read_entity(entity: re.Match[str]) -> str:
        character = html.unescape(entity.group())
        is_free = addresses.are_free(*entity.span()) or character.isspace()
        return character if is_free and tags.are_free(*entity.span()) else entity.group()

    return re.sub(ENTITY, read_entity, text)


def is_blank(text: str) -> bool:
    """Whether a text has only invisible characters, such as spaces, tabs, zero-width spaces."""
    return all(_has_category(character, INVISIBLE) for character in text)


def without_unprintable(text: str) -> str:
    """A text without characters that break its line or cannot be encoded."""
    return "".join(c for c in text if c == "\t" or not _has_category(c, UNPRINTABLE))


def _has_category(character: str, categories: tuple[str, ...]) -> bool:
    return unicodedata.category(character) in categories
