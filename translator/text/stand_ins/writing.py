"""Writes the text of a translation: spans, unknown words and capitals are put back.

Cross-attention says which word of the source each word of the translation comes from.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from translator.base.languages import language_facts
from translator.text.casing import in_casing
from translator.text.lexicon import Lexicon
from translator.text.memo import ShownWord
from translator.text.punctuation import (
    MARKS,
    fit_final_mark,
    fit_first_letter,
    split_marks,
    with_balanced_quotes,
    without_first_comma,
)
from translator.text.read_lines import ReadSentence
from translator.text.spans.inline import written_in
from translator.text.spans.placing import place_marks
from translator.text.stand_ins.kind import SpanKind
from translator.text.stand_ins.known_names import KnownNames
from translator.text.stand_ins.restoring import Protected, align_source, lacks_spans, restore_spans
from translator.text.stand_ins.showing import show_spans
from translator.text.truecasing import Truecaser, is_word, restore_capitals
from translator.text.word_alignment import word_alignment
from translator.tokenizers.special_tokens import UNKNOWN
from translator.tokenizers.subword import Tokenizers, with_zeros
from translator.tokenizers.words import words_of


def show_prefix(
    prefix: str, sentences: Iterable[str], kinds: Sequence[SpanKind]
) -> tuple[ShownWord, ...]:
    """The words of a forced beginning as the model is shown them.

    Args:
        prefix: text of the target language.
        sentences: the texts that are translated.
        kinds: of spans that are carried over.
    """
    if not prefix:
        return ()
    others = [kind.for_prefix(prefix, sentences) for kind in kinds if not kind.exactly_once]
    return show_spans(prefix, others).words


class TranslationWriter:
    """Writes translations of one run with one set of options.

    Args:
        tokenizers: the run's.
        kinds: of spans that are carried over.
        prefix: the words that every line's translation begins with.
        truecaser: writes capitals that the tokenizer does not have; None leaves them out.
        names: what the run knows of names; source words that are new, or that the tokenizer cannot
            spell, are copied then. None copies none.
        fits_marks: whether a translation has a final mark only if its source has one, and no comma
            at its beginning.
        lexicon: of the two languages, which helps to find the places of tags.
    """

    def __init__(
        self,
        tokenizers: Tokenizers,
        kinds: Sequence[SpanKind] = (),
        prefix: Sequence[ShownWord] = (),
        truecaser: Truecaser | None = None,
        names: KnownNames | None = None,
        fits_marks: bool = False,
        lexicon: Lexicon | None = None,
    ) -> None:
        self.tokenizers = tokenizers
        self.kinds = kinds
        self.prefix = prefix
        self.truecaser = truecaser
        self.names = names
        self.fits_marks = fits_marks
        self.lexicon = lexicon or Lexicon({})
        self.uses_alignment = bool(kinds) or names is not None
        self.always_aligns = names is not None or bool(prefix)

    def write(
        self, sentence: ReadSentence, ids: Sequence[int], alignment: np.ndarray | None
    ) -> str:
        """See `translator.text.codec.Writer.write`."""
        if alignment is None and self.truecaser is None and not self.prefix:
            text = self.tokenizers.target.decode(ids)
            text = " ".join(filter(None, self._fit_marks(sentence, text.split(" "), ids)))
            return in_casing(text, sentence.casing)
        source = sentence.words or words_of(self.tokenizers.source.pieces(sentence.ids))
        target = words_of(self.tokenizers.target.pieces(ids))
        if alignment is None:
            alignment = np.zeros((len(target.numbers), len(source.numbers)), "float32")
        by_word = word_alignment(alignment, target, source)
        given, by_word = self._align_source(sentence, source.texts, by_word)
        words = self._fit_marks(sentence, target.texts, ids)
        return self.write_words(words, source.texts, given, by_word, sentence)

    def _fit_marks(
        self, sentence: ReadSentence, words: Sequence[str], ids: Sequence[int]
    ) -> Sequence[str]:
        if not self.fits_marks:
            return words
        has_ended = len(ids) > 0 and ids[-1] == self.tokenizers.target.end_id
        source = sentence.shown.text
        fitting = fit_final_mark(source, without_first_comma(source, words), has_ended)
        if sentence.part.begins and not self.prefix:
            fitting = fit_first_letter(source, fitting, self.tokenizers.source.language)
        marks = language_facts(self.tokenizers.target.language).quotation_marks
        return fitting if marks is None else with_balanced_quotes(source, fitting, marks)

    def _align_source(
        self, sentence: ReadSentence, seen: Sequence[str], alignment: np.ndarray
    ) -> tuple[list[ShownWord], np.ndarray]:
        """The source words as they were given, and the attention to each.

        If the tokenizer divides the text into other words, and there are spans that must come
        through, each word is taken for the one at the same place.
        """
        shown = sentence.shown.words
        exact = {kind.name for kind in self.kinds if kind.exactly_once}
        must_stay = bool(sentence.marks) or any(
            span.kind in exact for word in shown for span in word.spans
        )
        if not must_stay or len(shown) == len(seen):
            return align_source(sentence.part.text, shown, seen, self.kinds), alignment
        moved = np.zeros((alignment.shape[0], len(shown)), alignment.dtype)
        for i in range(len(seen)):
            moved[:, i * len(shown) // len(seen)] += alignment[:, i]
        return list(shown), moved

    def lacks_spans(self, sentence: ReadSentence, ids: Sequence[int]) -> bool:
        """Whether the model dropped stand-ins, so that `write` must guess places of spans."""
        words = words_of(self.tokenizers.target.pieces(ids)).texts
        return lacks_spans(self.kinds, words, sentence.shown.words)

    def write_words(
        self,
        target: Sequence[str],
        source: Sequence[str],
        given: Sequence[ShownWord],
        alignment: np.ndarray,
        sentence: ReadSentence,
    ) -> str:
        """Writes the words of a translation.

        Args:
            target: its words as the tokenizer has them.
            source: the source words as the tokenizer has them.
            given: the same source words as they were given.
            alignment: (target, source) how much each word attended to each source word.
            sentence: the source.
        """
        originals = [word.given for word in given]
        protected = Protected([*target, *originals])
        prefix = _prefix_words(target, self.prefix) if sentence.is_first else []
        words, alignment = restore_spans(
            self.kinds,
            target,
            given,
            alignment,
            protected,
            [word.given for word in self.prefix[: len(prefix)]],
        )
        if prefix:
            last = protected.reveal(words[len(prefix) - 1])
            if _continues(last, prefix[-1], self.prefix[-1]):
                prefix[-1] = last
        if self.names is not None:
            unknown = [
                UNKNOWN in word or _is_new_name(original, self.names)
                for word, original in zip(source, originals)
            ]
            rest = slice(len(prefix), None)
            fixed = [protected.has(word) for word in words[rest]]
            words[rest] = copy_unknown(words[rest], originals, unknown, alignment[rest], fixed)
        words[: len(prefix)] = prefix
        kept = [t for t, word in enumerate(words) if word]
        text = " ".join(words[t].replace(" ", protected.space) for t in kept)
        prefix_length = len(" ".join(word.given for word in self.prefix)) if prefix else 0
        if self.truecaser is not None:
            text = restore_capitals(
                text, self.truecaser, originals, prefix_length, sentence.part.begins
            )
        text = text[:prefix_length] + in_casing(text[prefix_length:], sentence.casing)
        if sentence.marks:
            words = text.split(" ") if text else []
            marks = written_in(sentence.marks, self.tokenizers.target.language)
            text = place_marks(words, marks, originals, alignment[kept], self.lexicon)
        return protected.reveal(text)


def _is_new_name(original: str, names: KnownNames) -> bool:
    """Whether a word is a new name for which the model was shown no stand-in."""
    by_capital = not names.usual and names.contexts is None
    return by_capital and names.is_new(original.strip(MARKS))


def _prefix_words(words: Sequence[str], prefix: Sequence[ShownWord]) -> list[str]:
    """The first words of a translation, with the prefix as given; none if they do not match it."""
    kept = []
    for word, part in zip(words, prefix):
        tokenized = with_zeros(part.text)
        if word[: len(part.text)] not in (part.text, tokenized, tokenized.lower()):
            return []
        kept.append(part.given + word[len(part.text) :])
    return kept if len(kept) == len(prefix) else []


def _continues(restored: str, word: str, part: ShownWord) -> bool:
    """Whether a restored word is as long as ``word`` and begins with the prefix's last word."""
    return len(restored) == len(word) and restored.startswith(part.given)


def copy_unknown(
    words: Sequence[str],
    originals: Sequence[str],
    unknown: Sequence[bool],
    alignment: np.ndarray,
    fixed: Sequence[bool],
) -> list[str]:
    """Replaces words of a translation by source words that the tokenizer cannot spell.

    A word is replaced if it is unknown itself, or if it attends most to an unknown source word
    and has no digits.

    Args:
        words: of the translation; consecutive words for the same source word are replaced
            together.
        originals: the words of the source.
        unknown: whether each source word is a new name, or cannot be spelt.
        alignment: (words, originals) how much each word attended to each original.
        fixed: whether each word of the translation is not replaced.

    Returns:
        The words of the translation; "" for those that were joined to the word before.
    """
    restored = list(words)
    name, begin = -1, -1  # the source word that was copied last, and the place it was copied to
    for t, word in enumerate(words):
        is_unknown = UNKNOWN in word
        s = int(alignment[t].argmax()) if alignment.shape[1] else -1
        if s < 0 or fixed[t] or not (is_unknown or unknown[s] and _has_letters_only(word)):
            name = -1
            continue
        before, _, after = split_marks(word)
        if s == name and not is_unknown:
            restored[t] = ""
            restored[begin] += after
        else:
            restored[t] = before + originals[s].strip(MARKS) + after
            name, begin = s, t
    return restored


def _has_letters_only(word: str) -> bool:
    return is_word(word) and not any(map(str.isdigit, word))
