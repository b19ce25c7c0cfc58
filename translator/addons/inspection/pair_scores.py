"""Measures how well the two sides of pairs fit, by a model's scores and by associated words.

The model's probability of a target says little alone: rare words and free translations are
improbable, too. So the same sentences are also combined into random pairs. A logistic regression
learns to tell the pairs of the corpus from these random pairs.

Shifted lines come in stretches, so a hidden Markov model of two states judges each line together
with its neighbours: Rabiner (1989), "A Tutorial on Hidden Markov Models and Selected Applications
in Speech Recognition", https://doi.org/10.1109/5.18626, section III.
"""

import itertools
import math
import statistics
from collections.abc import Sequence

import numpy as np

from translator.addons.confidence.logistic import fit_logistic
from translator.addons.inspection.findings import Stretch
from translator.base.progress import progress
from translator.text.fitting import Fit, check_fit
from translator.translation.translator import Translator

Pair = tuple[str, str]
FEATURES = 6  # of a pair, see `PairScorer.features`
CHUNK = 4096  # pairs that are scored together
MOST_BY_CHANCE = 1500  # random pairs
ROUNDS = 3  # of fitting; each leaves out the pairs that look like random pairs
FEWEST = 20  # pairs that a regression is fitted on
BEGINS, ENDS = 1e-3, 0.1  # probabilities that a stretch begins, or ends, with the next line
STRONGEST = 8.0  # the most log-odds of a line, so that no single line is a stretch


class PairScorer:
    """Computes the features that say how well two sides fit.

    Args:
        is_reversed: whether the model translates from the second side into the first.
    """

    def __init__(self, translator: Translator, is_reversed: bool, pairs: Sequence[Pair]) -> None:
        self._translator = translator
        self._is_reversed = is_reversed
        tokenizer = translator.tokenizers.target
        counts = np.ones(tokenizer.size)
        for first in range(0, len(pairs), CHUNK):
            targets = [self._directed(pair)[1] for pair in pairs[first : first + CHUNK]]
            ids = itertools.chain.from_iterable(tokenizer.encode(targets))
            counts += np.bincount(np.fromiter(ids, np.int64), minlength=tokenizer.size)
        self._log_frequencies = np.log(counts / counts.sum())

    def features(self, pairs: Sequence[Pair]) -> np.ndarray:
        """Features, (pairs, `FEATURES`); NaN for pairs that are empty or too long for the model.

        They are: the mean log probability of a target token given the source; the mean log
        frequency of these tokens (rare ones are less probable in any translation); the mean
        association of each target word with its nearest source word; the same from source to
        target; the inequality of the lengths; and the length.

        Args:
            pairs: in the order of the corpus.
        """
        rows = np.full((len(pairs), FEATURES), math.nan)
        with progress("scoring", len(pairs), " pairs") as advance:
            for first in range(0, len(pairs), CHUNK):
                chunk = [self._directed(pair) for pair in pairs[first : first + CHUNK]]
                rows[first : first + len(chunk)] = self._features(chunk)
                advance(len(chunk))
        return rows

    def _directed(self, pair: Pair) -> Pair:
        return (pair[1], pair[0]) if self._is_reversed else pair

    def _features(self, pairs: list[Pair]) -> np.ndarray:
        rows = np.full((len(pairs), FEATURES), math.nan)
        longest = self._translator.config.data.max_length
        tokenizers = self._translator.tokenizers
        shown_pairs = self._translator.codec.show_pairs(*map(list, zip(*pairs)))
        ids = [tokenizer.encode(side) for tokenizer, side in zip(tokenizers, shown_pairs)]
        fitting = [
            place
            for place, sides in enumerate(zip(*ids))
            if all(check_fit(side, longest, t) is Fit.FITS for t, side in zip(tokenizers, sides))
        ]
        source_ids, target_ids = ([side[place] for place in fitting] for side in ids)
        scores = self._translator.engine.score(source_ids, target_ids)
        for place, source, target, token_scores in zip(fitting, source_ids, target_ids, scores):
            rows[place] = (
                token_scores.mean(),
                self._log_frequencies[target[1:]].mean(),
                *self._coverage(*pairs[place]),
                abs(math.log((len(target) - 1) / (len(source) - tokenizers.source.has_start))),
                math.log(len(target)),
            )
        return rows

    def _coverage(self, source: str, target: str) -> tuple[float, float]:
        """The mean association of each side's words with their nearest words on the other side."""
        of_target, of_source = self._translator.words.source.best(target.split(), source.split())
        return statistics.fmean(of_target), statistics.fmean(of_source)


def judge(features: np.ndarray, chance: np.ndarray) -> np.ndarray | None:
    """The log-odds that pairs are translations, not random pairs.

    Args:
        features: (pairs, F) features of a corpus, NaN for pairs that were not scored. Some of the
            pairs may be misaligned, as long as most are not.
        chance: the same features of random pairs.

    Returns:
        (pairs,), NaN for pairs that were not scored; None if too few were scored.
    """
    is_scored = ~np.isnan(features[:, 0])
    chance = chance[~np.isnan(chance[:, 0])]
    if min(np.sum(is_scored), len(chance)) < FEWEST:
        return None
    log_odds = np.full(len(features), math.nan)
    trusted = is_scored.copy()
    for _ in range(ROUNDS):
        rows = features[trusted]
        model = fit_logistic(
            np.vstack([rows, chance]),
            np.repeat([1.0, 0.0], [len(rows), len(chance)]),
            np.repeat([len(chance) / len(rows), 1.0], [len(rows), len(chance)]),
        )
        log_odds[is_scored] = model.log_odds(features[is_scored])
        likelier = is_scored & (np.nan_to_num(log_odds) > 0)
        if np.sum(likelier) < FEWEST:
            break
        trusted = likelier
    return log_odds


def put_together_by_chance(pairs: Sequence[Pair], draw: np.random.Generator) -> list[Pair]:
    """Joins sources with targets of other pairs; returns at most `MOST_BY_CHANCE` pairs."""
    places = draw.permutation(len(pairs))[:MOST_BY_CHANCE].tolist()
    partners = [*places[1:], *places[:1]]
    return [(pairs[place][0], pairs[partner][1]) for place, partner in zip(places, partners)]


def misalignment(log_odds: np.ndarray) -> np.ndarray:
    """The probability of each line that it is in a stretch of misaligned lines.

    Args:
        log_odds: (lines,) log-odds that the sides of a line belong together; NaN if unknown.
    """
    known = np.clip(np.nan_to_num(log_odds), -STRONGEST, STRONGEST)
    evidence: list[float] = np.exp(known).tolist()
    following = [1.0]  # the evidence of all lines after a line
    for odds in reversed(evidence[1:]):
        together = odds * following[-1]
        following.append(((1 - BEGINS) * together + BEGINS) / (ENDS * together + 1 - ENDS))
    probabilities = []
    before = ENDS / BEGINS
    for odds, after in zip(evidence, reversed(following)):
        odds_so_far = before * odds
        probabilities.append(1 / (1 + odds_so_far * after))
        together = odds_so_far / (1 + odds_so_far)
        following_together = together * (1 - BEGINS) + (1 - together) * ENDS
        before = following_together / (1 - following_together)
    return np.array(probabilities)


def find_stretches(is_misaligned: np.ndarray) -> list[Stretch]:
    """The stretches of misaligned lines."""
    places = np.flatnonzero(np.diff(is_misaligned.astype(int), prepend=0, append=0))
    return [Stretch(first, behind - 1) for first, behind in places.reshape(-1, 2).tolist()]
