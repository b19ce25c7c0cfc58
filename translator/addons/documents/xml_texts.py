"""Elements of XML with text: it is read with inline elements as tags, and put back into them."""

import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from translator.addons.documents.document import Text
from translator.addons.documents.markup import fit_markup
from translator.base.errors import InputError

GROUP, ALONE = "g", "x"  # names of tags that stand for elements with text, and for all others


def parse_xml(content: bytes, name: str) -> Any:
    """The tree of an XML file, which may name no other file and define no entities.

    Raises:
        InputError: it is no XML, or defines entities.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, strip_cdata=False
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise InputError(f"{name}: expected XML: {error.msg}") from None
    tree = root.getroottree()
    declared = tree.docinfo.internalDTD
    if declared is not None and next(declared.iterentities(), None) is not None:
        raise InputError(f"{name}: expected XML without entities of its own, found some")
    return tree


def write_xml(tree: Any, content: bytes) -> bytes:
    """The content of an XML file, with the declaration that it had.

    Args:
        tree: of the file, changed.
        content: as it was.
    """
    from lxml import etree

    has_declaration = content.lstrip(b"\xef\xbb\xbf").startswith(b"<?xml")
    before = content[: content.index(b"?>") + 2] + b"\n" if has_declaration else b""
    written: bytes = etree.tostring(tree, encoding=tree.docinfo.encoding or "UTF-8")
    if written.startswith(b"<?xml"):
        written = written[written.index(b"?>") + 2 :].lstrip()
    return before + written + b"\n" * content.endswith(b"\n")


def name_of(element: Any) -> str:
    """The name of an element without its namespace; empty for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


class InlineText:
    """The text of an element, with a tag for each element in it.

    Args:
        element: with text.
        is_alone: whether an element in it has no text that is translated.
    """

    def __init__(self, element: Any, is_alone: Callable[[Any], bool]) -> None:
        self.element = element
        self._is_alone = is_alone
        self._elements: dict[str, Any] = {}
        self._numbers = itertools.count(1)
        self.source = " ".join("".join(self._read(element)).split())

    def text(self, place: str) -> Text:
        """What is translated."""
        return Text(self.source, place, fit_markup)

    @property
    def has_words(self) -> bool:
        """Whether there is anything to translate."""
        return any(map(str.isalpha, "".join(self._said(self.element))))

    def _said(self, element: Any) -> Iterator[str]:
        yield element.text or ""
        for child in element:
            if not self._is_alone(child):
                yield from self._said(child)
            yield child.tail or ""

    def _read(self, element: Any) -> Iterator[str]:
        yield _escaped(element.text)
        for child in element:
            number = str(next(self._numbers))
            self._elements[number] = child
            if self._is_alone(child):
                yield f'<{ALONE} id="{number}"/>'
            else:
                yield f'<{GROUP} id="{number}">'
                yield from self._read(child)
                yield f"</{GROUP}>"
            yield _escaped(child.tail)

    def put(self, translation: str, into: Any = None) -> None:
        """Puts a translation in the place of the text.

        Args:
            translation: with the tags of the source.
            into: the element; that of the text if None. Into another one copies are put.
        """
        from lxml import etree

        target = self.element if into is None else into
        before, after = self._spaces() if into is None else ("", "")
        read = etree.fromstring(f"<text>{translation}</text>")
        self._fill(target, read, is_copy=into is not None)
        if len(target):
            target.text = before + (target.text or "")
            target[-1].tail = (target[-1].tail or "") + after
        else:
            target.text = before + (target.text or "") + after

    def _spaces(self) -> tuple[str, str]:
        first = self.element.text or ""
        last = (self.element[-1].tail or "") if len(self.element) else first
        return first[: len(first) - len(first.lstrip())], last[len(last.rstrip()) :]

    def _fill(self, element: Any, read: Any, is_copy: bool) -> None:
        for child in list(element):
            element.remove(child)
        element.text = read.text
        for tag in read:
            found = self._elements[tag.get("id")]
            if is_copy:
                found = copy.deepcopy(found)
            if tag.tag == GROUP:
                self._fill(found, tag, is_copy)
            found.tail = tag.tail
            element.append(found)


def _escaped(text: str | None) -> str:
    return (text or "").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
