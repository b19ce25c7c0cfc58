"""Stages that prepare a sentence for a model, and turn the model's words into a text.

Each stage hides one thing from the model, so that the model translates without it. The stage then
restores it in the translation. Stages hide in their order, and restore in the reverse order.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from translator.base.languages import language_table
from translator.base.late import np
from translator.text.casing import CaseReader, in_casing, is_initials
from translator.text.characters import with_plain_signs, with_signs_of
from translator.text.glossary import Glossary
from translator.text.marks import LineMarks, MarkedText, in_language, take_out_marks
from translator.text.masking import NO_GLOSSARY, NO_PREFIX, Masker, Prefix
from translator.text.punctuation import (
    fit_final_mark,
    fit_first_letter,
    split_marks,
    with_first_letter_of,
)
from translator.text.read_lines import ReadSentence
from translator.text.sentences import words_that_begin
from translator.text.shown import AS_LETTERS, LETTERS, Intervals, ShownText, Span
from translator.text.tags import without_tags
from translator.text.truecasing import Truecaser, restore_capitals
from translator.text.word_table import WordTable

POLITE = frozenset(("sie", "ihr", "ihre"))  # these may have a capital anywhere


class Written(NamedTuple):
    """The words that a model wrote, on their way to a text.

    Attributes:
        words: T of them; see `LETTERS`.
        attention: (T, S) how much each word attended to each word of the source; None if it is not
            needed.
        has_ended: whether the translation is complete, not cut at a length limit.
        prefix: how many words were given; these stay as they are.
    """

    words: Sequence[str]
    attention: Any
    has_ended: bool = True
    prefix: int = 0

    def with_words(self, words: Sequence[str]) -> "Written":
        """A copy with another word for each word. Empty words are removed."""
        places = [t for t, word in enumerate(words) if word]
        attention = None if self.attention is None else self.attention[places]
        return self._replace(words=[words[t] for t in places], attention=attention)


class Stage(Protocol):
    """Hides parts of sentences from a model, and restores them in the translations."""

    def hide(self, shown: ShownText) -> ShownText:
        """Returns the text for the model, with the information for `restore`."""

    def restore(self, written: Written, sentence: ReadSentence) -> Written:
        """Returns the words of a translation with the hidden parts of its sentence."""


def shown_by(stages: Iterable[Stage], shown: ShownText) -> ShownText:
    """A text in the form for the model, after all stages."""
    for stage in stages:
        shown = stage.hide(shown)
    return shown


class Marks:
    """Tags, emoji and marks of format. They go around the translations of their words.

    Args:
        language: of translations.
        lexicon: of the source language, with the translations of words.
        prefix: the forced beginning of translations, which already has its marks.
    """

    def __init__(self, marks: LineMarks, language: str, lexicon: WordTable, prefix: str) -> None:
        self.marks = marks
        self.language = language
        self.lexicon = lexicon
        self.prefix = prefix

    def hide(self, shown: ShownText) -> ShownText:
        """A text without its marks."""
        plain, marks = take_out_marks(shown.text, self.marks.find_whole(shown.text))
        return replace(shown, text=" ".join(plain.split()), marks=marks)

    def restore(self, written: Written, sentence: ReadSentence) -> Written:
        """The translation with its marks, in the form of its language."""
        marks = [in_language(mark, self.language) for mark in sentence.shown.marks]
        if sentence.is_first and self.prefix:
            marks = self._without_those_of_prefix(marks)
        if not (marks and written.words):
            return written
        from translator.text.placing import place_marks

        words, originals = written.words, [word.original for word in sentence.shown.words]
        text = place_marks(words, marks, originals, written.attention, self.lexicon)
        return written._replace(words=[text])

    def _without_those_of_prefix(self, marks: Iterable[Span]) -> list[Span]:
        missing, prefix = [], self.prefix
        for mark in marks:
            before, is_there, after = prefix.partition(mark.text.strip())
            prefix = after if is_there else before
            missing += [] if is_there else [mark]
        return missing


class Signs:
    """Dashes and points. The model knows only one form of them.

    Args:
        masks: finds parts that keep their signs.
    """

    def __init__(self, masks: "Masks") -> None:
        self.masks = masks

    def hide(self, shown: ShownText) -> ShownText:
        """A text with plain signs."""
        text = with_plain_signs(shown.text, self.masks.find_fixed(shown.text))
        marks = MarkedText(shown.text, shown.marks).with_plain(text).marks
        return replace(shown, text=text, marks=marks)

    def restore(self, written: Written, sentence: ReadSentence) -> Written:
        """Words with the signs that were typed."""
        text = with_signs_of(sentence.part.text, " ".join(written.words))
        return written._replace(words=text.split(" "))


class Capitals:
    """Capitals of headings and the like, and capitals that the target tokenizer lacks.

    Args:
        reader: rewrites texts, for example in capitals, as ordinary sentences; None does not.
        truecaser: of the target language; None if its tokenizer has capitals.
        masks: finds parts that keep their capitals.
    """

    def __init__(
        self, reader: CaseReader | None, truecaser: Truecaser | None, masks: "Masks"
    ) -> None:
        self.reader = reader
        self.truecaser = truecaser
        self.masks = masks

    def hide(self, shown: ShownText) -> ShownText:
        """A text with the capitals of ordinary sentences."""
        is_aside = not shown.begins and is_initials(shown.text)
        if self.reader is None or is_aside:
            return shown
        text, casing = self.reader.read(shown.text, self.masks.find_fixed(shown.text))
        marks = MarkedText(shown.text, shown.marks).with_plain(text).marks
        return replace(shown, text=text, marks=marks, casing=casing)

    def restore(self, written: Written, sentence: ReadSentence) -> Written:
        """Words with the capitals of the training data, or entirely in capitals."""
        text = " ".join(written.words)
        if self.truecaser is not None:
            originals = [word.original for word in sentence.shown.words]
            length = len(" ".join(written.words[: written.prefix]))
            begins = sentence.part.begins
            text = restore_capitals(text, self.truecaser, originals, length, begins)
        return written._replace(words=in_casing(text, sentence.shown.casing).split(" "))


class Masks:
    """Masks in place of names, numbers and other parts that a model has not learnt to spell.

    Args:
        prefix: from `Masker.read_prefix`. Parts of it in the text have the same masks.
        glossary: its terms are masked in any case.
    """

    def __init__(
        self, masker: Masker, prefix: Prefix = NO_PREFIX, glossary: Glossary = NO_GLOSSARY
    ) -> None:
        self.masker = masker
        self.prefix = prefix
        self.glossary = glossary

    def find_fixed(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each part that keeps capitals, gets no marks and stays whole; sorted."""
        fixed = self.masker.find_fixed(text)
        if not self.glossary:
            return fixed
        terms = Intervals(self.masker.find_terms(text, self.glossary))
        return sorted([*terms, *(part for part in fixed if terms.are_free(*part))])

    def hide(self, shown: ShownText) -> ShownText:
        """A text with masks. A name ends at a mark of format."""
        apart = {mark.start for mark in shown.marks}
        masked = self.masker.mask(shown.text, self.prefix, apart, self.glossary)
        return replace(shown, text=masked.text, spans=masked.spans, unmasked=masked.unmasked)

    def restore(self, written: Written, sentence: ReadSentence) -> Written:
        """Adds each missing mask next to the translation of the word beside it."""
        words, attention = list(written.words), written.attention
        source = [word.text for word in sentence.shown.words]
        for span in sentence.shown.spans:
            if any(LETTERS[span.mask] in word for word in words):
                continue
            place = next(i for i, word in enumerate(source) if span.mask in word)
            t = max(_find_place(place, attention), written.prefix)
            mark = split_marks(words[t - 1])[2] if t == len(words) and words else ""
            if mark:
                words[t - 1] = words[t - 1].removesuffix(mark)
            words.insert(t, LETTERS[span.mask] + mark)
            row = np.eye(1, len(source), place, dtype=attention.dtype)
            attention = np.insert(attention, t, row, axis=0)
        return written._replace(words=words, attention=attention)


class Ends:
    """The two ends of a sentence: its first capital, and its final mark.

    The model sees first words written as within sentences.

    Args:
        truecaser: of the source language; None leaves first words.
        languages: of sources and translations.
        has_prefix: whether translations begin with given words.
    """

    def __init__(
        self, truecaser: Truecaser | None, languages: tuple[str, str], has_prefix: bool = False
    ) -> None:
        self.truecaser = truecaser
        self.languages = languages
        self.has_prefix = has_prefix

    def hide(self, shown: ShownText) -> ShownText:
        """A text whose first word is written as within sentences."""
        if self.truecaser is None or not shown.begins:
            return shown
        return replace(shown, text=self.truecaser.with_small_beginning(shown.text))

    def restore(self, written: Written, sentence: ReadSentence) -> Written:
        """Gives words the first letter and the final mark that their sentence needs."""
        part = sentence.part
        source, text = sentence.shown.text.translate(AS_LETTERS), without_tags(part.text)
        words = fit_final_mark(source, written.words, written.has_ended)
        if part.begins and not self.has_prefix:
            original = with_first_letter_of(text, source)
            words = fit_first_letter(original, words)
        continues = part.is_aside or not sentence.is_first
        if continues and next(filter(str.isalpha, text), "").islower():
            words = _with_small_beginning(words, self.languages[1])
        return written.with_words(words)


class Digits:
    """Digits, for a tokenizer that writes every digit as 0 and has no masks for numbers."""

    def hide(self, shown: ShownText) -> ShownText:
        """The unchanged text. The tokenizer hides the digits."""
        return shown

    def restore(self, written: Written, sentence: ReadSentence) -> Written:
        """Words with the digits of their sentence in order, if both have the same number."""
        digits = [character for character in sentence.part.text if character.isdigit()]
        if sum(word.count("0") for word in written.words) != len(digits):
            return written  # the numbers differ, which is reported
        typed = iter(digits)
        words = ("".join(next(typed) if c == "0" else c for c in word) for word in written.words)
        return written.with_words(list(words))


def _with_small_beginning(words: Sequence[str], language: str) -> list[str]:
    """The words of an aside. If the first is surely no noun or name, it loses its capital."""
    first, *later_words = words or [""]
    core = split_marks(first)[1]
    is_small = core.lower() in _common_words(language) and core == core.capitalize()
    return [first.lower(), *later_words] if is_small else list(words)


@functools.cache
def _common_words(language: str) -> frozenset[str]:
    """Short words of a language that are surely no nouns and no names, in lower case."""
    table = language_table(language, "casing")
    small = {*table.get("small_in_titles", ()), *table.get("small_in_asides", ())}
    return frozenset(small | {*map(str.lower, words_that_begin(language))} - POLITE)


def _find_place(source_word: int, attention: "np.ndarray") -> int:
    """The place after the translation of the left neighbour, or before the right neighbour's."""
    count, length = attention.shape
    if not count or length == 1:
        return int(count)
    sides: list[tuple[float, int]] = [
        (float(attention[:, neighbour].max()), int(attention[:, neighbour].argmax()) + step)
        for neighbour, step in ((source_word - 1, 1), (source_word + 1, 0))
        if 0 <= neighbour < length
    ]
    return max(sides)[1]
