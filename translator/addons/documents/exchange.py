"""Formats that translators exchange: XLIFF, TMX, and the strings of Android's programs."""

import re
from collections.abc import Sequence
from typing import Any

from translator.addons.documents.document import Document, Written
from translator.addons.documents.messages import fit_message
from translator.addons.documents.xml_texts import InlineText, name_of, parse_xml, write_xml
from translator.base.errors import InputError

NATIVE = frozenset(("bpt", "ept", "ph", "it", "sub", "ut", "x", "bx", "ex", "sc", "ec", "cp"))
OF_XML = "{http://www.w3.org/XML/1998/namespace}"
LANGUAGE, SPACE = f"{OF_XML}lang", f"{OF_XML}space"
LINE_ENDS = re.compile(r"([\t\r\n]\s*)")
ESCAPES = re.compile(r"(\\(?:u[\da-fA-F]{4}|.)|\")", re.DOTALL)  # of Android
ESCAPED = "'\"@?\\"  # signs that mean themselves in an escape
PARENTS_OF_ITEMS = frozenset(("string-array", "plurals"))


def _is_native(element: Any) -> bool:
    """Whether an element holds code of another format, or nothing, or what is not translated."""
    return (
        name_of(element) in NATIVE
        or name_of(element) == ""
        or element.get("translate") == "no"
        or element.get("mtype") == "protected"
    )


class _XliffText(InlineText):
    """A text whose line ends stay, if the file says that its white space does."""

    def _parts_of(self, text: str) -> Sequence[str]:
        around = (self.element, *self.element.iterancestors())
        is_kept = next((each.get(SPACE) for each in around if each.get(SPACE)), "") == "preserve"
        return LINE_ENDS.split(text) if is_kept else (text,)


def read_xliff(content: bytes, name: str, target: str = "") -> Document:
    """Reads XLIFF 1.2 or 2: each unit without a target gets one.

    Args:
        content: of the file.
        name: of the file, for errors.
        target: the code of the language to translate into, if the file shall say it.

    Raises:
        InputError: it is no XLIFF, or one for another language.
    """
    tree = parse_xml(content, name)
    root = tree.getroot()
    if name_of(root) != "xliff":
        raise InputError(f"{name}: expected XLIFF, found <{name_of(root)}>")
    for each in (root, *root.iterchildren("{*}file")):
        _say_target(each, target, f"{name}, line {each.sourceline}")
    sources = ((unit, unit.find("{*}source")) for unit in tree.iter("{*}trans-unit", "{*}segment"))
    found = [
        _XliffText(source, _is_native, fit_message)
        for unit, source in sources
        if source is not None and not _has_target(unit) and _is_translated(unit)
    ]
    found = [each for each in found if each.has_words]

    def write(written: Sequence[Written]) -> bytes:
        for inline, each in zip(found, written):
            if each.is_translated:
                inline.put(each.text, _target_beside(inline.element))
        return write_xml(tree, content)

    return Document([each.text(f"line {each.element.sourceline}") for each in found], write)


def _say_target(element: Any, target: str, place: str) -> None:
    """Says the target language where XLIFF says the source language.

    Raises:
        InputError: it says another one.
    """
    for source, name in (("source-language", "target-language"), ("srcLang", "trgLang")):
        said = element.get(name) or target
        if said.lower().partition("-")[0] != target.lower().partition("-")[0] and target:
            raise InputError(
                f"{place}: expected XLIFF for {target}, found {name}={said!r}; translate it into"
                " that language"
            )
        if element.get(source) and said:
            element.set(name, said)


def _is_translated(unit: Any) -> bool:
    """Whether a unit is translated, as it or the nearest element around it says."""
    said = (each.get("translate") for each in (unit, *unit.iterancestors()))
    return next(filter(None, said), "yes") != "no"


def _has_target(unit: Any) -> bool:
    target = unit.find("{*}target")
    return target is not None and bool("".join(target.itertext()).strip())


def _target_beside(source: Any) -> Any:
    """The target of a unit, made if there is none."""
    unit = source.getparent()
    target = unit.find("{*}target")
    if target is None:
        target = unit.makeelement(f"{source.tag.removesuffix('source')}target", nsmap=source.nsmap)
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
    for unit in tree.iter("{*}tu"):
        variants = {
            (each.get(LANGUAGE) or each.get("lang") or "").lower().partition("-")[0]: each
            for each in unit.iterchildren("{*}tuv")
        }
        source = variants.get(languages[0])
        segment = None if source is None else source.find("{*}seg")
        if segment is not None and languages[1] not in variants:
            found.append(InlineText(segment, _is_native, fit_message))
    found = [each for each in found if each.has_words]

    def write(written: Sequence[Written]) -> bytes:
        for inline, each in zip(found, written):
            if each.is_translated:
                variant = inline.element.getparent()
                other = variant.makeelement(variant.tag, {LANGUAGE: languages[1]})
                segment = other.makeelement(inline.element.tag)
                other.append(segment)
                inline.put(each.text, segment)
                variant.addnext(other)
                other.tail, variant.tail = variant.tail, _indent(variant)
        return write_xml(tree, content)

    return Document([each.text(f"line {each.element.sourceline}") for each in found], write)


class _AndroidText(InlineText):
    """A text with Android's escapes: of signs that mean themselves, and of line ends."""

    def __init__(self, element: Any) -> None:
        self._quotes: set[str] = set()  # how they are written
        super().__init__(
            element, lambda inner: name_of(inner) == "g" or _is_native(inner), fit_message
        )

    def _parts_of(self, text: str) -> Sequence[str]:
        parts: list[list[str]] = [[]]
        for i, part in enumerate(ESCAPES.split(text)):
            said = _said_by(part) if i % 2 else part
            if said is None:
                parts += ([part], [])
                continue
            parts[-1].append(said)
            if i % 2 and said == '"':
                self._quotes.add(part)
        return ["".join(part) for part in parts]

    def _written(self, text: str) -> str:
        escaped = re.sub(r"[\\']", r"\\\g<0>", text)
        if self._quotes != {'"'}:
            escaped = escaped.replace('"', '\\"')
        # at the beginning, these would name something else
        return re.sub(r"\A(\s*)([@?])", r"\1\\\2", escaped)


def _said_by(escape: str) -> str | None:
    """The sign that an escape of Android means; None if it means none that can be shown."""
    if len(escape) == 6:
        sign = chr(int(escape[2:], 16))
        return sign if sign.isprintable() else None
    return escape[-1] if escape[-1] in ESCAPED else None


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
        _AndroidText(each)
        for each in tree.iter("string", "item")
        if each.get("translatable") != "false"
        and each.getparent().get("translatable") != "false"
        and (each.tag == "string" or name_of(each.getparent()) in PARENTS_OF_ITEMS)
        and not (each.text or "").lstrip().startswith(("@", "?"))
    ]
    found = [each for each in found if each.has_words]

    def write(written: Sequence[Written]) -> bytes:
        for inline, each in zip(found, written):
            if each.is_translated:
                inline.put(each.text)
        return write_xml(tree, content)

    return Document([each.text(f"line {each.element.sourceline}") for each in found], write)
