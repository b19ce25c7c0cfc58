"""Paragraphs of word processors: what of them is code, and their parts between tabs and breaks."""

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from translator.addons.documents.line_breaks import goes_on

CODE_STYLES = frozenset((  # names without spaces and signs, in lower case
    "code", "codeblock", "codechar", "codetext", "htmlcode", "htmlkeyboard", "htmlpreformatted",
    "htmlsample", "htmltypewriter", "listing", "macro", "macrotext", "preformattedtext",
    "programlisting", "quellcode", "quelltext", "sourcecode", "sourcetext", "teletype",
    "verbatim", "verbatimchar", "verbatimtext",
))  # fmt: skip
# The names of what is around a part, or a word of code, until it is taken away
PART, CODE = "part", "code"


class Format(NamedTuple):
    """How a format says what is in a paragraph.

    Attributes:
        ends_part: whether an element is a tab, or ends a page or a column.
        ends_line: whether an element is a line break.
        inner: the element with the content of a group; None of what is no group.
        text_of: what an element says of the text that is translated.
    """

    ends_part: Callable[[Any], bool]
    ends_line: Callable[[Any], bool]
    inner: Callable[[Any], Any]
    text_of: Callable[[Any], str]


class Style(NamedTuple):
    """How paragraphs or letters look.

    Attributes:
        name: that people see.
        base: the key of the style that it is made of.
    """

    name: str
    base: str | None = None


def is_code(style: str, styles: Mapping[str, Style]) -> bool:
    """Whether a style is one of code, by its name or that of one that it is made of.

    Args:
        style: its key.
        styles: of the document, by their keys.
    """
    seen: list[str] = []
    key: str | None = style
    while key is not None and key not in seen:
        seen.append(key)
        name, key = styles.get(key, Style(key))
        if re.sub(r"_\d\d_|[\W\d_]", "", name).lower() in CODE_STYLES:
            return True
    return False


def divide(element: Any, form: Format) -> Sequence[Any]:
    """Divides a paragraph at tabs, and at line breaks but for those within a sentence.

    What has tabs or breaks in it, such as a link, is divided in itself.

    Args:
        element: which is changed: each part is in an element of its own.
        form: how it says what is in it.

    Returns:
        The parts, or the paragraph itself if it is one.
    """
    ends = [child for child in element if _has_end(child, form)]
    lines = _lines(element, ends, form)
    width = max(map(len, lines))
    kept = {
        end
        for i, end in enumerate(ends)
        if not (
            form.ends_line(end) and goes_on(lines[i], itertools.islice(lines, i + 1, None), width)
        )
    }
    if not kept:
        return [element]
    parts = [element.makeelement(PART)]
    parts[0].text, element.text = element.text, None
    last = parts[0]
    for child in list(element):
        if child not in kept:
            last.append(child)
            continue
        child.addprevious(last)
        inner = form.inner(child)
        if inner is not None:
            parts += divide(inner, form)
        last = element.makeelement(PART)
        last.text, child.tail = child.tail, None
        parts.append(last)
    element.append(last)
    return parts


def _has_end(element: Any, form: Format) -> bool:
    """Whether an element is a tab or a break, or has one in it."""
    inner = form.inner(element)
    if inner is not None:
        return any(_has_end(child, form) for child in inner)
    return form.ends_part(element) or form.ends_line(element)


def _lines(element: Any, ends: Sequence[Any], form: Format) -> list[str]:
    """The texts before, between and behind some children of an element."""
    lines = [element.text or ""]
    waiting = iter([*ends, None])
    end = next(waiting)
    for child in element:
        if child is end:
            lines.append("")
            end = next(waiting)
        else:
            lines[-1] += form.text_of(child)
        lines[-1] += child.tail or ""
    return [" ".join(line.split()) for line in lines]


def wrap_code(element: Any) -> None:
    """Puts an element that is code into another one, which says so."""
    around = element.makeelement(CODE)
    element.addprevious(around)
    around.tail, element.tail = element.tail, None
    around.append(element)


def without_parts(tree: Any) -> None:
    """Takes away what is around the parts of paragraphs, and around code."""
    from lxml import etree

    etree.strip_tags(tree, PART, CODE)
