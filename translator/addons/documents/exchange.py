"""Formats that translators exchange: XLIFF, TMX, and the strings of Android's programs."""

from collections.abc import Sequence
from typing import Any

from translator.addons.documents.document import Document, Written
from translator.addons.documents.xml_texts import InlineText, name_of, parse_xml, write_xml
from translator.base.errors import InputError

NATIVE = frozenset(("bpt", "ept", "ph", "it", "sub", "ut", "x", "bx", "ex", "sc", "ec", "cp"))
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def _is_native(element: Any) -> bool:
    """Whether an element holds code of another format, or nothing."""
    return name_of(element) in NATIVE or name_of(element) == ""


def read_xliff(content: bytes, name: str) -> Document:
    """Reads XLIFF 1.2 or 2: each unit without a target gets one.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is no XLIFF.
    """
    tree = parse_xml(content, name)
    if name_of(tree.getroot()) != "xliff":
        raise InputError(f"{name}: expected XLIFF, found <{name_of(tree.getroot())}>")
    found = [
        InlineText(source, _is_native)
        for source in tree.iter("{*}source")
        if name_of(source.getparent()) in ("trans-unit", "segment")
        and not _has_target(source.getparent())
        and not any(each.get("translate") == "no" for each in source.iterancestors())
    ]
    found = [each for each in found if each.has_words]

    def write(written: Sequence[Written]) -> bytes:
        for inline, each in zip(found, written):
            if each.is_translated:
                inline.put(each.text, _target_beside(inline.element))
        return write_xml(tree, content)

    return Document([each.text(f"line {each.element.sourceline}") for each in found], write)


def _has_target(unit: Any) -> bool:
    target = unit.find("{*}target")
    return target is not None and bool("".join(target.itertext()).strip())


def _target_beside(source: Any) -> Any:
    """The target of a unit, made if there is none."""
    unit = source.getparent()
    target = unit.find("{*}target")
    if target is None:
        target = unit.makeelement(source.tag.replace("source", "target"), nsmap=source.nsmap)
        segmented = unit.find("{*}seg-source")
        beside = source if segmented is None else segmented
        beside.addnext(target)
        target.tail, beside.tail = beside.tail, _indent(beside)
    return target


def _indent(element: Any) -> str:
    """The spaces before an element, where those are a line of their own."""
    before = element.getprevious()
    text = element.getparent().text if before is None else before.tail
    return text if text and not text.strip() else ""


def read_tmx(content: bytes, name: str, languages: tuple[str, str]) -> Document:
    """Reads a translation memory: each unit without a variant in the target language gets one.

    Args:
        content: of the file.
        name: of the file, for errors.
        languages: the codes of source and target.

    Raises:
        InputError: it is no translation memory.
    """
    tree = parse_xml(content, name)
    if name_of(tree.getroot()) != "tmx":
        raise InputError(f"{name}: expected TMX, found <{name_of(tree.getroot())}>")
    found: list[InlineText] = []
    for unit in tree.iter("tu"):
        variants = {
            (each.get(LANGUAGE) or each.get("lang") or "").lower().partition("-")[0]: each
            for each in unit.iter("tuv")
        }
        source = variants.get(languages[0])
        if source is not None and languages[1] not in variants and source.find("seg") is not None:
            found.append(InlineText(source.find("seg"), _is_native))
    found = [each for each in found if each.has_words]

    def write(written: Sequence[Written]) -> bytes:
        for inline, each in zip(found, written):
            if each.is_translated:
                variant = inline.element.getparent()
                other = variant.makeelement("tuv", {LANGUAGE: languages[1]})
                segment = other.makeelement("seg")
                other.append(segment)
                inline.put(each.text, segment)
                variant.addnext(other)
                other.tail, variant.tail = variant.tail, _indent(variant)
        return write_xml(tree, content)

    return Document([each.text(f"line {each.element.sourceline}") for each in found], write)


def read_android(content: bytes, name: str) -> Document:
    """Reads the strings of an Android program, an XML file with ``<resources>``.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is another file.
    """
    tree = parse_xml(content, name)
    if name_of(tree.getroot()) != "resources":
        raise InputError(f"{name}: expected <resources>, found <{name_of(tree.getroot())}>")
    found = [
        InlineText(each, lambda inner: name_of(inner) == "g" or _is_native(inner))
        for each in tree.iter("string", "item")
        if each.get("translatable") != "false"
        and each.getparent().get("translatable") != "false"
        and not (each.text or "").startswith("@")
    ]
    found = [each for each in found if each.has_words]
    texts = [
        each.text(f"line {each.element.sourceline}")._replace(source=_unescaped(each.source))
        for each in found
    ]

    def write(written: Sequence[Written]) -> bytes:
        for inline, each in zip(found, written):
            if each.is_translated:
                inline.put(each.text.replace("'", "\\'"))
        return write_xml(tree, content)

    return Document(texts, write)


def _unescaped(text: str) -> str:
    return text.replace("\\'", "'").replace('\\"', '"')
