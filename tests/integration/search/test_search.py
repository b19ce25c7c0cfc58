"""Search with scripted logits and no model, and against every possible sentence."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from keras import ops

from translator.search.beam_search import IMPOSSIBLE, BeamSearch, Hypotheses
from translator.search.engine import SearchOptions, ended_hypotheses

START, END, PADDING = 0, 1, 2


class Scripted:
    """A step function whose logits depend on the sentence and the tokens so far.

    The cache holds the tokens alone, and what a hypothesis's past is it knows
    from ``visible``: a past that does not follow its beam gives itself away.
    """

    def __init__(self, tables: list[Callable[[tuple[int, ...]], np.ndarray]]) -> None:
        self.tables = tables

    def __call__(self, ids, position, visible, cache):
        ids, visible, cache = (ops.convert_to_numpy(array) for array in (ids, visible, cache))
        beams, position = ids.shape[1], int(position)
        cache = cache.copy()
        cache[:, position * beams : (position + 1) * beams, 0] = ids
        logits = np.zeros((*ids.shape, len(self.tables[0](()))), "float32")
        for b, k in np.ndindex(ids.shape):
            past = []
            for i in range(position + 1):
                entries = i * beams + np.arange(beams)
                [entry] = entries[visible[b, 0, k, entries]]
                past.append(int(cache[b, entry, 0]))
            assert visible[b, 0, k].sum() == len(past)
            logits[b, k] = self.tables[b](tuple(past[1:]))
        logits[:, :, [START, PADDING]] = IMPOSSIBLE
        return ops.convert_to_tensor(logits), ops.convert_to_tensor(cache)


def search(
    tables: list[Callable],
    limits: Sequence[int],
    beam_size: int = 1,
    length: int | None = None,
    draws: np.ndarray | None = None,
    **settings: Any,
) -> Hypotheses:
    options, length = SearchOptions(beam_size, **settings), length or max(limits)
    limits = ops.convert_to_tensor(limits, "int32")
    draws = None if draws is None else ops.convert_to_tensor(draws)
    beam_search = BeamSearch(Scripted(tables), limits, length, options, START, END, draws)
    cache = ops.zeros((len(tables), length * options.open_hypotheses, 1), "int32")
    return Hypotheses(*map(ops.convert_to_numpy, beam_search.run(cache)))


def random_table(seed: int, vocab_size: int):
    """Logits that depend on the whole past, and rule nothing out."""

    def logits(past: tuple[int, ...]) -> np.ndarray:
        return np.random.default_rng([seed, len(past), *past]).normal(0, 2, vocab_size)

    return logits


def log_softmax(logits: np.ndarray) -> np.ndarray:
    return logits - np.log(np.exp(logits).sum())


def allowed(logits: np.ndarray) -> np.ndarray:
    """Log probabilities among what may be produced; -inf for the rest."""
    logits = np.where(np.isin(np.arange(len(logits)), (START, PADDING)), -np.inf, logits)
    return log_softmax(logits)


def exhaustive(table, vocab_size: int, longest: int, penalty: float) -> list[tuple]:
    """Every sentence there can be, (score, ids), best first; the longest may be cut."""
    words = [i for i in range(vocab_size) if i not in (START, END, PADDING)]
    sentences = [
        (*sentence, END)
        for length in range(longest)
        for sentence in itertools.product(words, repeat=length)
    ]
    sentences += itertools.product(words, repeat=longest)
    found = []
    for ids in sentences:
        total = sum(allowed(table(ids[:i]))[token] for i, token in enumerate(ids))
        found.append((total / len(ids) ** penalty, ids))
    return sorted(found, reverse=True)


def read(found: Hypotheses, row: int, rank: int) -> tuple[int, ...]:
    return tuple(map(int, found.ids[row, rank, : int(found.lengths[row, rank])]))


@pytest.mark.parametrize("penalty", [0.0, 0.6, 1.0])
def test_beam_search_matches_exhaustive_search(penalty):
    tables = [random_table(seed, 6) for seed in range(4)]
    found = search(tables, [4] * 4, 121, length_penalty=penalty)
    for row, table in enumerate(tables):
        expected = exhaustive(table, 6, 4, penalty)
        assert len(expected) == 121
        assert_found(found, row, expected)


def reference_beam(
    table, vocab_size: int, longest: int, beam_size: int, penalty: float, no_repeat_ngram: int = 0
) -> list:
    """Beam search in plain Python, as its docstring says it: (score, ids), best first."""
    open_, ended = [(0.0, ())], []
    for position in range(longest):
        candidates = []
        for total, ids in open_:
            logits = table(ids)
            if no_repeat_ngram:
                repeated = [i for i in range(vocab_size) if repeats((*ids, i), no_repeat_ngram)]
                logits[repeated] = -np.inf
            likely = allowed(logits)
            words = [i for i in range(vocab_size) if np.isfinite(likely[i])]
            candidates += [(total + likely[token], (*ids, token)) for token in words]
        candidates.sort(reverse=True)
        best = candidates[:beam_size]
        ended += [
            (total / len(ids) ** penalty, ids)
            for total, ids in best
            if ids[-1] == END or position == longest - 1
        ]
        if len(ended) >= ended_hypotheses(SearchOptions(beam_size)):
            break
        open_ = [c for c in candidates[: 2 * beam_size] if c[1][-1] != END][:beam_size]
    return sorted(ended, reverse=True)[:beam_size]


def repeats(ids: tuple[int, ...], size: int) -> bool:
    ngrams = [ids[i : i + size] for i in range(len(ids) - size + 1)]
    return ngrams[-1:] != [] and ngrams.count(ngrams[-1]) > 1


@pytest.mark.parametrize("beam_size", [pytest.param(1, marks=pytest.mark.slow), 3])
@pytest.mark.parametrize("size", [pytest.param(1, marks=pytest.mark.slow), 2, 3, 9])
def test_no_hypothesis_repeats_an_ngram(beam_size, size):
    def repeating(seed: int):
        table = random_table(seed, 7)
        return lambda past: table(past[-1:]) + table(past) / 50 - 3 * (np.arange(7) == END)

    tables = [repeating(seed) for seed in range(8)]
    free = search(tables, [7] * 8, beam_size)
    hypotheses = search(tables, [7] * 8, beam_size, no_repeat_ngram=size)
    for row, table in enumerate(tables):
        expected = reference_beam(table, 7, 7, beam_size, 1.0, no_repeat_ngram=size)
        assert_found(hypotheses, row, expected)
    was_repeated = [read(free, row, 0) != read(hypotheses, row, 0) for row in range(8)]
    assert any(was_repeated) == (size < 9)


@pytest.mark.parametrize("beam_size", [1, 2, 3, 5])
@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_beam_search_prunes_like_the_plain_python_one(beam_size, penalty):
    tables = [random_table(100 + seed, 9) for seed in range(15)]
    hypotheses = search(tables, [7] * 15, beam_size, length_penalty=penalty)
    for row, table in enumerate(tables):
        assert_found(hypotheses, row, reference_beam(table, 9, 7, beam_size, penalty))


def assert_found(hypotheses: Hypotheses, row: int, expected: list[tuple]) -> None:
    """The hypotheses of a sentence are these, (score, ids), best first."""
    for rank, (score, ids) in enumerate(expected):
        assert read(hypotheses, row, rank) == ids
        assert float(hypotheses.scores[row, rank]) == pytest.approx(score, abs=1e-4)


def test_a_bad_early_end_does_not_win():
    """Two hypotheses end with the first and the second word, and a better one later."""

    def table(past: tuple[int, ...]) -> np.ndarray:
        likely = {(): [-9, -1, -9, -0.5, -9], (3,): [-9, -1, -9, -9, -0.5]}
        likely = likely.get(past, [-9, 0, -9, -9, -9])
        return np.array(likely, "float32")

    hypotheses = search([table], [9], 2)
    assert read(hypotheses, 0, 0) == (3, 4, END)
    assert ended_hypotheses(SearchOptions(1)) == 1


def never_ends(past: tuple[int, ...]) -> np.ndarray:
    return np.array([0.0, -9.0, 0.0, 5.0, 4.0])


@pytest.mark.parametrize("beam_size", [1, 2])
def test_each_sentence_is_cut_at_its_own_limit(beam_size):
    found = search([never_ends] * 3, [1, 3, 7], beam_size)
    assert [read(found, row, 0) for row in range(3)] == [(3,), (3, 3, 3), (3,) * 7]


@pytest.mark.parametrize("beam_size", [1, 3])
def test_every_hypothesis_begins_with_the_prefix(beam_size):
    tables = [random_table(seed, 9) for seed in range(6)]
    found = search(tables, [8] * 6, beam_size, prefix_ids=(5, 4))
    for row, table in enumerate(tables):
        free = reference_beam(lambda past, table=table: table((5, 4, *past)), 9, 6, beam_size, 0.0)
        best = max((total / (len(ids) + 2), ids) for total, ids in free)
        assert_found(found, row, [(best[0], (5, 4, *best[1]))])


def test_a_sentence_does_not_depend_on_its_batch():
    tables = [random_table(seed, 8) for seed in range(5)]
    limits = (9, 5, 9, 2, 9)
    together = search(tables, limits, 3)
    for row, limit in enumerate(limits):
        alone = search([tables[row]], [limit], 3)
        for rank in range(3):
            if float(alone.scores[0, rank]) > -1e8:
                assert read(together, row, rank) == read(alone, 0, rank)


def test_what_only_fills_up_does_not_matter():
    tables = [random_table(seed, 8) for seed in range(6)]
    whole = search(tables, [5] * 6, 2)
    nonsense = [lambda past: np.full(8, np.nan)] * 3
    filled = search([*tables, *nonsense], [5] * 6 + [0] * 3, 2)
    for one, other in zip(whole, filled):
        assert np.allclose(one, other[:6], atol=1e-5)
