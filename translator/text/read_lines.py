"""A line that was read: its sentences, their form for the model, and notices."""

from collections.abc import Sequence
from typing import NamedTuple

from translator.text.characters import is_blank, without_unprintable
from translator.text.sentences import LinePart
from translator.text.shown import ShownText
from translator.tokenizers.words import Words

NOTICES = {  # the words of a summary for each kind
    "unknown": "with sentences left as they are, because the model knows none of their characters",
    "bytes": "with bytes that are not UTF-8",
    "long": "with brackets left as they are, because they are too long for the model",
    "tags": "left as they are, because the model does not know their tags",
    "markup": "left as they are, because their translations would break the file",
    "cut": "with sentences that are cut, because they are too long for the model",
    "target": "without the target token that the model needs",
    "tag": "without a tag that the model has learnt",
}
NOT_WHOLE = ("unknown", "bytes", "long", "tags", "markup")  # not translated as a whole


class Notice(NamedTuple):
    """A message to the user about a line that was read.

    Attributes:
        text: the problem, and the reaction to it.
    """

    kind: str
    text: str


class CodecOptions(NamedTuple):
    """How lines are read and translations written.

    Attributes:
        raw: whether text is left as the tokenizer has it.
        split: whether lines are split into sentences; if not, a line is one sentence.
        errors: ``replace`` passes on lines that cannot be translated, ``strict`` refuses them.
        tags: the names of tags that are added to lines without tags.
        prefix: text that every translation begins with.
        glossary: translations of terms; see `translator.text.glossary.Glossary`.
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
        part: its text and where it is in the line.
        shown: the text that the model is shown, and the hidden parts.
        ids: the S tokens that the model is shown; start, tags and end included.
        words: the words of these tokens; None if it is passed on.
        is_spelt: whether the tokenizer has a piece for any part; if not, it is passed on.
        is_first: whether it is the first sentence of its line that is translated.
        carried: its translation if it has only spans, tags or marks; it is then passed on.
        as_words: the sentence with glossary terms in words instead of masks; None if it has no
            such terms, or if that is too long for the model.
    """

    part: LinePart
    shown: ShownText
    ids: list[int]
    words: Words | None
    is_spelt: bool
    is_first: bool = False
    carried: str | None = None
    as_words: "ReadSentence | None" = None

    @property
    def needs_alignment(self) -> bool:
        """Whether alignment is needed to put parts of it back."""
        return bool(self.shown.marks or self.shown.spans)

    @property
    def passed_on(self) -> str:
        """The output if it is not translated. It has no characters that break a line."""
        text = self.part.text if self.carried is None else self.carried
        return "" if is_blank(text) else without_unprintable(text)


class SourceLine(NamedTuple):
    """A line that was read.

    Attributes:
        sentences: they are translated one by one; none for an empty line.
        notices: messages to the user about the line.
        mark: its opener, such as ``- ``, with spaces. It stays, and is in no sentence.
    """

    text: str
    sentences: tuple[ReadSentence, ...]
    notices: tuple[Notice, ...] = ()
    mark: str = ""
    end: str = ""
