"""JSON, lines of JSON, and YAML: the texts among the values; all else stays as it is."""

import html
import itertools
import json
import json.decoder
import json.scanner
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import yaml

from translator.addons.documents.document import (
    Document,
    Text,
    Written,
    decoded,
    encoded,
    has_words,
)
from translator.addons.documents.messages import filled, texts_of, without_placeholders
from translator.addons.documents.plain_text import read_plain_text
from translator.base.errors import InputError
from translator.base.texts import find_lone_surrogate, shorten
from translator.text.tags import without_tags

DEEPEST = 200  # values in each other
TOO_DEEP = "found values in each other too deep; flatten them"
YAML_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # its C is 20 times as fast
RESOLVER: Any = yaml.resolver.Resolver()  # of what texts without quotation marks mean
READERS = frozenset((  # last words of the keys of texts, forms of a plural among them
    "abstract", "answer", "body", "caption", "comment", "content", "description", "few", "heading",
    "headline", "help", "hint", "many", "message", "note", "one", "other", "placeholder",
    "question", "subject", "subtitle", "summary", "text", "title", "tooltip", "two", "zero",
))  # fmt: skip
PROGRAMS = frozenset((  # of what says something to a program, unless it is a sentence
    "action", "class", "code", "command", "default", "enum", "event", "events", "family", "font",
    "format", "kind", "language", "layout", "level", "method", "mode", "position", "query",
    "required", "role", "run", "script", "size", "state", "status", "target", "type", "variant",
))  # fmt: skip
MESSAGE = "*"  # the key of all texts of a file with the messages of a program
WORD_OF_KEY = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
CAPITALIZED = re.compile(r"\W*[^\W\d_a-z](?:[-'’]?[^\W\d_A-Z]+|[-'’][^\W\d_])+\W*")  # E-Mail
SMALL = re.compile(r"\W*[^\W\d_A-Z]{2,}\W*")  # a word that no date format such as d. MMM has
SENTENCE = re.compile(r"\s*\S+\s.*\S[.!?…:]\s*\Z|[{%]\S*\s+\S", re.DOTALL)
LITERAL, FOLDED = "|", ">"  # how texts of several lines begin in YAML


class Value(NamedTuple):
    """A text among the values of a file.

    Attributes:
        start: where it begins, quotation marks included, in characters.
        text: what it says; of a block, as it is written.
        block: how it begins if it is lines without quotation marks; empty if it is not.
        anchor: the name that YAML may have for it.
        place: where it stands, for the user; that of its line if it is empty.
        key: of what may be for programs.
    """

    start: int
    end: int
    text: str
    block: str = ""
    anchor: str | None = None
    place: str = ""
    key: str | None = None


def read_json(content: bytes, name: str, languages: Sequence[str] = ("",)) -> Document:
    """Reads JSON in UTF-8, or a JSON value a line.

    What a key with ``@`` before it says is about the file, as in .arb and JSON-LD, and stays.

    Args:
        languages: the first is the code of the source; see `_are_messages`.
    """
    page = decoded(content, name)
    decoder = _JsonDecoder()
    values: list[Value] = []
    start = _end_of_space(page, 0)
    try:
        while True:
            found, end = decoder.raw_decode(page, start)
            values += _with_key(found, "")
            start = _end_of_space(page, end)
            if start == len(page):
                break
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name}, line {error.lineno}: expected JSON: {error.msg}; correct it"
        ) from None
    except RecursionError:
        line = page.count("\n", 0, start) + 1
        raise InputError(f"{name}, line {line}: expected JSON, {TOO_DEEP}") from None
    if _are_messages(name, languages[0]):
        values = [value._replace(key=MESSAGE) for value in values]
    is_ascii = page.isascii()

    def quote(text: str, old: str) -> str:
        return json.dumps(text, ensure_ascii=is_ascii or find_lone_surrogate(text) is not None)

    return document_of_values(page, content, values, quote)


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
    """The texts of a value of JSON with their key, which those in an object have already."""
    if isinstance(value, Value):
        yield value._replace(key=key)
    elif isinstance(value, list):
        for item in value:
            yield from _with_key(item, key)
    elif isinstance(value, tuple):
        yield from value


def _is_for_readers(key: str, text: str) -> bool:
    """Whether a value reads as a text, or its key says so.

    A text has a word with a capital, as "Save", or is a sentence: several words before a mark, or
    behind a placeholder.
    """
    [*_, last] = ["", *map(str.lower, WORD_OF_KEY.findall(key))]
    words = without_placeholders(html.unescape(without_tags(text))).split()
    has_capital = any(map(CAPITALIZED.fullmatch, words))
    is_sentence = SENTENCE.match(text) is not None
    is_message = key == MESSAGE and any(map(SMALL.fullmatch, words))
    if last in PROGRAMS:
        return is_sentence or text.lower() == last != text  # the label of a field
    is_label = last == "label" and " " in text
    return last in READERS or is_sentence or has_capital or is_label or is_message


def _are_messages(name: str, language: str) -> bool:
    """Whether a file has the messages of a program: if its path has a language, as en.json has."""
    words = re.split(r"[\W_]", name.lower())
    return words[-1] == "arb" or language != "" and language in words


def _end_of_space(page: str, start: int) -> int:
    """Where the white space of JSON ends."""
    return len(json.decoder.WHITESPACE.match(page, start)[0]) + start  # type: ignore[attr-defined]


def read_yaml(content: bytes, name: str, languages: Sequence[str] = ("",)) -> Document:
    """Reads YAML in UTF-8; see `read_json`."""
    page = decoded(content, name)
    try:
        values = _values_of_yaml(page, name)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        last = page.rstrip().count("\n")  # the end may be told as a line behind it
        where = f", line {min(mark.line, last) + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise InputError(f"{name}{where}: expected YAML: {shorten(problem)}; correct it") from None
    if _are_messages(name, languages[0]):
        values = [value._replace(key=MESSAGE) for value in values]
    return document_of_values(page, content, values, _as_yaml)


def _values_of_yaml(page: str, name: str) -> list[Value]:
    """The texts of YAML that are no keys, by their own place or by their names."""
    found: list[Value] = []
    names_of_keys: set[str] = set()
    key = ""
    for event, is_key, depth in _nodes_of_yaml(page):
        if depth > DEEPEST:
            line = event.start_mark.line + 1
            raise InputError(f"{name}, line {line}: expected YAML, {TOO_DEEP}")
        if is_key and isinstance(event, yaml.AliasEvent):
            names_of_keys.add(str(event.anchor))
        if not isinstance(event, yaml.ScalarEvent):
            key = key if isinstance(event, yaml.SequenceStartEvent) else ""
        elif is_key:
            key = event.value
        elif _is_text(event):
            found.append(_value_of(event, page)._replace(key=key))
    return [each for each in found if each.anchor not in names_of_keys]


def _nodes_of_yaml(page: str) -> Iterator[tuple[Any, bool, int]]:
    """The nodes of YAML, whether each is a key or in one, and how many are around it.

    Nodes are not what they mean, which may have no end, as it can be in itself.
    """
    around: list[Iterator[bool]] = [itertools.repeat(False)]
    for event in yaml.parse(page, YAML_LOADER):
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
    """Whether a scalar of YAML is a text; 1e5 is none, though a number only since YAML 1.2."""
    tag = event.tag
    if tag in (None, "!"):
        tag = RESOLVER.resolve(yaml.ScalarNode, event.value, event.implicit)
    is_number = json.scanner.NUMBER_RE.fullmatch(event.value)
    return tag == RESOLVER.DEFAULT_SCALAR_TAG and has_words(event.value) and not is_number


def _value_of(event: Any, page: str) -> Value:
    """A text of YAML; its event begins with its anchor and its tag."""
    start, end = event.start_mark.index, event.end_mark.index
    if page[start] in "&!":
        tokens = yaml.scan(page[start:end], YAML_LOADER)
        text = next(token for token in tokens if isinstance(token, yaml.ScalarToken))
        start += text.start_mark.index
    if event.style in (LITERAL, FOLDED):
        start = page.index("\n", start) + 1
        return Value(start, end, page[start:end], event.style, event.anchor)
    return Value(start, end, event.value, anchor=event.anchor)


def _as_yaml(text: str, old: str) -> str:
    """A text as a value of YAML, in quotation marks if it had some or needs them."""
    style = old[0] if old[0] in "'\"" else None
    if style == '"' and text.isprintable():
        return json.dumps(text, ensure_ascii=False)
    made = yaml.safe_dump(
        [text],
        default_style=style if len(text.splitlines()) == 1 else '"',
        default_flow_style=True,
        allow_unicode=True,
        width=float("inf"),
    )
    return str(made).rstrip("\n")[1:-1]


def document_of_values(
    page: str, content: bytes, values: Iterable[Value], quote: Callable[[str, str], str]
) -> Document:
    """A file with values.

    Args:
        content: its bytes.
        values: its texts, in order.
    """
    with_words = [value for value in values if has_words(value.text)]
    chosen = [
        value for value in with_words if value.key is None or _is_for_readers(value.key, value.text)
    ]
    texts: list[Text] = []
    blocks: dict[Value, Document] = {}
    line, end = 1, 0
    for value in chosen:
        line += page.count("\n", end, value.start)
        end = value.start
        place = value.place or f"line {line}"
        if value.block:
            blocks[value] = read_plain_text(value.text.encode(), place, value.block == FOLDED)
            texts += (text._replace(place=place) for text in blocks[value].texts)
        else:
            texts += texts_of(value.text, place)

    def write(written: Sequence[Written]) -> bytes:
        waiting = iter(written)
        pieces: list[str] = []
        end = 0
        for value in chosen:
            old = page[value.start : value.end]
            if value in blocks:
                inner = list(itertools.islice(waiting, len(blocks[value].texts)))
                is_changed = any(each.is_translated for each in inner)
                new = blocks[value].write(inner).decode() if is_changed else old
            else:
                text = filled(value.text, waiting).text
                new = old if text == value.text else quote(text, old)
            pieces += (page[end : value.start], new)
            end = value.end
        return encoded("".join([*pieces, page[end:]]), content)

    return Document(texts, write, left=len(with_words) - len(chosen))
