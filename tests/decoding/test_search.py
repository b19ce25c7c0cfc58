"""Search with scripted logits and no model, and against every possible sentence."""

import itertools

import numpy as np
import pytest
from keras import ops

from translator.decoding.search import SearchLimits, beam_search, greedy_search

START, END, PADDING = 0, 1, 2


def limits(*lengths: int) -> SearchLimits:
    """Limits of a batch."""
    return SearchLimits(START, END, (PADDING,), ops.convert_to_tensor(lengths, "int32"))


class Scripted:
    """A step function whose logits depend on the sentence and the tokens so far.

    The cache holds each hypothesis's sentence and tokens, so a cache that does
    not follow its beam gives itself away.
    """

    def __init__(self, tables: list[dict], vocab_size: int, beam_size: int, length: int) -> None:
        self.tables = tables
        self.vocab_size = vocab_size
        rows = np.repeat(np.arange(len(tables)), beam_size)
        self.cache = (
            ops.convert_to_tensor(rows, "int32"),
            ops.zeros((len(rows), length), "int32"),
        )

    def __call__(self, ids, position, cache):
        rows, seen = (ops.convert_to_numpy(array) for array in cache)
        seen = seen.copy()
        seen[:, int(position)] = ops.convert_to_numpy(ids)
        logits = np.stack(
            [
                self.tables[row](tuple(map(int, past[1 : int(position) + 1])))
                for row, past in zip(rows, seen)
            ]
        )
        return ops.convert_to_tensor(logits, "float32"), (cache[0], ops.convert_to_tensor(seen))


def random_table(seed: int, vocab_size: int):
    """Logits that depend on the whole past, and rule nothing out."""

    def logits(past: tuple[int, ...]) -> np.ndarray:
        return np.random.default_rng([seed, len(past), *past]).normal(0, 2, vocab_size)

    return logits


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """In float64, for the expected values."""
    return logits - np.log(np.exp(logits).sum())


def exhaustive(table, vocab_size: int, longest: int, penalty: float) -> list[tuple]:
    """Every sentence there can be, (score, ids), best first."""
    words = [i for i in range(vocab_size) if i not in (START, END, PADDING)]
    found = []
    for length in range(longest):
        for sentence in itertools.product(words, repeat=length):
            ids = (*sentence, END)
            total = sum(log_softmax(table(ids[:i]))[token] for i, token in enumerate(ids))
            found.append((total / len(ids) ** penalty, ids))
    return sorted(found, reverse=True)


def read(found, row: int, rank: int) -> tuple[int, ...]:
    """A hypothesis's tokens."""
    return tuple(map(int, found.ids[row, rank, : int(found.lengths[row, rank])]))


@pytest.mark.parametrize("penalty", [0.0, 0.6, 1.0])
def test_beam_search_matches_exhaustive_search(penalty):
    tables = [random_table(seed, 6) for seed in range(4)]
    step = Scripted(tables, 6, beam_size=40, length=4)
    found = beam_search(step, step.cache, limits(4, 4, 4, 4), 4, 40, penalty)
    for row, table in enumerate(tables):
        expected = exhaustive(table, 6, 4, penalty)
        assert len(expected) == 40
        for rank in range(40):
            score, ids = expected[rank]
            assert read(found, row, rank) == ids
            assert float(found.scores[row, rank]) == pytest.approx(score, abs=1e-4)


def reference_beam(table, vocab_size: int, longest: int, beam_size: int, penalty: float) -> list:
    """Beam search in plain Python, as its docstring says it: (score, ids), best first."""
    open_, ended = [(0.0, ())], []
    for position in range(longest):
        candidates = []
        for total, ids in open_:
            likely = log_softmax(table(ids))
            words = [i for i in range(vocab_size) if i not in (START, PADDING)]
            for token in [END] if position == longest - 1 else words:
                candidates.append((total + likely[token], (*ids, token)))
        candidates.sort(reverse=True)
        best = candidates[:beam_size]
        ended += [(total / len(ids) ** penalty, ids) for total, ids in best if ids[-1] == END]
        if len(ended) >= beam_size:
            break
        open_ = [c for c in candidates[: 2 * beam_size] if c[1][-1] != END][:beam_size]
    return sorted(ended, reverse=True)[:beam_size]


@pytest.mark.parametrize("beam_size", [1, 2, 3, 5])
@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_beam_search_prunes_like_the_plain_python_one(beam_size, penalty):
    tables = [random_table(100 + seed, 9) for seed in range(15)]
    step = Scripted(tables, 9, beam_size, 7)
    found = beam_search(step, step.cache, limits(*[7] * 15), 7, beam_size, penalty)
    for row, table in enumerate(tables):
        for rank, (score, ids) in enumerate(reference_beam(table, 9, 7, beam_size, penalty)):
            assert read(found, row, rank) == ids
            assert float(found.scores[row, rank]) == pytest.approx(score, abs=1e-4)


def test_greedy_takes_the_likeliest_token_each_time():
    table = random_table(11, 9)
    step = Scripted([table], 9, 1, 12)
    found = greedy_search(step, step.cache, limits(12), 12)
    ids, total = (), 0.0
    while (not ids or ids[-1] != END) and len(ids) < 12:
        likely = log_softmax(table(ids))
        allowed = [END] if len(ids) == 11 else [i for i in range(9) if i not in (START, PADDING)]
        best = max(allowed, key=lambda i: likely[i])
        ids, total = (*ids, best), total + likely[best]
    assert read(found, 0, 0) == ids
    assert float(found.log_probabilities[0, 0]) == pytest.approx(total, abs=1e-4)
    assert float(found.scores[0, 0]) == pytest.approx(total / len(ids), abs=1e-4)


def test_greedy_equals_a_beam_of_one():
    tables = [random_table(seed, 9) for seed in range(20)]
    step = Scripted(tables, 9, 1, 10)
    some = limits(*range(1, 11), *range(1, 11))
    greedy = greedy_search(step, step.cache, some, 10)
    beam = beam_search(step, step.cache, some, 10, 1)
    for one, other in zip(greedy, beam):
        assert np.allclose(ops.convert_to_numpy(one), ops.convert_to_numpy(other), atol=1e-5)


def test_a_wider_beam_finds_what_greedy_misses():
    """Greedy is lured by token 3 into a dead end; token 4 leads to certainty."""
    low = -20.0

    def table(past):
        if not past:
            return np.array([low, low, low, 0.6, 0.5])
        if past[0] == 3:
            return np.zeros(5)
        return np.array([low, 9.0, low, low, low])

    step = Scripted([table], 5, 1, 4)
    assert read(greedy_search(step, step.cache, limits(4), 4), 0, 0)[0] == 3
    step = Scripted([table], 5, 2, 4)
    assert read(beam_search(step, step.cache, limits(4), 4, 2), 0, 0) == (4, END)


def test_beams_that_change_place_keep_their_caches():
    """Token 3 leads, then 4 overtakes it, then 3 comes back; each past has its own logits."""
    low = -20.0
    script = {
        (): [low, low, low, 0.5, 0.4],
        (3,): [low, low, low, 0.0, 0.1],  # both even: half the probability each
        (4,): [low, low, low, 6.0, low],  # nearly certain: overtakes
        (4, 3): [low, 0.0, low, 0.1, 0.2],  # even among three: falls back
        (3, 4): [low, 6.0, low, low, low],
        (3, 3): [low, 6.0, low, low, low],
    }
    steps_seen = []

    def table(past):
        steps_seen.append(past)
        return np.array(script.get(past, [low, 3.0, low, low, low]))

    step = Scripted([table], 5, 2, 4)
    found = beam_search(step, step.cache, limits(4), 4, 2, length_penalty=0.0)
    assert steps_seen[2:4] == [(3,), (4,)]
    assert steps_seen[4:6] == [(4, 3), (3, 4)]
    assert [read(found, 0, rank) for rank in range(2)] == [
        (3, 4, END),
        (4, 3, 4, END),
    ]
    for rank in range(2):
        ids = read(found, 0, rank)
        total = sum(log_softmax(table(ids[:i]))[token] for i, token in enumerate(ids))
        assert float(found.log_probabilities[0, rank]) == pytest.approx(total, abs=1e-4)


def test_padding_and_start_are_never_produced():
    def table(past):
        return np.array([9.0, 1.0 if len(past) > 3 else -5.0, 8.0, 0.0, 0.1])

    for search, beam_size in ((greedy_search, 1), (beam_search, 3)):
        step = Scripted([table], 5, beam_size, 8)
        extra = (beam_size,) if search is beam_search else ()
        found = search(step, step.cache, limits(8), 8, *extra)
        for rank in range(beam_size):
            assert not {START, PADDING} & set(read(found, 0, rank))


def test_each_sentence_has_its_own_limit():
    def never_ends(past):
        return np.array([0.0, -9.0, 0.0, 5.0, 4.0])

    for search, extra in ((greedy_search, ()), (beam_search, (2,))):
        step = Scripted([never_ends] * 3, 5, *(extra or (1,)), 7)
        found = search(step, step.cache, limits(1, 3, 7), 7, *extra)
        assert [read(found, row, 0) for row in range(3)] == [
            (END,),
            (3, 3, END),
            (3, 3, 3, 3, 3, 3, END),
        ]


def test_a_sentence_does_not_depend_on_its_batch():
    tables = [random_table(seed, 8) for seed in range(5)]
    step = Scripted(tables, 8, 3, 9)
    together = beam_search(step, step.cache, limits(9, 5, 9, 2, 9), 9, 3)
    for row, longest in enumerate((9, 5, 9, 2, 9)):
        step = Scripted([tables[row]], 8, 3, 9)
        alone = beam_search(step, step.cache, limits(longest), 9, 3)
        for rank in range(3):
            if float(alone.scores[0, rank]) > -1e8:
                assert read(together, row, rank) == read(alone, 0, rank)
