"""Documents of word processors: Word's (.docx) and OpenDocument's (.odt)."""

import copy
import io
import itertools
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape

from translator.addons.documents.document import Document, Written
from translator.addons.documents.xml_texts import (
    GROUP,
    InlineText,
    name_of,
    parse_xml,
    write_xml,
)
from translator.base.errors import InputError

MOST_BYTES = 1 << 29  # of all files of a document, unpacked
MOST_BYTES_READ = 1 << 26  # of those with texts; a thousand pages have a quarter of it
DAMAGE = (  # what zipfile raises of it
    zipfile.BadZipFile, EOFError, NotImplementedError, OSError, RuntimeError, ValueError,
    struct.error, zlib.error,
)  # fmt: skip
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
PARAGRAPH, RUN, LETTERS, FORMAT, PAGE_BREAK = (
    f"{WORD}{name}" for name in ("p", "r", "t", "rPr", "lastRenderedPageBreak")
)
PARTS_OF_WORD = re.compile(r"word/(?:document|header|footer|footnotes|endnotes|comments)\d*\.xml")
FORGOTTEN = {  # of a run's format: they come of how it was typed
    f"{WORD}{name}" for name in ("lang", "noProof", "rsid", "szCs", "bCs", "iCs")
}
GROUPS_OF_WORD = frozenset((  # that have runs; of what was moved, the new place alone
    "hyperlink", "ins", "moveTo", "smartTag", "customXml", "sdt", "bdo", "dir", "fldSimple",
))  # fmt: skip
FILLED = "MERGEFIELD"  # begins what a field says whose text is another one in each letter
PROPERTIES = "Pr"  # the end of the names of elements that tell how the one around them is
OPEN_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
PARTS_OF_OPEN_DOCUMENT = ("content.xml", "styles.xml")
GROUPS = frozenset(("span", "a"))  # of OpenDocument
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
TYPED = tuple(f"{{http://openoffice.org/2009/office}}{name}" for name in ("rsid", "paragraph-rsid"))
MARK = "mark"  # the name of a span until it is taken away


def read_word(content: bytes, name: str) -> Document:
    """Reads a document of Word: its paragraphs, headers, footers, notes and comments.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is no such document, damaged, or too large.
    """
    parts = _unpacked(content, name, PARTS_OF_WORD.fullmatch)
    if not any(path.startswith("word/document") for path in parts):
        raise InputError(f"{name}: expected a document of Word, found another file")
    trees = {path: parse_xml(part, f"{name}, {path}") for path, part in parts.items()}
    if not all(tree.getroot().tag.startswith(WORD) for tree in trees.values()):
        raise InputError(
            f"{name}: expected a usual document of Word, found Strict Open XML; save it as a"
            " Word document"
        )
    paragraphs = (each for tree in trees.values() for each in tree.iter(PARAGRAPH))
    return _document(content, parts, trees, map(_WordText, paragraphs))


def read_open_document(content: bytes, name: str) -> Document:
    """Reads a text of OpenDocument, such as LibreOffice writes, as `read_word`.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is no such document, damaged, or too large.
    """
    parts = _unpacked(content, name, lambda path: path in ("mimetype", *PARTS_OF_OPEN_DOCUMENT))
    kind = parts.pop("mimetype", b"")
    if "content.xml" not in parts or not kind.startswith(
        b"application/vnd.oasis.opendocument.text"
    ):
        raise InputError(f"{name}: expected a text of OpenDocument, found another file")
    trees = {path: parse_xml(part, f"{name}, {path}") for path, part in parts.items()}
    for tree in trees.values():
        _join_spans(tree)
    paragraphs = (
        each
        for tree in trees.values()
        for each in tree.iter(f"{OPEN_TEXT}p", f"{OPEN_TEXT}h")
        if not any(name_of(above) == "tracked-changes" for above in each.iterancestors())
    )
    texts = (InlineText(each, lambda inner: name_of(inner) not in GROUPS) for each in paragraphs)
    return _document(content, parts, trees, texts)


def _join_spans(tree: Any) -> None:
    """Takes away the spans whose style says only when they were typed; they may cut words."""
    from lxml import etree

    styles = tree.iterfind(f"{{*}}automatic-styles/{STYLE}style")
    marks = {
        style.get(f"{STYLE}name")
        for style in styles
        if style.get(f"{STYLE}parent-style-name") is None
        and all(name in TYPED for each in style for name in each.attrib)
        and not any(len(each) for each in style)
    }
    for span in list(tree.iter(f"{OPEN_TEXT}span")):
        if span.get(f"{OPEN_TEXT}style-name") in marks:
            span.tag = MARK
    etree.strip_tags(tree, MARK)


def _unpacked(content: bytes, name: str, is_read: Callable[[str], object]) -> dict[str, bytes]:
    """Those files of a document that are read, by their paths.

    Raises:
        InputError: it is no document, damaged, or too large.
    """
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


def _document(
    content: bytes, parts: dict[str, bytes], trees: dict[str, Any], texts: Iterable[InlineText]
) -> Document:
    found = [(i, each) for i, each in enumerate(texts, start=1) if each.has_words]

    def write(written: Sequence[Written]) -> bytes:
        changed = set()
        for (_, each), translated in zip(found, written):
            if translated.is_translated and translated.text != each.source:
                each.put(translated.text)
                changed.add(each.element.getroottree().getroot())
        made = {
            path: write_xml(tree, parts[path])
            for path, tree in trees.items()
            if tree.getroot() in changed
        }
        return _packed(content, made) if made else content

    return Document([each.text(f"paragraph {i}") for i, each in found], write)


class _WordText(InlineText):
    """The text of a paragraph, which Word has in runs, one for each format.

    Runs of the format that most letters have are plain text, those of others have tags.
    """

    def __init__(self, paragraph: Any) -> None:
        _join_runs(paragraph)
        runs = list(_runs_of(paragraph))
        self._formats = {run: _format_of(run) for run in runs}
        letters: dict[bytes, int] = {}
        for run, key in self._formats.items():
            letters[key] = letters.get(key, 0) + len(_text_of(run))
        self._usual_format = max(letters, key=lambda each: letters[each], default=b"")
        self._usual = next((run for run in runs if self._is_usual(run)), None)
        super().__init__(
            paragraph,
            lambda each: (
                each not in self._formats
                and (not _is_group(each) or next(_runs_of(each), None) is None)
            ),
        )

    def _is_usual(self, element: Any) -> bool:
        return self._formats.get(element) == self._usual_format

    def _read(self, element: Any) -> Iterator[str]:
        if element.tag == RUN:
            yield escape(_text_of(element))
            return
        for child in _inner(element):
            if self._is_usual(child):
                yield from self._read(child)
            elif not name_of(child).endswith(PROPERTIES):
                yield from self._read_child(child)

    def _fill(self, element: Any, read: Any, is_copy: bool) -> None:
        if element.tag == RUN:
            _set_text(element, read.text or "")
            return
        inner = _inner(element)
        for child in list(inner):
            if not name_of(child).endswith(PROPERTIES):
                inner.remove(child)
        self._append_text(inner, read.text)
        for tag in read:
            part = self._parts[tag.get("id")]
            if tag.tag == GROUP:
                self._fill(part, tag, is_copy)
            inner.append(part)
            self._append_text(inner, tag.tail)

    def _append_text(self, element: Any, text: str | None) -> None:
        if text:
            run = copy.deepcopy(self._usual)
            _set_text(run, text)
            element.append(run)


def _join_runs(element: Any) -> None:
    """Makes one run of those with text of one format, and others of what is no text.

    Word divides runs where a word was typed later or is misspelt, and has tabs and line breaks in
    them.
    """
    for child in list(element):
        if child.tag == f"{WORD}proofErr":
            element.remove(child)
        elif child.tag == RUN:
            _divide(child)
        elif _is_group(child):
            _join_runs(_inner(child))
    children = itertools.groupby(
        list(element), key=lambda child: _format_of(child) if _is_text(child) else child
    )
    for _, (first, *others) in children:
        if others:
            _set_text(first, "".join(map(_text_of, (first, *others))))
            for each in others:
                element.remove(each)


def _divide(run: Any) -> None:
    """Divides a run into those of text, and those of tabs, breaks and the like."""
    for mark in run.findall(PAGE_BREAK):
        run.remove(mark)
    kinds = itertools.groupby(
        [child for child in run if child.tag != FORMAT], key=lambda child: child.tag == LETTERS
    )
    _, *others = [list(children) for _, children in kinds] or [[]]
    formats = run.findall(FORMAT)
    last = run
    for children in others:
        new = run.makeelement(RUN, dict(run.attrib))
        new.extend([*map(copy.deepcopy, formats), *children])
        last.addnext(new)
        last = new


def _inner(element: Any) -> Any:
    """What the runs are in: a control has an element for them."""
    found = element.find(f"{WORD}sdtContent")
    return element if found is None else found


def _runs_of(element: Any) -> Iterator[Any]:
    """The runs of text in an element, but for those of paragraphs in it."""
    for child in _inner(element):
        if _is_text(child):
            yield child
        elif _is_group(child):
            yield from _runs_of(child)


def _is_group(element: Any) -> bool:
    """Whether an element may have runs whose text is translated."""
    says = element.get(f"{WORD}instr", "").upper().split()
    return name_of(element) in GROUPS_OF_WORD and says[:1] != [FILLED]


def _is_text(element: Any) -> bool:
    """Whether an element is a run of text alone."""
    return (
        element.tag == RUN
        and all(child.tag in (LETTERS, FORMAT) for child in element)
        and element.find(LETTERS) is not None
    )


def _text_of(run: Any) -> str:
    return "".join(each.text or "" for each in run.iterchildren(LETTERS))


def _set_text(run: Any, text: str) -> None:
    for child in [each for each in run if each.tag != FORMAT]:
        run.remove(child)
    inner = run.makeelement(LETTERS, {SPACE: "preserve"})
    inner.text = text
    run.append(inner)


def _format_of(run: Any) -> bytes:
    """A key for the format of a run."""
    from lxml import etree

    found = run.find(FORMAT)
    kept = [] if found is None else [each for each in found if each.tag not in FORGOTTEN]
    return b"".join(sorted(etree.tostring(each, with_tail=False, method="c14n") for each in kept))
