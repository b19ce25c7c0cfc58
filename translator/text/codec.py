"""The interface of a codec: what stands between lines of text and the ids that a model reads.

A reader makes ids of a line and keeps a memo of what the model is not shown; a writer makes text
of the model's ids and that memo. `Parts` has what any codec of a run is made of.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from translator.text.casing import CaseReader
from translator.text.lexicon import Lexicon
from translator.text.memo import ShownWord
from translator.text.read_lines import ReadSentence, SourceLine
from translator.text.restoration import Restoration
from translator.tokenizers.subword import Tokenizers


class CodecOptions(NamedTuple):
    """What a user chooses about the text before and after the model.

    Attributes:
        raw: whether it is left as the tokenizer has it.
        split: whether a line is split into sentences; otherwise it is one sentence.
        errors: ``replace`` passes on lines that cannot be translated, ``strict`` refuses them.
        tags: the names of those that a line begins with that has none of its own.
        replace_unknown: whether to copy new names, and what the tokenizer cannot spell.
        prefix: text that every translation begins with.
    """

    raw: bool = False
    split: bool = True
    errors: str = "strict"
    tags: Sequence[str] = ()
    replace_unknown: bool = False
    prefix: str = ""


class Reader(Protocol):
    """Reads lines for a model."""

    def read(self, line: str, place: str) -> SourceLine:
        """Reads a line.

        Args:
            line: any text.
            place: names the line in errors and notices, such as ``line 3``.

        Raises:
            InputError: the line cannot be translated, and errors are not passed on.
        """


class Writer(Protocol):
    """Writes translations of the lines that it was made for.

    Attributes:
        uses_alignment: whether anything is put back by alignment.
        always_aligns: whether it needs the alignment of every sentence, and not only of those that
            say so.
        prefix: the words that every translation begins with, as the model is shown them.
    """

    uses_alignment: bool
    always_aligns: bool
    prefix: Sequence[ShownWord]

    def write(
        self, sentence: ReadSentence, ids: Sequence[int], alignment: np.ndarray | None
    ) -> str:
        """Writes the translation of a sentence.

        Args:
            sentence: the source.
            ids: T tokens of the translation.
            alignment: (T, S) how much each token attended to each source token; None
                if nothing is put back by alignment.
        """

    def lacks_spans(self, sentence: ReadSentence, ids: Sequence[int]) -> bool:
        """Whether a translation lacks what stands for a span, whose place must be guessed then."""


class Codec(Protocol):
    """Makes the readers and writers of a run."""

    def reader(self, options: CodecOptions) -> Reader:
        """A reader of lines."""

    def writer(self, options: CodecOptions, lines: Sequence[SourceLine]) -> Writer:
        """A writer of the translations of lines that a reader of the same options has read."""

    def show_pairs(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """Sentences and given translations, such as references, as the model is shown them."""


class Parts(NamedTuple):
    """What a codec of a run is made of.

    Attributes:
        tokenizers: the run's.
        max_length: the most tokens that the model takes, start and end included.
        restoration: what the run learnt.
        lexicon: opens that of the two languages, which takes time.
        has_word_pairs: whether the training data has words and phrases as sentences.
    """

    tokenizers: Tokenizers
    max_length: int
    restoration: Restoration
    lexicon: Callable[[], Lexicon]
    has_word_pairs: bool = False

    def case_reader(self) -> CaseReader | None:
        """Reads texts in capitals and the like; None if the run has learnt no capitals."""
        source, truecaser = self.tokenizers.source, self.restoration.source_truecaser
        if truecaser is None and not source.lowercases:
            return None
        return CaseReader(truecaser, source.language, self.has_word_pairs)
