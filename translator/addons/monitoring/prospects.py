"""What can be seen before a training starts and will keep it from learning well."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from translator.addons.monitoring.advice import lacking_updates, rounded, suggested_warmup
from translator.base.texts import listed
from translator.config.encoding import TAG_NAME
from translator.config.schema import Config
from translator.corpora import first_tag, write_tag
from translator.data.encoded_pairs import EncodedPairs
from translator.data.preparation import TrainingData
from translator.tokenizers.special_tokens import UNKNOWN as UNKNOWN_PIECE
from translator.training.choices import Room

FEW_SENTENCES = 100  # BLEU of 100 sentences varies by about 5 points either way
RARE = 5  # a piece that is seen fewer times than this is hardly learnt
MANY_RARE = 0.5  # of the pieces
# Gowda and May (2020), https://aclanthology.org/2020.findings-emnlp.352, find the best vocabulary
# to be about the largest whose pieces are seen 100 times. Good ones of small corpora have fewer.
ENOUGH = 100
LINES = 1000  # that are looked at for tags
TAGGED = 0.02  # of them; markup at the beginning of a line is rarer
UNKNOWN = 0.01  # of the tokens; BPEmb lacks a few characters of any text
CHUNK = 1 << 20  # ids that are counted at a time


def warn(
    config: Config, data: TrainingData, updates: int, room: Room | None = None
) -> Iterator[str]:
    """Finds what will keep a training from learning well.

    Args:
        config: resolved; see `translator.training.resolution`.
        data: the encoded corpus.
        updates: of the whole training.
        room: what there is time for, where a time was given.

    Yields:
        A line for the user, with the key to change.
    """
    schedule, validation = config.training.schedule, len(data.validation)
    if lack := lacking_updates(config, len(data.train), updates, room):
        yield f"warning: {lack.found}: --set {lack.setting}"
    if schedule.warmup_steps > updates:
        yield (
            f"warning: training.schedule.warmup_steps: the warm-up of {schedule.warmup_steps:,}"
            f" updates is longer than the whole training of {updates:,}, so the learning rate"
            f" stays too low; set it to {suggested_warmup(updates):,}, or raise training.epochs"
        )
    if schedule.is_zero_after(updates - 1):
        yield (
            "warning: training.schedule.total_steps: the learning rate is 0 after"
            f" {schedule.total_steps:,} of {updates:,} updates, and nothing is learnt from then on;"
            " leave it out, so that it is the end of the training"
        )
    if config.training.init is None and not config.tokenizer.vectors:
        yield from _warn_of_rare_pieces(config, data)
    yield from _warn_of_text_as_tags(data)
    yield from _warn_of_unknown_text(data)
    if validation < FEW_SENTENCES:
        yield (
            f"warning: the validation split has {validation} pairs, so BLEU and the choice of the"
            f" best weights are mostly chance; give {FEW_SENTENCES} or more in corpus.validation,"
            " or raise corpus.split.validation"
        )


def _warn_of_text_as_tags(data: TrainingData) -> Iterator[str]:
    """Says so if many lines begin with a tag, but there are none; a misspelt one is an error."""
    source, tokenizer = data.train.source, data.tokenizers.source
    if tokenizer.tags:
        return
    lines = np.linspace(0, len(data.train) - 1, min(len(data.train), LINES)).astype(int)
    begins = (first_tag(tokenizer.decode(source[number])) for number in lines.tolist())
    found = Counter(name for name in begins if name is not None and TAG_NAME.fullmatch(name))
    if names := [name for name, count in found.items() if count >= TAGGED * len(lines)]:
        share = sum(map(found.__getitem__, names)) / len(lines)
        yield (
            f"warning: tokenizer.tags: {share:.0%} of the source lines begin with"
            f" {listed([*map(write_tag, names)])}, which is only text unless tokenizer.tags is"
            f" [{', '.join(names)}]"
        )


def _warn_of_unknown_text(data: TrainingData) -> Iterator[str]:
    """Says so if a tokenizer lacks pieces for many characters of its text."""
    for side, pairs, tokenizer in zip(("source", "target"), data.train, data.tokenizers):
        share = float((pairs.ids[:CHUNK] == tokenizer.unknown_id).mean())
        if share > UNKNOWN:
            yield (
                f"warning: tokenizer: {share:.0%} of the {side} tokens are {UNKNOWN_PIECE}, as it"
                " has no pieces for their characters; take one that was made for such text"
            )


def _warn_of_rare_pieces(config: Config, data: TrainingData) -> Iterator[str]:
    """Says so if a vocabulary has many pieces that the training pairs hardly have."""
    tokenizers = data.tokenizers
    source, target = _count_pieces(data.train, [tokenizer.size for tokenizer in tokenizers])
    sides = [("source", tokenizers.source, source), ("target", tokenizers.target, target)]
    if tokenizers.source.fingerprint == tokenizers.target.fingerprint:
        sides = [("shared", tokenizers.source, source + target)]
    for side, tokenizer, counts in sides:
        learnt = np.array([tokenizer.spells([number]) for number in range(tokenizer.size)])
        share = float((counts[learnt] < RARE).mean())
        if share >= MANY_RARE:
            size = rounded(int(counts.sum()) // ENOUGH)
            asked = config.tokenizer
            smaller = "a smaller tokenizer, "
            if asked.name == "sentencepiece" and asked.model_paths is None:
                smaller = f"tokenizer.vocab_size of about {size:,}, "
            yield (
                f"warning: tokenizer: {share:.0%} of the {learnt.sum():,} pieces of the {side}"
                f" vocabulary are seen fewer than {RARE} times in training, too few to learn them;"
                f" try {smaller if size < tokenizer.size else ''}more pairs"
            )
            return


def _count_pieces(pairs: EncodedPairs, sizes: list[int]) -> list[np.ndarray]:
    """How often each id occurs, for both sides. NumPy would copy all ids as int64 at once."""
    counts = [np.zeros(size, np.int64) for size in sizes]
    for side, count in zip(pairs, counts):
        for start in range(0, len(side.ids), CHUNK):
            count += np.bincount(side.ids[start : start + CHUNK], minlength=len(count))
    return counts
