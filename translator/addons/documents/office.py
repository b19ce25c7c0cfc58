"""Documents of word processors: Word's (.docx) and OpenDocument's (.odt)."""

import copy
import io
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from translator.addons.documents.document import Document, Text, Written
from translator.addons.documents.xml_texts import InlineText, name_of, parse_xml, write_xml
from translator.base.errors import InputError

MOST_BYTES = 1 << 29  # of all files of a document, unpacked
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
PARTS_OF_WORD = ("document", "header", "footer", "footnotes", "endnotes", "comments")
OF_RUN = {f"{{{WORD}}}{name}" for name in ("t", "rPr", "lastRenderedPageBreak")}
FORGOTTEN = {  # of a run's format: they come of how it was typed
    f"{{{WORD}}}{name}" for name in ("lang", "noProof", "rsid", "szCs", "bCs", "iCs")
}
GROUPS = frozenset(("span", "a"))  # of OpenDocument


def read_word(content: bytes, name: str) -> Document:
    """Reads a document of Word: its paragraphs, headers, footers and notes.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is no such document, or too large.
    """
    parts = _unpacked(content, name)
    trees = {
        path: parse_xml(parts[path], f"{name}, {path}")
        for path in parts
        if path.startswith("word/") and path.endswith(".xml")
        and path[5:-4].rstrip("0123456789") in PARTS_OF_WORD
    }  # fmt: skip
    if "word/document.xml" not in trees:
        raise InputError(f"{name}: expected a document of Word, found another file")
    paragraphs = [each for tree in trees.values() for each in tree.iter(f"{{{WORD}}}p")]
    for paragraph in paragraphs:
        _join_runs(paragraph)
    return _document(content, parts, trees, paragraphs, _InlineWord)


def read_open_document(content: bytes, name: str) -> Document:
    """Reads a text of OpenDocument, such as LibreOffice writes.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is no such document, or too large.
    """
    parts = _unpacked(content, name)
    if "content.xml" not in parts or not parts.get("mimetype", b"").startswith(
        b"application/vnd.oasis.opendocument.text"
    ):
        raise InputError(f"{name}: expected a text of OpenDocument, found another file")
    trees = {"content.xml": parse_xml(parts["content.xml"], f"{name}, content.xml")}
    paragraphs = [
        each
        for each in trees["content.xml"].iter("{*}p", "{*}h")
        if each.tag.startswith("{urn:oasis:names:tc:opendocument:xmlns:text:")
        and not any(name_of(above) == "tracked-changes" for above in each.iterancestors())
    ]
    return _document(
        content, parts, trees, paragraphs,
        lambda paragraph: InlineText(paragraph, lambda each: name_of(each) not in GROUPS),
    )  # fmt: skip


def _unpacked(content: bytes, name: str) -> dict[str, bytes]:
    """The files of a document by their paths.

    Raises:
        InputError: it is no document, damaged, or too large.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(info.file_size for info in archive.infolist())
            if size > MOST_BYTES:
                raise InputError(
                    f"{name}: expected at most {MOST_BYTES >> 20} MiB unpacked, found {size >> 20}"
                )
            return {info.filename: archive.read(info) for info in archive.infolist()}
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError, RuntimeError):
        raise InputError(f"{name}: expected a whole document, found a damaged file") from None


def _packed(content: bytes, parts: dict[str, bytes]) -> bytes:
    """A document with other files, in the order and the compression of the old one."""
    output = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(output, "w") as new,
    ):
        for info in old.infolist():
            new.writestr(info, parts[info.filename], info.compress_type)
    return output.getvalue()


def _document(
    content: bytes,
    parts: dict[str, bytes],
    trees: dict[str, Any],
    paragraphs: Sequence[Any],
    read: Callable[[Any], Any],
) -> Document:
    inline = [(i, read(paragraph)) for i, paragraph in enumerate(paragraphs, start=1)]
    found = [(i, each) for i, each in inline if each.has_words]
    texts: list[Text] = [each.text(f"paragraph {i}") for i, each in found]

    def write(written: Sequence[Written]) -> bytes:
        for (_, each), translated in zip(found, written):
            if translated.is_translated:
                each.put(translated.text)
        changed = {path: write_xml(tree, parts[path]) for path, tree in trees.items()}
        return _packed(content, parts | changed)

    return Document(texts, write)


class _InlineWord(InlineText):
    """The text of a paragraph, which Word has in runs, one for each format.

    Runs of the format that most letters have are plain text, those of others have tags.
    """

    def __init__(self, paragraph: Any) -> None:
        runs = [each for each in paragraph.iter(f"{{{WORD}}}r") if _is_text(each)]
        letters: dict[bytes, int] = {}
        for run in runs:
            letters[_format_of(run)] = letters.get(_format_of(run), 0) + len(_text_of(run))
        usual = max(letters, key=lambda each: letters[each], default=b"")
        self._usual = next((run for run in runs if _format_of(run) == usual), None)
        self._usual_format = usual
        super().__init__(
            paragraph, lambda each: not _is_text(each) and name_of(each) != "hyperlink"
        )

    @property
    def has_words(self) -> bool:
        """See `InlineText`."""
        runs = self.element.iter(f"{{{WORD}}}r")
        own = (run for run in runs if next(run.iterancestors(f"{{{WORD}}}p")) is self.element)
        return any(map(str.isalpha, "".join(_text_of(run) for run in own if _is_text(run))))

    def _read(self, element: Any) -> Iterator[str]:
        if name_of(element) == "r":
            yield _text_of(element).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return
        for child in element:
            if name_of(child) == "pPr":
                continue
            if _is_text(child) and _format_of(child) == self._usual_format:
                yield from self._read(child)
                continue
            number = str(next(self._numbers))
            self._elements[number] = child
            if self._is_alone(child):
                yield f'<x id="{number}"/>'
            else:
                yield f'<g id="{number}">'
                yield from self._read(child)
                yield "</g>"

    def _spaces(self) -> tuple[str, str]:
        return "", ""

    def put(self, translation: str, into: Any = None) -> None:
        """See `InlineText`."""
        from lxml import etree

        self._fill(self.element, etree.fromstring(f"<text>{translation}</text>"), False)

    def _fill(self, element: Any, read: Any, is_copy: bool) -> None:
        if name_of(element) == "r":
            _set_text(element, "".join(read.itertext()))
            return
        for child in [each for each in element if name_of(each) != "pPr"]:
            element.remove(child)
        self._append_text(element, read.text)
        for tag in read:
            found = self._elements[tag.get("id")]
            if tag.tag == "g":
                self._fill(found, tag, is_copy)
            element.append(found)
            self._append_text(element, tag.tail)

    def _append_text(self, element: Any, text: str | None) -> None:
        if text and self._usual is not None:
            run = copy.deepcopy(self._usual)
            _set_text(run, text)
            element.append(run)


def _is_text(element: Any) -> bool:
    """Whether an element is a run of text alone."""
    return (
        name_of(element) == "r"
        and all(child.tag in OF_RUN for child in element)
        and element.find(f"{{{WORD}}}t") is not None
    )


def _text_of(run: Any) -> str:
    return "".join(each.text or "" for each in run.iter(f"{{{WORD}}}t"))


def _set_text(run: Any, text: str) -> None:
    for child in [each for each in run if name_of(each) != "rPr"]:
        run.remove(child)
    inner = run.makeelement(f"{{{WORD}}}t", {SPACE: "preserve"})
    inner.text = text
    run.append(inner)


def _format_of(run: Any) -> bytes:
    """A key for the format of a run."""
    from lxml import etree

    found = run.find(f"{{{WORD}}}rPr")
    kept = [] if found is None else [each for each in found if each.tag not in FORGOTTEN]
    return b"".join(sorted(etree.tostring(each, with_tail=False, method="c14n") for each in kept))


def _join_runs(paragraph: Any) -> None:
    """Joins runs of one format, which Word divides where a word was typed later or is misspelt."""
    for mark in list(paragraph.iter(f"{{{WORD}}}proofErr")):
        mark.getparent().remove(mark)
    for run in list(paragraph.iter(f"{{{WORD}}}r")):
        before = run.getprevious()
        if before is None or not (_is_text(run) and _is_text(before)):
            continue
        if _format_of(run) == _format_of(before):
            _set_text(run, _text_of(before) + _text_of(run))
            before.getparent().remove(before)
