"""Tags as of HTML and XML, which are taken out of a text before the model sees it.

So are footnotes' marks, whole, as their numbers are no part of the sentence.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from translator.text.spans.formulas import FORMULA
from translator.text.spans.intervals import Intervals
from translator.text.spans.kind import Span

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
    """A tag in a text.

    Attributes:
        span: where it stands.
        name: of the element, in lower case; empty for a comment and for a whole footnote.
        opens: whether it opens an element.
        closes: whether it closes one; a tag that does neither stands for itself.
    """

    span: Span
    name: str
    opens: bool
    closes: bool

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
