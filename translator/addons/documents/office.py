"""Files of word processors: ZIP archives with XML files, whose texts are in paragraphs."""

import io
import itertools
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from translator.addons.documents.document import Document, Written
from translator.addons.documents.plain_text import goes_on
from translator.addons.documents.xml_texts import InlineText, write_xml
from translator.base.errors import InputError

MOST_BYTES = 1 << 29  # of all files of a document, unpacked
MOST_BYTES_READ = 1 << 26  # of those with texts; a thousand pages have a quarter of it
DAMAGE = (  # what zipfile raises of it
    zipfile.BadZipFile, EOFError, NotImplementedError, OSError, RuntimeError, ValueError,
    struct.error, zlib.error,
)  # fmt: skip
CODE_STYLES = frozenset((  # names without spaces and signs, in lower case
    "code", "codeblock", "codechar", "codetext", "htmlcode", "htmlkeyboard", "htmlpreformatted",
    "htmlsample", "htmltypewriter", "listing", "macro", "macrotext", "preformattedtext",
    "programlisting", "quellcode", "quelltext", "sourcecode", "sourcetext", "teletype",
    "verbatim", "verbatimchar", "verbatimtext",
))  # fmt: skip
# The names of what is around a part, or a word of code, until it is taken away
PART, CODE = "part", "code"


def unpack(content: bytes, name: str, is_read: Callable[[str], object]) -> dict[str, bytes]:
    """Those files of a document that are read, by their paths."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = archive.infolist()
            found = [info for info in infos if is_read(info.filename)]
            sizes = [sum(info.file_size for info in each) for each in (infos, found)]
            if sizes[0] <= MOST_BYTES and sizes[1] <= MOST_BYTES_READ:
                if archive.testzip() or len(set(archive.namelist())) < len(infos):
                    raise zipfile.BadZipFile
                return {info.filename: archive.read(info) for info in found}
    except DAMAGE:
        raise InputError(
            f"{name}: expected a whole document, found a damaged file; save it anew, without a"
            " password"
        ) from None
    raise InputError(
        f"{name}: expected at most {MOST_BYTES >> 20} MiB unpacked, of which"
        f" {MOST_BYTES_READ >> 20} MiB are text, found more; divide it"
    )


def _packed(content: bytes, changed: dict[str, bytes]) -> bytes:
    """A document with other files, in the order and the compression of the old one."""
    output = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(output, "w") as new,
    ):
        for info in old.infolist():
            part = changed.get(info.filename)
            new.writestr(info, old.read(info) if part is None else part, info.compress_type)
    return output.getvalue()


def document_of(
    content: bytes,
    trees: dict[str, Any],
    paragraphs: Iterable[Sequence[InlineText]],
) -> Document:
    numbered = enumerate(paragraphs, start=1)
    found = [(i, each) for i, texts in numbered for each in texts if each.has_words]

    def write(written: Sequence[Written]) -> bytes:
        changed = set()
        for (_, each), translated in zip(found, written):
            if translated.is_translated and translated.text != each.source:
                each.put(translated.text)
                changed.add(each.element.getroottree().getroot())
        for tree in trees.values():
            without_parts(tree)
        made = {path: write_xml(tree) for path, tree in trees.items() if tree.getroot() in changed}
        return _packed(content, made) if made else content

    return Document([each.text(f"paragraph {i}") for i, each in found], write)


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
        base: the key of the style that it is made of.
    """

    name: str
    base: str | None = None


def is_code(style: str, styles: Mapping[str, Style]) -> bool:
    """Whether a style is one of code, by its name or that of one that it is made of."""
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
