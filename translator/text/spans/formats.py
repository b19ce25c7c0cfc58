"""Finds marks of format, such as ``**``, and brackets and quotation marks around a word.

They are taken out of a text before the model sees it, as tags are, so that a translation has the
same words with and without them. What stands between clauses stays in the text.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from translator.base.languages import language_facts
from translator.text.shown import Span
from translator.text.spans.tags import Tag, pair_tags

ASIDE = "()"  # the name of an aside, which is translated as a sentence of its own
DOUBLE, SINGLE, SYMBOL, BETWEEN = "double", "single", "symbol", "between"
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
    BETWEEN: r"(?<=[^\W\d_]{2})[/+&](?=[^\W\d_]{2})|(?<=[\w.!?)\"”“])[;:](?=\s)"
    r"|(?<!\S)[–—](?!\S)",
    "emphasis": r"\*{1,3}|_{1,3}|~~",
    "bracket": r"[()\[\]{}]",
    DOUBLE: '["“”„‟«»]',
    SINGLE: rf"(?<!\w)['‘’‚‹›`](?!n['’])(?=[\w*_{FOR_TAG}])|(?<=[\w*_.,!?{FOR_TAG}])['‘’‹›](?!\w)",
}
MARK = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS.items()))
MAY_HAVE_FORMATS = re.compile(  # most sentences have none
    rf"[^\w\s.,!?'-]|[_{NOTES}]|,\s*$|(?<!\w)'|'(?!\w)"
)
LONGEST_WORD = 60  # characters
AROUND = rf"[*_~\"“”„'‘’‚{FOR_TAG}]*"
WORD = re.compile(rf"{AROUND}\w(?:[\w'’.-]*\w)?[.,]?{AROUND}")
LETTER = re.compile(r"\s+[^\w\s]*([^\W\d_])")  # the next one after a space
SINGLE_QUOTES = {"en": ("'", "'"), "de": ("‚", "‘")}


def find_formats(
    text: str,
    is_free: Callable[[int, int], bool],
    is_spelt: Callable[[str], bool] | None,
) -> Iterator[Tag]:
    """Finds marks of format, in order.

    Emphasis is taken out around any words; brackets and quotation marks around one word or a whole
    text. Other words in brackets are an aside, which stands for itself with its brackets; so does
    what has no words.

    Args:
        is_free: tells whether nothing else, such as a web address, is between two places.
        is_spelt: tells whether the tokenizer can spell a sign. A symbol that it can spell stays in
            the text, and so do marks between clauses and quotation marks around several words. None
            takes out symbols alone.
    """
    found = (
        _read_mark(mark)
        for mark in MARK.finditer(text)
        if all(is_free(i, i + 1) for i in (mark.start(), mark.end() - 1))  # (1999) has a number
    )
    marks = [mark for mark in found if mark is not None]

    def is_taken(sign: str) -> bool:
        return is_spelt is not None and not is_spelt(sign)

    partner = pair_tags([mark[1:] for mark in marks])
    letters = [i for i, character in enumerate(text) if character.isalnum()]
    words = (letters[0], letters[-1]) if letters else (len(text), -1)
    closings: set[int] = set()  # numbers of those that are taken out
    aside_end = whole_end = 0  # of the last aside; of brackets that are taken out
    for i, mark in enumerate(marks):
        start, end, sign = mark.span[:3]
        is_bracket = mark.name in BRACKETS.values()
        j = partner.get(i)
        if start < aside_end:
            continue
        if i in closings:
            yield mark._replace(opens=False)
        elif not (mark.opens or mark.closes):
            stays = mark.name == SYMBOL and is_spelt is not None or mark.name == BETWEEN
            if not stays or is_taken(sign):
                yield Tag(mark.span)
        elif j is None:
            yield from _loose(text, mark, words, is_taken(sign))
        elif j > i:
            last = marks[j].span
            is_quote = mark.name in (DOUBLE, SINGLE)
            has_words = bisect_left(letters, start) < bisect_left(letters, last.end)
            is_glued = _is_glued(text, start, last.end)
            are_taken = not is_bracket and (not is_quote or has_words and is_taken(sign))
            begins = end <= words[0]
            are_taken |= not is_glued and (
                is_bracket
                and start < whole_end
                or begins
                and words[1] < last.start
                or _are_taken(text, mark.span, last, begins, is_bracket)
            )
            if are_taken:
                closings.add(j)
                whole_end = max(whole_end, last.end) if is_bracket else whole_end
                yield mark._replace(closes=False)
            elif not has_words or is_bracket and not is_glued:
                aside_end = last.end
                yield Tag(Span(start, aside_end, text[start:aside_end]), ASIDE * has_words)


def _read_mark(found: re.Match[str]) -> Tag | None:
    """A mark that may open and close something; None if it stands within a word."""
    span, kind = Span(*found.span(), found.group()), found.lastgroup or ""
    if kind in ("alone", SYMBOL, BETWEEN):
        return Tag(span, kind)
    if kind == "bracket":
        closes = span.given in BRACKETS
        return Tag(span, BRACKETS.get(span.given, span.given), not closes, closes)
    text, start, end = found.string, span.start, span.end
    before, after = text[start - 1 : start], text[end : end + 1]
    while text[start - 1 : start] == FOR_TAG:
        start -= 1
    while text[end : end + 1] == FOR_TAG:
        end += 1
    opens = not (text[end : end + 1] or " ").isspace() and not before.isalnum()
    closes = not (text[start - 1 : start] or " ").isspace() and not after.isalnum()
    name = span.given if kind == "emphasis" else kind
    return Tag(span, name, opens, closes) if opens or closes else None


def _is_glued(text: str, start: int, end: int) -> bool:
    """Whether a word goes on before or after a part of a text, as in "colour(s)" and "a[0][1]"."""
    before = text[max(start - 1, 0) : start]
    return before.isalnum() or before == "]" or text[end : end + 1].isalnum()


def _are_taken(text: str, opening: Span, closing: Span, begins: bool, is_bracket: bool) -> bool:
    """Whether brackets or quotation marks are around one word.

    A word with a capital in brackets is an aside, as in "He (Tom) sleeps." What a text begins with
    is none if it goes on with a small letter, as in "(Tom and Mary) left."
    """
    start, end = opening.end, closing.start
    if is_bracket and begins and (following := LETTER.match(text, closing.end)):
        return following[1].islower()
    is_word = end - start <= LONGEST_WORD and WORD.fullmatch(text, start, end) is not None
    return is_word and not (is_bracket and text[start].isupper())


def _loose(text: str, mark: Tag, words: tuple[int, int], is_taken: bool) -> Iterator[Tag]:
    """A mark without a partner, which may be in another sentence; it stands for itself.

    Quotation marks count only at the beginning and at the end of a text, others if they cannot be
    spelt.
    """
    start, end = mark.span[:2]
    if mark.name == DOUBLE:
        if start < words[0] or start > words[1]:
            yield mark._replace(opens=start < words[0], closes=start >= words[0])
        elif is_taken:
            yield Tag(mark.span)
    elif mark.name != SINGLE and not (_is_glued(text, start, start) and _is_glued(text, end, end)):
        yield Tag(mark.span)


def in_language(tag_name: str, sign: str, closes: bool, language: str) -> str:
    """A mark as a language writes it: quotation marks have another form in each."""
    facts = language_facts(language)
    marks = {DOUBLE: facts.quotation_marks, SINGLE: SINGLE_QUOTES.get(facts.code)}.get(tag_name)
    return marks[closes] if marks else sign
