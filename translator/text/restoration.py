"""Puts right in a translation what its tokenizer took away: numbers, names and capitals.

BPEmb's models see lower-cased text whose digits are 0, others with `zero_digits` only the
zeros. What a number was, and how a name is spelt, stands in the source; cross-attention says where.
"""

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.base.languages import language_facts
from translator.corpora import SentencePairs
from translator.text.names import (
    KnownNames,
    ShownWord,
    copy_unknown,
    is_disguised,
    restore_names,
    show_names,
)
from translator.text.numbers import MARKS, NUMBER, restore_numbers, show_numbers
from translator.text.truecasing import Truecaser, split_tokens
from translator.text.word_alignment import AlignmentHeads, word_alignment
from translator.tokenizers.special_tokens import UNKNOWN
from translator.tokenizers.subword import Tokenizers, with_zeros
from translator.tokenizers.words import Words, words_of


class Restoration(NamedTuple):
    """What a run knows for putting translations right.

    Attributes:
        alignment: the heads that point from a word to its source; None where no
            word of the validation split could tell.
        truecaser: of the target language, for text whose tokenizer has no capitals.
        names: what tells a name that training never saw from a word.
    """

    alignment: AlignmentHeads | None
    truecaser: Truecaser | None
    names: KnownNames

    @classmethod
    def of_corpus(cls, train: SentencePairs, tokenizers: Tokenizers) -> "Restoration":
        """What the text of a training side tells: all but the heads."""
        truecaser = Truecaser.learn(train.targets) if tokenizers.target.lowercases else None
        names = KnownNames(frozenset(), None)
        if not language_facts(tokenizers.source.language).capitalizes_nouns:
            names = KnownNames.learn(*train)
        return cls(None, truecaser, names)

    def save(self, path: Path) -> None:
        """Writes it as JSON."""
        values = {
            "alignment": self.alignment and self.alignment._asdict(),
            "truecaser": self.truecaser and self.truecaser.to_json(),
            "source_words": sorted(self.names.words),
            "usual_name": self.names.usual,
        }
        with whole_file(path) as file:
            file.write(json.dumps(values, ensure_ascii=False).encode())

    @classmethod
    def load(cls, path: Path) -> "Restoration":
        """Reads what `save` wrote; knows nothing where there is no such file.

        Raises:
            InputError: the file is damaged.
        """
        try:
            values = json.loads(path.read_text("utf-8"))
            alignment, truecaser = values["alignment"], values["truecaser"]
            words, usual = values["source_words"], values.get("usual_name")
            if not all(isinstance(word, str) for word in (*words, usual or "")):
                raise ValueError
            return cls(
                alignment and AlignmentHeads.from_json(alignment),
                truecaser and Truecaser.from_json(truecaser),
                KnownNames(frozenset(words), usual),
            )
        except FileNotFoundError:
            return cls(None, None, KnownNames(frozenset(), None))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                f"{path}: expected what a training leaves, found other text; train again, or"
                " remove it and do without"
            ) from None


class Piecewise(NamedTuple):
    """A translation with where its pieces come from.

    Attributes:
        source: the sentence as it was given.
        source_pieces: S pieces, start and end included.
        target_pieces: T pieces.
        alignment: (T, S) how much each looked at each.
        prefix: what the translation was made to begin with.
        begins: whether it begins a sentence.
    """

    source: str
    source_pieces: Sequence[str]
    target_pieces: Sequence[str]
    alignment: np.ndarray
    prefix: Sequence[ShownWord] = ()
    begins: bool = True


def shown(text: str, known: KnownNames, digits: bool, names: bool) -> str:
    """What a model is shown of a text of which numbers or new names are restored afterwards."""
    if names and known.usual:
        text = " ".join(word.text for word in show_names(text, known))
    return show_numbers(text) if digits else text


def restore_text(
    piecewise: Piecewise,
    restoration: Restoration,
    languages: tuple[str, str],
    digits_and_capitals: bool,
    names: bool,
) -> str:
    """The text of a translation, put right.

    Args:
        piecewise: the translation.
        restoration: what the run knows.
        languages: codes of source and target; they decide how decimals are written.
        digits_and_capitals: whether to put back what the tokenizer took away of them.
        names: whether words that training never saw are taken from the source.

    Returns:
        The text for a reader.
    """
    source = words_of(piecewise.source_pieces)
    target = words_of(piecewise.target_pieces)
    alignment = word_alignment(piecewise.alignment, target, source)
    known = restoration.names
    shown_words = show_names(piecewise.source, known) if names and known.usual else []
    originals = _originals(piecewise.source, source, [word.given for word in shown_words])
    prefix = _given_prefix(target.texts, piecewise.prefix)
    given = len(prefix)
    words = list(target.texts)
    if digits_and_capitals:
        words = restore_numbers(words, originals, alignment, languages)
        if given and _goes_on(words[given - 1], prefix[-1], piecewise.prefix[-1]):
            prefix[-1] = words[given - 1]
    if names:
        if known.usual and is_disguised(shown_words, source.texts, known.usual):
            words = restore_names(words, shown_words, alignment, known.usual)
        new = [
            UNKNOWN in text or not known.usual and known.lack(original.strip(MARKS))
            for text, original in zip(source.texts, originals)
        ]
        words[given:] = copy_unknown(words[given:], originals, new, alignment[given:])
    words[:given] = prefix
    text = " ".join(word for word in words if word)
    if digits_and_capitals and restoration.truecaser is not None:
        fixed = len(" ".join(part.given for part in piecewise.prefix)) if given else 0
        text = _restore_capitals(text, fixed, originals, restoration.truecaser, piecewise.begins)
    return text


def _originals(sentence: str, source: Words, names_joined: list[str]) -> list[str]:
    """The words as they were given; where they are not as many as the tokenizer's, the numbers."""
    for given in (names_joined, sentence.split()):
        if len(given) == len(source.texts):
            return given
    numbers = NUMBER.findall(sentence)
    if len(numbers) != sum(len(NUMBER.findall(text)) for text in source.texts):
        return list(source.texts)
    remaining = iter(numbers)
    return [NUMBER.sub(lambda _: next(remaining), text) for text in source.texts]


def _given_prefix(words: Sequence[str], prefix: Sequence[ShownWord]) -> list[str]:
    """The words that a prefix reaches into, with it as it was given; none if they are not its."""
    kept = []
    for word, part in zip(words, prefix):
        tokenized = with_zeros(part.text)
        if word[: len(part.text)] not in (part.text, tokenized, tokenized.lower()):
            return []
        kept.append(part.given + word[len(part.text) :])
    return kept if len(kept) == len(prefix) else []


def _goes_on(restored: str, word: str, part: ShownWord) -> bool:
    """Whether a word that a prefix begins can be written otherwise and still begin so."""
    return len(restored) == len(word) and restored.startswith(part.given)


def _restore_capitals(
    text: str, fixed: int, originals: list[str], truecaser: Truecaser, begins: bool
) -> str:
    """The text with capitals, but for its first characters, which are as they were given."""
    spellings = {token.lower(): token for word in originals for token in split_tokens(word)}
    tokens = split_tokens(text)
    ends = itertools.accumulate(map(len, tokens))
    already = [  # a prefix, and names that were taken whole
        end - len(token) < fixed or token != token.lower() for token, end in zip(tokens, ends)
    ]
    hints = [token if kept else spellings.get(token) for token, kept in zip(tokens, already)]
    cased = truecaser.restore([token.lower() for token in tokens], hints, begins)
    return "".join(token if kept else new for token, new, kept in zip(tokens, cased, already))
