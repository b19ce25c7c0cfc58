"""Text documents of OpenDocument (.odt), for example from LibreOffice."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from translator.addons.documents.document import Document
from translator.addons.documents.office import Format, Style, divide, document_of, is_code, unpack
from translator.addons.documents.xml_texts import GROUP, InlineText, name_of, parse_xml
from translator.base.errors import InputError

TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
PARTS = ("content.xml", "styles.xml")
GROUPS = frozenset(("span", "a", "content-control"))  # elements whose text is translated
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
TYPED = tuple(f"{{http://openoffice.org/2009/office}}{name}" for name in ("rsid", "paragraph-rsid"))
PROPERTIES = f"{STYLE}text-properties"
STYLE_NAME = f"{TEXT}style-name"
MARK = "mark"  # the name of a span that will be removed
FEW = ("0", "1", "2")  # numbers of spaces that are not a gap


def read_open_document(content: bytes, name: str) -> Document:
    """Reads a text document of OpenDocument, for example from LibreOffice, by paragraphs."""
    parts = unpack(content, name, lambda path: path in ("mimetype", *PARTS))
    kind = parts.pop("mimetype", b"")
    if "content.xml" not in parts or not kind.startswith(
        b"application/vnd.oasis.opendocument.text"
    ):
        raise InputError(f"{name}: expected a text of OpenDocument, found another file")
    trees = {path: parse_xml(part, f"{name}, {path}") for path, part in parts.items()}
    for tree in trees.values():
        _join_spans(tree)
    styles = dict(_styles(trees.values()))
    scripts = dict(_scripts(trees.values()))
    paragraphs = [
        paragraph
        for tree in trees.values()
        for paragraph in tree.iter(f"{TEXT}p", f"{TEXT}h")
        if not any(name_of(ancestor) == "tracked-changes" for ancestor in paragraph.iterancestors())
    ]

    def has_code(element: Any) -> bool:
        return is_code(element.get(STYLE_NAME, ""), styles)

    def texts_of(paragraph: Any) -> Sequence[InlineText]:
        parts = () if has_code(paragraph) else divide(paragraph, FORM)
        return [_OpenText(part, has_code, scripts) for part in parts]

    return document_of(content, trees, map(texts_of, paragraphs))


class _OpenText(InlineText):
    """The text of a paragraph; its spans may be subscript or superscript."""

    def __init__(
        self, element: Any, is_code: Callable[[Any], bool], scripts: Mapping[str, str]
    ) -> None:
        self._scripts = scripts
        super().__init__(element, lambda inner: name_of(inner) not in GROUPS, is_word=is_code)

    def _name_of(self, element: Any) -> str:
        return self._scripts.get(element.get(STYLE_NAME, ""), GROUP)


def _styles(trees: Iterable[Any]) -> Iterator[tuple[str, Style]]:
    """Yields the styles by their names in the file."""
    for tree in trees:
        for style in tree.iter(f"{STYLE}style"):
            name = style.get(f"{STYLE}name", "")
            yield name, Style(name, style.get(f"{STYLE}parent-style-name"))


def _scripts(trees: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Yields the tags for subscript and superscript by the names of styles."""
    for tree in trees:
        for style in tree.iter(f"{STYLE}style"):
            for properties in style.iter(PROPERTIES):
                place = properties.get(f"{STYLE}text-position", "").split()[:1]
                if place and place != ["0%"]:
                    is_low = place[0] == "sub" or place[0].startswith("-")
                    yield style.get(f"{STYLE}name", ""), "sub" if is_low else "sup"


def _text_in(element: Any) -> str:
    if name_of(element) not in GROUPS:
        return ""
    inner = (_text_in(child) + (child.tail or "") for child in element)
    return (element.text or "") + "".join(inner)


def _ends_part(element: Any) -> bool:
    """Whether an element is a tab, or spaces that make a gap; a space before them counts, too."""
    if name_of(element) != "s":
        return name_of(element) == "tab"
    before, count = element.getprevious(), element.get(f"{TEXT}c", "1")
    text = (element.getparent().text if before is None else before.tail) or ""
    if before is not None and _ends_line(before) and not text.strip():
        return False  # the line is indented
    return count not in FEW or count == FEW[-1] and text.endswith(" ")


def _ends_line(element: Any) -> bool:
    return name_of(element) == "line-break"


FORM = Format(
    _ends_part,
    _ends_line,
    lambda element: element if name_of(element) in GROUPS else None,
    _text_in,
)


def _join_spans(tree: Any) -> None:
    """Removes marks that may cut words: page ends, and spans that only record times of typing."""
    from lxml import etree

    etree.strip_elements(tree, f"{TEXT}soft-page-break", with_tail=False)
    styles = tree.iterfind(f"{{*}}automatic-styles/{STYLE}style")
    marks = {
        style.get(f"{STYLE}name")
        for style in styles
        if style.get(f"{STYLE}parent-style-name") is None
        and all(name in TYPED for properties in style for name in properties.attrib)
        and not any(len(properties) for properties in style)
    }
    for span in list(tree.iter(f"{TEXT}span")):
        if span.get(STYLE_NAME) in marks:
            span.tag = MARK
    etree.strip_tags(tree, MARK)
