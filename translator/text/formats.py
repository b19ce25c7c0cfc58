"""Finds marks of format, such as ``**``, and brackets and quotation marks around a word.

They are taken out of a text before the model sees it, as tags are, so that a translation has the
same words with and without them.
"""

import re
from bisect import bisect_left
from collections.abc import Callable

from translator.base.languages import language_facts, language_table
from translator.text.shown import ASIDE, MARK, Intervals, Span
from translator.text.tags import pair_tags

DOUBLE, SINGLE, SYMBOL = "double", "single", "symbol"
BRACKETS = {")": "(", "]": "[", "}": "{"}
EDGE = "[:;,–—|]"
FOR_TAG = "\ufffc"  # stands for each character of a tag
REST = (
    rf"[\s*_~)\]}}\"“”»'‘’{FOR_TAG}]*"  # what may stand between the last mark of a text and its end
)
EDGES = rf"^[:;,–—]+(?=\s)|^\|+|(?<!{EDGE})(?<!{EDGE}\s){EDGE}(?:\s?{EDGE})*(?={REST}$)"
NOTES = "¹²³⁴⁵⁶⁷⁸⁹"
KINDS = {  # of marks; the first one wins
    # a note, a year; after a word; a line of signs; what a text begins or ends with
    "alone": r"\[(?:\d{1,3}|\^[\w-]+)\](?![\w(])|(?<!\w)\(\d{1,4}\)(?!\w)"
    rf"|[†‡™®©](?!\w)|(?<=[^\W\d_]{{3}})[{NOTES}]+(?!\w)"
    rf"|(?<!\S)[*_~=#]{{2,}}(?=[.,;:!?]*(?:\s|$))|{EDGES}",
    SYMBOL: r"(?<!\S)[&+/|<>=~#%^*\\@]+(?!\S)",
    "emphasis": r"\*{1,3}|_{1,3}|~~",
    "bracket": r"[()\[\]{}]",
    DOUBLE: '["“”„‟«»]',
    SINGLE: rf"(?<!\w)['‘’‚‹›`](?!n['’])(?=[\w*_{FOR_TAG}])|(?<=[\w*_.,!?{FOR_TAG}])['‘’‹›](?!\w)",
}
SIGN = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS.items()))
MAY_HAVE_MARKS = re.compile(  # tags and emoji, too; most sentences have none
    rf"[^\w\s.,!?'-]|[_{NOTES}\u2460-\u24ff]|,\s*$|(?<!\w)'|'(?!\w)"
)
LONGEST_WORD = 60  # characters
AROUND = rf"[*_~\"“”„'‘’‚{FOR_TAG}]*"
WORD = re.compile(rf"{AROUND}\w(?:[\w'’.-]*\w)?[.,]?{AROUND}")
LETTER = re.compile(r"\s+[^\w\s]*([^\W\d_])")  # the next one after a space
SINGLE_QUOTES = {"en": ("'", "'"), "de": ("‚", "‘")}


def find_formats(
    text: str, taken: Intervals, is_spelt: Callable[[str], bool] = lambda sign: False
) -> list[Span]:
    """Finds marks of format, in order.

    Emphasis is taken out around any words; brackets and quotation marks around one word or a whole
    text. Other words in brackets are an aside, which stands for itself with its brackets; so does
    what has no words.

    Args:
        taken: what has no marks of format in it, such as a web address.
        is_spelt: tells whether the tokenizer can spell a symbol, which stays in the text then.
    """
    signs = [sign for found in SIGN.finditer(text) if (sign := _read_sign(found, taken))]
    partner = pair_tags([(sign.key, sign.opens, sign.closes) for sign in signs])
    letters = [i for i, character in enumerate(text) if character.isalnum()]
    words = (letters[0], letters[-1]) if letters else (len(text), -1)
    marks: list[Span] = []
    closings: set[int] = set()  # numbers of those whose partners are taken out
    aside_end = 0
    for i, sign in enumerate(signs):
        start, end, given = sign[:3]
        j = partner.get(i)
        if start < aside_end:
            continue
        if i in closings:
            marks.append(sign._replace(opens=False))
        elif not (sign.opens or sign.closes):
            marks += [sign] * (sign.key != SYMBOL or not is_spelt(given))
        elif j is None:
            marks += _read_loose(text, sign, words)
        elif j > i:
            last = signs[j]
            has_words = bisect_left(letters, start) < bisect_left(letters, last.end)
            is_bracket = given in BRACKETS.values()
            is_apart = not _is_glued(text, start, last.end)
            is_whole = end <= words[0] and words[1] < last.start
            is_whole |= _is_around_word(text, sign, last, is_bracket, end <= words[0])
            if is_apart and is_whole or not is_bracket and sign.key not in (DOUBLE, SINGLE):
                closings.add(j)
                marks.append(sign._replace(closes=False))
            elif not has_words or is_bracket and is_apart:
                aside_end = last.end
                kind = ASIDE if has_words else MARK
                marks.append(Span(start, aside_end, text[start:aside_end], kind))
    return marks


def _read_sign(found: re.Match[str], taken: Intervals) -> Span | None:
    """A sign that may open and close something; None if it stands within a word, or is taken."""
    text, kind, given = found.string, found.lastgroup or "", found[0]
    start, end = found.span()
    if not (taken.are_free(start, start + 1) and taken.are_free(end - 1, end)):  # (1999) is free
        return None
    if kind in ("alone", SYMBOL):
        return Span(start, end, given, MARK, kind)
    if kind == "bracket":
        closes = given in BRACKETS
        name = BRACKETS.get(given, given)
        return Span(start, end, given, MARK, name, opens=not closes, closes=closes)
    before, after = text[start - 1 : start], text[end : end + 1]
    first, last = start, end
    while text[first - 1 : first] == FOR_TAG:
        first -= 1
    while text[last : last + 1] == FOR_TAG:
        last += 1
    opens = not (text[last : last + 1] or " ").isspace() and not before.isalnum()
    closes = not (text[first - 1 : first] or " ").isspace() and not after.isalnum()
    name = given if kind == "emphasis" else kind
    sign = Span(start, end, given, MARK, name, opens=opens, closes=closes)
    return sign if opens or closes else None


def _is_glued(text: str, start: int, end: int) -> bool:
    """Whether a word goes on before or after a part of a text, as in "colour(s)" and "a[0][1]"."""
    before = text[max(start - 1, 0) : start]
    return before.isalnum() or before == "]" or text[end : end + 1].isalnum()


def _is_around_word(
    text: str, opening: Span, closing: Span, is_bracket: bool, begins: bool
) -> bool:
    """Whether brackets or quotation marks are around one word.

    A word with a capital in brackets is an aside, as in "He (Tom) sleeps." What a text begins with
    is none if it goes on with a small letter, as in "(Tom and Mary) left."
    """
    start, end = opening.end, closing.start
    if is_bracket and begins and (following := LETTER.match(text, closing.end)):
        return following[1].islower()
    is_word = end - start <= LONGEST_WORD and WORD.fullmatch(text, start, end) is not None
    return is_word and not (is_bracket and text[start].isupper())


def _read_loose(text: str, sign: Span, words: tuple[int, int]) -> list[Span]:
    """A sign without a partner, which may be in another sentence; it stands for itself.

    Quotation marks count only at the beginning and at the end of a text.
    """
    begins, ends = sign.start < words[0], sign.start > words[1]
    if sign.key in (DOUBLE, SINGLE):
        is_edge = sign.key == DOUBLE and (begins or ends)
        return [sign._replace(opens=begins, closes=not begins)] * is_edge
    is_inside = _is_glued(text, sign.start, sign.start) and _is_glued(text, sign.end, sign.end)
    return [Span(*sign[:3], MARK)] * (not is_inside)


def in_language(mark: Span, language: str) -> Span:
    """A mark as a language writes it: quotation marks have another form in each."""
    facts = language_facts(language)
    forms = {DOUBLE: facts.quotation_marks, SINGLE: SINGLE_QUOTES.get(facts.code)}.get(mark.key)
    if not forms:
        return mark
    return mark._replace(given=mark.given.replace(mark.given.strip(), forms[mark.closes]))


def with_relative_clauses(text: str, language: str) -> str:
    """A text with commas for the brackets around clauses that no model understands alone.

    How they begin and end is in the table ``clauses`` of the language: (who lives in Berlin).
    """
    clause = language_table(language, "clauses").get("relative")
    if clause is None or "(" not in text:
        return text
    text = re.sub(rf"(?<=\w) \(({clause})\)(?= \w)", r", \1,", text)
    return re.sub(rf"(?<=\w) \(({clause})\)(?=[.,!?])", r", \1", text)
