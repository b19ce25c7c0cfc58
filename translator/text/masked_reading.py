"""Reads a line once: its sentences, what the model is shown of them with masks, and their ids."""

import copy
from collections.abc import Iterable, Iterator, Sequence

from translator.base.errors import InputError
from translator.text.casing import CaseReader, Casing
from translator.text.characters import is_blank
from translator.text.codec import CodecOptions
from translator.text.fitting import Fit, check_fit
from translator.text.line_marks import LineMarks, with_asides
from translator.text.masking import MaskedText, Masker
from translator.text.memo import COPIED, NAME, ShownSpan, ShownText, ShownWord
from translator.text.read_lines import ReadSentence, SourceLine
from translator.text.sentences import Hidden, Part, cut_to_fit, sentences_of
from translator.text.spans.inline import InlineText
from translator.text.spans.tags import without_tags
from translator.tokenizers.masks import MASK, MASKS, name_of_mask
from translator.tokenizers.subword import Tokenizer
from translator.tokenizers.words import words_of

REPLACED = "\ufffd"  # stands for bytes that are not UTF-8


class MaskedReader:
    """See `translator.text.codec.Reader`.

    Args:
        tokenizer: of the source language.
        max_length: the most tokens that the model takes, start and end included.
        masker: puts masks into sentences.
        case_reader: writes texts in capitals, for example, as ordinary sentences; None leaves
            them as they are.
        options: what the user chose.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        max_length: int,
        masker: Masker,
        case_reader: CaseReader | None,
        options: CodecOptions,
    ) -> None:
        self.tokenizer = tokenizer
        self.max_length = max_length
        self.masker = masker
        self.case_reader = None if options.raw else case_reader
        self.options = options
        self.marks = LineMarks(tokenizer, masker.find_unmarked)

    def read(self, line: str, place: str) -> SourceLine:
        """Reads a line. The tags at its beginning are shown to the model with each sentence.

        Args:
            line: any text.
            place: names the line in errors and notices, such as ``line 3``.

        Raises:
            InputError: it is not Unicode text, has only characters that the tokenizer
                has never seen, is not split and longer than the model takes, or begins with a
                tag that the model does not know or with too many.
        """
        try:
            own, text = self.tokenizer.split_tags(line)
            tags = own or self.tokenizer.ids_of_tags(self.options.tags)
            most = (self.max_length - 2) // 2  # the other half is for text
            if len(tags) > most:
                raise InputError(f"expected at most {most} tags, found {len(tags)}")
        except InputError as error:
            if self.options.errors == "strict":
                raise InputError(f"{place}: {error}") from None
            return _passed_on(line, f"{place}: {error}, passed on as it is")
        reader = copy.copy(self)
        reader.max_length -= len(tags)
        read = reader._read_untagged(text, place)
        first = int(self.tokenizer.has_start)
        sentences = tuple(each.with_tags(tags, first) for each in read.sentences)
        return read._replace(text=line, sentences=sentences)

    def _read_untagged(self, line: str, place: str) -> SourceLine:
        if is_blank(line):
            return SourceLine(line, ())
        if self.options.errors == "replace" and not any(map(str.isalnum, line)):
            lost = f"{place}: no letters or digits, passed on as they are"
            return _passed_on(line, *[lost] * (REPLACED in line))
        mark, text = "", line
        try:
            line.encode()  # lone surrogates raise UnicodeError
        except UnicodeError:
            raise InputError(f"{place}: expected UTF-8, found other bytes") from None
        if not self.options.raw:
            mark, text = self.marks.read(line)
        sentences, notices = self._read_sentences(text, place)
        filled = [
            one
            for one in sentences
            if one.carried is not None or self._fit(one.ids) is not Fit.EMPTY
        ]
        first = next((i for i, one in enumerate(filled) if one.is_spelt), None)
        if first is not None:
            filled[first] = filled[first].as_first()
        elif any(one.carried is None for one in filled):
            found = Fit.UNKNOWN.value
            if self.options.errors == "strict":
                raise InputError(
                    f"{place}: expected {self.tokenizer.language} text, found {found}; remove the"
                    " line, or translate with --errors replace, which passes it on"
                )
            return _passed_on(line, f"{place}: {found}, passed on as they are")
        return SourceLine(line, tuple(filled), tuple(notices), mark)

    def _read_sentences(self, line: str, place: str) -> tuple[list[ReadSentence], list[str]]:
        """The sentences of a line that is not blank, and notices about them."""
        if not self.options.split:
            whole = self._read_sentence(Part(line, ""))
            if self._fit(whole.ids) is Fit.TOO_LONG:
                raise InputError(
                    f"{place}: expected at most {self.max_length} tokens, start and end included,"
                    f" found {len(whole.ids)}; split it"
                )
            return list(self._with_asides([whole])), []
        sentences: list[ReadSentence] = []
        notices: list[str] = []
        for part in sentences_of(line, self.tokenizer.language, list(self._hidden(line))):
            inline, casing = self._read_case(part.text)
            if self._text_fits(inline.plain):
                sentences.append(self._read_sentence(part))
                continue
            cased = part._replace(text=inline.joined())
            pieces = cut_to_fit(cased, self._marked_text_fits, self.marks.find_whole)
            sentences += [self._read_part(p, self._take_out(p.text), casing) for p in pieces]
            notices.append(
                f"{place}: a sentence is cut into {len(pieces)}, the model takes"
                f" {self.max_length} tokens and {len(MASKS) // 2} masks of a kind"
            )
        return list(self._with_asides(sentences)), notices

    def _with_asides(self, sentences: Iterable[ReadSentence]) -> Iterator[ReadSentence]:
        return with_asides(
            sentences, self._read_sentence, lambda one: self._marked_text_fits(one.part.text)
        )

    def _hidden(self, line: str) -> Iterator[Hidden]:
        """The parts of a line that do not decide where its sentences end, in order."""
        if self.options.raw:
            return
        text = without_tags(line)
        hidden = list(self.marks.hidden(line))
        for start, end in self.masker.find_fixed(text):
            end -= text[end - 1] == "." and _may_begin(text[end:])
            hidden.append(Hidden(start, end, "Xx"))
        yield from sorted(hidden)

    def _fit(self, ids: Sequence[int]) -> Fit:
        return check_fit(ids, self.max_length, self.tokenizer)

    def _text_fits(self, text: str) -> bool:
        masked = self._mask(text)
        return not masked.left and self._fit(self._encode(masked.text)) is not Fit.TOO_LONG

    def _marked_text_fits(self, text: str) -> bool:
        return self._text_fits(self._take_out(text).plain)

    def _take_out(self, text: str) -> InlineText:
        if self.options.raw:
            return InlineText(text)
        return self.marks.take_out(text)

    def _mask(self, text: str) -> MaskedText:
        return MaskedText(text) if self.options.raw else self.masker.mask(" ".join(text.split()))

    def _encode(self, text: str) -> list[int]:
        [ids] = self.tokenizer.encode([text], reads_tags=False)
        return ids

    def _read_case(self, text: str) -> tuple[InlineText, Casing]:
        """A sentence without tags and emoji, as ordinary sentences are written."""
        inline = self._take_out(text)
        if self.case_reader is None:
            return inline, Casing.SENTENCE
        cased = self.case_reader.read(inline.plain, self.masker.find_fixed(inline.plain))
        return inline.with_plain(cased.text), cased.casing

    def _read_sentence(self, part: Part) -> ReadSentence:
        """A sentence in the case of ordinary ones; as it is if only that can be spelt."""
        sentence = self._read_part(part, *self._read_case(part.text))
        if sentence.is_spelt or sentence.carried is not None:
            return sentence
        as_given = self._read_part(part, self._take_out(part.text), Casing.SENTENCE)
        return as_given if as_given.is_spelt else sentence

    def _read_part(self, part: Part, inline: InlineText, casing: Casing) -> ReadSentence:
        masked = self._mask(inline.plain)
        ids = self._encode(masked.text)
        carried = None
        has_words = any(map(str.isalpha, masked.text))  # no mask is a letter
        if not has_words and (masked.spans or inline.marks):
            carried = _carried(part.text, masked)
        return ReadSentence(
            part,
            show_masks(masked),
            ids,
            words_of(self.tokenizer.pieces(ids)),
            carried is None and self.tokenizer.spells(ids),
            casing=casing,
            marks=inline.marks,
            carried=carried,
            needs_alignment=bool(inline.marks or masked.spans),
            masks=masked.spans,
        )


def _may_begin(text: str) -> bool:
    """Whether a sentence may begin after a point: at the end, or before a capital."""
    rest = text.lstrip()
    return not rest or text != rest and not (rest[0].islower() or rest[0].isdigit())


def _passed_on(line: str, *notices: str) -> SourceLine:
    """A line that goes to the output as it is."""
    shown = ShownText(line, ())
    return SourceLine(line, (ReadSentence(Part(line, ""), shown, [], None, False),), notices)


def _carried(text: str, masked: MaskedText) -> str:
    """The translation of a text without words: its spans as the target language writes them."""
    pieces: list[str] = []
    end = 0
    for span in masked.spans:
        start = text.find(span.given, end)
        if start >= 0:
            pieces += (text[end:start], span.written)
            end = start + len(span.given)
    return "".join([*pieces, text[end:]])


def show_masks(masked: MaskedText) -> ShownText:
    """A text with masks as words, with what was given for each."""
    spans = {span.mask: span for span in masked.spans}
    words = []
    for word in masked.text.split():
        found = [spans[mask] for mask in MASK.findall(word)]
        given = MASK.sub(lambda match: spans[match.group()].given, word)
        shown = (
            ShownSpan(NAME if span.is_name else COPIED, span.given, name_of_mask(span.mask))
            for span in found
        )
        words.append(ShownWord(word, given, tuple(shown)))
    return ShownText(masked.text, tuple(words))
