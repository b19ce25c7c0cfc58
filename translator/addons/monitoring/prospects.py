"""Before a training, warns of problems that will keep it from learning well.

Also compares the training, before and after it, with a model that comes with the program.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from translator.addons.monitoring.advice import lacking_updates, rounded, suggested_warmup
from translator.base.errors import InputError
from translator.config.schema import Config
from translator.corpora.pairs import SentencePairs
from translator.data.encoded_pairs import EncodedPairs, read_text
from translator.data.preparation import TrainingData
from translator.evaluation.scores import gather_references, score_translations
from translator.runs.choosing import shipped_between
from translator.runs.directory import RunDirectory
from translator.tokenizers.special_tokens import UNKNOWN as UNKNOWN_PIECE
from translator.training.clock import TimeBudget
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

FEW_SENTENCES = 100  # BLEU of 100 sentences varies by about 5 points either way
RARE = 5  # times; a model hardly learns a piece that it sees fewer times
MANY_RARE = 0.5  # share of the pieces
# Gowda and May (2020), https://aclanthology.org/2020.findings-emnlp.352: the best vocabulary is
# about the largest one with 100 occurrences of each piece. Small corpora need fewer occurrences.
ENOUGH = 100
UNKNOWN = 0.01  # share of the tokens; BPEmb lacks a few characters of any text
CHUNK = 1 << 20  # ids that are counted at a time
SENTENCES = 100  # held-out sentences that are translated, in a second or two
CLEARLY = 1.0  # BLEU by which a model is clearly better


def warn(
    config: Config, data: TrainingData, updates: int, room: TimeBudget | None = None
) -> Iterator[str]:
    """Finds problems that will keep a training from learning well.

    Args:
        room: the budget of a time limit; None without a limit.

    Yields:
        A line for the user, with the key to change.
    """
    schedule, validation = config.training.schedule, len(data.validation)
    if lack := lacking_updates(config, len(data.train), updates, room):
        yield f"warning: {lack.problem}: --set {lack.setting}"
    if schedule.warmup_steps > updates:
        yield (
            f"warning: training.schedule.warmup_steps: the warm-up of {schedule.warmup_steps:,}"
            f" updates is longer than the whole training of {updates:,}, so the learning rate stays"
            f" too low; set it to {suggested_warmup(updates):,}, or raise training.epochs"
        )
    if schedule.is_zero_after(updates - 1):
        yield (
            "warning: training.schedule.total_steps: the learning rate is 0 after"
            f" {schedule.total_steps:,} of {updates:,} updates, and nothing is learnt from then on;"
            " leave it out, so that the rate falls until the end"
        )
    if config.training.init is None:
        yield from _warn_of_rare_pieces(config, data)
    yield from _warn_of_unknown_text(data)
    if validation < FEW_SENTENCES:
        yield (
            f"warning: the validation split has {validation} pairs, so BLEU and the choice of"
            f" weights depend mostly on chance; give {FEW_SENTENCES} or more pairs in"
            " corpus.validation, or raise corpus.split.validation"
        )


def _warn_of_unknown_text(data: TrainingData) -> Iterator[str]:
    """Warns if a tokenizer lacks pieces for many characters of its text."""
    for side, pairs, tokenizer in zip(("source", "target"), data.train, data.tokenizers):
        share = float((pairs.ids[:CHUNK] == tokenizer.unknown_id).mean())
        if share > UNKNOWN:
            yield (
                f"warning: tokenizer: {share:.0%} of the {side} tokens are {UNKNOWN_PIECE}, because"
                " it has no pieces for their characters; use a tokenizer made for such text"
            )


def _warn_of_rare_pieces(config: Config, data: TrainingData) -> Iterator[str]:
    """Warns if a vocabulary has many pieces that are rare in the training pairs."""
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
            settings = config.tokenizer
            smaller = "a smaller tokenizer, "
            if settings.name == "sentencepiece" and settings.model_paths is None:
                smaller = f"tokenizer.vocab_size of about {size:,}, "
            yield (
                f"warning: tokenizer: {share:.0%} of the {learnt.sum():,} pieces of the {side}"
                f" vocabulary are seen fewer than {RARE} times in training, which is too rarely to"
                f" learn them; try {smaller if size < tokenizer.size else ''}more pairs"
            )
            return


def _count_pieces(pairs: EncodedPairs, sizes: list[int]) -> list[np.ndarray]:
    """Counts each id on both sides, chunk by chunk, because NumPy copies ids as int64."""
    counts = [np.zeros(size, np.int64) for size in sizes]
    for side, count in zip(pairs, counts):
        for start in range(0, len(side.ids), CHUNK):
            count += np.bincount(side.ids[start : start + CHUNK], minlength=len(count))
    return counts


def offer_known_model(config: Config, data: TrainingData, *_: object) -> Iterator[str]:
    """Reports how well a shipped model of the same languages translates the user's own pairs."""
    run = shipped_between(config.corpus.languages)
    if run is None or config.training.init is not None or not config.corpus.is_unknown:
        return
    references = _held_out(data)
    try:
        bleu = _measure(run.path, references, data)
    except InputError:  # training can start without this model
        return
    yield (
        f"{run.path.name}, which comes with the program, already has BLEU {bleu:.1f} on"
        f" {len(references)} held-out sentences; to train this model further, add --init"
        f" {run.path.name}"
    )


def compare_with_known_model(
    run: RunDirectory, data: TrainingData, report: Callable[[str], None]
) -> None:
    """Reports if a model that comes with the program translates better; notes this in the run."""
    config = run.read_config()
    known = shipped_between(config.corpus.languages)
    if known is None or config.corpus.name == "demo":
        return
    references = _held_out(data)
    try:
        shipped, own = (_measure(path, references, data) for path in (known.path, run.export))
    except InputError:
        return
    is_better = shipped > own + CLEARLY
    figures = [round(shipped, 1), round(own, 1)] if is_better else None
    run.read_record()._replace(known=figures).write(run.path)
    if is_better:
        report(
            f"{known.path.name}, which comes with the program, translates {len(references)}"
            f" held-out sentences better than this run: BLEU {shipped:.1f} instead of {own:.1f};"
            f" train that model further with --init {known.path.name}"
        )


def _held_out(data: TrainingData) -> dict[str, Sequence[str]]:
    """The first validation sentences with their translations."""
    pairs = SentencePairs(*(tuple(read_text(side)) for side in data.validation_text))
    return dict(itertools.islice(gather_references(pairs).items(), SENTENCES))


def _measure(model: Path, references: Mapping[str, Sequence[str]], data: TrainingData) -> float:
    """BLEU of a model."""
    options = TranslationOptions(split=False, errors="replace")
    texts = [result.text for result in Translator(model).translate(references, options)]
    language = data.tokenizers.target.language
    return score_translations(texts, list(references.values()), language).bleu
