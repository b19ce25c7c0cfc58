"""Chooses sentences to fit and measure the confidence of a run, and finds their right words."""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from translator.addons.confidence.source_words import SourceWords
from translator.base.languages import language_facts
from translator.corpora.pairs import SentencePairs
from translator.corpora.tags import split_tags, write_tag
from translator.data.encoded_pairs import TokenArray, read_text
from translator.data.preparation import TrainingData
from translator.evaluation.scores import gather_references
from translator.text.punctuation import plain_word, split_marks
from translator.tokenizers.subword import Tokenizer

MOST_SENTENCES = 4000  # of the validation split; half of them are fitted on
LONG_ENOUGH = 3  # letters of a word that is replaced
LONG_PARENT = 5  # letters of the words that an invented word is made from
MOST_TRIES = 1000  # to invent a word

Pair = tuple[str, list[str]]  # a sentence with its references


def learn_source_words(data: TrainingData) -> SourceWords | None:
    """Learns the words of the training data, and their frequency in the pairs that people wrote.

    Returns:
        The words; None if the source language has no spaces between them.
    """
    source, target = data.tokenizers
    if not source.writes_spaces:
        return None
    capitals = language_facts(source.language).capitalizes_nouns
    sources, targets = zip(*data.written)
    texts = _decode(source, sources), _decode(target, targets)
    return SourceWords.learn(data.words.source, *texts, capitals)


def _decode(tokenizer: Tokenizer, sides: Sequence[TokenArray]) -> Iterator[str]:
    return (tokenizer.decode(side[i].tolist()) for side in sides for i in range(len(side.lengths)))


def split_validation(data: TrainingData) -> tuple[list[Pair], list[Pair]]:
    """Divides the validation sentences: one half is for fitting, the other for measuring."""
    pairs = SentencePairs(*(tuple(read_text(side)) for side in data.validation_text))
    sentences = list(gather_references(pairs).items())[:MOST_SENTENCES]
    return sentences[::2], sentences[1::2]


def with_invented_words(
    pairs: Sequence[Pair], source_words: SourceWords | None, tags: Collection[str] = ()
) -> list[Pair]:
    """Sentences with invented words in place of some words.

    Unseen words harm a translation, but the validation split has too few of them to show how much.
    The references stay: no reference has the model's translation of an invented word.

    Args:
        source_words: of the training side; None gives no sentences.
        tags: the names of tags that may begin a sentence; these tags stay.

    Returns:
        The sentences that have words to replace. One to all of these words are replaced; small
        numbers of replaced words are more frequent.
    """
    seen = () if source_words is None else source_words.words
    parents = sorted(word for word in seen if len(word) >= LONG_PARENT and word.isalpha())
    if source_words is None or not parents:
        return []
    draw = random.Random(1)
    examples = []
    for sentence, references in pairs:
        names, text = split_tags(sentence, tags)
        words = [split_marks(word) for word in text.split()]
        places = [
            i
            for i, (_, core, _) in enumerate(words)
            if len(core) >= LONG_ENOUGH
            and core.isalpha()
            and (core.islower() or source_words.capitalizes_nouns)
        ]
        if not places:
            continue
        count = min(draw.randint(1, len(places)), draw.randint(1, len(places)))
        for i in draw.sample(places, count):
            before, core, after = words[i]
            invented = _invent(parents, source_words, draw)
            words[i] = before, invented if core.islower() else invented.capitalize(), after
        examples.append((" ".join([*map(write_tag, names), *map("".join, words)]), references))
    return examples


def _invent(parents: Sequence[str], source_words: SourceWords, draw: random.Random) -> str:
    """Invents a word that the training side lacks, from the beginning and the end of two words."""
    for _ in range(MOST_TRIES):
        first, last = draw.choice(parents), draw.choice(parents)
        word = first[: len(first) // 2 + 1] + last[len(last) // 2 :]
        if not source_words.has_seen(word):
            return word
    return "".join(draw.sample(parents[0], len(parents[0])))


def check_words(words: Sequence[str], references: Sequence[str]) -> list[bool | None]:
    """Whether each word of a translation is in a reference.

    Words are compared in lower case, without punctuation. A repeated word is right at most as often
    as one reference has it, as in BLEU.

    Args:
        words: of the translation, in order.

    Returns:
        For each word whether it is right; None for punctuation alone.
    """
    available: Counter[str] = Counter()
    for reference in references:
        available |= Counter(map(plain_word, reference.split()))
    is_right: list[bool | None] = []
    for word in map(plain_word, words):
        is_right.append(available[word] > 0 if any(map(str.isalnum, word)) else None)
        available[word] -= 1
    return is_right
