"""A line that was read: its sentences, what the model is shown of them, and what is told of it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from translator.text.casing import Casing
from translator.text.characters import is_blank, without_unprintable
from translator.text.notices import Notice
from translator.text.sentences import LinePart
from translator.text.shown import ShownText, Span
from translator.tokenizers.words import Words


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


class ReadSentence(NamedTuple):
    """A sentence of a line, or a part of one, that is translated by itself.

    Attributes:
        part: its text and where it stands in the line.
        shown: what the model is shown of it.
        ids: S tokens of what the model is shown, start and end included.
        words: the words of these tokens; None if nothing is put back afterwards.
        is_spelt: whether the tokenizer has a piece for any of it; if not, it is passed on.
        is_first: whether it is the first sentence of its line that is translated.
        casing: how it was capitalised; the model is shown it as ordinary sentences are.
        marks: what the model is not shown; see `MarkedText`.
        carried: its translation if it has no words, but spans, tags or marks; it is passed on then.
        as_words: the sentence with the words of terms of a glossary instead of their masks; None
            without such terms, or if that is too long for the model.
    """

    part: LinePart
    shown: ShownText
    ids: list[int]
    words: Words | None
    is_spelt: bool
    is_first: bool = False
    casing: Casing = Casing.SENTENCE
    marks: tuple[Span, ...] = ()
    carried: str | None = None
    as_words: "ReadSentence | None" = None

    @property
    def needs_alignment(self) -> bool:
        """Whether there is anything in it that is put back by alignment."""
        return bool(self.marks or self.shown.spans)

    def with_tags(self, ids: Sequence[int], first: int) -> "ReadSentence":
        """The same with tags, which are part of no word, before the token ``first``."""
        if not self.ids:  # it is passed on
            return self
        words = self.words
        if words is not None:
            numbers = np.insert(words.numbers, first, np.full(len(ids), -1))
            words = words._replace(numbers=numbers)
        return self._replace(
            ids=[*self.ids[:first], *ids, *self.ids[first:]],
            words=words,
            as_words=self.as_words and self.as_words.with_tags(ids, first),
        )

    @property
    def passed_on(self) -> str:
        """The text for the output if it is not translated, without characters that break a line."""
        text = self.part.text if self.carried is None else self.carried
        if is_blank(text):
            return ""
        return without_unprintable(text)


class SourceLine(NamedTuple):
    """A line that was read.

    Attributes:
        sentences: what is translated one by one; none for an empty line.
        notices: what the user is told about the line.
        mark: what opens it and stays, such as ``- ``, with its spaces; it is in no sentence.
        end: the spaces that it ends with.
    """

    text: str
    sentences: tuple[ReadSentence, ...]
    notices: tuple[Notice, ...] = ()
    mark: str = ""
    end: str = ""
