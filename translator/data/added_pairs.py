"""Pairs that are trained on besides the corpus: copies, phrases, further corpora."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from translator.base.texts import Counts
from translator.config.schema import Config
from translator.corpora import Corpus, SentencePairs, drop_held_out, read_mixed
from translator.data.augmentation import Material
from translator.data.marked_pairs import make_marked_copies
from translator.data.noise import make_noisy_copies
from translator.data.phrase_pairs import find_phrase_pairs
from translator.data.word_links import WordLinks
from translator.text.plain_pairs import plain_pairs
from translator.tokenizers.special_tokens import LEARNT_MARKS
from translator.tokenizers.subword import Tokenizers

MARKED = "copies with marks"  # the name of such pairs for the user


def without_made_pairs(config: Config) -> Config:
    """A configuration with the pairs that people wrote alone, where no model learns from them."""
    data = config.data.model_copy(update={"noise": 0.0, "marks": 0.0, "word_pairs": False})
    return config.model_copy(update={"data": data})


def added_pairs(
    corpus: Corpus,
    plain: SentencePairs,
    config: Config,
    links: WordLinks,
    tokenizers: Tokenizers,
) -> Iterator[tuple[str, SentencePairs]]:
    """The pairs that a configuration adds to a training split, none of them held out.

    Args:
        tokenizers: of both sides. What one of them can only spell in bytes is not taught.

    Yields:
        A name for the user and at least one pair, for each kind of pairs.
    """
    data, languages = config.data, config.corpus.languages
    kinds: list[tuple[str, Callable[[], SentencePairs]]] = []
    if data.noise:
        kinds.append(
            ("noisy copies", lambda: make_noisy_copies(corpus.train, data.noise, languages))
        )
    if data.marks:
        material = Material(plain, links, languages)
        marked = make_marked_copies(corpus.train, data.marks, material, config.tokenizer.tags)
        spelt = _spelt(marked, tokenizers)
        kinds.append((MARKED, lambda: SentencePairs.from_pairs(spelt)))
    if data.word_pairs:
        kinds.append(("words and phrases", lambda: find_phrase_pairs(plain, links, languages[0])))
    for name, make in kinds:
        if pairs := _plain_not_held_out(make(), corpus, config, Counts()):
            yield name, pairs


def _spelt(pairs: Iterable[tuple[str, str]], tokenizers: Tokenizers) -> Iterator[tuple[str, str]]:
    """The pairs without those marks that a tokenizer, such as another run's, spells in bytes."""
    unspelt = {
        mark for mark in LEARNT_MARKS if any(each.spells_in_bytes(mark) for each in tokenizers)
    }
    return (pair for pair in pairs if not any(map(unspelt.intersection, pair)))


class FurtherPairs(NamedTuple):
    """The training pairs of a further corpus, none of them held out.

    Attributes:
        dropped: how many pairs each rule dropped.
        is_learnt_from: whether words are learnt from it, and its pairs are copied as well.
    """

    name: str
    pairs: SentencePairs
    dropped: Counts
    is_learnt_from: bool


def further_pairs(
    corpus: Corpus, config: Config, report: Callable[[str], None] = lambda line: None
) -> Iterator[FurtherPairs]:
    """Reads the further corpora."""
    for mixed in config.corpora:
        files = mixed.train.paths if mixed.train else ()
        name = " and ".join(map(str, files)) or mixed.name
        dropped = Counts()
        pairs = read_mixed(config.corpus, mixed, corpus, dropped, config.tokenizer.tags, report)
        kept = _plain_not_held_out(pairs, corpus, config, dropped)
        yield FurtherPairs(name, kept, dropped, mixed.is_learnt_from)


def copies_alone(config: Config) -> Config:
    """The configuration with no other added pairs than copies."""
    return config.model_copy(update={"data": config.data.model_copy(update={"word_pairs": False})})


def _plain_not_held_out(
    pairs: SentencePairs, corpus: Corpus, config: Config, dropped: Counts
) -> SentencePairs:
    held_out = corpus.held_out if config.corpus.cleaning.drop_held_out else []
    kept = drop_held_out(pairs, held_out, dropped, config.tokenizer.tags)[0]
    return plain_pairs(kept, config.corpus.languages)
