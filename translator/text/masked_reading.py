"""Shows sentences to a model with masks."""

import re
from collections.abc import Iterable, Iterator

from translator.text.casing import CaseReader, Casing
from translator.text.codec import CodecOptions
from translator.text.fitting import Fit
from translator.text.line_reading import LineReader
from translator.text.masking import MaskedText, Masker
from translator.text.memo import UNSPELT, ShownSpan, ShownText, ShownWord
from translator.text.punctuation import plain_word
from translator.text.read_lines import ReadSentence
from translator.text.sentences import Part
from translator.text.spans.inline import InlineMark, InlineText, around_spans
from translator.tokenizers.masks import MASK, name_of_mask
from translator.tokenizers.subword import Tokenizer
from translator.tokenizers.words import words_of

NO_SPACE = re.compile(r"\S")


class MaskedReader(LineReader):
    """See `LineReader`.

    Args:
        tokenizer: of the source language.
        max_length: the most tokens that the model takes, start and end included.
        masker: puts masks into sentences.
        case_reader: see `LineReader`.
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
        super().__init__(tokenizer, max_length, case_reader, options)
        self.masker = masker
        self.prefix = masker.read_prefix(options.prefix)

    def find_spans(self, text: str) -> list[tuple[int, int]]:
        """See `LineReader.find_spans`."""
        return self.masker.find_unmarked(text)

    def find_fixed(self, text: str) -> list[tuple[int, int]]:
        """See `LineReader.find_fixed`."""
        return self.masker.find_fixed(text)

    def find_hidden(self, text: str) -> Iterator[tuple[int, int]]:
        """See `LineReader.find_hidden`; the point behind a span may end a sentence."""
        for start, end in self.masker.find_fixed(text):
            yield start, end - (text[end - 1] == "." and _may_begin(text, end))

    def knows(self, word: str) -> bool:
        """See `LineReader.knows`."""
        known = self.masker.names.words
        return not known or plain_word(word) in known

    def text_fits(self, text: str) -> bool:
        """See `LineReader.text_fits`; a text must not have more spans than there are masks."""
        masked = self._mask(text)
        return not masked.left and self.fit(self._encode(masked.text)) is not Fit.TOO_LONG

    def _mask(self, text: str, marks: Iterable[InlineMark] = ()) -> MaskedText:
        if self.options.raw:
            return MaskedText(text)
        apart = {mark.offset for mark in marks}
        return self.masker.mask(" ".join(text.split()), self.prefix, apart)

    def _encode(self, text: str) -> list[int]:
        [ids] = self.tokenizer.encode([text], reads_tags=False)
        return ids

    def read_part(self, part: Part, inline: InlineText, casing: Casing) -> ReadSentence:
        """See `LineReader.read_part`."""
        masked = self._mask(*inline)
        ids = self._encode(masked.text)
        carried = None
        is_word = any(map(str.isalpha, masked.text))  # no mask is a letter
        has_words = is_word or any(span.kind == UNSPELT for span in masked.spans)
        if not has_words and (masked.spans or inline.marks):
            carried = _carried(part.text, masked)
        return ReadSentence(
            part,
            show_masks(masked),
            ids,
            words_of(self.tokenizer.pieces(ids)),
            carried is None and self.tokenizer.spells(ids),
            casing=casing,
            marks=around_spans(inline.marks, _places(masked)),
            carried=carried,
            needs_alignment=bool(inline.marks or masked.spans),
            masks=masked.spans,
            lacks_masks=masked.left > 0,
        )


def _may_begin(text: str, place: int) -> bool:
    """Whether a sentence may begin after a point: at the end, or before a capital."""
    following = NO_SPACE.search(text, place)
    if following is None:
        return True
    return following.start() > place and not (following[0].islower() or following[0].isdigit())


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


def _places(masked: MaskedText) -> Iterator[tuple[int, int]]:
    """Where each span of a text begins and ends, in characters but for spaces."""
    given = {span.mask: len("".join(span.given.split())) for span in masked.spans}
    place = 0
    for character in "".join(masked.text.split()):
        end = place + given.get(character, 1)
        if character in given:
            yield place, end
        place = end


def show_masks(masked: MaskedText) -> ShownText:
    """A text with masks as words, with what was given for each; those of raw text are text."""
    spans = {span.mask: span for span in masked.spans}
    given_for = str.maketrans({span.mask: span.given for span in masked.spans})
    words = []
    for word in masked.text.split():
        found = [spans[mask] for mask in MASK.findall(word) if mask in spans]
        given = word.translate(given_for)
        shown = (ShownSpan(span.kind, span.given, name_of_mask(span.mask)) for span in found)
        words.append(ShownWord(word, given, tuple(shown)))
    return ShownText(masked.text, tuple(words))
