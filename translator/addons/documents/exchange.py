"""Formats that translators exchange: XLIFF, TMX, and the strings of Android's programs."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from translator.addons.documents.document import Document, Written
from translator.addons.documents.line_breaks import goes_on
from translator.addons.documents.messages import as_label, fit_message
from translator.addons.documents.paragraphs import PART, without_parts
from translator.addons.documents.xml_texts import InlineText, name_of, parse_xml, write_xml
from translator.base.errors import InputError

NATIVE = frozenset(("bpt", "ept", "ph", "it", "sub", "ut", "x", "bx", "ex", "sc", "ec", "cp"))
OF_XML = "{http://www.w3.org/XML/1998/namespace}"
LANGUAGE, SPACE = f"{OF_XML}lang", f"{OF_XML}space"
LINE_ENDS = re.compile(r"([\t\r\n]\s*|(?<=\S)\s{3,}(?=\S))")  # and gaps
ESCAPES = re.compile(  # of Android, and spaces that mean something within its quotation marks
    r'(\\(?:u[\da-fA-F]{4}|.)|"|\s{2,}|[\t\r\n]|(?<=(?<!\\)")\s|\s(?="))', re.DOTALL
)
LINE_END = re.compile(r"((?<!\\)(?:\\\\)*\\n)")
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
    """A text whose line ends and gaps stay, if the file says that its white space does."""

    def _parts_of(self, text: str) -> Sequence[str]:
        around = (self.element, *self.element.iterancestors())
        is_kept = next((each.get(SPACE) for each in around if each.get(SPACE)), "") == "preserve"
        return LINE_ENDS.split(text) if is_kept else (text,)


def _document(
    tree: Any, content: bytes, texts: Iterable[InlineText], into: Callable[[Any], Any]
) -> Document:
    """A file with texts.

    Args:
        tree: of the file.
        content: of it.
        texts: of it, in order.
        into: finds the element that the translation of one is put into; None if that is the same.
    """
    found = [each for each in texts if each.has_words]

    def write(written: Sequence[Written]) -> bytes:
        changed = [(text, each) for text, each in zip(found, written) if each.is_translated]
        for text, each in changed:
            text.put(each.text, into(text.element))
        without_parts(tree)
        return write_xml(tree, content) if changed else content

    shown = (each.text(f"line {_line_of(each.element)}") for each in found)
    return Document(list(map(as_label, shown)), write)


def read_xliff(content: bytes, name: str, languages: tuple[str, str] = ("", "")) -> Document:
    """Reads XLIFF 1.2 or 2: each unit without a target gets one.

    Args:
        content: of the file.
        name: of the file, for errors.
        languages: the codes of source and target, if the file has to be of these.

    Raises:
        InputError: it is no XLIFF, or one of other languages.
    """
    tree = parse_xml(content, name)
    root = tree.getroot()
    if name_of(root) != "xliff":
        raise InputError(f"{name}: expected XLIFF, found <{name_of(root)}>")
    for each in (root, *root.iterchildren("{*}file")):
        _say_target(each, languages, f"{name}, line {each.sourceline}")
    sources = ((unit, unit.find("{*}source")) for unit in tree.iter("{*}trans-unit", "{*}segment"))
    texts = (
        _XliffText(source, _is_native, fit_message)
        for unit, source in sources
        if source is not None and not _has_text(unit.find("{*}target")) and _is_translated(unit)
    )
    return _document(tree, content, texts, _target_beside)


def _language(code: str | None) -> str:
    """The language of a code such as ``en-US`` or ``EN_US``."""
    return re.split("[-_]", code or "")[0].lower()


def _say_target(element: Any, languages: tuple[str, str], place: str) -> None:
    """Says the target language where XLIFF says the source language.

    Raises:
        InputError: it says other ones.
    """
    for names in (("source-language", "target-language"), ("srcLang", "trgLang")):
        for name, code, way in zip(names, languages, ("from", "into")):
            said = element.get(name)
            if said and code and _language(said) != _language(code):
                raise InputError(
                    f"{place}: expected XLIFF {way} {code}, found {name}={said!r}; translate it"
                    f" {way} that language"
                )
        if element.get(names[0]) and languages[1] and not element.get(names[1]):
            element.set(names[1], languages[1])


def _is_translated(unit: Any) -> bool:
    """Whether a unit is translated, as it or the nearest element around it says."""
    said = (each.get("translate") for each in (unit, *unit.iterancestors()))
    return next(filter(None, said), "yes") != "no"


def _has_text(element: Any) -> bool:
    return element is not None and bool("".join(element.itertext()).strip())


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
        languages: the codes of source and target; an empty one is that which the file says.

    Raises:
        InputError: it is no translation memory.
    """
    tree = parse_xml(content, name)
    if name_of(tree.getroot()) != "tmx":
        raise InputError(f"{name}: expected TMX, found <{name_of(tree.getroot())}>")
    header = tree.find("{*}header")
    source = languages[0] or _language(None if header is None else header.get("srclang"))
    found: list[InlineText] = []
    empty: dict[Any, Any] = {}  # variants for the target language, by the texts of the source's
    for unit in tree.iter("{*}tu"):
        variants: dict[str, Any] = {}
        unsaid: dict[str, Any] = {}
        for each in unit.iterchildren("{*}tuv"):
            found_in = variants if _has_text(each.find("{*}seg")) else unsaid
            found_in.setdefault(_language(each.get(LANGUAGE) or each.get("lang")), each)
        if source in variants and languages[1] not in variants:
            segment = variants[source].find("{*}seg")
            found.append(InlineText(segment, _is_native, fit_message))
            empty[segment] = unsaid.get(languages[1])

    def segment_for(segment: Any) -> Any:
        variant = segment.getparent()
        other = empty[segment]
        if other is None:
            of_language = LANGUAGE if variant.get(LANGUAGE) else "lang"  # in TMX 1.1
            other = variant.makeelement(variant.tag, {of_language: languages[1]})
            variant.addnext(other)
            other.tail, variant.tail = variant.tail, _indent(variant)
        made = other.find("{*}seg")
        if made is None:
            made = other.makeelement(segment.tag)
            other.append(made)
        return made

    return _document(tree, content, found, segment_for)


class _AndroidText(InlineText):
    """A text with Android's escapes: of signs that mean themselves, and of line ends."""

    def __init__(self, element: Any) -> None:
        self._quotes: set[str] = set()  # how they are written
        self._is_quoted = False  # whether all spaces mean something where it is being read
        super().__init__(
            element,
            lambda inner: name_of(inner) == "g" or name_of(inner) != "sub" and _is_native(inner),
            fit_message,
        )

    def _parts_of(self, text: str) -> Sequence[str]:
        parts: list[list[str]] = [[]]
        for i, part in enumerate(ESCAPES.split(text)):
            is_plain = i % 2 == 0 or part.isspace() and not self._is_quoted
            said = part if is_plain else _said_by(part)
            if said is None or part == '"' and "<" not in text:  # quotation marks around spaces
                self._is_quoted ^= part == '"'
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


def _lines_of(string: Any) -> list[Any]:
    """A string of Android, or its lines, if it has no elements in it and no sentence goes on."""
    lines = LINE_END.split(string.text or "")
    texts = [line.strip() for line in lines[::2]]
    following = (texts[i:] for i in range(1, len(texts)))
    is_one = len(texts) == 1 or len(string) or '"' in string.text
    if is_one or any(map(goes_on, texts, following)):
        return [string]
    string.text = ""
    for line, end in zip(lines[::2], [*lines[1::2], ""]):
        part = string.makeelement(PART)
        part.text, part.tail = line, end
        string.append(part)
    return list(string)


def _line_of(element: Any) -> int:
    """The line of an element, or of the one that it was made in."""
    around = (element, *element.iterancestors())
    line: int = next(each.sourceline for each in around if each.sourceline)
    return line


def _said_by(escape: str) -> str | None:
    """The sign that an escape of Android means; None if it means none that can be shown."""
    if len(escape) == len("\\u0000") and escape[0] == "\\":
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
    strings = (
        each
        for each in tree.iter("string", "item")
        if each.get("translatable") != "false"
        and each.getparent().get("translatable") != "false"
        and (each.tag == "string" or name_of(each.getparent()) in PARENTS_OF_ITEMS)
        and not (each.text or "").lstrip().startswith(("@", "?"))
    )
    texts = [_AndroidText(line) for each in strings for line in _lines_of(each)]
    return _document(tree, content, texts, lambda element: None)
