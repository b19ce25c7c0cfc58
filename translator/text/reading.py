"""Reads lines for a model: their tags, their sentences, and the model's view of these."""

import re
from collections.abc import Iterator, Mapping, Sequence

from translator.base.errors import InputError
from translator.base.late import late_pattern
from translator.base.texts import find_lone_surrogate
from translator.text.abbreviations import with_written_abbreviations
from translator.text.casing import in_casing
from translator.text.characters import REPLACED, is_blank, with_plain_letters
from translator.text.fitting import Fit, added_tokens
from translator.text.line_tags import LineTags
from translator.text.marks import LineMarks, with_relative_clauses
from translator.text.punctuation import is_plain, with_first_letter_of
from translator.text.read_lines import CodecOptions, Notice, ReadSentence, SourceLine
from translator.text.sentences import LinePart, cut_to_fit, opening_mark, sentences_of
from translator.text.shown import ASIDE, TERM, UNSPELT, ShownText, Span
from translator.text.stages import Ends, Masks, Stage, shown_by
from translator.text.tags import find_tags, without_tags
from translator.tokenizers.masks import MASKS
from translator.tokenizers.subword import Tokenizer
from translator.tokenizers.words import words_of

NO_SPACE = late_pattern(r"\S")
PRONOUN = r"I\b(?!\.)"  # the pronoun has a capital anywhere
SPACES = " \t\u00a0\u3000"  # spaces that stay around the text of a line
AFTER_OPENER = SPACES + ",:;–—-"


class LineReader:
    """Reads lines for a model.

    Args:
        max_length: the most tokens that the model takes, start and end included.
        stages: they change sentences for the model. Without any, sentences stay as they are.
        masks: finds parts that no sentence ends in, and parts that need no model.
        marks: finds tags and the like.
        tag_counts: see `LineTags`.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        max_length: int,
        stages: Sequence[Stage],
        masks: Masks,
        marks: LineMarks,
        options: CodecOptions,
        tag_counts: Mapping[str, int] = {},  # noqa: B006
    ) -> None:
        self.tokenizer = tokenizer
        self.max_length = max_length
        self.stages = stages
        self.masks = masks
        self.marks = marks
        self.options = options
        self.line_tags = LineTags(tokenizer, tag_counts)

    def read_sentence(self, part: LinePart) -> ReadSentence:
        """Reads a sentence."""
        sentence = self._read_by(self.stages, part)
        if not any(span.kind == TERM for span in sentence.shown.spans):
            return sentence
        masks = Masks(self.masks.masker, self.masks.prefix)
        without_terms = [masks if stage is self.masks else stage for stage in self.stages]
        as_words = self._read_by(without_terms, part)
        return sentence._replace(as_words=None if self._is_long(as_words) else as_words)

    def _read_by(self, stages: Sequence[Stage], part: LinePart) -> ReadSentence:
        """Reads a sentence through some stages, with the tags of its line."""
        shown = shown_by(stages, ShownText(part.text, begins=part.begins))
        [ids] = self.tokenizer.encode([shown.text], reads_tags=False)
        carried = self._carry_over(part, shown)
        is_spelt = carried is None and self.tokenizer.spells(ids)
        first = int(self.tokenizer.has_start)
        ids = [*ids[:first], *part.tags, *ids[first:]]
        words = words_of(self.tokenizer.pieces(ids))
        return ReadSentence(part, shown, ids, words, is_spelt, carried=carried)

    def _is_long(self, sentence: ReadSentence) -> bool:
        """Whether the model cannot take a sentence."""
        return len(sentence.ids) > self.max_length

    def _carry_over(self, part: LinePart, shown: ShownText) -> str | None:
        """The translation of a text that needs no model, because it has no words; otherwise None.

        Its spans have the form of the target language.
        """
        if self.masks not in self.stages and not self.options.raw:
            shown = self.masks.hide(shown)
        unspelt = "".join(span.text for span in shown.spans if span.kind == UNSPELT)
        if any(map(str.isalpha, shown.text)) or any(map(str.isalnum, unspelt)):
            return None  # no mask is a letter
        text = without_tags(part.text)
        pieces: list[str] = []
        end = 0
        for span in shown.spans:
            words = r"\s+".join(map(re.escape, span.text.split()))
            match = re.compile(words, re.IGNORECASE).search(text, end)
            if match is not None:
                original = part.text[match.start() : match.end()]
                tags = "".join(tag.text for tag in find_tags(original))
                translation = in_casing(span.translation, shown.casing) + tags
                is_same = span.translation == span.text
                pieces += (part.text[end : match.start()], original if is_same else translation)
                end = match.end()
            elif span.translation != span.text:
                return None  # it has a mark
        carried = "".join([*pieces, part.text[end:]])
        return with_first_letter_of(text, carried) if part.begins else carried

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
            line_tags, text = self.tokenizer.split_tags(line)
        except InputError as error:
            if self.options.errors == "strict":
                raise InputError(f"{place}: {error}") from None
            return _pass_on(line, Notice("tags", f"{error}, left as it is"))
        tags = line_tags or self.tokenizer.ids_of_tags(self.options.tags)
        notices = tuple(self.line_tags.notices(tags, text))
        max_tags = (self.max_length - 2) // 2  # at least half of the tokens are text
        if len(tags) > max_tags:
            problem = f"expected at most {max_tags} tags, found {len(tags)}"
            if self.options.errors == "strict":
                raise InputError(f"{place}: {problem}; remove some")
            return _pass_on(line, Notice("tags", f"{problem}, left as it is"))
        read = self._read_untagged(text if tags else line, tags, place)
        return read._replace(text=line, notices=(*notices, *read.notices))

    def _read_untagged(self, line: str, tags: Sequence[int], place: str) -> SourceLine:
        """Reads a line without its tags. The ids of the tags are given."""
        if is_blank(line):
            return SourceLine(line, ())
        is_strict = self.options.errors == "strict"
        surrogate = find_lone_surrogate(line)
        if is_strict and surrogate:
            raise InputError(f"{place}: expected UTF-8, found other bytes")
        if surrogate:
            line = re.sub("[\ud800-\udfff]", REPLACED, line)
        notices = [Notice("bytes", "bytes that are not UTF-8, read as U+FFFD")] * (REPLACED in line)
        if not (self.options.raw and is_strict) and not any(map(str.isalnum, line)):
            return _pass_on(line, *notices)
        indent, body, end = _split_spaces(line)
        mark = "" if self.options.raw else opening_mark(body, self.tokenizer.language)
        text = "\t".join(map(self._in_plain_characters, body[len(mark) :].split("\t")))
        if self.options.prefix.startswith(mark.strip()):
            mark = ""  # the prefix has it
        sentences, cuts = self._read_sentences(text, tags, place)
        first = next((i for i, sentence in enumerate(sentences) if sentence.is_spelt), None)
        if first is not None:
            opening = sentences[first]
            as_words = opening.as_words and opening.as_words._replace(is_first=True)
            sentences[first] = opening._replace(is_first=True, as_words=as_words)
        if any(not part.is_spelt and part.carried is None for part in sentences):
            if is_strict and first is None:
                raise InputError(
                    f"{place}: expected {self.tokenizer.language} text, found {Fit.UNKNOWN.value};"
                    " remove the line, or translate without --errors strict to leave it as it is"
                )
            notices.append(Notice("unknown", f"{Fit.UNKNOWN.value}, left as they are"))
            if first is None:
                return _pass_on(line, *notices)
        return SourceLine(line, tuple(sentences), (*notices, *cuts), indent + mark, end)

    def _without_opener(self, part: LinePart) -> Iterator[LinePart]:
        """Separates the beginning before a sentence from it, such as a name in a chat or a time.

        A sentence follows if the next word has a capital that it has only at a beginning.
        """
        text, end = part.text, 0
        for span in [] if is_plain(text) else self._find_hidden(text):
            if span.opens or span.closes or text[end : span.start].strip(AFTER_OPENER):
                break
            end = max(end, span.end)
        rest = text[end:].lstrip(AFTER_OPENER)
        opener = text[: len(text) - len(rest)]
        ends = [stage for stage in self.stages if isinstance(stage, Ends)]
        may_be = end and rest and opener[-1].isspace()
        if may_be and (re.match(PRONOUN, rest) or shown_by(ends, ShownText(rest)).text != rest):
            text = opener.rstrip()
            if not self.options.prefix.startswith(text):
                yield part._replace(text=text, space=opener[len(text) :], begins=False)
            part = part._replace(text=rest)
        yield part

    def _read_sentences(
        self, line: str, tags: Sequence[int], place: str
    ) -> tuple[list[ReadSentence], list[Notice]]:
        """The sentences of a line that is not blank, and notices about them."""
        sentences: list[ReadSentence] = []
        notices: list[Notice] = []
        parts = [LinePart(line, "")]
        if self.options.split:
            parts = sentences_of(line, self.tokenizer.language, self._find_hidden(line))
        for part in (part for whole in parts for part in self._without_opener(whole)):
            sentence = self.read_sentence(part._replace(tags=tuple(tags)))
            pieces = [sentence]
            length = len(sentence.ids)
            if self._is_long(sentence) or sentence.shown.unmasked:
                if not self.options.split and self.options.errors == "strict":
                    raise InputError(
                        f"{place}: expected at most {self.max_length} tokens, start and end"
                        f" included, found {length}; split the line"
                    )
                pieces = self._cut(sentence.part)
                size, limit = (
                    (f" of {length} tokens", f"takes at most {self.max_length}")
                    if self._is_long(sentence)
                    else ("", f"has {len(MASKS) // 2} placeholders of each kind")
                )
                cut = f"a sentence{size} is cut into {len(pieces)} parts, because the model {limit}"
                notices.append(Notice("cut", cut))
            for piece in pieces:
                sentences += [piece, *self._read_asides(piece, notices)]
        least = len(tags) + added_tokens(self.tokenizer)
        nonempty = [part for part in sentences if part.carried is not None or len(part.ids) > least]
        return nonempty, notices

    def _read_asides(self, sentence: ReadSentence, notices: list[Notice]) -> Iterator[ReadSentence]:
        """The asides of a sentence. If the model cannot take one, it is passed on with a notice."""
        for mark in sentence.shown.marks:
            if mark.kind != ASIDE:
                continue
            text = mark.text.strip()
            part = LinePart(text, "", begins=False, is_aside=True, tags=sentence.part.tags)
            aside = self.read_sentence(part)
            if self._is_long(aside) or aside.shown.unmasked:
                problem = f"brackets of {len(aside.ids)} tokens are left as they are, because the"
                notices.append(Notice("long", f"{problem} model takes {self.max_length}"))
                aside = aside._replace(shown=ShownText(text), is_spelt=False, carried=text)
            yield from (aside, *self._read_asides(aside, notices))

    def _in_plain_characters(self, text: str) -> str:
        """A text between tabs in plain characters, with its abbreviations written out."""
        if self.options.raw:
            return text
        language, find_whole = self.tokenizer.language, self.marks.find_whole
        text = with_plain_letters(text, language, find_whole)
        text = with_written_abbreviations(text, language, find_whole)
        return with_relative_clauses(text, language)

    def _find_hidden(self, line: str) -> list[Span]:
        """The parts of a line that do not decide where its sentences end, in order."""
        if self.options.raw:
            return []
        text = without_tags(line)
        spans = []
        for start, end in self.masks.find_fixed(text):
            end -= text[end - 1] == "." and _may_begin(text, end)  # this point ends a sentence
            spans.append(Span(start, end, text[start:end]))
        return sorted([*self.marks.find_hidden(line), *spans])

    def _cut(self, part: LinePart) -> list[ReadSentence]:
        """Cuts a sentence into parts that the model can take and that have enough masks."""

        def fits(text: str) -> bool:
            begins = {False, part.text.startswith(text)}  # the same words may be a later piece
            read = [self.read_sentence(part._replace(text=text, begins=value)) for value in begins]
            return not any(sentence.shown.unmasked or self._is_long(sentence) for sentence in read)

        pieces = cut_to_fit(part, fits, self.marks.find_whole(part.text))
        return list(map(self.read_sentence, pieces))


def _split_spaces(line: str) -> tuple[str, str, str]:
    """Splits a line into the spaces before its text, the text, and the spaces after it."""
    body = line.strip(SPACES)
    start = line.index(body)
    return line[:start], body, line[start + len(body) :]


def _may_begin(text: str, place: int) -> bool:
    """Whether a sentence may begin after a point: at the end, or before a capital."""
    following = NO_SPACE.search(text, place)
    if following is None:
        return True
    return following.start() > place and not (following[0].islower() or following[0].isdigit())


def _pass_on(line: str, *notices: Notice) -> SourceLine:
    """A line that goes to the output as it is."""
    sentence = ReadSentence(LinePart(line, ""), ShownText(line), [], None, is_spelt=False)
    return SourceLine(line, (sentence,), notices)
