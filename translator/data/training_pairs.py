"""Writes the training pairs: the pairs of each corpus, each followed by its added pairs."""

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
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

MARKED = "copies with marks"  # users read this name and the next one
MASKED = "with placeholders"
SEED = 1  # tags depend on the corpus, not on the seed of a training
TAGGED = 0.5  # the share of pairs with a form of address that have its tag
TAGGED_OTHERS = 0.1  # share of pairs without address that get a tag, which a model must ignore
MORE_MASKS = 0.5  # the share of copies with marks that also have masks for known names
ORIGINS = "origins.json"  # where the training pairs come from


def without_added_pairs(config: Config) -> Config:
    """The configuration without added pairs. It is for uses that train no model."""
    data = config.data.model_copy(update={"noise": 0.0, "marks": 0.0, "word_pairs": False})
    return config.model_copy(update={"data": data})


def make_added_pairs(
    corpus: Corpus,
    plain: SentencePairs,
    config: Config,
    links: WordLinks,
    tokenizers: Tokenizers,
) -> Iterator[tuple[str, SentencePairs]]:
    """Makes the pairs that a configuration adds to a training split; none is held out.

    Args:
        tokenizers: marks are not taught if one of the tokenizers can only spell them in bytes.

    Yields:
        For each kind of pairs: its name for the user, and at least one pair.
    """
    data, languages, tags = config.data, config.corpus.languages, config.tokenizer.tags
    kinds: list[tuple[str, Callable[[], SentencePairs]]] = []
    if data.noise:
        typed = (corpus.train, data.noise, languages[0], tags)
        kinds.append(("noisy copies", lambda: make_noisy_copies(*typed)))
    if data.marks:
        material = Material(plain, links, languages)
        marked = make_marked_copies(corpus.train, data.marks, material, tags)
        spelt = _without_unspelt_marks(marked, tokenizers)
        kinds.append((MARKED, lambda: SentencePairs.from_pairs(spelt)))
    if data.word_pairs:
        kinds.append(("words and phrases", lambda: find_phrase_pairs(plain, links, languages[0])))
    for name, make in kinds:
        if pairs := _plain_not_held_out(make(), corpus, config, Counts()):
            yield name, pairs


def _without_unspelt_marks(
    pairs: Iterable[tuple[str, str]], tokenizers: Tokenizers
) -> Iterator[tuple[str, str]]:
    """Leaves out pairs with marks that a tokenizer has no piece for."""
    unspelt = {
        mark
        for mark in LEARNT_MARKS
        if any(tokenizer.spells_in_bytes(mark) for tokenizer in tokenizers)
    }
    return (pair for pair in pairs if not any(map(unspelt.intersection, pair)))


class FurtherCorpus(NamedTuple):
    """A further corpus to train on; none of its pairs is held out.

    Attributes:
        dropped: how many pairs each rule dropped.
        is_learnt_from: whether words are learnt from this corpus, and its pairs are copied, too.
    """

    name: str
    pairs: SentencePairs
    dropped: Counts
    is_learnt_from: bool


def read_further_corpora(
    corpus: Corpus, config: Config, report: Callable[[str], None] = lambda line: None
) -> Iterator[FurtherCorpus]:
    """Reads the further corpora."""
    for mixed in config.corpora:
        files = mixed.train.paths if mixed.train else ()
        name = " and ".join(map(str, files)) or mixed.name
        dropped = Counts()
        pairs = read_mixed(config.corpus, mixed, corpus, dropped, config.tokenizer.tags, report)
        plain = _plain_not_held_out(pairs, corpus, config, dropped)
        yield FurtherCorpus(name, plain, dropped, mixed.is_learnt_from)


def without_word_pairs(config: Config) -> Config:
    """The configuration without further pairs, except copies of its own pairs."""
    return config.model_copy(update={"data": config.data.model_copy(update={"word_pairs": False})})


def _plain_not_held_out(
    pairs: SentencePairs, corpus: Corpus, config: Config, dropped: Counts
) -> SentencePairs:
    held_out = corpus.held_out if config.corpus.cleaning.drop_held_out else []
    pairs = drop_held_out(pairs, held_out, dropped, config.tokenizer.tags)[0]
    return plain_pairs(pairs, config.corpus.languages)


def with_formality(pairs: SentencePairs, config: Config) -> SentencePairs:
    """Gives some pairs a tag for the form of address in their target.

    So a model learns to write the form of a tag, and to choose a form if there is no tag. Nothing
    changes unless `FORMS` are tags of the model.
    """
    if not has_formality(config.tokenizer.tags):
        return pairs
    draw, (source_language, language) = random.Random(SEED), config.corpus.languages

    def tag_pair(source: str, target: str) -> tuple[str, str]:
        forms = forms_of(target, language, source, source_language)
        share = TAGGED if forms else TAGGED_OTHERS
        if not forms and addresses_nobody(target, language):
            forms = [draw.choice(FORMS)]
        is_tagged = len(forms) == 1 and draw.random() < share
        return (f"{write_tag(forms[0])} {source}" if is_tagged else source), target

    return SentencePairs.from_pairs(map(tag_pair, *pairs))


class Origins(NamedTuple):
    """Where the training pairs come from; see `TrainingData`.

    Attributes:
        written: for each part, the number of its first pair, and the number after its last pair.
        mixed: how many pairs each further corpus has, copies included.
    """

    written: list[tuple[int, int]]
    mixed: list[int]


class EncodedCorpus(NamedTuple):
    """A report on the encoded pairs of a corpus.

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
        """How many added pairs there are of each kind."""
        return ", ".join(f"{count:,} {name}" for name, count in self.added.items())


def write_training_pairs(
    corpus: Corpus,
    further: Sequence[FurtherCorpus],
    links: WordLinks,
    tokenizers: Tokenizers,
    config: Config,
    folder: Path,
    masker: PairMasker | None,
) -> list[EncodedCorpus]:
    """Writes the training pairs: the pairs of each corpus, each followed by its added pairs.

    Args:
        masker: rewrites pairs for the model; None if the model sees them unchanged.

    Returns:
        Reports on the corpus and on each further one.
    """
    rules = PairRules(
        config.data.max_length,
        config.corpus.cleaning.max_length_ratio,
        config.tokenizer.masks_digits,
        tuple(config.tokenizer.tags),
    )
    reports: list[EncodedCorpus] = []
    written: list[tuple[int, int]] = []
    with PairWriter(folder, "train", id_types(tokenizers)) as writer:

        def encode(pairs: SentencePairs, **options: Any) -> EncodingReport:
            return encode_pairs(with_formality(pairs, config), tokenizers, rules, writer, **options)

        write = partial(
            _write_with_copies, encode=encode, links=links, tokenizers=tokenizers, masker=masker
        )
        reports.append(write(corpus, "train", corpus.dropped, config))
        written.append((0, reports[0].own.kept))
        for mixed in further:
            begin, name, dropped = len(writer), mixed.name, mixed.dropped
            if mixed.is_learnt_from:
                mixed_corpus = corpus._replace(train=mixed.pairs)
                reports.append(write(mixed_corpus, name, dropped, without_word_pairs(config)))
                written.append((begin, begin + reports[-1].own.kept))
            else:
                rewrite = None if masker is None else masker.as_translated
                report = encode(mixed.pairs, name=name, dropped=dropped, rewrite=rewrite)
                reports.append(EncodedCorpus(name, report, {}))
    origins = Origins(written, [report.size for report in reports[1:]])
    (folder / ORIGINS).write_text(json.dumps(origins), "utf-8")
    return reports


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
    """Writes the training pairs of a corpus and its added pairs."""
    added: dict[str, int] = {}
    worth = bytearray()
    plain = untagged(corpus.train, config.tokenizer.tags)
    rewrite = None if masker is None else partial(masker.as_translated, worth=worth)
    own = encode(corpus.train, name=name, dropped=dropped, rewrite=rewrite)
    for kind, pairs in make_added_pairs(corpus, plain, config, links, tokenizers):
        known = MORE_MASKS if kind == MARKED else 0.0
        rewrite = None if masker is None else partial(masker.as_translated, known_share=known)
        added[kind] = encode(pairs, name=kind, rewrite=rewrite).kept
    share = config.tokenizer.masks or 0
    if masker is not None and masker.preprocessor.has_masks:
        linker = Linker(links, LEAST_ASSOCIATION)
        copies = SentencePairs.from_pairs(masker.copies(corpus.train, worth, share, linker))
        if copies:
            added[MASKED] = encode(copies, name=MASKED).kept
    return EncodedCorpus(name, own, added)


def plain_pairs(pairs: SentencePairs, languages: tuple[str, str]) -> SentencePairs:
    """Sentence pairs in plain characters; abbreviations of sources are written out.

    References for scores are not changed.
    """
    return SentencePairs.from_parts(over_parts(partial(_plain_part, languages), pairs.parts()))


def _plain_part(languages: tuple[str, str], part: PairBlock) -> PairBlock:
    source_language, target_language = languages
    return PairBlock.of(
        [
            (plain_source(source, source_language), with_plain_characters(target, target_language))
            for source, target in part.pairs()
        ]
    )
