"""Finds tags and emoji. They are taken out of a text before the model sees it.

Tags are tags of HTML and XML, and Markdown's links. A footnote's mark is one tag as a whole,
because its number is no part of the sentence. Emoji may have skin tones, or be joined sequences,
flags and keycaps; emoticons such as :-) count, too.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from translator.text.copied_spans import CODE, FORMULA
from translator.text.shown import MARK, Intervals, Span

ATTRIBUTE = r"[A-Za-z_:@*#][\w.:@-]*(?:\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'|[^\s\"'=<>`]+))?"
LONGEST_COMMENT = 2000  # characters
FOOTNOTE = (  # after a word or a mark, as in "hospital<sup>1</sup>"
    r"(?<=[\w.,;:!?)\]\"'”’])<sup(?: id=\"\d+\")?>(?:<a\s[^<>]*>)?"
    r"(?:\d{1,3}|\[\d{1,3}\]|[*†‡])(?:</a>)?</sup>"
)
TAG = (
    rf"{FOOTNOTE}|</?(?:[A-Za-z][\w.-]*(?::[\w.-]+)?(?:\s+{ATTRIBUTE})*|\d+)\s*/?>"
    rf"|<!--(?:(?!-->|<!--).){{0,{LONGEST_COMMENT}}}-->|<![A-Za-z][^<>]*>|<\?[^<>]*\?>"
)
NAME = r"</?([\w.:-]+)"
COPIED = f"{CODE}|{FORMULA}"
LINKED = "]("  # the name of a link's element
LINK = (  # a link or image of Markdown; its address is in brackets, or a name for it
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
KNOWN = VOID | BLOCKS | INLINE
PICTURE = (  # emoji with flags and skin tones
    "[\U0001f000-\U0001faff\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299]|[©®™‼⁉ℹ](?=\ufe0f)|[0-9#*]\ufe0f?\u20e3"
)
# Emoji in a row are one. Emoticons are after a space or a final mark: not in "10:00)", "(see page
# 3:)" and web addresses. A heart ends a text or a sentence: "<3 hours" is a comparison.
EMOJI = (
    f"(?:(?:{PICTURE})[\ufe0e\ufe0f\u200d\U000e0020-\U000e007f]*)+"
    r"|(?<![^\s.!?…])(?:[:;]['’]?-?(?:[)(]+|[DPp])|<3(?=[\s.!?…]*$|[.!?…]+\s))(?=[\s.,!?…)]|$)"
)


def find_tags(text: str) -> list[Span]:
    """Finds tags and both parts of links, in order, except parts within code and formulas.

    A tag with an unknown name and without values counts only if another tag closes it, or if it
    closes itself. "Enter <your name> here" has no tag.
    """
    if "<" not in text and "](" not in text and "][" not in text:
        return []
    taken = Intervals(match.span() for match in re.finditer(COPIED, text))
    links = [part for part in _find_links(text) if taken.are_free(part.start, part.end)]
    taken.add(links)
    tags = [_read_tag(match) for match in re.finditer(TAG, text) if taken.are_free(*match.span())]
    paired = {tag.key for tag in tags if tag.opens} & {tag.key for tag in tags if tag.closes}
    counted = [
        tag
        for tag in tags
        if tag.key in KNOWN | paired or not (tag.opens or tag.closes) or "=" in tag.text
    ]
    return sorted([*counted, *links])


def _find_links(text: str) -> Iterator[Span]:
    for link in re.finditer(LINK, text):
        is_index = text[link.start() - 1 : link.start()].isalnum() or link[2].isdigit()
        if link[3].startswith("][") and is_index:  # a[i][j], or notes
            continue
        if any(map(str.isalnum, link[2])):
            yield Span(*link.span(1), link[1], MARK, LINKED, opens=True)
            yield Span(*link.span(3), link[3], MARK, LINKED, closes=True)
        else:
            yield Span(*link.span(), link[0], MARK)


def _read_tag(match: re.Match[str]) -> Span:
    text = match[0]
    is_footnote = text.startswith("<sup") and text.endswith("</sup>")
    named = None if is_footnote else re.match(NAME, text)
    name = named[1].lower() if named else ""
    name = name.partition(".")[0] if name[1:2] == "." else name  # <c.yellow> of subtitles
    stands_alone = not name or text.endswith("/>") or name in VOID
    closes = text.startswith("</") and not stands_alone
    opens = not (closes or stands_alone)
    return Span(*match.span(), text, MARK, name, opens=opens, closes=closes)


def is_block(mark: Span) -> bool:
    """Whether a mark begins or ends a block, such as a paragraph. Sentences end there, too."""
    return mark.key in BLOCKS and (mark.opens or mark.closes)


def separates(mark: Span) -> bool:
    """Whether the words before and after a mark are two words, even without a space."""
    return mark.key in BLOCKS or not (mark.opens or mark.closes)


def without_tags(text: str, filling: str = " ", tags: Iterable[Span] | None = None) -> str:
    """A text with spaces, or other characters, instead of tags. Other parts keep their places.

    Args:
        tags: the tags of the text, if they were already found.
    """
    pieces: list[str] = []
    end = 0
    for tag in find_tags(text) if tags is None else tags:
        pieces += (text[end : tag.start], filling * len(tag.text))
        end = tag.end
    return "".join([*pieces, text[end:]])


def find_emoji(text: str) -> list[Span]:
    """Finds emoji and emoticons, in order."""
    return [Span(*match.span(), match[0], MARK) for match in re.finditer(EMOJI, text)]


def pair_tags(tags: Sequence[tuple[str, bool, bool]]) -> dict[int, int | None]:
    """The partners of tags; None for a tag that is closed by the end of an outer element.

    Args:
        tags: for each tag its name, whether it may open an element, and whether it may close one.
            A tag that may do both closes the open element.
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
