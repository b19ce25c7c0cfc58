"""Length limits of translations, and checks of the options of a search."""

from typing import NamedTuple

from translator.base.errors import InputError
from translator.base.texts import quoted
from translator.search.engine import MAX_OPEN_HYPOTHESES, SearchOptions
from translator.search.sampling import Sampling

LOWEST_TEMPERATURE = 0.001  # lower values change nothing, and float32 reads the lowest as 0


class LengthLimits(NamedTuple):
    """The most tokens of a translation, its end included.

    Attributes:
        model: the most that the model takes.
        most: the limit of the user; None for twice the source tokens plus ten.
    """

    model: int
    most: int | None

    def of(self, source_length: int, options: SearchOptions) -> int:
        """The limit for S source tokens, start and end included. It leaves room for a prefix."""
        limit = 2 * source_length + 10 if self.most is None else self.most
        return max(min(limit, self.model), len(options.prefix_ids) + 1)


def widest_beam(vocab_size: int) -> int:
    """The largest beam size K: the first step of a search ranks 2K different tokens."""
    return vocab_size // 2


def check_options(options: SearchOptions, limits: LengthLimits, vocab_size: int) -> None:
    """Checks that the options are within the ranges of the model."""
    if options.sampling is not None:
        _check_sampling(options.sampling, options.n_best)
    elif not 1 <= options.beam_size <= widest_beam(vocab_size):
        raise InputError(
            f"beam size: expected 1 to {widest_beam(vocab_size)}, found"
            f" {quoted(options.beam_size)}; 4 is usual"
        )
    if not 0 <= options.length_penalty <= 10:
        raise InputError(
            f"length penalty: expected 0 to 10, found {quoted(options.length_penalty)}; 1 is usual"
        )
    if options.sampling is None and not 1 <= options.n_best <= options.beam_size:
        raise InputError(
            f"n-best: expected 1 to the beam size ({options.beam_size}), found"
            f" {quoted(options.n_best)}; a larger beam finds more"
        )
    if limits.most is not None and not 1 <= limits.most <= limits.model:
        raise InputError(
            f"max length: expected 1 to {limits.model} tokens, for which this model was trained,"
            f" found {quoted(limits.most)}"
        )
    most = limits.most or limits.model
    if len(options.prefix_ids) >= most:
        advice = "shorten it" if limits.most is None else "shorten it or raise --max-length"
        raise InputError(
            f"prefix: expected fewer than {most} tokens, found {len(options.prefix_ids)}; {advice}"
        )


def _check_sampling(sampling: Sampling, count: int) -> None:
    if not LOWEST_TEMPERATURE <= sampling.temperature <= 100:
        raise InputError(
            f"temperature: expected {LOWEST_TEMPERATURE} to 100, found"
            f" {quoted(sampling.temperature)}; 1 draws as the model says, and --top-k 1 always"
            " takes the most probable token"
        )
    for sampler in sampling.samplers:
        sampler.check()
    if not 1 <= count <= MAX_OPEN_HYPOTHESES:
        raise InputError(
            f"n-best: expected 1 to {MAX_OPEN_HYPOTHESES} samples, found {quoted(count)}; use"
            " several seeds for more"
        )
