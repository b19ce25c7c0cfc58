"""Reads a line once: its sentences, what the model is shown of them, and their ids."""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from translator.base.errors import InputError
from translator.text.casing import CasedText, CaseReader, Casing
from translator.text.fitting import Fit, check_fit
from translator.text.sentences import Part, cut_to_fit, sentences_of
from translator.text.spans.kind import SpanKind
from translator.text.spans.showing import ShownText, show_spans
from translator.tokenizers.subword import Tokenizer
from translator.tokenizers.words import Words, words_of

INVISIBLE = ("Cc", "Cf", "Zl", "Zp", "Zs")  # Unicode categories: control, format, separators
UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")  # these break a line or cannot be encoded


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
    """

    part: Part
    shown: ShownText
    ids: list[int]
    words: Words | None
    is_spelt: bool
    is_first: bool = False
    casing: Casing = Casing.SENTENCE

    @property
    def passed_on(self) -> str:
        """The text for the output if it is not translated, without characters that break a line."""
        if is_blank(self.part.text):
            return ""
        return "".join(c for c in self.part.text if c == "\t" or not _has_category(c, UNPRINTABLE))


class SourceLine(NamedTuple):
    """A line that was read.

    Attributes:
        text: as it was given.
        sentences: what is translated one by one; none for an empty line.
        notices: what the user is told about the line.
    """

    text: str
    sentences: tuple[ReadSentence, ...]
    notices: tuple[str, ...] = ()


class LineReader:
    """Reads lines for a model.

    Args:
        tokenizer: of the source language.
        max_length: the most tokens that the model takes, start and end included.
        kinds: of spans that are carried over; see `translator.text.spans`.
        split: whether a line is split into sentences; otherwise it is one sentence.
        errors: ``replace`` passes on lines that cannot be translated, ``strict`` refuses them.
        keeps_words: whether each sentence keeps its words, which restoring needs.
        case_reader: writes texts in capitals, for example, as ordinary sentences; None leaves
            them as they are.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        max_length: int,
        kinds: Sequence[SpanKind] = (),
        split: bool = True,
        errors: str = "strict",
        keeps_words: bool = False,
        case_reader: CaseReader | None = None,
    ) -> None:
        self.tokenizer = tokenizer
        self.max_length = max_length
        self.kinds = kinds
        self.split = split
        self.errors = errors
        self.keeps_words = keeps_words
        self.case_reader = case_reader
        self._kinds_by_count = tuple(kind for kind in kinds if kind.can_realign)

    def read(self, line: str, place: str) -> SourceLine:
        """Reads a line.

        Args:
            line: any text.
            place: names the line in errors and notices, such as ``line 3``.

        Raises:
            InputError: it is not Unicode text, has only characters that the tokenizer
                has never seen, or is not split and longer than the model takes.
        """
        if is_blank(line):
            return SourceLine(line, ())
        if self.errors == "replace" and not any(map(str.isalnum, line)):
            return self._pass_on(line, f"{place}: no letters or digits, passed on as they are")
        try:
            sentences, notices = self._read_sentences(line, place)
        except UnicodeError:
            raise InputError(f"{place}: expected UTF-8, found other bytes") from None
        filled = [one for one in sentences if self._fit(one.ids) is not Fit.EMPTY]
        first = next((i for i, one in enumerate(filled) if one.is_spelt), None)
        if first is not None:
            filled[first] = filled[first]._replace(is_first=True)
        elif filled:
            found = Fit.UNKNOWN.value
            if self.errors == "strict":
                raise InputError(
                    f"{place}: expected {self.tokenizer.language} text, found {found}; remove the"
                    " line, or translate with --errors replace, which passes it on"
                )
            return self._pass_on(line, f"{place}: {found}, passed on as they are")
        return SourceLine(line, tuple(filled), tuple(notices))

    def _pass_on(self, line: str, notice: str) -> SourceLine:
        """A line that goes to the output as it is."""
        sentence = ReadSentence(Part(line, ""), ShownText(line, ()), [], None, is_spelt=False)
        return SourceLine(line, (sentence,), (notice,))

    def _read_sentences(self, line: str, place: str) -> tuple[list[ReadSentence], list[str]]:
        """The sentences of a line that is not blank, and notices about them."""
        if not self.split:
            whole = self._read_part(Part(line, ""), self._read_case(line))
            if self._fit(whole.ids) is Fit.TOO_LONG:
                raise InputError(
                    f"{place}: expected at most {self.max_length} tokens, start and end included,"
                    f" found {len(whole.ids)}; split it"
                )
            return [whole], []
        sentences: list[ReadSentence] = []
        notices: list[str] = []
        for part in sentences_of(line, self.tokenizer.language):
            cased = self._read_case(part.text)
            sentence = self._read_part(part, cased)
            if self._fit(sentence.ids) is not Fit.TOO_LONG:
                sentences.append(sentence)
                continue
            pieces = cut_to_fit(part._replace(text=cased.text), self._text_fits)
            sentences += [self._read_part(p, CasedText(p.text, cased.casing)) for p in pieces]
            notices.append(
                f"{place}: a sentence of {len(sentence.ids)} tokens is cut into {len(pieces)}, the"
                f" model takes {self.max_length}"
            )
        return sentences, notices

    def _fit(self, ids: Sequence[int]) -> Fit:
        return check_fit(ids, self.max_length)

    def _text_fits(self, text: str) -> bool:
        _, ids, _ = self._show(text)
        return self._fit(ids) is not Fit.TOO_LONG

    def _read_case(self, text: str) -> CasedText:
        if self.case_reader is None:
            return CasedText(text, Casing.SENTENCE)
        return self.case_reader.read(text)

    def _read_part(self, part: Part, cased: CasedText) -> ReadSentence:
        shown, ids, words = self._show(cased.text)
        is_spelt = self._is_spelt(cased.text, shown, ids, words)
        return ReadSentence(part, shown, ids, words, is_spelt, casing=cased.casing)

    def _show(self, text: str) -> tuple[ShownText, list[int], Words | None]:
        """Shows and encodes a text.

        If the tokenizer divides the text into other words than its spaces do, only kinds of
        spans that can still be found again are replaced; see `SpanKind.realign`.
        """
        shown = show_spans(text, self.kinds)
        ids, words = self._encode(shown.text)
        needs_words = len(self._kinds_by_count) < len(self.kinds)
        if needs_words and words is not None and len(words.texts) != len(shown.words):
            shown = show_spans(text, self._kinds_by_count)
            ids, words = self._encode(shown.text)
        return shown, ids, words

    def _encode(self, text: str) -> tuple[list[int], Words | None]:
        text.encode()  # lone surrogates raise UnicodeError
        [ids] = self.tokenizer.encode([text])
        return ids, words_of(self.tokenizer.pieces(ids)) if self.keeps_words else None

    def _is_spelt(
        self, text: str, shown: ShownText, ids: Sequence[int], words: Words | None
    ) -> bool:
        """Whether the tokenizer has a piece for any of a text, not counting stand-ins."""
        if shown.text == text:
            return self.tokenizer.spells(ids)
        if words is not None and len(words.texts) == len(shown.words):
            own = [i for i, n in zip(ids, words.numbers) if n >= 0 and not shown.words[n].spans]
            if self.tokenizer.spells(own):
                return True
        [ids] = self.tokenizer.encode([text])
        return self.tokenizer.spells(ids)


def is_blank(text: str) -> bool:
    """Whether a text has only invisible characters, such as spaces, tabs, zero-width spaces."""
    return all(_has_category(character, INVISIBLE) for character in text)


def _has_category(character: str, categories: tuple[str, ...]) -> bool:
    return unicodedata.category(character) in categories
