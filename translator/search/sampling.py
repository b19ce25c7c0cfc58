"""Ancestral sampling: each next token is drawn from the model's distribution, or a part of it.

Edunov et al. (2018), "Understanding Back-Translation at Scale",
https://arxiv.org/abs/1808.09381, section 3.

Whatever is random comes from outside, as one number from 0 to 1 for each token. So a sample depends
on neither the backend's generator, nor the sentences beside it, nor the padding. Keras is imported
where it is used, so that options are checked without it.

B sentences, K samples of each, T the most tokens, V vocabulary.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from translator.base.errors import InputError
from translator.base.texts import quoted


class Candidates(NamedTuple):
    """Tokens that may be drawn.

    Attributes:
        logits: (B, K, n), very low for forbidden tokens, which are never drawn.
        ids: (B, K, n) of these tokens; None where they are the whole vocabulary in its order.
    """

    logits: Any
    ids: Any = None

    def best(self, count: int) -> "Candidates":
        """The most probable ones, the best first."""
        from keras import ops

        logits, places = ops.top_k(self.logits, count)
        places = ops.cast(places, "int32")
        ids = places if self.ids is None else ops.take_along_axis(self.ids, places, axis=2)
        return Candidates(logits, ids)


class Sampler(Protocol):
    """A strategy: it narrows down the tokens that the next one is drawn from."""

    def check(self) -> None:
        """Refuses a number that is out of the strategy's range."""

    def narrow(self, candidates: Candidates, temperature: float) -> Candidates:
        """Returns the candidates that may be drawn, in any order.

        Args:
            candidates: the vocabulary, or what an earlier strategy has left of it.
            temperature: what their logits will be divided by.
        """

    def for_ctranslate2(self, vocab_size: int) -> dict[str, Any]:
        """The same as arguments of CTranslate2's ``translate_batch``."""


class Sampling(NamedTuple):
    """How tokens are drawn.

    Attributes:
        temperature: what logits are divided by before the softmax; below 1 probable tokens
            become more probable.
        samplers: what narrows down the tokens that are drawn from, one after the other.
    """

    temperature: float = 1.0
    samplers: tuple[Sampler, ...] = ()


class TopK(NamedTuple):
    """Only the k most probable tokens are drawn from.

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
        """0 is all of them; CTranslate2 fails with more than there are."""
        return {"sampling_topk": self.k if self.k < vocab_size else 0}


class TopP(NamedTuple):
    """Only the nucleus is drawn from: the fewest most probable tokens whose shares sum to p.

    Holtzman et al. (2020), "The Curious Case of Neural Text Degeneration",
    https://arxiv.org/abs/1904.09751, section 3.1.
    """

    p: float

    def check(self) -> None:
        """See `Sampler.check`."""
        if not 0 < self.p <= 1:
            raise InputError(
                f"top-p: expected more than 0, at most 1, found {quoted(self.p)}; 0.9 is usual"
            )

    def narrow(self, candidates: Candidates, temperature: float) -> Candidates:
        """Hides the tokens after which no more is needed; see `Sampler.narrow`."""
        from keras import ops

        from translator.search.beam_search import IMPOSSIBLE

        logits, ids = candidates.best(candidates.logits.shape[-1])
        shares = ops.softmax(logits / temperature)
        before = ops.cumsum(shares, axis=-1) - shares  # what more probable tokens have
        return Candidates(ops.where(before < self.p, logits, IMPOSSIBLE), ids)

    def for_ctranslate2(self, vocab_size: int) -> dict[str, Any]:
        """The same number there."""
        return {"sampling_topp": self.p}


# By the names of their options in `TranslationOptions`, in the order in which they apply.
SAMPLERS: dict[str, Callable[[Any], Sampler]] = {"top_k": TopK, "top_p": TopP}


def make_samplers(options: Any) -> tuple[Sampler, ...]:
    """The strategies that some `TranslationOptions` ask for."""
    values = ((make, getattr(options, name)) for name, make in SAMPLERS.items())
    return tuple(make(value) for make, value in values if value is not None)


def draw_tokens(logits: Any, draws: Any, sampling: Sampling) -> Any:
    """Draws a token for each sample, by inverting the sum of the probabilities.

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
