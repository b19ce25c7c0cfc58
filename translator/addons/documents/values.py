"""JSON, lines of JSON, and YAML: the texts among the values; all else stays as it is."""

import json
import json.decoder
import json.scanner
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import yaml

from translator.addons.documents.document import Document, Text, Written, decoded
from translator.base.errors import InputError
from translator.base.texts import shorten


class Value(NamedTuple):
    """A text among the values of a file.

    Attributes:
        start: where it begins, quotation marks included, in characters.
        end: where it ends.
        text: what it says.
    """

    start: int
    end: int
    text: str


def read_json(content: bytes, name: str) -> Document:
    """Reads JSON in UTF-8, or a JSON value a line.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is no JSON.
    """
    page = decoded(content, name)
    values: list[Value] = []
    try:
        try:
            values += _values_of_json(page, 0)
        except json.JSONDecodeError as error:
            if error.msg != "Extra data":
                raise
            values.clear()
            start = 0
            for line in page.splitlines(keepends=True):
                if line.strip():
                    values += _values_of_json(line, start)
                start += len(line)
    except json.JSONDecodeError as error:
        place = f"{name}, line {page.count(chr(10), 0, error.pos) + 1}"
        raise InputError(f"{place}: expected JSON: {error.msg}") from None
    except RecursionError:
        raise InputError(f"{name}: expected JSON, found it nested too deep") from None
    is_ascii = page.isascii()
    return _document(page, values, lambda text, old: json.dumps(text, ensure_ascii=is_ascii))


def _values_of_json(page: str, offset: int) -> Iterator[Value]:
    """The texts of a JSON value; its decoder is asked for their places."""
    found: list[Value] = []

    class Decoder(json.JSONDecoder):
        def __init__(self) -> None:
            super().__init__()
            scan = json.decoder.scanstring  # type: ignore[attr-defined]

            def parse_string(text: str, begin: int, strict: bool) -> tuple[str, int]:
                value, end = scan(text, begin, strict)
                found.append(Value(offset + begin - 1, offset + end, value))
                return value, end

            self.parse_string = parse_string
            self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]

    Decoder().decode(page)
    return iter(found)


def read_yaml(content: bytes, name: str) -> Document:
    """Reads YAML in UTF-8.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is no YAML.
    """
    page = decoded(content, name)
    values: list[Value] = []
    try:
        for root in yaml.compose_all(page, yaml.SafeLoader):
            values += _values_of_yaml(root, set())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise InputError(f"{name}{where}: expected YAML: {shorten(problem)}") from None
    except RecursionError:
        raise InputError(f"{name}: expected YAML, found it nested too deep") from None
    return _document(page, sorted(values), _as_yaml)


def _values_of_yaml(node: yaml.Node, seen: set[int]) -> Iterator[Value]:
    if id(node) in seen:  # an alias
        return
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from _values_of_yaml(value, seen)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _values_of_yaml(value, seen)
    elif (
        isinstance(node, yaml.ScalarNode)
        and node.tag == "tag:yaml.org,2002:str"
        and node.style not in ("|", ">")
    ):
        yield Value(node.start_mark.index, node.end_mark.index, node.value)


def _as_yaml(text: str, old: str) -> str:
    """A text as a value of YAML, in quotation marks if it had some or needs them."""
    if old[:1] in "'\"" or not _is_plain(text):
        return json.dumps(text, ensure_ascii=False)
    return text


def _is_plain(text: str) -> bool:
    """Whether YAML reads a text without quotation marks as this text."""
    try:
        return "\n" not in text and yaml.safe_load(f"- {{a: {text}}}") == [{"a": text}]
    except yaml.YAMLError:
        return False


def _document(page: str, values: Sequence[Value], quote: Callable[[str, str], str]) -> Document:
    chosen = [each for each in values if any(map(str.isalpha, each.text))]
    texts: list[Text] = []
    lines_of = [each.text.split("\n") for each in chosen]
    for value, lines in zip(chosen, lines_of):
        place = f"line {page.count(chr(10), 0, value.start) + 1}"
        texts += (Text(line, place) for line in lines if any(map(str.isalpha, line)))

    def write(written: Sequence[Written]) -> bytes:
        waiting = iter(written)
        pieces: list[str] = []
        end = 0
        for value, lines in zip(chosen, lines_of):
            found = [next(waiting).text if any(map(str.isalpha, line)) else line for line in lines]
            old = page[value.start : value.end]
            text = "\n".join(found)
            pieces += (page[end : value.start], old if text == value.text else quote(text, old))
            end = value.end
        return "".join([*pieces, page[end:]]).encode()

    return Document(texts, write)
