"""Tags and emoji: they are taken out of a text before the model sees it, and keep their places.

Tags are those of HTML and XML. So are footnotes' marks, whole, as their numbers are no part of the
sentence. Emoji have skin tones, joined sequences, flags and keycaps; emoticons such as :-) count.
"""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from translator.text.memo import Span
from translator.text.patterns import FORMULA
from translator.text.punctuation import MARKS
from translator.text.spans.intervals import Intervals

ATTRIBUTE = r"[A-Za-z_:@*#][\w.:@-]*(?:\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'|[^\s\"'=<>`]+))"
SWITCHES = (  # attributes of HTML that need no value, and any with a hyphen, such as data-x
    "allowfullscreen|async|autofocus|autoplay|checked|controls|default|defer|disabled|download"
    "|formnovalidate|hidden|inert|ismap|itemscope|loop|multiple|muted|nomodule|novalidate|open"
    r"|playsinline|readonly|required|reversed|selected|[A-Za-z]\w*-[\w-]*"
)
LONGEST_COMMENT = 2000  # characters
FOOTNOTE = (  # after a word or a mark, as in "hospital<sup>1</sup>"
    r"(?<=[\w.,;:!?)\]\"'”’])<sup>(?:<a\s[^<>]*>)?(?:\d{1,3}|\[\d{1,3}\]|[*†‡])(?:</a>)?</sup>"
)
TAG = re.compile(
    rf"{FOOTNOTE}"
    r"|</?(?:[A-Za-z][\w.-]*(?::[\w.-]+)?"
    rf"(?:\s+(?:{ATTRIBUTE}|(?:{SWITCHES})(?![\w-])))*|\d+)\s*/?>"
    rf"|<!--(?:(?!-->).){{0,{LONGEST_COMMENT}}}-->|<![A-Za-z][^<>]*>|<\?[^<>]*\?>"
)
NAME = re.compile(r"</?([\w.:-]+)")
VOID = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
    "track", "wbr",
))  # fmt: skip
BLOCKS = frozenset((
    "blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "li", "main", "nav", "ol", "p",
    "pre", "section", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul",
))  # fmt: skip
INLINE = frozenset((
    "a", "abbr", "b", "bdi", "bdo", "big", "bpt", "button", "cite", "code", "del", "dfn", "em",
    "ept", "font", "g", "i", "ins", "it", "kbd", "label", "mark", "mrk", "ph", "q", "ruby", "s",
    "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "x",
))  # fmt: skip


class Tag(NamedTuple):
    """A tag in a text, or an emoji.

    Attributes:
        span: where it stands.
        name: of the element, in lower case; empty for a comment, a whole footnote and an emoji.
        opens: whether it opens an element.
        closes: whether it closes one; a tag that does neither stands for itself.
    """

    span: Span
    name: str = ""
    opens: bool = False
    closes: bool = False

    @property
    def is_block(self) -> bool:
        """Whether it begins or ends a block, such as a paragraph, where no sentence goes on."""
        return self.name in BLOCKS and (self.opens or self.closes)

    @property
    def separates(self) -> bool:
        """Whether the words before and after it are two words, even without a space."""
        return self.name in BLOCKS or not (self.opens or self.closes)


def find_tags(text: str) -> Iterator[Tag]:
    """Finds tags, but for those within a formula.

    A tag of an unknown name without attributes counts only if there is one that closes it, or
    if it closes itself; "Enter <name> here" has none.
    """
    if "<" not in text:
        return
    formulas = Intervals(match.span() for match in FORMULA.finditer(text))
    found = [_read_tag(match) for match in TAG.finditer(text) if formulas.are_free(*match.span())]
    opening = Counter(tag.name for tag in found if tag.opens)
    closing = Counter(tag.name for tag in found if tag.closes)
    for tag in found:
        is_known = tag.name in VOID or tag.name in BLOCKS or tag.name in INLINE
        is_element = tag.opens or tag.closes
        is_closed = opening[tag.name] and closing[tag.name]
        if is_known or not is_element or is_closed or " " in tag.span.text:
            yield tag


def without_tags(text: str) -> str:
    """A text with spaces in place of its tags, in which all else stands where it stood."""
    pieces: list[str] = []
    end = 0
    for tag in find_tags(text):
        pieces += (text[end : tag.span.start], " " * len(tag.span.text))
        end = tag.span.end
    return "".join([*pieces, text[end:]])


def _read_tag(found: re.Match[str]) -> Tag:
    text = found.group()
    is_footnote = text.startswith("<sup>") and text != "<sup>"
    named = None if is_footnote else NAME.match(text)
    name = named[1].lower() if named else ""
    stands_alone = not name or text.endswith("/>") or name in VOID
    closes = text.startswith("</") and not stands_alone
    return Tag(Span(found.start(), found.end(), text), name, not (closes or stands_alone), closes)


TONE = "[\U0001f3fb-\U0001f3ff]"
PICTURE = (
    "[\U0001f000-\U0001f1e5\U0001f200-\U0001faff\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff"
    "\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299]"
)
ONE = (
    "(?:[\U0001f1e6-\U0001f1ff]{2}"  # a flag
    "|\U0001f3f4[\U000e0020-\U000e007f]+"  # a flag of a part of a country
    "|[0-9#*]\ufe0f?\u20e3"  # a keycap
    f"|(?:{PICTURE}|[©®™‼⁉ℹ](?=\ufe0f))[\ufe0e\ufe0f]?{TONE}?)"
)
EMOJI = re.compile(f"{ONE}(?:\u200d?{ONE})*")
# After a space or a final mark: not in "10:00)", "(see page 3:)" and web addresses. A heart ends a
# text or a sentence: "<3 hours" is a comparison.
EMOTICON = re.compile(
    r"(?<![^\s.!?…])(?:[:;]['’]?-?(?:[)(]+|[DPp])|<3(?=[\s.!?…]*$|[.!?…]+\s))(?=[\s.,!?…)]|$)"
)


def find_emoji(text: str) -> Iterator[Span]:
    """Finds emoji and emoticons; emoji without a space between them are one."""
    patterns = (EMOTICON,) if text.isascii() else (EMOTICON, EMOJI)
    found = [span for pattern in patterns for span in pattern.finditer(text)]
    for one in sorted(found, key=re.Match.start):
        yield Span(one.start(), one.end(), one.group())


class InlineMark(NamedTuple):
    """A tag or emoji that was taken out of a text.

    Attributes:
        offset: how many characters of the text without marks stand before it, not counting
            white space.
        text: what was taken out.
        name: of the element that it opens or closes.
        opens: whether it opens an element.
        closes: whether it closes one; a mark that does neither stands for itself.
        space_before: whether there was a space before it.
        space_after: whether there was a space after it.
    """

    offset: int
    text: str
    name: str
    opens: bool
    closes: bool
    space_before: bool
    space_after: bool

    @property
    def joins(self) -> bool:
        """Whether it stands between two words without any space."""
        return not (self.opens or self.closes or self.space_before or self.space_after)

    @property
    def leans_right(self) -> bool:
        """Whether it belongs to what follows it."""
        return self.opens or self.space_before and not (self.closes or self.space_after)


class InlineText(NamedTuple):
    """A text without its inline marks.

    Attributes:
        plain: the text that is left.
        marks: what was taken out, in order.
    """

    plain: str
    marks: tuple[InlineMark, ...] = ()

    def with_plain(self, plain: str) -> "InlineText":
        """The same marks in a text whose words were respelt."""
        if plain == self.plain or not self.marks:
            return InlineText(plain, self.marks)
        old, new = self.plain.split(), plain.split()
        old_starts = list(itertools.accumulate(map(len, old), initial=0))
        new_starts = list(itertools.accumulate(map(len, new), initial=0))
        marks, word = [], 0
        for mark in self.marks:
            while word + 1 < len(old_starts) and old_starts[word + 1] <= mark.offset:
                word += 1
            inside = min(mark.offset - old_starts[word], len(new[word]) if word < len(new) else 0)
            marks.append(mark._replace(offset=new_starts[word] + inside))
        return InlineText(plain, tuple(marks))

    def joined(self) -> str:
        """The text with its marks where they were."""
        pieces: list[str] = []
        rest = list(self.marks[::-1])
        count = 0
        for character in self.plain:
            is_space = character.isspace()
            while rest and rest[-1].offset == count and not (is_space and rest[-1].leans_right):
                mark = rest.pop()
                pieces.append(_with_spaces(mark, pieces, mark.space_after and not is_space))
            pieces.append(character)
            count += not is_space
        pieces += (_with_spaces(mark, pieces, mark.space_after) for mark in reversed(rest))
        return "".join(pieces)


def take_out_marks(
    text: str, find_spans: Callable[[str], Iterable[tuple[int, int]]] = lambda text: ()
) -> InlineText:
    """Takes tags and emoji out of a text.

    Args:
        text: any text.
        find_spans: finds start and end of spans such as web addresses, whose emoji stay.
    """
    tags = list(find_tags(text))
    emoji = list(map(Tag, find_emoji(text)))
    if emoji:
        taken = Intervals((tag.span.start, tag.span.end) for tag in tags)
        taken.add(find_spans(without_tags(text)))
        emoji = [one for one in emoji if taken.are_free(one.span.start, one.span.end)]
    found = sorted([*tags, *emoji], key=lambda one: one.span.start)
    return _without(text, found) if found else InlineText(text)


def words_without_marks(text: str) -> list[str]:
    """The words of a text between spaces, without tags and emoji."""
    return take_out_marks(text).plain.split()


def _without(text: str, found: Sequence[Tag]) -> InlineText:
    pieces, marks, count, end = [], [], 0, 0
    for one in found:
        before = text[end : one.span.start]
        end = one.span.end
        space_before = text[one.span.start - 1 : one.span.start].isspace()
        space_after = text[end : end + 1].isspace()
        pieces.append(before)
        count += len("".join(before.split()))
        marks.append(InlineMark(count, one.span.text, *one[1:], space_before, space_after))
        if one.separates and not space_before and not space_after:
            pieces.append(" ")
    plain = "".join([*pieces, text[end:]])
    # A space that stood between a mark and punctuation would stand before the punctuation now
    plain = re.sub(rf"(?<!\s)\s+(?=[{re.escape(MARKS[:6])}](?:\s|$))", "", plain) if end else plain
    return InlineText(plain, tuple(marks))


def _with_spaces(mark: InlineMark, before: Sequence[str], space_after: bool) -> str:
    is_apart = not before or before[-1][-1:].isspace()
    return " " * (mark.space_before and not is_apart) + mark.text + " " * space_after
