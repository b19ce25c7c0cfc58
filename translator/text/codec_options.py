"""What a user chooses about the text before and after a model."""

from collections.abc import Sequence
from typing import NamedTuple


class CodecOptions(NamedTuple):
    """How lines are read and translations written.

    Attributes:
        raw: whether it is left as the tokenizer has it.
        split: whether a line is split into sentences; otherwise it is one sentence.
        errors: ``replace`` passes on lines that cannot be translated, ``strict`` refuses them.
        tags: the names of those that a line begins with that has none of its own.
        prefix: text that every translation begins with.
        glossary: what stands for terms in a translation; see `translator.text.glossary.Glossary`.
    """

    raw: bool = False
    split: bool = True
    errors: str = "replace"
    tags: Sequence[str] = ()
    prefix: str = ""
    glossary: tuple[tuple[str, str], ...] = ()
