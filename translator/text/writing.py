"""Writes the text of a translation: spans, unknown words and capitals are put back.

Cross-attention says which word of the source each word of the translation comes from.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from translator.text.casing import Casing, in_capitals
from translator.text.copying import copy_unknown
from translator.text.punctuation import MARKS
from translator.text.reading import ReadSentence
from translator.text.restoration import Restoration
from translator.text.spans.kind import ShownWord, SpanKind
from translator.text.spans.restoring import align_source, restore_spans
from translator.text.spans.showing import show_spans
from translator.text.truecasing import restore_capitals
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
    return show_spans(prefix, [kind.for_prefix(prefix, sentences) for kind in kinds]).words


class TranslationWriter:
    """Writes translations of one run with one set of options.

    Args:
        tokenizers: the run's.
        restoration: what the run needs to restore numbers, names and capitals.
        kinds: of spans that are carried over.
        prefix: the words that every line's translation begins with.
        restores_capitals: whether to write capitals that the tokenizer does not have.
        copies_unknown: whether to copy source words that the tokenizer cannot spell.
    """

    def __init__(
        self,
        tokenizers: Tokenizers,
        restoration: Restoration,
        kinds: Sequence[SpanKind] = (),
        prefix: Sequence[ShownWord] = (),
        restores_capitals: bool = False,
        copies_unknown: bool = False,
    ) -> None:
        self.tokenizers = tokenizers
        self.kinds = kinds
        self.prefix = prefix
        self.names = restoration.names
        self.truecaser = restoration.truecaser if restores_capitals else None
        self.copies_unknown = copies_unknown

    def write(
        self, sentence: ReadSentence, ids: Sequence[int], alignment: np.ndarray | None
    ) -> str:
        """Writes the translation of a sentence.

        Args:
            sentence: the source.
            ids: T tokens of the translation.
            alignment: (T, S) how much each token attended to each source token; None
                if nothing is put back.
        """
        text = self._write_as_sentence(sentence, ids, alignment)
        return in_capitals(text) if sentence.casing is Casing.CAPITALS else text

    def _write_as_sentence(
        self, sentence: ReadSentence, ids: Sequence[int], alignment: np.ndarray | None
    ) -> str:
        """Writes the translation of a sentence with the capitals of ordinary sentences."""
        if alignment is None:
            return self.tokenizers.target.decode(ids)
        source = sentence.words or words_of(self.tokenizers.source.pieces(sentence.ids))
        target = words_of(self.tokenizers.target.pieces(ids))
        by_word = word_alignment(alignment, target, source)
        shown = sentence.shown.words
        given = align_source(sentence.part.text, shown, source.texts, self.kinds)
        return self.write_words(
            target.texts, source.texts, given, by_word, sentence.is_first, sentence.part.begins
        )

    def write_words(
        self,
        target: Sequence[str],
        source: Sequence[str],
        given: Sequence[ShownWord],
        alignment: np.ndarray,
        is_first: bool = True,
        begins: bool = True,
    ) -> str:
        """Writes the words of a translation.

        Args:
            target: its words as the tokenizer has them.
            source: the source words as the tokenizer has them.
            given: the same source words as they were given.
            alignment: (target, source) how much each word attended to each source word.
            is_first: whether it begins with the prefix.
            begins: whether it begins a sentence.
        """
        originals = [word.given for word in given]
        words = list(target)
        for kind in reversed(self.kinds):
            words = restore_spans(kind, words, given, alignment)
        prefix = _prefix_words(target, self.prefix) if is_first else []
        if prefix and _continues(words[len(prefix) - 1], prefix[-1], self.prefix[-1]):
            prefix[-1] = words[len(prefix) - 1]
        if self.copies_unknown:
            unknown = [
                UNKNOWN in word or self._is_new_name(original)
                for word, original in zip(source, originals)
            ]
            rest = slice(len(prefix), None)
            words[rest] = copy_unknown(words[rest], originals, unknown, alignment[rest])
        words[: len(prefix)] = prefix
        text = " ".join(word for word in words if word)
        if self.truecaser is not None:
            prefix_length = len(" ".join(word.given for word in self.prefix)) if prefix else 0
            text = restore_capitals(text, self.truecaser, originals, prefix_length, begins)
        return text

    def _is_new_name(self, original: str) -> bool:
        """Whether a word is a new name for which the model was shown no stand-in."""
        return not self.names.usual and self.names.is_new(original.strip(MARKS))


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
