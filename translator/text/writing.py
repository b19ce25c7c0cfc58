"""Writes the text of a translation: masks are looked up, capitals and tags are put back."""

import functools
import itertools
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from translator.base.languages import language_facts, language_table
from translator.text.casing import Casing, in_casing
from translator.text.marks import in_language
from translator.text.masking import NO_PREFIX, Prefix
from translator.text.placing import place_marks
from translator.text.punctuation import (
    ADDED_MARKS,
    MARKS,
    fit_final_mark,
    fit_first_letter,
    split_marks,
    with_balanced_quotes,
    with_first_letter_of,
)
from translator.text.read_lines import ReadSentence
from translator.text.sentences import words_that_begin
from translator.text.shown import NAME, QUANTITY, TERM, ShownWord, Span
from translator.text.tags import without_tags
from translator.text.truecasing import Truecaser, restore_capitals
from translator.text.word_alignment import word_alignment
from translator.text.word_table import WordTable
from translator.tokenizers.masks import MASKS, name_of_mask, with_masks
from translator.tokenizers.subword import Tokenizers
from translator.tokenizers.words import words_of

WITH_LETTERS = re.compile(f"[^\\W_][{MASKS}]|[{MASKS}](?!s?(?!\\w))")  # but the -s of a genitive
UNIT = r"(\d-[A-ZÄÖÜ]\w+)-"  # is joined with the noun that it describes
BEFORE_NOUN = re.compile(rf"{UNIT} (?=[A-ZÄÖÜ])")
BEFORE_OTHERS = re.compile(rf"{UNIT}(?![\w<*_]| (?:und|oder|bis)\b)")
# Letters without capitals stand for masks until all else is done, as a mask is no letter
LETTERS = {mask: chr(0x20000 + number) for number, mask in enumerate(MASKS)}
AS_LETTERS: dict[int, str] = str.maketrans(LETTERS)
POLITE = frozenset(("sie", "ihr", "ihre"))  # these may have a capital anywhere


class TranslationWriter:
    """Writes translations of the lines that it was made for.

    Args:
        truecaser: of the target language, to write capitals that the tokenizer does not have;
            None leaves the text as it is.
        is_raw: whether a translation is shown as the model writes it: masks have names as ``⟨1⟩``,
            and marks stay where the source has none. Else it has a final mark only if its source
            has one.
        lexicon: of the two languages, which helps to find the places of tags.

    Attributes:
        prefix: the words that every translation begins with, as the model is shown them.
    """

    def __init__(
        self,
        tokenizers: Tokenizers,
        prefix: Prefix = NO_PREFIX,
        truecaser: Truecaser | None = None,
        is_raw: bool = False,
        lexicon: WordTable | None = None,
    ) -> None:
        self.tokenizers = tokenizers
        self.prefix_text = prefix.text
        self.of_prefix = prefix.given
        text = prefix.text
        for mask, given in prefix.given.items():
            text = text.replace(given, mask)
        self.prefix: Sequence[str] = text.split()
        self.truecaser = truecaser
        self.is_raw = is_raw
        target = tokenizers.target
        self.lost_digit = "0" if target.masks_digits and not (target.masks or is_raw) else ""
        self.lexicon = lexicon or WordTable()

    def lacks_spans(self, sentence: ReadSentence, ids: Sequence[int]) -> bool:
        """Whether a translation does not have each mask of source and prefix exactly once.

        Nor has it one to which it adds letters that training never added.
        """
        target = self.tokenizers.target
        masks = {span.mask for span in sentence.shown.spans}
        if sentence.is_first:
            masks.update(self.of_prefix)
        found = Counter(int(i) for i in ids)
        if any(found[i] != (mask in masks) for mask, i in target.masks.items()):
            return True
        return bool(masks) and WITH_LETTERS.search(target.decode(ids)) is not None

    def write(
        self, sentence: ReadSentence, ids: Sequence[int], alignment: np.ndarray | None
    ) -> str:
        """Writes the translation of a sentence.

        Args:
            alignment: (T, S) how much each token attended to each source token; None
                if nothing is put back by alignment.
        """
        target = words_of(self.tokenizers.target.pieces(ids))
        written = {
            ord(LETTERS[span.mask]): _written(span, sentence) for span in sentence.shown.spans
        }
        if sentence.is_first:
            written |= {ord(LETTERS[mask]): given for mask, given in self.of_prefix.items()}
        known = {mask for mask, letter in LETTERS.items() if ord(letter) in written}
        foreign = {
            ord(mask): name_of_mask(mask) if self.is_raw else ""
            for mask in MASKS
            if mask not in known
        }
        given_words = [with_masks(text) for text in target.texts]
        words = [word.translate(AS_LETTERS | foreign) for word in given_words]
        source = sentence.words or words_of(self.tokenizers.source.pieces(sentence.ids))
        if alignment is None:
            alignment = np.zeros((len(target.numbers), len(source.numbers)), "float32")
        by_word = _for_words(word_alignment(alignment, target, source), sentence.shown.words)
        for t in range(1, len(words)):
            if words[t] != given_words[t] and not words[t].strip(MARKS):  # it was a foreign mask
                words[t - 1], words[t] = words[t - 1] + words[t], ""
        words, by_word = _without_empty(words, by_word)
        words, by_word = _without_empty(self._fit_marks(sentence, words, ids), by_word)
        given = len(self.prefix) if sentence.is_first else 0
        words, by_word = _insert_missing(words, sentence, by_word, given)
        text = self._with_prefix(" ".join(words), sentence)
        originals = [word.given for word in sentence.shown.words]
        if self.truecaser is not None:
            length = len(self._prefix_of(sentence))
            text = restore_capitals(text, self.truecaser, originals, length, sentence.part.begins)
        text = in_casing(text, sentence.casing)
        if self.lost_digit:
            text = _with_digits(text, sentence.part.text, self.lost_digit)
        if sentence.marks and text:
            language = self.tokenizers.target.language
            marks = [in_language(mark, language) for mark in sentence.marks]
            marks = self._left_by_prefix(marks, sentence)
            text = place_marks(text.split(" "), marks, originals, by_word, self.lexicon)
        begins = _begins_with_written(text, sentence)
        text = BEFORE_NOUN.sub(r"\1-", text.translate(written))
        text = text[:1].upper() + text[1:] if begins else text
        return BEFORE_OTHERS.sub(r"\1", text)

    def has_ended(self, ids: Sequence[int]) -> bool:
        """Whether the tokens of a translation end with the end, and not at the most of them."""
        return len(ids) > 0 and ids[-1] == self.tokenizers.target.end_id

    def _fit_marks(
        self, sentence: ReadSentence, words: Sequence[str], ids: Sequence[int]
    ) -> list[str]:
        if self.is_raw:
            return list(words)
        has_ended = self.has_ended(ids)
        source = sentence.shown.text.translate(AS_LETTERS)
        of_part = without_tags(sentence.part.text)
        fitting = fit_final_mark(source, words, has_ended)
        if has_ended and fitting:
            fitting[-1] += _missing_mark(sentence, fitting[-1])
        language = self.tokenizers.target.language
        if sentence.part.begins and not self.prefix:
            is_label = sentence.part.text.endswith(":")
            of_source = self.tokenizers.source.language
            given = with_first_letter_of(of_part, source)
            common = _common_words(language)
            fitting = fit_first_letter(given, fitting, of_source, is_label, common)
        continues = sentence.part.is_aside or not sentence.is_first
        if continues and next(filter(str.isalpha, of_part), "").islower():
            fitting = _with_small_beginning(fitting, language)
        marks = language_facts(language).quotation_marks
        return with_balanced_quotes(source, fitting, marks) if marks else fitting

    def _prefix_of(self, sentence: ReadSentence) -> str:
        """The prefix with letters for masks; empty behind the first sentence of a line."""
        words = self.prefix if sentence.is_first else ()
        return " ".join(words).translate(AS_LETTERS)

    def _left_by_prefix(self, marks: Sequence[Span], sentence: ReadSentence) -> list[Span]:
        """The marks of a sentence that the prefix does not have already."""
        given = self.prefix_text if sentence.is_first else ""
        left = []
        for mark in marks:
            before, found, after = given.partition(mark.given.strip())
            given = after if found else before
            left += [] if found else [mark]
        return left

    def _with_prefix(self, text: str, sentence: ReadSentence) -> str:
        """A text with the prefix as it was given, where it begins as the tokenizer writes that."""
        prefix = self._prefix_of(sentence)
        begins = text[: len(prefix)].lower() == self.tokenizers.target.plain(prefix).lower()
        return prefix + text[len(prefix) :] if begins else text


def _without_empty(words: Sequence[str], by_word: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Words with their attention, without those that are empty."""
    kept = [t for t, word in enumerate(words) if word]
    return [words[t] for t in kept], by_word[kept]


def _with_small_beginning(words: Sequence[str], language: str) -> list[str]:
    """The words of an aside, the first one without a capital if it is surely no noun or name."""
    first, *others = words or [""]
    core = split_marks(first)[1]
    is_small = core.lower() in _common_words(language) and core == core.capitalize()
    return [first.lower(), *others] if is_small else list(words)


@functools.cache
def _common_words(language: str) -> frozenset[str]:
    """Short words of a language that are surely no nouns and no names, in lower case."""
    table = language_table(language, "casing")
    small = {*table.get("small_in_titles", ()), *table.get("small_in_asides", ())}
    return frozenset(small | {*map(str.lower, words_that_begin(language))} - POLITE)


def _with_digits(text: str, source: str, lost: str) -> str:
    """A translation with the digits of its source in order, if it has as many lost ones."""
    digits = [character for character in source if character.isdigit()]
    if text.count(lost) != len(digits):
        return text  # which is told, as the numbers differ
    parts = text.split(lost)
    return "".join(itertools.chain(*zip(parts, [*digits, ""])))


def _missing_mark(sentence: ReadSentence, last_word: str) -> str:
    """The final mark of a sentence, if its translation ends with a mask without one."""
    end = sentence.shown.text.rstrip()[-1:]
    values = {LETTERS[span.mask]: span.written for span in sentence.shown.spans}
    written = values.get(last_word[-1:], end)
    return end if end in ADDED_MARKS and not written.endswith(end) else ""


def _begins_with_written(text: str, sentence: ReadSentence) -> bool:
    """Whether a term of a glossary or a number in words begins a sentence: it has a capital."""
    source = next(filter(str.isalpha, sentence.part.text), "")
    written = (
        LETTERS[span.mask]
        for span in sentence.shown.spans
        if span.kind == TERM or span.kind == QUANTITY and span.written != span.given
    )
    return sentence.part.begins and source.isupper() and text.startswith(tuple(written))


def _written(span: Span, sentence: ReadSentence) -> str:
    return (
        span.written.upper()
        if span.kind in (NAME, TERM) and sentence.casing is Casing.CAPITALS
        else span.written
    )


def _for_words(alignment: np.ndarray, words: Sequence[ShownWord]) -> np.ndarray:
    """The attention to the words of a source that the tokenizer may have divided otherwise.

    Args:
        words: of the source; if there are as many, each is the one at the same place.
    """
    count = alignment.shape[1]
    if count == len(words):
        return alignment
    moved = np.zeros((alignment.shape[0], len(words)), alignment.dtype)
    for i in range(count if words else 0):
        moved[:, i * len(words) // count] += alignment[:, i]
    return moved


def _insert_missing(
    words: list[str], sentence: ReadSentence, alignment: np.ndarray, first: int
) -> tuple[list[str], np.ndarray]:
    """Adds each mask that a translation lacks beside the words that translate its neighbours.

    Args:
        first: the first word that may stand behind a mask; those before it were given.

    Returns:
        The words, and their attention: a mask attends to its own word of the source.
    """
    text = " ".join(words)
    source = [word.text for word in sentence.shown.words]
    for span in sentence.shown.spans:
        if LETTERS[span.mask] in text:
            continue
        place = next(i for i, word in enumerate(source) if span.mask in word)
        t = max(_place(place, alignment), first)
        row = np.eye(1, len(source), place, dtype=alignment.dtype)
        mark = split_marks(words[t - 1])[2] if t == len(words) and words else ""
        if mark:
            words[t - 1] = words[t - 1].removesuffix(mark)
        words.insert(t, LETTERS[span.mask] + mark)
        alignment = np.insert(alignment, t, row, axis=0)
    return words, alignment


def _place(source_word: int, alignment: np.ndarray) -> int:
    """The place behind the translation of the word before, or before that of the word after."""
    count, length = alignment.shape
    if not count or length == 1:
        return int(count)
    sides: list[tuple[float, int]] = [
        (float(alignment[:, neighbour].max()), int(alignment[:, neighbour].argmax()) + step)
        for neighbour, step in ((source_word - 1, 1), (source_word + 1, 0))
        if 0 <= neighbour < length
    ]
    return max(sides)[1]
