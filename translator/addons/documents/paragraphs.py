"""Paragraphs of word processors: what of them is code, and their parts between tabs and breaks."""

import re
from collections.abc import Callable, Sequence
from typing import Any

CODE = re.compile(r"Source|Verbatim|Preformatted|Teletype|Listing|Code")  # in the names of styles
PART = "part"  # the name of what is around a part of a paragraph until it is taken away


def divide(
    paragraph: Any, ends_part: Callable[[Any], bool], ends_line: Callable[[Any], bool]
) -> Sequence[Any]:
    """Divides a paragraph at tabs, and at line breaks but for those within a sentence.

    Args:
        paragraph: which is changed: each part is in an element of its own.
        ends_part: whether an element is a tab.
        ends_line: whether an element is a line break.

    Returns:
        The parts, or the paragraph itself if it is one.
    """
    children = list(paragraph)
    begins = _begins(children, lambda each: ends_part(each) or ends_line(each))
    ends = {
        child
        for child, begin in zip(children, begins)
        if ends_part(child) or ends_line(child) and not begin.islower()
    }
    if not ends:
        return [paragraph]
    parts = [paragraph.makeelement(PART)]
    parts[0].text, paragraph.text = paragraph.text, None
    for child in children:
        if child in ends:
            child.addprevious(parts[-1])
            parts.append(paragraph.makeelement(PART))
            parts[-1].text, child.tail = child.tail, None
        else:
            parts[-1].append(child)
    paragraph.append(parts[-1])
    return parts


def _begins(children: Sequence[Any], is_end: Callable[[Any], bool]) -> Sequence[str]:
    """The first letter behind each element, before the next end; empty where there is none."""
    letters: list[str] = []
    following = ""
    for child in reversed(children):
        following = _first_letter(child.tail or "") or following
        letters.append(following)
        following = "" if is_end(child) else _first_letter("".join(child.itertext())) or following
    return letters[::-1]


def _first_letter(text: str) -> str:
    return next(filter(str.isalpha, text), "")


def without_parts(tree: Any) -> None:
    """Takes away what is around the parts of paragraphs."""
    from lxml import etree

    etree.strip_tags(tree, PART)
