"""Writes the training pairs: those of each corpus, followed by those that are added to them."""

import functools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from translator.base.texts import Counts
from translator.config.schema import Config
from translator.corpora import Corpus, SentencePairs, untagged
from translator.data.added_pairs import MARKED, FurtherPairs, added_pairs, copies_alone
from translator.data.encoded_pairs import PairWriter
from translator.data.encoding import EncodingReport, PairRules, encode_pairs, id_types
from translator.data.linked_pairs import Linker
from translator.data.masked_pairs import PairMasker
from translator.data.word_links import LEAST_ASSOCIATION, WordLinks
from translator.text.truecasing import Truecaser
from translator.tokenizers.subword import Tokenizers

MASKED = "with masks"  # the name of copies with masks for the user
MORE_MASKS = 0.5  # the share of copies with marks that have masks for known names as well
ORIGINS = "origins.json"  # which of the training pairs come from where


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
    truecaser: Truecaser | None = None,
) -> list[EncodedCorpus]:
    """Writes the training pairs: those of each corpus, followed by those that are added to them.

    Args:
        masker: puts masks into pairs; None for a model without any.
        truecaser: of the source language, which writes its first words; None leaves them.

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
        encode = functools.partial(
            encode_pairs, tokenizers=tokenizers, rules=rules, writer=writer, truecaser=truecaser
        )
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
    """Writes the training pairs of a corpus and those that are added to them.

    Args:
        masker: puts masks into pairs; None for a model without any.
    """
    added: dict[str, int] = {}
    worth = bytearray()
    plain = untagged(corpus.train, config.tokenizer.tags)
    rewrite = None if masker is None else functools.partial(masker.as_translated, worth=worth)
    own = encode(corpus.train, name=name, dropped=dropped, rewrite=rewrite)
    for kind, pairs in added_pairs(corpus, plain, config, links, tokenizers):
        more = MORE_MASKS if kind == MARKED else 0.0
        rewrite = None if masker is None else functools.partial(masker.as_translated, more=more)
        added[kind] = encode(pairs, name=kind, rewrite=rewrite).kept
    if masker is not None:
        linker = Linker(links, LEAST_ASSOCIATION)
        share = config.tokenizer.masks or 0
        copies = SentencePairs.from_pairs(masker.copies(corpus.train, worth, share, linker))
        if copies:
            added[MASKED] = encode(copies, name=MASKED).kept
    return EncodedCorpus(name, own, added)
