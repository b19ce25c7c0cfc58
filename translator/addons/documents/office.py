"""Files of word processors: ZIP archives of XML files that have texts in paragraphs."""

import io
import itertools
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from translator.addons.documents.document import Document, WrittenText
from translator.addons.documents.plain_text import goes_on
from translator.addons.documents.xml_texts import InlineText, write_xml
from translator.base.errors import InputError

MOST_BYTES = 1 << 29  # of all files of a document, unpacked
MOST_BYTES_READ = 1 << 26  # of files with texts; a thousand pages need a quarter of it
DAMAGE = (  # errors of zipfile if a file is damaged
    zipfile.BadZipFile, EOFError, NotImplementedError, OSError, RuntimeError, ValueError,
    struct.error, zlib.error,
)  # fmt: skip
CODE_STYLES = frozenset((  # names without spaces and signs, in lower case
    "code", "codeblock", "codechar", "codetext", "htmlcode", "htmlkeyboard", "htmlpreformatted",
    "htmlsample", "htmltypewriter", "listing", "macro", "macrotext", "preformattedtext",
    "programlisting", "quellcode", "quelltext", "sourcecode", "sourcetext", "teletype",
    "verbatim", "verbatimchar", "verbatimtext",
))  # fmt: skip
PART, CODE = "part", "code"  # temporary elements around a part of a paragraph, or around code


def unpack(content: bytes, name: str, is_read: Callable[[str], object]) -> dict[str, bytes]:
    """Unpacks the files of a document that are read; returns their contents by their paths."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = archive.infolist()
            read_infos = [info for info in infos if is_read(info.filename)]
            sizes = [sum(info.file_size for info in files) for files in (infos, read_infos)]
            if sizes[0] <= MOST_BYTES and sizes[1] <= MOST_BYTES_READ:
                if archive.testzip() or len(set(archive.namelist())) < len(infos):
                    raise zipfile.BadZipFile
                return {info.filename: archive.read(info) for info in read_infos}
    except DAMAGE:
        raise InputError(
            f"{name}: expected a whole document, found a damaged file; save it again, without"
            " a password"
        ) from None
    raise InputError(
        f"{name}: expected at most {MOST_BYTES >> 20} MiB unpacked, and at most"
        f" {MOST_BYTES_READ >> 20} MiB of text in it, found more; divide the document"
    )


def _pack(content: bytes, changed: dict[str, bytes]) -> bytes:
    """Packs a document with changed files; order and compression stay."""
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
    content: bytes, trees: dict[str, Any], paragraphs: Iterable[Sequence[InlineText]]
) -> Document:
    numbered = enumerate(paragraphs, start=1)
    numbered_texts = [(i, text) for i, texts in numbered for text in texts if text.has_words]

    def write(written_texts: Sequence[WrittenText]) -> bytes:
        changed = set()
        for (_, text), written in zip(numbered_texts, written_texts):
            if written.is_translated and written.text != text.source:
                text.put(written.text)
                changed.add(text.element.getroottree().getroot())
        for tree in trees.values():
            unwrap_parts(tree)
        changed_trees = {path: tree for path, tree in trees.items() if tree.getroot() in changed}
        new_files = {path: write_xml(tree) for path, tree in changed_trees.items()}
        return _pack(content, new_files) if new_files else content

    return Document([text.to_text(f"paragraph {i}") for i, text in numbered_texts], write)


class Format(NamedTuple):
    """Functions that tell the elements in a format's paragraphs apart.

    Attributes:
        ends_part: whether an element is a tab, or ends a page or a column.
        ends_line: whether an element is a line break.
        inner: the element that has the content of a group; None if an element is not a group.
        text_of: the text of an element that is translated.
    """

    ends_part: Callable[[Any], bool]
    ends_line: Callable[[Any], bool]
    inner: Callable[[Any], Any]
    text_of: Callable[[Any], str]


class Style(NamedTuple):
    """A style of paragraphs or letters.

    Attributes:
        base: the key of the parent style.
    """

    name: str
    base: str | None = None


def is_code(style: str, styles: Mapping[str, Style]) -> bool:
    """Whether a style is for code; its own name or the name of a parent style shows this."""
    seen: list[str] = []
    key: str | None = style
    while key is not None and key not in seen:
        seen.append(key)
        name, key = styles.get(key, Style(key))
        if re.sub(r"_\d\d_|[\W\d_]", "", name).lower() in CODE_STYLES:
            return True
    return False


def divide(element: Any, form: Format) -> Sequence[Any]:
    """Divides a paragraph at tabs, and at line breaks that are not within a sentence.

    A group with tabs or breaks, such as a link, is divided, too.

    Args:
        element: the paragraph. It is changed: each part gets a new element.

    Returns:
        The parts, or the paragraph itself if it is not divided.
    """
    ends = [child for child in element if _has_end(child, form)]
    lines = _lines(element, ends, form)
    width = max(map(len, lines))
    dividers = {
        end
        for i, end in enumerate(ends)
        if not (
            form.ends_line(end) and goes_on(lines[i], itertools.islice(lines, i + 1, None), width)
        )
    }
    if not dividers:
        return [element]
    parts = [element.makeelement(PART)]
    parts[0].text, element.text = element.text, None
    last = parts[0]
    for child in list(element):
        if child not in dividers:
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
    """Whether an element is or contains a tab or a break."""
    inner = form.inner(element)
    if inner is not None:
        return any(_has_end(child, form) for child in inner)
    return form.ends_part(element) or form.ends_line(element)


def _lines(element: Any, ends: Sequence[Any], form: Format) -> list[str]:
    """The texts of an element, divided at its children that end lines."""
    lines = [element.text or ""]
    remaining_ends = iter([*ends, None])
    end = next(remaining_ends)
    for child in element:
        if child is end:
            lines.append("")
            end = next(remaining_ends)
        else:
            lines[-1] += form.text_of(child)
        lines[-1] += child.tail or ""
    return [" ".join(line.split()) for line in lines]


def wrap_code(element: Any) -> None:
    """Puts an element of code into a new element that marks it as code."""
    wrapper = element.makeelement(CODE)
    element.addprevious(wrapper)
    wrapper.tail, element.tail = element.tail, None
    wrapper.append(element)


def unwrap_parts(tree: Any) -> None:
    """Removes the temporary elements around parts of paragraphs and around code."""
    from lxml import etree

    etree.strip_tags(tree, PART, CODE)
