"""Texts of OpenDocument (.odt), such as LibreOffice writes."""

from collections.abc import Iterator, Sequence
from typing import Any

from translator.addons.documents.document import Document
from translator.addons.documents.office import document_of, unpack
from translator.addons.documents.paragraphs import CODE, divide
from translator.addons.documents.xml_texts import InlineText, name_of, parse_xml
from translator.base.errors import InputError

TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
PARTS = ("content.xml", "styles.xml")
GROUPS = frozenset(("span", "a"))  # elements whose text is translated
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
TYPED = tuple(f"{{http://openoffice.org/2009/office}}{name}" for name in ("rsid", "paragraph-rsid"))
STYLE_NAME = f"{TEXT}style-name"
MARK = "mark"  # the name of a span until it is taken away


def read_open_document(content: bytes, name: str) -> Document:
    """Reads a text of OpenDocument, such as LibreOffice writes, paragraph by paragraph.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is no such document, damaged, or too large.
    """
    parts = unpack(content, name, lambda path: path in ("mimetype", *PARTS))
    kind = parts.pop("mimetype", b"")
    if "content.xml" not in parts or not kind.startswith(
        b"application/vnd.oasis.opendocument.text"
    ):
        raise InputError(f"{name}: expected a text of OpenDocument, found another file")
    trees = {path: parse_xml(part, f"{name}, {path}") for path, part in parts.items()}
    for tree in trees.values():
        _join_spans(tree)
    codes = {style for tree in trees.values() for style in _styles_of_code(tree)}
    paragraphs = [
        each
        for tree in trees.values()
        for each in tree.iter(f"{TEXT}p", f"{TEXT}h")
        if not any(name_of(above) == "tracked-changes" for above in each.iterancestors())
    ]

    def is_code(element: Any) -> bool:
        style = element.get(STYLE_NAME, "")
        return style in codes or bool(CODE.search(style))

    def texts_of(paragraph: Any) -> Sequence[InlineText]:
        if is_code(paragraph):
            return ()
        found = divide(
            paragraph,
            lambda inner: name_of(inner) == "tab",
            lambda inner: name_of(inner) == "line-break",
        )
        return [
            InlineText(each, lambda inner: name_of(inner) not in GROUPS, is_word=is_code)
            for each in found
        ]

    return document_of(content, parts, trees, map(texts_of, paragraphs))


def _styles_of_code(tree: Any) -> Iterator[str]:
    """The names of the styles for code that were made of another style."""
    for style in tree.iter(f"{STYLE}style"):
        if CODE.search(style.get(f"{STYLE}parent-style-name", "")):
            yield style.get(f"{STYLE}name", "")


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
    for span in list(tree.iter(f"{TEXT}span")):
        if span.get(STYLE_NAME) in marks:
            span.tag = MARK
    etree.strip_tags(tree, MARK)
