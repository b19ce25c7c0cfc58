"""What translating needs of a configuration, and values of JSON checked without its schema."""

from types import UnionType
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin

if TYPE_CHECKING:
    from translator.config.schema import Config


class CorpusSettings(NamedTuple):
    """Of the section ``corpus``; see `RunSettings`."""

    source_language: str
    target_language: str


class TokenizerSettings(NamedTuple):
    """Of the section ``tokenizer``; see `RunSettings`."""

    name: str
    shared: bool
    source_start: bool
    zero_digits: bool
    tags: list[str]
    masks: float | None


class DataSettings(NamedTuple):
    """Of the section ``data``; see `RunSettings`."""

    max_length: int
    word_pairs: bool
    truecase: bool


class DecodingSettings(NamedTuple):
    """Of the section ``decoding``; see `RunSettings`."""

    beam_size: int
    length_penalty: float
    max_length: int | None
    channel: str | None


class RunSettings(NamedTuple):
    """What translating needs of a configuration, by its sections."""

    corpus: CorpusSettings
    tokenizer: TokenizerSettings
    data: DataSettings
    decoding: DecodingSettings

    @classmethod
    def of(cls, config: "Config") -> "RunSettings":
        """Those of a configuration."""
        settings: RunSettings = as_kind(config.model_dump(), cls)
        return settings


def as_kind(value: Any, kind: Any) -> Any:
    """A value of JSON as an annotated type: a section as a NamedTuple, a list as a tuple.

    Raises:
        TypeError: it is of another type, a section lacks a key, or a number is negative.
    """
    if isinstance(kind, UnionType):
        kind = None if value is None else get_args(kind)[0]
    origin, inner = get_origin(kind), get_args(kind)
    if hasattr(kind, "_fields") and isinstance(value, dict):
        kinds = kind.__annotations__
        return kind(*(as_kind(value.get(key), kinds[key]) for key in kind._fields))
    if origin is dict and isinstance(value, dict):
        return {key: as_kind(each, inner[1]) for key, each in value.items()}
    if origin in (list, tuple) and isinstance(value, list):
        return origin(as_kind(each, inner[0]) for each in value)
    if kind in (int, float) and isinstance(value, (int, kind)) and not isinstance(value, bool):
        if value >= 0:
            return value
    elif kind is Any or kind is value or kind in (str, bool) and isinstance(value, kind):
        return value
    raise TypeError
