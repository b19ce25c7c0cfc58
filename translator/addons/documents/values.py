"""Translates the values of JSON, JSON Lines and YAML that are texts; all else stays."""

import html
import itertools
import json
import json.decoder
import json.scanner
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

import yaml

from translator.addons.documents.document import (
    Document,
    Text,
    WrittenText,
    decode,
    encode,
    has_words,
)
from translator.addons.documents.messages import fill_message, texts_of, without_placeholders
from translator.addons.documents.plain_text import read_plain_text
from translator.base.errors import InputError
from translator.base.texts import find_lone_surrogate, shorten
from translator.text.tags import without_tags

DEEPEST = 200  # nested values
TOO_DEEP = "found values that are nested too deep; flatten them"
YAML_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C loader: 20 times as fast
RESOLVER: Any = yaml.resolver.Resolver()  # finds the type of values without quotation marks
READER_WORDS = frozenset((  # last words of keys whose values are texts; also plural forms
    "abstract", "answer", "body", "caption", "comment", "content", "description", "few", "heading",
    "headline", "help", "hint", "many", "message", "note", "one", "other", "placeholder",
    "question", "subject", "subtitle", "summary", "text", "title", "tooltip", "two", "zero",
))  # fmt: skip
PROGRAM_WORDS = frozenset((  # last words of keys for programs, unless the value is a sentence
    "action", "class", "code", "command", "default", "enum", "event", "events", "family", "font",
    "format", "kind", "language", "layout", "level", "method", "mode", "position", "query",
    "required", "role", "run", "script", "size", "state", "status", "target", "type", "variant",
))  # fmt: skip
MESSAGE = "*"  # the key of all texts of a file with the messages of a program
WORD_OF_KEY = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
CAPITALIZED = re.compile(r"\W*[^\W\d_a-z](?:[-'’]?[^\W\d_A-Z]+|[-'’][^\W\d_])+\W*")  # E-Mail
SMALL = re.compile(r"\W*[^\W\d_A-Z]{2,}\W*")  # such words are not in date formats such as d. MMM
REGULAR_EXPRESSION = re.compile(r"\^.*\$\Z|.*(?:\\[dsw]|\[[A-Za-z0-9]-[A-Za-z0-9])")
SENTENCE = re.compile(r"\s*\S+\s.*\S[.!?…:]\s*\Z|[{%]\S*\s+\S", re.DOTALL)
LITERAL, FOLDED = "|", ">"  # how texts of several lines begin in YAML


class Value(NamedTuple):
    """A text among the values of a file.

    Attributes:
        start: the place where it begins, in characters; an opening quotation mark belongs to it.
        text: its text; the text of a block is as written in the file.
        block: the mark before lines without quotation marks; empty for any other value.
        anchor: its name in YAML, if it has one.
        place: its place, as shown to the user; if this is empty, the number of its line is shown.
        key: the key of a value that may be for programs.
    """

    start: int
    end: int
    text: str
    block: str = ""
    anchor: str | None = None
    place: str = ""
    key: str | None = None


def read_json(content: bytes, name: str, languages: Sequence[str] = ("",)) -> Document:
    """Reads JSON in UTF-8, or lines that each have a JSON value.

    A key that begins with ``@`` is about the file in .arb and JSON-LD, so its value stays.

    Args:
        languages: the first is the code of the source; see `_are_messages`.
    """
    file_text = decode(content, name)
    decoder = _JsonDecoder()
    values: list[Value] = []
    start = _end_of_space(file_text, 0)
    try:
        while True:
            value, end = decoder.raw_decode(file_text, start)
            values += _with_key(value, "")
            start = _end_of_space(file_text, end)
            if start == len(file_text):
                break
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name}, line {error.lineno}: expected JSON: {error.msg}; correct it"
        ) from None
    except RecursionError:
        line = file_text.count("\n", 0, start) + 1
        raise InputError(f"{name}, line {line}: expected JSON, {TOO_DEEP}") from None
    if _are_messages(name, languages[0]):
        values = [value._replace(key=MESSAGE) for value in values]
    is_ascii = file_text.isascii()

    def quote(text: str, old: str) -> str:
        return json.dumps(text, ensure_ascii=is_ascii or find_lone_surrogate(text) is not None)

    return document_of_values(file_text, content, values, quote)


class _JsonDecoder(json.JSONDecoder):
    """Decodes JSON to lists of its texts, with their places."""

    def __init__(self) -> None:
        super().__init__(parse_int=str, parse_float=str, object_pairs_hook=self._values_of_object)
        scan = json.decoder.scanstring  # type: ignore[attr-defined]

        def parse_string(text: str, begin: int, strict: bool) -> tuple[Value, int]:
            value, end = scan(text, begin, strict)
            return Value(begin - 1, end, value), end

        self.parse_string = parse_string
        self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]

    @staticmethod
    def _values_of_object(pairs: list[tuple[str, Any]]) -> tuple[Value, ...]:
        return tuple(
            text for key, value in pairs if key[:1] != "@" for text in _with_key(value, key)
        )


def _with_key(value: Any, key: str) -> Iterator[Value]:
    """Yields the texts of a JSON value with this key; texts in an object have their own key."""
    if isinstance(value, Value):
        yield value._replace(key=key)
    elif isinstance(value, list):
        for item in value:
            yield from _with_key(item, key)
    elif isinstance(value, tuple):
        yield from value


def _is_for_readers(key: str, text: str) -> bool:
    """Whether a value looks like a text for readers, or has a key for such texts.

    A text has a word with a capital, such as "Save", or it is a sentence: several words before a
    mark, or after a placeholder.
    """
    [*_, last] = ["", *map(str.lower, WORD_OF_KEY.findall(key))]
    if REGULAR_EXPRESSION.match(text):
        return False
    words = without_placeholders(html.unescape(without_tags(text))).split()
    has_capital = any(map(CAPITALIZED.fullmatch, words))
    is_sentence = SENTENCE.match(text) is not None
    is_message = key == MESSAGE and any(map(SMALL.fullmatch, words))
    if last in PROGRAM_WORDS:
        return is_sentence or text.lower() == last != text  # the label of a field
    is_label = last == "label" and " " in text
    return last in READER_WORDS or is_sentence or has_capital or is_label or is_message


def _are_messages(name: str, language: str) -> bool:
    """Whether a file has a program's messages: .arb, or its name or folder has the language."""
    words = re.split(r"[\W_]", "/".join(PurePath(name).parts[-2:]).lower())
    return words[-1] == "arb" or language != "" and language in words


def _end_of_space(text: str, start: int) -> int:
    """The place where the white space of JSON ends."""
    return len(json.decoder.WHITESPACE.match(text, start)[0]) + start  # type: ignore[attr-defined]


def read_yaml(content: bytes, name: str, languages: Sequence[str] = ("",)) -> Document:
    """Reads YAML in UTF-8; see `read_json`."""
    file_text = decode(content, name)
    try:
        values = _values_of_yaml(file_text, name)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        last = file_text.rstrip().count("\n")  # errors at the end may have the line after it
        where = f", line {min(mark.line, last) + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise InputError(f"{name}{where}: expected YAML: {shorten(problem)}; correct it") from None
    if _are_messages(name, languages[0]):
        values = [value._replace(key=MESSAGE) for value in values]
    return document_of_values(file_text, content, values, _as_yaml)


def _values_of_yaml(file_text: str, name: str) -> list[Value]:
    """The texts of YAML that are not keys. An alias may also make a text a key."""
    values: list[Value] = []
    anchors_of_keys: set[str] = set()
    key = ""
    for event, is_key, depth in _nodes_of_yaml(file_text):
        if depth > DEEPEST:
            line = event.start_mark.line + 1
            raise InputError(f"{name}, line {line}: expected YAML, {TOO_DEEP}")
        if is_key and isinstance(event, yaml.AliasEvent):
            anchors_of_keys.add(str(event.anchor))
        if not isinstance(event, yaml.ScalarEvent):
            key = key if isinstance(event, yaml.SequenceStartEvent) else ""
        elif is_key:
            key = event.value
        elif _is_text(event):
            values.append(_value_of(event, file_text)._replace(key=key))
    return [value for value in values if value.anchor not in anchors_of_keys]


def _nodes_of_yaml(file_text: str) -> Iterator[tuple[Any, bool, int]]:
    """Yields each node of YAML, whether it is (part of) a key, and the number of nodes around it.

    The number of nodes is finite, but the value that they describe may contain itself.
    """
    around: list[Iterator[bool]] = [itertools.repeat(False)]
    for event in yaml.parse(file_text, YAML_LOADER):
        if isinstance(event, yaml.CollectionEndEvent):
            around.pop()
        elif isinstance(event, yaml.NodeEvent):
            is_key = next(around[-1])
            yield event, is_key, len(around)
            if isinstance(event, yaml.MappingStartEvent) and not is_key:
                around.append(itertools.cycle((True, False)))
            elif isinstance(event, yaml.CollectionStartEvent):
                around.append(itertools.repeat(is_key))


def _is_text(event: Any) -> bool:
    """Whether a YAML scalar is a text. 1e5 is a number here, as in YAML 1.2."""
    tag = event.tag
    if tag in (None, "!"):
        tag = RESOLVER.resolve(yaml.ScalarNode, event.value, event.implicit)
    is_number = json.scanner.NUMBER_RE.fullmatch(event.value)
    return tag == RESOLVER.DEFAULT_SCALAR_TAG and has_words(event.value) and not is_number


def _value_of(event: Any, file_text: str) -> Value:
    """The value of a YAML event. The event begins with its anchor and its tag."""
    start, end = event.start_mark.index, event.end_mark.index
    if file_text[start] in "&!":
        tokens = yaml.scan(file_text[start:end], YAML_LOADER)
        text = next(token for token in tokens if isinstance(token, yaml.ScalarToken))
        start += text.start_mark.index
    if event.style in (LITERAL, FOLDED):
        start = file_text.index("\n", start) + 1
        return Value(start, end, file_text[start:end], event.style, event.anchor)
    return Value(start, end, event.value, anchor=event.anchor)


def _as_yaml(text: str, old: str) -> str:
    """A text as a value of YAML; in quotation marks if the old value or the text needs them."""
    style = old[0] if old[0] in "'\"" else None
    if style == '"' and text.isprintable():
        return json.dumps(text, ensure_ascii=False)
    dumped = yaml.safe_dump(
        [text],
        default_style=style if len(text.splitlines()) == 1 else '"',
        default_flow_style=True,
        allow_unicode=True,
        width=float("inf"),
    )
    return str(dumped).rstrip("\n")[1:-1]


def document_of_values(
    file_text: str, content: bytes, values: Iterable[Value], quote: Callable[[str, str], str]
) -> Document:
    """The document of a file with values.

    Args:
        values: the texts of the file, in order.
        quote: writes a new text, given the old value as it is in the file.
    """
    with_words = [value for value in values if has_words(value.text)]
    translatable = [
        value for value in with_words if value.key is None or _is_for_readers(value.key, value.text)
    ]
    texts: list[Text] = []
    blocks: dict[Value, Document] = {}
    line, end = 1, 0
    for value in translatable:
        line += file_text.count("\n", end, value.start)
        end = value.start
        place = value.place or f"line {line}"
        if value.block:
            blocks[value] = read_plain_text(value.text.encode(), place, value.block == FOLDED)
            texts += (text._replace(place=place) for text in blocks[value].texts)
        else:
            texts += texts_of(value.text, place)

    def write(written_texts: Sequence[WrittenText]) -> bytes:
        remaining = iter(written_texts)
        pieces: list[str] = []
        end = 0
        for value in translatable:
            old = file_text[value.start : value.end]
            if value in blocks:
                inner = list(itertools.islice(remaining, len(blocks[value].texts)))
                is_changed = any(written.is_translated for written in inner)
                new = blocks[value].write(inner).decode() if is_changed else old
            else:
                text = fill_message(value.text, remaining).text
                new = old if text == value.text else quote(text, old)
            pieces += (file_text[end : value.start], new)
            end = value.end
        return encode("".join([*pieces, file_text[end:]]), content)

    return Document(texts, write, skipped=len(with_words) - len(translatable))
