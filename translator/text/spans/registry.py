"""The kinds of spans that are carried over. A new kind is one module and one line in `KINDS`."""

from collections.abc import Callable
from typing import NamedTuple

from translator.text.spans.kind import SpanKind
from translator.text.spans.numbers import NumberKind
from translator.text.spans.unseen_names import KnownNames, NameKind


class SpanSettings(NamedTuple):
    """What decides which kinds of spans are carried over.

    Attributes:
        languages: codes of source and target.
        masks_digits: whether the tokenizers write every digit as 0 and the user wants numbers.
        names: what the run knows of names; None unless the user wants new names carried over.
    """

    languages: tuple[str, str]
    masks_digits: bool = False
    names: KnownNames | None = None


# Each returns its kind, or None if the settings do not ask for it. Where spans overlap, an
# earlier kind wins.
KINDS: tuple[Callable[[SpanSettings], SpanKind | None], ...] = (
    lambda settings: NameKind.of_run(settings.names),
    lambda settings: NumberKind(settings.languages) if settings.masks_digits else None,
)


def active_kinds(settings: SpanSettings) -> tuple[SpanKind, ...]:
    """The kinds of spans that the settings ask for, in the order of the registry."""
    kinds = (make(settings) for make in KINDS)
    return tuple(kind for kind in kinds if kind is not None)
