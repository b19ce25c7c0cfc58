"""Reads lines for a model: their tags, their marks, their sentences, and masks in these."""

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from translator.base.errors import InputError
from translator.text.abbreviations import with_written_abbreviations
from translator.text.casing import CaseReader, Casing, in_casing, is_initials
from translator.text.characters import REPLACED, is_blank, with_plain_characters
from translator.text.fitting import Fit, check_fit
from translator.text.glossary import Glossary
from translator.text.line_tags import LineTags
from translator.text.marks import LineMarks, MarkedText
from translator.text.masking import NO_GLOSSARY, NO_PREFIX, Prefix
from translator.text.notices import Notice
from translator.text.preprocessing import Preprocessor
from translator.text.punctuation import plain_word, with_first_letter_of
from translator.text.quantities.dates import calendar_of
from translator.text.read_lines import CodecOptions, ReadSentence, SourceLine
from translator.text.sentences import LinePart, cut_to_fit, opening_mark, sentences_of
from translator.text.shown import ASIDE, TERM, UNSPELT, Intervals, ShownText, Span
from translator.text.tags import find_tags, without_tags
from translator.tokenizers.masks import MASKS
from translator.tokenizers.subword import Tokenizer
from translator.tokenizers.words import words_of

SURROGATE = re.compile("[\ud800-\udfff]")  # which no text may have alone
NO_SPACE = re.compile(r"\S")
SPACES = " \t\u00a0\u3000"  # that stay around the text of a line


class LineReader:
    """Reads lines for a model.

    Args:
        max_length: the most tokens that the model takes, start and end included.
        case_reader: writes texts in capitals, for example, as ordinary sentences; None leaves
            them as they are.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        max_length: int,
        preprocessor: Preprocessor,
        case_reader: CaseReader | None,
        options: CodecOptions,
        prefix: Prefix = NO_PREFIX,
        tag_counts: Mapping[str, int] = {},  # noqa: B006
    ) -> None:
        self.tokenizer = tokenizer
        self.max_length = max_length
        self.case_reader = None if options.raw else case_reader
        self.options = options
        self.preprocessor = preprocessor
        self.masker = preprocessor.masker
        self.prefix = prefix
        self.glossary = Glossary(options.glossary, self.masker.languages)
        if self.glossary and not tokenizer.masks:
            raise InputError(
                "glossary: expected a model with masks, found one without; leave it out, or train"
                " with tokenizer.masks"
            )
        self.marks = LineMarks(self._find_unmarked)
        self.line_tags = LineTags(tokenizer, tag_counts)

    def _find_unmarked(self, text: str) -> list[tuple[int, int]]:
        """Start and end of what has no marks of format."""
        return self._with_terms(text, self.masker.find_unmarked(text))

    def _find_fixed(self, text: str) -> list[tuple[int, int]]:
        """Start and end of what keeps its capitals and is never cut."""
        return self._with_terms(text, self.masker.find_fixed(text))

    def _with_terms(self, text: str, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
        if not self.glossary:
            return found
        terms = Intervals((term.start, term.end) for term in self.glossary.find(text))
        return sorted([*terms, *(each for each in found if terms.are_free(*each))])

    def _knows(self, word: str) -> bool:
        """Whether the model has learnt a word, as far as the run tells."""
        names = self.masker.names
        return not names.words or names.knows(plain_word(word))

    def read_sentence(self, part: LinePart) -> ReadSentence:
        """A sentence in the case of ordinary ones; as it is if only that can be spelt."""
        sentence = self.read_part(part, *self._read_case(part))
        if sentence.is_spelt or sentence.carried is not None:
            return sentence
        as_given = self.read_part(part, self.take_out(part.text), Casing.SENTENCE)
        return as_given if as_given.is_spelt else sentence

    def read_part(
        self, part: LinePart, inline: MarkedText, casing: Casing, glossary: Glossary | None = None
    ) -> ReadSentence:
        """Reads a sentence or a part of one.

        Args:
            inline: its text as ordinary sentences are written, without its marks, and these.
            glossary: whose terms have masks; None for that of the reader.
        """
        glossary = self.glossary if glossary is None else glossary
        shown = self._show(*inline, begins=part.begins, glossary=glossary)
        ids = self._encode(shown.text)
        has_masks = self.preprocessor.has_masks or self.options.raw
        masked = shown if has_masks else self.masker.mask(shown.text)
        carried = _carried(part.text, masked, casing)
        if carried is not None and part.begins:
            carried = with_first_letter_of(without_tags(part.text), carried)
        sentence = ReadSentence(
            part,
            shown,
            ids,
            words_of(self.tokenizer.pieces(ids)),
            carried is None and self.tokenizer.spells(ids),
            casing=casing,
            marks=inline.marks,
            carried=carried,
        )
        if not any(span.kind == TERM for span in shown.spans):
            return sentence
        as_words = self.read_part(part, inline, casing, NO_GLOSSARY)
        fits = self.fit(as_words.ids) is Fit.FITS
        return sentence._replace(as_words=as_words if fits else None)

    def _show(
        self, text: str, marks: Iterable[Span], begins: bool, glossary: Glossary
    ) -> ShownText:
        """What the model is shown of a text without its marks."""
        if self.options.raw:
            return ShownText(text)
        apart = {mark.start for mark in marks}
        text = " ".join(text.split())
        return self.preprocessor.show(text, begins, self.prefix, apart, glossary)

    def _encode(self, text: str) -> list[int]:
        [ids] = self.tokenizer.encode([text], reads_tags=False)
        return ids

    def read(self, line: str, place: str) -> SourceLine:
        """Reads a line. The tags at its beginning are shown to the model with each sentence.

        Args:
            place: names the line in errors and notices, such as ``line 3``.

        Raises:
            InputError: errors are strict, and it is not Unicode text, has only characters that
                the tokenizer has never seen, is not split and longer than the model takes, or
                begins with a tag that the model does not know or with too many.
        """
        try:
            own, text = self.tokenizer.split_tags(line)
        except InputError as error:
            if self.options.errors == "strict":
                raise InputError(f"{place}: {error}") from None
            return _passed_on(line, Notice("tags", f"{error}, passed on as it is"))
        tags = own or self.tokenizer.ids_of_tags(self.options.tags)
        notices = tuple(self.line_tags.notices(tags, text))
        if not tags:
            read = self._read_untagged(line, place)
            return read._replace(notices=(*notices, *read.notices))
        most = (self.max_length - 2) // 2  # the other half is for text
        if len(tags) > most:
            problem = f"expected at most {most} tags, found {len(tags)}"
            if self.options.errors == "strict":
                raise InputError(f"{place}: {problem}; remove some")
            notice = Notice("tags", f"{problem}, passed on as it is")
            return _passed_on(line, notice)
        reader = copy.copy(self)
        reader.max_length -= len(tags)
        read = reader._read_untagged(text, place)
        first = int(self.tokenizer.has_start)
        sentences = tuple(sentence.with_tags(tags, first) for sentence in read.sentences)
        return read._replace(text=line, sentences=sentences, notices=(*notices, *read.notices))

    def _read_untagged(self, line: str, place: str) -> SourceLine:
        if is_blank(line):
            return SourceLine(line, ())
        is_strict = self.options.errors == "strict"
        if is_strict and SURROGATE.search(line):
            raise InputError(f"{place}: expected UTF-8, found other bytes")
        line = SURROGATE.sub(REPLACED, line)
        notices = [Notice("bytes", "bytes that are not UTF-8 (U+FFFD)")] * (REPLACED in line)
        if not (self.options.raw and is_strict) and not any(map(str.isalnum, line)):
            return _passed_on(line, *notices)
        indent, body, end = _apart(line)
        mark = "" if self.options.raw else opening_mark(body, self.tokenizer.language)
        text = "\t".join(map(self._in_plain_characters, body[len(mark) :].split("\t")))
        if self.options.prefix.startswith(mark.strip()):
            mark = ""  # the prefix has it
        sentences, cuts = self._read_sentences(text, place)
        filled = [
            one
            for one in sentences
            if one.carried is not None or self.fit(one.ids) is not Fit.EMPTY
        ]
        first = next((i for i, one in enumerate(filled) if one.is_spelt), None)
        if first is not None:
            opening = filled[first]
            as_words = opening.as_words and opening.as_words._replace(is_first=True)
            filled[first] = opening._replace(is_first=True, as_words=as_words)
        passed_on = [one for one in filled if not one.is_spelt and one.carried is None]
        unknown = [one for one in passed_on if not self.tokenizer.spells(one.ids)]
        for aside in (one for one in passed_on if self.tokenizer.spells(one.ids)):
            found = f"an aside of {len(aside.ids)} tokens is passed on"
            notices.append(Notice("long", f"{found}, as the model takes {self.max_length}"))
        if unknown and is_strict and first is None:
            raise InputError(
                f"{place}: expected {self.tokenizer.language} text, found {Fit.UNKNOWN.value};"
                " remove the line, or translate without --errors strict, which passes it on"
            )
        if unknown:
            notices.append(Notice("unknown", f"{Fit.UNKNOWN.value}, passed on as they are"))
        if unknown and first is None:
            return _passed_on(line, *notices)
        return SourceLine(line, tuple(filled), (*notices, *cuts), indent + mark, end)

    def _read_sentences(self, line: str, place: str) -> tuple[list[ReadSentence], list[Notice]]:
        """The sentences of a line that is not blank, and notices about them."""
        sentences: list[ReadSentence] = []
        notices: list[Notice] = []
        parts = [LinePart(line, "")]
        if self.options.split:
            parts = sentences_of(line, self.tokenizer.language, self._hidden(line))
        for part in parts:
            sentence = self.read_sentence(part)
            is_long = self.fit(sentence.ids) is Fit.TOO_LONG
            if not is_long and not sentence.shown.left:
                sentences.append(sentence)
                continue
            if is_long and not self.options.split and self.options.errors == "strict":
                raise InputError(
                    f"{place}: expected at most {self.max_length} tokens, start and end included,"
                    f" found {len(sentence.ids)}; split it"
                )
            pieces = self._cut(part)
            sentences += pieces
            what, most = (
                (f" of {len(sentence.ids)} tokens", f"takes {self.max_length}")
                if is_long
                else ("", f"has {len(MASKS) // 2} masks of a kind")
            )
            cut = f"a sentence{what} is cut into {len(pieces)}, as the model {most}"
            notices.append(Notice("cut", cut))
        return list(self._with_asides(sentences)), notices

    def _with_asides(self, sentences: Iterable[ReadSentence]) -> Iterator[ReadSentence]:
        """Sentences, each before its asides; an aside that the model cannot take is passed on."""
        for sentence in sentences:
            yield sentence
            for mark in sentence.marks:
                if mark.kind == ASIDE:
                    part = LinePart(mark.given.strip(), "", begins=False, is_aside=True)
                    aside = self.read_sentence(part)
                    fits = self.fit(aside.ids) is Fit.FITS and not aside.shown.left
                    yield aside if fits else aside._replace(is_spelt=False)

    def _in_plain_characters(self, text: str) -> str:
        """A text between tabs in plain characters, with its abbreviations written out."""
        if self.options.raw:
            return text
        language, find_whole = self.tokenizer.language, self.marks.find_whole
        text = with_plain_characters(text, language, find_whole)
        return with_written_abbreviations(text, language, find_whole, self._knows)

    def _hidden(self, line: str) -> list[Span]:
        """The parts of a line that do not decide where its sentences end, in order."""
        if self.options.raw:
            return []
        text = without_tags(line)
        spans = []
        for start, end in self._find_fixed(text):
            end -= text[end - 1] == "." and self._may_begin(text, end)  # which ends a sentence
            spans.append(Span(start, end, text[start:end]))
        return sorted([*self.marks.hidden(line), *spans])

    def _may_begin(self, text: str, place: int) -> bool:
        """Whether a sentence may begin after a point: at the end, or before a capital."""
        following = NO_SPACE.search(text, place)
        if following is None:
            return True
        calendar = calendar_of(self.tokenizer.language)
        if calendar and text.startswith(tuple(calendar.after_times), following.start()):
            return False
        return following.start() > place and not (following[0].islower() or following[0].isdigit())

    def fit(self, ids: Sequence[int]) -> Fit:
        """Whether the model can take the ids of a text."""
        return check_fit(ids, self.max_length, self.tokenizer)

    def _cut(self, part: LinePart) -> list[ReadSentence]:
        """A sentence in parts that the model can take, each with no more spans than masks."""

        def fits(text: str) -> bool:
            begins = part.text.startswith(text)
            read = self.read_sentence(part._replace(text=text, begins=begins))
            return not read.shown.left and self.fit(read.ids) is not Fit.TOO_LONG

        pieces = cut_to_fit(part, fits, self.marks.find_whole(part.text))
        return list(map(self.read_sentence, pieces))

    def take_out(self, text: str) -> MarkedText:
        """A text without its marks."""
        return MarkedText(text) if self.options.raw else self.marks.take_out(text)

    def _read_case(self, part: LinePart) -> tuple[MarkedText, Casing]:
        """A sentence without its marks, as ordinary sentences are shown to the model."""
        inline, casing = self.take_out(part.text), Casing.SENTENCE
        if self.options.raw:
            return inline, casing
        fixed = self._find_fixed(inline.plain)
        if self.case_reader is not None and not (part.is_aside and is_initials(inline.plain)):
            cased = self.case_reader.read(inline.plain, fixed)
            inline, casing = inline.with_plain(cased.text), cased.casing
        return inline, casing


def _apart(line: str) -> tuple[str, str, str]:
    """The spaces that a line begins with, its text, and the spaces that it ends with."""
    body = line.strip(SPACES)
    start = line.index(body)
    return line[:start], body, line[start + len(body) :]


def _carried(text: str, shown: ShownText, casing: Casing) -> str | None:
    """The translation of a text without words, which needs no model; None if it needs one.

    Its spans are as the target language writes them.
    """
    has_words = any(map(str.isalpha, shown.text))  # no mask is a letter
    unspelt = "".join(span.given for span in shown.spans if span.kind == UNSPELT)
    if has_words or any(map(str.isalnum, unspelt)):
        return None
    plain = without_tags(text)
    pieces: list[str] = []
    end = 0
    for span in shown.spans:
        words = r"\s+".join(map(re.escape, span.given.split()))
        found = re.compile(words, re.IGNORECASE).search(plain, end)
        if found is not None:
            part = text[found.start() : found.end()]
            tags = "".join(tag.given for tag in find_tags(part))
            is_same = span.written == span.given
            written = part if is_same else in_casing(span.written, casing) + tags
            pieces += (text[end : found.start()], written)
            end = found.end()
        elif span.written != span.given:
            return None  # a mark stands in it
    return "".join([*pieces, text[end:]])


def _passed_on(line: str, *notices: Notice) -> SourceLine:
    """A line that goes to the output as it is."""
    sentence = ReadSentence(LinePart(line, ""), ShownText(line), [], None, is_spelt=False)
    return SourceLine(line, (sentence,), notices)
