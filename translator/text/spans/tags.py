"""Finds tags and emoji, which are taken out of a text before the model sees it.

Tags are those of HTML and XML, and Markdown's links. So are footnotes' marks, whole, as their
numbers are no part of the sentence. Emoji have skin tones, joined sequences, flags and keycaps;
emoticons such as :-) count.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from translator.text.copied_spans import CODE, FORMULA
from translator.text.shown import Span
from translator.text.spans.intervals import Intervals

ATTRIBUTE = r"[A-Za-z_:@*#][\w.:@-]*(?:\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'|[^\s\"'=<>`]+))"
SWITCHES = (  # attributes of HTML that need no value, and any with a hyphen, such as data-x
    "allowfullscreen|async|autofocus|autoplay|checked|controls|default|defer|disabled|download"
    "|formnovalidate|hidden|inert|ismap|itemscope|loop|multiple|muted|nomodule|novalidate|open"
    r"|playsinline|readonly|required|reversed|selected|[A-Za-z]\w*-[\w-]*"
)
LONGEST_COMMENT = 2000  # characters
FOOTNOTE = (  # after a word or a mark, as in "hospital<sup>1</sup>"
    r"(?<=[\w.,;:!?)\]\"'”’])<sup(?: id=\"\d+\")?>(?:<a\s[^<>]*>)?"
    r"(?:\d{1,3}|\[\d{1,3}\]|[*†‡])(?:</a>)?</sup>"
)
TEMPLATE = (  # what controls a template, and is no value: {% if x %}, <% end %>, {{#if x}}
    r"\{%(?:(?!%\}|\{%)[^\n])*%\}|<%(?!=)(?:(?!%>|<%)[^\n])*%>|\{\{(?:[#/^]|else\b)[^{}\n]*\}\}"
)
TAG = re.compile(
    rf"{FOOTNOTE}|{TEMPLATE}"
    r"|</?(?:[A-Za-z][\w.-]*(?::[\w.-]+)?"
    rf"(?:\s+(?:{ATTRIBUTE}|(?:{SWITCHES})(?![\w-])))*|\d+)\s*/?>"
    rf"|<!--(?:(?!-->|<!--).){{0,{LONGEST_COMMENT}}}-->|<![A-Za-z][^<>]*>|<\?[^<>]*\?>"
)
NAME = re.compile(r"</?([\w.:-]+)")
COPIED = re.compile(f"{CODE}|{FORMULA}")
LINKED = "]("  # the name of a link's element
LINK = re.compile(  # of Markdown, or an image; the address is in brackets or named in others
    r"(!?\[)([^\[\]\n]*)"
    r"(\]\((?:[^\s()<>]|\([^\s()<>]*\))*(?:\s+\"[^\"\n]*\")?\)|\]\[[^\[\]\n]*\](?!\w))"
)
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
    """A tag in a text, an emoji, or a mark of format.

    Attributes:
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
    """Finds tags and both parts of links, but for those within code and formulas.

    A tag of an unknown name without attributes counts only if there is one that closes it, or
    if it closes itself; "Enter <name> here" has none.
    """
    if not any(sign in text for sign in ("<", "](", "][", "{%", "{{")):
        return
    taken = Intervals(match.span() for match in COPIED.finditer(text))
    links = [tag for tag in _find_links(text) if taken.are_free(tag.span.start, tag.span.end)]
    taken.add((tag.span.start, tag.span.end) for tag in links)
    found = [_read_tag(match) for match in TAG.finditer(text) if taken.are_free(*match.span())]
    opening = Counter(tag.name for tag in found if tag.opens)
    closing = Counter(tag.name for tag in found if tag.closes)
    for tag in sorted([*found, *links], key=lambda tag: tag.span.start):
        is_known = tag.name in VOID or tag.name in BLOCKS or tag.name in INLINE
        is_element = tag.opens or tag.closes
        is_closed = opening[tag.name] and closing[tag.name]
        if is_known or not is_element or is_closed or " " in tag.span.given or tag.name == LINKED:
            yield tag


def _find_links(text: str) -> Iterator[Tag]:
    for link in LINK.finditer(text):
        is_index = text[link.start() - 1 : link.start()].isalnum() or link[2].isdigit()
        if link[3].startswith("][") and is_index:  # a[i][j], or notes
            continue
        if not any(map(str.isalnum, link[2])):
            yield Tag(Span(*link.span(), link.group()))
            continue
        yield Tag(Span(*link.span(1), link[1]), LINKED, opens=True)
        yield Tag(Span(*link.span(3), link[3]), LINKED, closes=True)


def without_tags(text: str, filling: str = " ", tags: Iterable[Tag] | None = None) -> str:
    """A text with spaces, or other characters, for its tags; all else stands where it stood.

    Args:
        tags: of the text, if they were found already.
    """
    pieces: list[str] = []
    end = 0
    for tag in find_tags(text) if tags is None else tags:
        pieces += (text[end : tag.span.start], filling * len(tag.span.given))
        end = tag.span.end
    return "".join([*pieces, text[end:]])


def _read_tag(found: re.Match[str]) -> Tag:
    text = found.group()
    is_footnote = text.startswith("<sup") and text.endswith("</sup>")
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


def pair_tags(tags: Sequence[tuple[str, bool, bool]]) -> dict[int, int | None]:
    """The partner of each tag that has one; None for an opening one that an outer one ends.

    Args:
        tags: the name of each, whether it may open an element, and whether it may close one; one
            that may do both closes the element that is open.
    """
    partner: dict[int, int | None] = {}
    stack: list[int] = []
    open_names: Counter[str] = Counter()
    for i, (name, opens, closes) in enumerate(tags):
        if closes and open_names[name]:
            while tags[stack[-1]][0] != name:
                unclosed = stack.pop()
                open_names[tags[unclosed][0]] -= 1
                partner[unclosed] = None
            opening = stack.pop()
            partner[opening], partner[i] = i, opening
            open_names[name] -= 1
        elif opens:
            stack.append(i)
            open_names[name] += 1
    return partner
