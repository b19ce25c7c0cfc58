"""Shows sentences to a model without masks."""

from collections.abc import Sequence

from translator.text.casing import CaseReader, Casing
from translator.text.codec import CodecOptions
from translator.text.fitting import Fit, has_words
from translator.text.line_reading import LineReader
from translator.text.memo import ShownText, Span
from translator.text.read_lines import ReadSentence
from translator.text.sentences import Part
from translator.text.spans.inline import InlineText
from translator.text.spans.tags import find_tags, without_tags
from translator.text.stand_ins.kind import Place, SpanKind
from translator.text.stand_ins.numbers import NUMBER
from translator.text.stand_ins.numeric import QuantityKind
from translator.text.stand_ins.showing import find_exact_spans, find_hidden_spans, show_spans
from translator.tokenizers.subword import Tokenizer
from translator.tokenizers.words import Words, words_of


class StandInReader(LineReader):
    """See `LineReader`.

    Args:
        tokenizer: of the source language.
        max_length: the most tokens that the model takes, start and end included.
        kinds: of spans that are carried over; see `translator.text.stand_ins`.
        split: whether a line is split into sentences; otherwise it is one sentence.
        errors: ``replace`` passes on lines that cannot be translated, ``strict`` refuses them.
        keeps_words: whether each sentence keeps its words, which restoring needs.
        case_reader: writes texts in capitals, for example, as ordinary sentences; None leaves
            them as they are.
        takes_out_marks: whether tags, emoji and what opens a line, such as ``- ``, are taken out
            before the model sees a text.
        other_kinds: the same kinds with other stand-ins, in case that the model drops these.
        tags: the names of those that a line begins with that has none of its own.
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
        takes_out_marks: bool = False,
        other_kinds: Sequence[Sequence[SpanKind]] = (),
        tags: Sequence[str] = (),
    ) -> None:
        options = CodecOptions(not takes_out_marks, split, errors, tags)
        super().__init__(tokenizer, max_length, case_reader, options)
        self.kinds = kinds
        self.keeps_words = keeps_words
        self.other_kinds = other_kinds

    def find_spans(self, text: str) -> list[tuple[int, int]]:
        """See `LineReader.find_spans`."""
        return find_exact_spans(text, self.kinds)

    def find_fixed(self, text: str) -> list[tuple[int, int]]:
        """See `LineReader.find_fixed`."""
        return find_exact_spans(text, self.kinds)

    def find_hidden(self, text: str) -> list[tuple[int, int]]:
        """See `LineReader.find_hidden`."""
        return find_hidden_spans(text, self.kinds)

    def text_fits(self, text: str) -> bool:
        """See `LineReader.text_fits`."""
        _, ids, _ = self._show(text, self.kinds)
        return self.fit(ids) is not Fit.TOO_LONG

    def read_sentence(self, part: Part) -> ReadSentence:
        """See `LineReader.read_sentence`.

        Single letters that cannot be spelt, such as É, are passed on.
        """
        sentence = super().read_sentence(part)
        if sentence.is_spelt:
            return sentence._replace(label=self._read_label(part))
        if sentence.carried is not None:
            return sentence
        own = " ".join(word.outside_of_spans() for word in sentence.shown.words)
        return sentence if has_words(own) else sentence._replace(carried=part.text)

    def _read_label(self, part: Part) -> ReadSentence | None:
        """A word with a capital as a phrase; None for all other texts."""
        if self.case_reader is None:
            return None
        inline = self.take_out(part.text)
        cased = self.case_reader.read_label(inline.plain)
        return cased and self.read_part(part, inline.with_plain(cased.text), cased.casing)

    def read_part(self, part: Part, inline: InlineText, casing: Casing) -> ReadSentence:
        """See `LineReader.read_part`."""
        text, marks = inline
        shown, ids, words = self._show(text, self.kinds)
        is_spelt = self._is_spelt(text, shown, ids, words)
        carried = self._carried(part.text, shown, bool(marks))
        has_spans = any(word.spans for word in shown.words) or bool(marks)
        has_digits = self.tokenizer.masks_digits and any(map(str.isdigit, text))
        sentence = ReadSentence(
            part,
            shown,
            ids,
            words,
            is_spelt and carried is None,
            casing=casing,
            marks=marks,
            carried=carried,
            needs_alignment=has_spans or has_digits,
        )
        return sentence._replace(others=self._with_other_stand_ins(text, sentence))

    def _with_other_stand_ins(self, text: str, sentence: ReadSentence) -> tuple[ReadSentence, ...]:
        tried = [kind for kind in self.kinds if kind.is_tried_again]
        given = (kind.find_given(word) for word in sentence.shown.words for kind in tried)
        if not sentence.is_spelt or not any(map(any, given)):
            return ()
        others: dict[str, ReadSentence] = {}
        for kinds in self.other_kinds:
            shown, ids, words = self._show(text, kinds)
            if shown.text != sentence.shown.text and self.fit(ids) is Fit.FITS:
                others[shown.text] = sentence._replace(shown=shown, ids=ids, words=words)
        return tuple(others.values())

    def _carried(self, text: str, shown: ShownText, has_marks: bool) -> str | None:
        """The translation of a text without words, of spans, tags and marks; else None."""
        exact = {kind.name: kind for kind in self.kinds if kind.exactly_once}
        spans = [span for word in shown.words for span in word.spans if span.kind in exact]
        own = "".join(word.outside_of_spans() for word in shown.words)
        is_word = str.isalpha if QuantityKind.name in exact else str.isalnum
        if any(map(is_word, own)) or not (spans or has_marks or shown.words):
            return None
        pieces: list[str] = []
        end = 0
        plain = without_tags(text) if has_marks else text
        for span in spans:
            start = plain.find(span.given, end)
            if start >= 0:
                place = Place("", span.given, [span.given], 0, [], 0)
                pieces += (self._localized(text[end:start]), exact[span.kind].write(place))
                end = start + len(span.given)
        return "".join([*pieces, self._localized(text[end:])])

    def _localized(self, text: str) -> str:
        """A text without words, its numbers as the target language writes them."""
        quantities = next((kind for kind in self.kinds if isinstance(kind, QuantityKind)), None)
        if quantities is None:
            return text
        pieces: list[str] = []
        end = 0
        for tag in [*(tag.span for tag in find_tags(text)), Span(len(text), len(text), "")]:
            numbers = text[end : tag.start]
            pieces.append(NUMBER.sub(lambda found: quantities.localize(found.group()), numbers))
            pieces.append(tag.text)
            end = tag.end
        return "".join(pieces)

    def _show(
        self, text: str, kinds: Sequence[SpanKind]
    ) -> tuple[ShownText, list[int], Words | None]:
        """Shows and encodes a text.

        If the tokenizer divides the text into other words than its spaces do, only kinds of
        spans that can still be found again are replaced; see `SpanKind.realign`. Those with
        ``exactly_once`` always are.
        """
        shown = show_spans(text, kinds)
        ids, words = self._encode(shown.text)
        by_count = [kind for kind in kinds if kind.can_realign or kind.exactly_once]
        if len(by_count) < len(kinds) and words and len(words.texts) != len(shown.words):
            shown = show_spans(text, by_count)
            ids, words = self._encode(shown.text)
        return shown, ids, words

    def _encode(self, text: str) -> tuple[list[int], Words | None]:
        text.encode()  # lone surrogates raise UnicodeError
        [ids] = self.tokenizer.encode([text], reads_tags=False)
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
        [ids] = self.tokenizer.encode([text], reads_tags=False)
        return self.tokenizer.spells(ids)
