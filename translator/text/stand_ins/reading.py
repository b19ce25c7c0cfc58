"""Reads a line once: its sentences, what the model is shown of them, and their ids."""

import copy
from collections.abc import Iterable, Iterator, Sequence

from translator.base.errors import InputError
from translator.base.texts import listed
from translator.text.casing import CaseReader, Casing
from translator.text.characters import is_blank
from translator.text.fitting import Fit, check_fit, has_words
from translator.text.line_marks import LineMarks, with_asides
from translator.text.memo import ShownText, Span
from translator.text.read_lines import ReadSentence, SourceLine
from translator.text.sentences import Hidden, Part, cut_to_fit, sentences_of
from translator.text.spans.inline import InlineText
from translator.text.spans.tags import find_tags, without_tags
from translator.text.stand_ins.kind import Place, SpanKind
from translator.text.stand_ins.numbers import NUMBER
from translator.text.stand_ins.numeric import QuantityKind
from translator.text.stand_ins.showing import find_exact_spans, find_hidden_spans, show_spans
from translator.tokenizers.marian_tokenizer import target_tokens
from translator.tokenizers.subword import Tokenizer
from translator.tokenizers.words import Words, words_of

REPLACED = "\ufffd"  # stands for bytes that are not UTF-8


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
        self.tokenizer = tokenizer
        self.max_length = max_length
        self.kinds = kinds
        self.split = split
        self.errors = errors
        self.keeps_words = keeps_words
        self.case_reader = case_reader
        self.takes_out_marks = takes_out_marks
        self.other_kinds = other_kinds
        self.tags = tags
        self.marks = LineMarks(tokenizer, self._find_exact)
        self._target_tokens = target_tokens(tokenizer)  # until a line without one was told

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
        except InputError as error:
            if self.errors == "strict":
                raise InputError(f"{place}: {error}") from None
            return self._pass_on(line, f"{place}: {error}, passed on as it is")
        tags = own or self.tokenizer.ids_of_tags(self.tags)
        if not tags:
            read = self._read_untagged(line, place)
            return read._replace(notices=(*self._missing_token(line, place), *read.notices))
        most = (self.max_length - 2) // 2  # the other half is for text
        if len(tags) > most:
            problem = f"{place}: expected at most {most} tags, found {len(tags)}"
            if self.errors == "strict":
                raise InputError(f"{problem}; remove some")
            return self._pass_on(text, f"{problem}, passed on as it is")._replace(text=line)
        reader = copy.copy(self)
        reader.max_length -= len(tags)
        read = reader._read_untagged(text, place)
        first = int(self.tokenizer.has_start)
        sentences = tuple(sentence.with_tags(tags, first) for sentence in read.sentences)
        return read._replace(text=line, sentences=sentences)

    def _missing_token(self, line: str, place: str) -> Iterator[str]:
        """A notice for the first line without the target token that the model needs."""
        if self._target_tokens and not is_blank(line):
            known, self._target_tokens = listed(self._target_tokens), ()
            yield (
                f"{place}: expected a target token ({known}) at the beginning, found none; the"
                " model reads there which language to write, and --tag gives one to all lines"
            )

    def _read_untagged(self, line: str, place: str) -> SourceLine:
        if is_blank(line):
            return SourceLine(line, ())
        if self.errors == "replace" and not any(map(str.isalnum, line)):
            lost = f"{place}: no letters or digits, passed on as they are"
            return self._pass_on(line, *[lost] * (REPLACED in line))
        mark, text = "", line
        try:
            if self.takes_out_marks:
                mark, text = self.marks.read(line)
            sentences, notices = self._read_sentences(text, place)
        except UnicodeError:
            raise InputError(f"{place}: expected UTF-8, found other bytes") from None
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
            if self.errors == "strict":
                raise InputError(
                    f"{place}: expected {self.tokenizer.language} text, found {found}; remove the"
                    " line, or translate with --errors replace, which passes it on"
                )
            return self._pass_on(line, f"{place}: {found}, passed on as they are")
        return SourceLine(line, tuple(filled), tuple(notices), mark)

    def _pass_on(self, line: str, *notices: str) -> SourceLine:
        """A line that goes to the output as it is."""
        sentence = ReadSentence(Part(line, ""), ShownText(line, ()), [], None, is_spelt=False)
        return SourceLine(line, (sentence,), notices)

    def _read_sentences(self, line: str, place: str) -> tuple[list[ReadSentence], list[str]]:
        """The sentences of a line that is not blank, and notices about them."""
        if not self.split:
            whole = self._read_whole(Part(line, ""))
            if self._fit(whole.ids) is Fit.TOO_LONG:
                raise InputError(
                    f"{place}: expected at most {self.max_length} tokens, start and end included,"
                    f" found {len(whole.ids)}; split it"
                )
            return list(self._with_asides([whole])), []
        sentences: list[ReadSentence] = []
        notices: list[str] = []
        for part in sentences_of(line, self.tokenizer.language, self._hidden(line)):
            sentence = self._read_whole(part)
            if self._fit(sentence.ids) is not Fit.TOO_LONG:
                sentences.append(sentence)
                continue
            inline, casing = self._read_case(part.text)
            cased = part._replace(text=inline.joined())
            pieces = cut_to_fit(cased, self._text_fits, self.marks.find_whole)
            sentences += [self._read_part(p, self._take_out(p.text), casing) for p in pieces]
            notices.append(
                f"{place}: a sentence of {len(sentence.ids)} tokens is cut into {len(pieces)}, the"
                f" model takes {self.max_length}"
            )
        return list(self._with_asides(sentences)), notices

    def _with_asides(self, sentences: Iterable[ReadSentence]) -> Iterator[ReadSentence]:
        return with_asides(sentences, self._read_whole, lambda one: self._fit(one.ids) is Fit.FITS)

    def _hidden(self, line: str) -> list[Hidden]:
        """The parts of a line that do not decide where its sentences end."""
        marks = self.marks.hidden(line) if self.takes_out_marks else ()
        text = without_tags(line) if self.takes_out_marks else line
        spans = (Hidden(start, end, "Xx") for start, end in find_hidden_spans(text, self.kinds))
        return sorted([*marks, *spans])

    def _find_exact(self, text: str) -> list[tuple[int, int]]:
        return find_exact_spans(text, self.kinds)

    def _fit(self, ids: Sequence[int]) -> Fit:
        return check_fit(ids, self.max_length, self.tokenizer)

    def _text_fits(self, text: str) -> bool:
        _, ids, _ = self._show(self._take_out(text).plain, self.kinds)
        return self._fit(ids) is not Fit.TOO_LONG

    def _take_out(self, text: str) -> InlineText:
        return self.marks.take_out(text) if self.takes_out_marks else InlineText(text)

    def _read_case(self, text: str) -> tuple[InlineText, Casing]:
        """A sentence without tags and emoji, as ordinary sentences are written."""
        inline = self._take_out(text)
        if self.case_reader is None:
            return inline, Casing.SENTENCE
        cased = self.case_reader.read(inline.plain, find_exact_spans(inline.plain, self.kinds))
        return inline.with_plain(cased.text), cased.casing

    def _read_whole(self, part: Part) -> ReadSentence:
        """A sentence in the case of ordinary ones; as it is if only that can be spelt.

        Single letters that cannot be spelt, such as É, are passed on.
        """
        sentence = self._read_part(part, *self._read_case(part.text))
        if sentence.is_spelt:
            return sentence._replace(label=self._read_label(part))
        if sentence.carried is not None:
            return sentence
        as_given = self._read_part(part, self._take_out(part.text), Casing.SENTENCE)
        if as_given.is_spelt:
            return as_given
        own = " ".join(word.outside_of_spans() for word in sentence.shown.words)
        return sentence if has_words(own) else sentence._replace(carried=part.text)

    def _read_label(self, part: Part) -> ReadSentence | None:
        """A word with a capital as a phrase; None for all other texts."""
        if self.case_reader is None:
            return None
        inline = self._take_out(part.text)
        cased = self.case_reader.read_label(inline.plain)
        return cased and self._read_part(part, inline.with_plain(cased.text), cased.casing)

    def _read_part(self, part: Part, inline: InlineText, casing: Casing) -> ReadSentence:
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
            if shown.text != sentence.shown.text and self._fit(ids) is Fit.FITS:
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
