"""Writes the training pairs: those of each corpus, followed by those that are added to them."""

import functools
import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from translator.base.parallel import over_parts
from translator.base.texts import Counts
from translator.config.schema import Config
from translator.corpora.cleaning import drop_held_out
from translator.corpora.corpus import Corpus, read_mixed
from translator.corpora.pairs import PairBlock, SentencePairs, untagged
from translator.corpora.tags import write_tag
from translator.data.augmentation import Material
from translator.data.encoded_pairs import PairWriter
from translator.data.encoding import EncodingReport, PairRules, encode_pairs, id_types
from translator.data.linked_pairs import Linker
from translator.data.marked_pairs import make_marked_copies
from translator.data.masked_pairs import PairMasker
from translator.data.noise import make_noisy_copies
from translator.data.phrase_pairs import find_phrase_pairs
from translator.data.word_links import LEAST_ASSOCIATION, WordLinks
from translator.text.characters import with_plain_characters
from translator.text.formality import FORMS, addresses_nobody, forms_of, has_formality
from translator.text.preprocessing import plain_source
from translator.tokenizers.special_tokens import LEARNT_MARKS
from translator.tokenizers.subword import Tokenizers

MARKED = "copies with marks"  # the name of such pairs for the user
MASKED = "with masks"  # the name of copies with masks for the user
SEED = 1  # tags belong to the corpus, whatever the seed of a training
TOLD = 0.5  # the share of pairs with a form of address whose tag says it
TOLD_OTHERS = 0.1  # that of pairs which address nobody, so that a tag changes nothing there
MORE_MASKS = 0.5  # the share of copies with marks that have masks for known names as well
ORIGINS = "origins.json"  # which of the training pairs come from where


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
    data, languages, tags = config.data, config.corpus.languages, config.tokenizer.tags
    kinds: list[tuple[str, Callable[[], SentencePairs]]] = []
    if data.noise:
        typed = (corpus.train, data.noise, languages[0], tags)
        kinds.append(("noisy copies", lambda: make_noisy_copies(*typed)))
    if data.marks:
        material = Material(plain, links, languages)
        marked = make_marked_copies(corpus.train, data.marks, material, tags)
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


def with_formality(pairs: SentencePairs, config: Config) -> SentencePairs:
    """Pairs of which some have a tag that says the form of address of their target.

    So a model learns both to write the form that is asked for, and to choose one. Nothing changes
    unless `FORMS` are tags of the model.
    """
    if not has_formality(config.tokenizer.tags):
        return pairs
    draw, (source_language, language) = random.Random(SEED), config.corpus.languages

    def informed(source: str, target: str) -> tuple[str, str]:
        forms = forms_of(target, language, source, source_language)
        share = TOLD if forms else TOLD_OTHERS
        if not forms and addresses_nobody(target, language):
            forms = [draw.choice(FORMS)]
        is_told = len(forms) == 1 and draw.random() < share
        return (f"{write_tag(forms[0])} {source}" if is_told else source), target

    return SentencePairs.from_pairs(map(informed, *pairs))


class Origins(NamedTuple):
    """Which of the training pairs come from where; see `TrainingData`.

    Attributes:
        written: the numbers of the first pair of each part and of the one behind its last.
        mixed: the pairs of each further corpus, copies included.
    """

    written: list[tuple[int, int]]
    mixed: list[int]


class EncodedCorpus(NamedTuple):
    """What was encoded of a corpus.

    Attributes:
        added: how many pairs of each kind were added to them.
    """

    name: str
    own: EncodingReport
    added: dict[str, int]

    @property
    def size(self) -> int:
        """The number of all pairs."""
        return self.own.kept + sum(self.added.values())

    def describe_added(self) -> str:
        """How many there are of each kind."""
        return ", ".join(f"{count:,} {name}" for name, count in self.added.items())


def write_training_pairs(
    corpus: Corpus,
    further: Sequence[FurtherPairs],
    links: WordLinks,
    tokenizers: Tokenizers,
    config: Config,
    folder: Path,
    masker: PairMasker | None,
) -> list[EncodedCorpus]:
    """Writes the training pairs: those of each corpus, followed by those that are added to them.

    Args:
        masker: writes pairs as the model is shown them; None where it is shown them as they are.

    Returns:
        Reports on the corpus and on each further one.
    """
    rules = PairRules(
        config.data.max_length,
        config.corpus.cleaning.max_length_ratio,
        config.tokenizer.masks_digits,
        tuple(config.tokenizer.tags),
    )
    done: list[EncodedCorpus] = []
    written: list[tuple[int, int]] = []
    with PairWriter(folder, "train", id_types(tokenizers)) as writer:

        def encode(pairs: SentencePairs, **others: Any) -> EncodingReport:
            return encode_pairs(with_formality(pairs, config), tokenizers, rules, writer, **others)

        write = functools.partial(
            _write_with_copies, encode=encode, links=links, tokenizers=tokenizers, masker=masker
        )
        done.append(write(corpus, "train", corpus.dropped, config))
        written.append((0, done[0].own.kept))
        for each in further:
            begin, its = len(writer), corpus._replace(train=each.pairs)
            if each.is_learnt_from:
                done.append(write(its, each.name, each.dropped, copies_alone(config)))
                written.append((begin, begin + done[-1].own.kept))
            else:
                rewrite = None if masker is None else masker.as_translated
                report = encode(each.pairs, name=each.name, dropped=each.dropped, rewrite=rewrite)
                done.append(EncodedCorpus(each.name, report, {}))
    origins = Origins(written, [each.size for each in done[1:]])
    (folder / ORIGINS).write_text(json.dumps(origins), "utf-8")
    return done


def _write_with_copies(
    corpus: Corpus,
    name: str,
    dropped: Counts,
    config: Config,
    *,
    encode: Callable[..., EncodingReport],
    links: WordLinks,
    tokenizers: Tokenizers,
    masker: PairMasker | None,
) -> EncodedCorpus:
    """Writes the training pairs of a corpus and those that are added to them."""
    added: dict[str, int] = {}
    worth = bytearray()
    plain = untagged(corpus.train, config.tokenizer.tags)
    rewrite = None if masker is None else functools.partial(masker.as_translated, worth=worth)
    own = encode(corpus.train, name=name, dropped=dropped, rewrite=rewrite)
    for kind, pairs in added_pairs(corpus, plain, config, links, tokenizers):
        more = MORE_MASKS if kind == MARKED else 0.0
        rewrite = None if masker is None else functools.partial(masker.as_translated, more=more)
        added[kind] = encode(pairs, name=kind, rewrite=rewrite).kept
    share = config.tokenizer.masks or 0
    if masker is not None and masker.preprocessor.has_masks:
        linker = Linker(links, LEAST_ASSOCIATION)
        copies = SentencePairs.from_pairs(masker.copies(corpus.train, worth, share, linker))
        if copies:
            added[MASKED] = encode(copies, name=MASKED).kept
    return EncodedCorpus(name, own, added)


def plain_pairs(pairs: SentencePairs, languages: tuple[str, str]) -> SentencePairs:
    """Sentence pairs in plain characters, sources with their abbreviations written out.

    Args:
        pairs: the sentences; what scores are computed against stays as it was read.
    """
    return SentencePairs.from_parts(
        over_parts(functools.partial(_plain_part, languages), pairs.parts())
    )


def _plain_part(languages: tuple[str, str], part: PairBlock) -> PairBlock:
    source, target = languages
    return PairBlock.of(
        [
            (plain_source(one, source), with_plain_characters(other, target))
            for one, other in part.pairs()
        ]
    )
