"""Ancestral sampling: each next token is drawn from the model's distribution, or a part of it.

Edunov et al. (2018), "Understanding Back-Translation at Scale",
https://arxiv.org/abs/1808.09381, section 3.

All random numbers come from outside, one from 0 to 1 for each token. So a sample depends neither on
the backend's generator, nor on other sentences of the batch, nor on padding. Keras is imported only
inside functions, so that options are checked without it.

B sentences, K samples of each sentence, T tokens at most, V vocabulary.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from translator.base.errors import InputError
from translator.base.texts import quoted


class Candidates(NamedTuple):
    """Tokens that may be drawn.

    Attributes:
        logits: (B, K, n), very low for forbidden tokens, which are never drawn.
        ids: (B, K, n) ids of these tokens; None for the whole vocabulary in its order.
    """

    logits: Any
    ids: Any = None

    def best(self, count: int) -> "Candidates":
        """The most probable candidates, the best first."""
        from keras import ops

        logits, places = ops.top_k(self.logits, count)
        places = ops.cast(places, "int32")
        ids = places if self.ids is None else ops.take_along_axis(self.ids, places, axis=2)
        return Candidates(logits, ids)


class Sampler(Protocol):
    """A strategy that narrows down the tokens that may be drawn next."""

    def check(self) -> None:
        """Refuses a number outside the strategy's range."""

    def narrow(self, candidates: Candidates, temperature: float) -> Candidates:
        """Returns the candidates that may be drawn, in any order.

        Args:
            candidates: the vocabulary, or the part that an earlier strategy left.
            temperature: the divisor of their logits.
        """

    def for_ctranslate2(self, vocab_size: int) -> dict[str, Any]:
        """The strategy as arguments of CTranslate2's ``translate_batch``."""


class Sampling(NamedTuple):
    """How tokens are drawn.

    Attributes:
        temperature: the divisor of logits before the softmax; below 1 probable tokens become more
            probable.
        samplers: the strategies that narrow down the tokens, one after the other.
    """

    temperature: float = 1.0
    samplers: tuple[Sampler, ...] = ()


class TopK(NamedTuple):
    """Draws only from the k most probable tokens.

    Fan et al. (2018), "Hierarchical Neural Story Generation", https://arxiv.org/abs/1805.04833,
    section 5.4.
    """

    k: int

    def check(self) -> None:
        """See `Sampler.check`."""
        if self.k < 1:
            raise InputError(
                f"top-k: expected at least 1, found {quoted(self.k)}; leave it out to draw"
                " from the whole vocabulary"
            )

    def narrow(self, candidates: Candidates, temperature: float) -> Candidates:
        """See `Sampler.narrow`."""
        return candidates.best(self.k) if self.k < candidates.logits.shape[-1] else candidates

    def for_ctranslate2(self, vocab_size: int) -> dict[str, Any]:
        """The number for CTranslate2, which fails above V. 0 means the whole vocabulary."""
        return {"sampling_topk": self.k if self.k < vocab_size else 0}


class TopP(NamedTuple):
    """Draws only from the nucleus: the fewest most probable tokens whose probabilities sum to p.

    Holtzman et al. (2020), "The Curious Case of Neural Text Degeneration",
    https://arxiv.org/abs/1904.09751, section 3.1.
    """

    p: float

    def check(self) -> None:
        """See `Sampler.check`."""
        if not 1e-6 <= self.p <= 1:  # CTranslate2 takes less for 0
            raise InputError(f"top-p: expected 0.000001 to 1, found {quoted(self.p)}; 0.9 is usual")

    def narrow(self, candidates: Candidates, temperature: float) -> Candidates:
        """Hides the tokens beyond the nucleus; see `Sampler.narrow`."""
        from keras import ops

        from translator.search.beam_search import IMPOSSIBLE

        logits, ids = candidates.best(candidates.logits.shape[-1])
        shares = ops.softmax(logits / temperature)
        before = ops.cumsum(shares, axis=-1) - shares  # the sum over all more probable tokens
        return Candidates(ops.where(before < self.p, logits, IMPOSSIBLE), ids)

    def for_ctranslate2(self, vocab_size: int) -> dict[str, Any]:
        """CTranslate2 takes the same number."""
        return {"sampling_topp": self.p}


# Samplers by the names of their options in `TranslationOptions`, in the order of use.
SAMPLERS: dict[str, Callable[[Any], Sampler]] = {"top_k": TopK, "top_p": TopP}


def make_samplers(options: Any) -> tuple[Sampler, ...]:
    """The strategies of some `TranslationOptions`."""
    values = ((make, getattr(options, name)) for name, make in SAMPLERS.items())
    return tuple(make(value) for make, value in values if value is not None)


def draw_tokens(logits: Any, draws: Any, sampling: Sampling) -> Any:
    """Draws a token for each sample, by inverting the cumulative distribution.

    Args:
        logits: (B, K, V), very low for forbidden tokens, which are never drawn.
        draws: (B, K) random numbers from 0 to below 1.

    Returns:
        (B, K) tokens.
    """
    from keras import ops

    candidates = Candidates(logits)
    for sampler in sampling.samplers:
        candidates = sampler.narrow(candidates, sampling.temperature)
    logits, ids = candidates  # (B, K, n)
    best = ops.max(logits, axis=-1, keepdims=True)
    masses = ops.exp((logits - best) / sampling.temperature)
    sums = ops.cumsum(masses, axis=-1)
    has_mass = masses > 0
    total = ops.max(ops.where(has_mass, sums, 0.0), axis=-1, keepdims=True)
    is_reached = ops.logical_or(sums > draws[:, :, None] * total, sums >= total)
    is_reached = ops.cast(ops.logical_and(is_reached, has_mass), "int32")
    places = ops.cast(ops.argmax(is_reached, axis=-1), "int32")  # (B, K), the first
    return places if ids is None else ops.take_along_axis(ids, places[:, :, None], axis=2)[:, :, 0]
