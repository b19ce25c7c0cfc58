"""Samples come with the probabilities of the model, and come again for the same seed."""

import math

import numpy as np
import pytest
from keras import ops

from tests.integration.search.test_search import END, allowed, random_table, search
from translator.search.beam_search import IMPOSSIBLE, Hypotheses
from translator.search.engine import SearchOptions, derive_seed
from translator.search.keras_engine import make_draws
from translator.search.sampling import Candidates, Sampler, Sampling, TopK, TopP, draw_tokens

DRAWS = 40_000


def softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits.astype("float64") - logits.max())
    return powers / powers.sum()


def count_draws(
    logits: np.ndarray, *samplers: Sampler, temperature: float = 1.0, draws: int = DRAWS
) -> np.ndarray:
    numbers = make_draws(1, [0], 1, draws)[:, :, 0]  # (1, draws)
    many = np.broadcast_to(logits.astype("float32"), (1, draws, len(logits)))
    sampling = Sampling(temperature, samplers)
    ids = draw_tokens(ops.convert_to_tensor(many), ops.convert_to_tensor(numbers), sampling)
    return np.bincount(ops.convert_to_numpy(ids)[0], minlength=len(logits))


def assert_as_expected(counts: np.ndarray, probabilities: np.ndarray) -> None:
    """Pearson's chi-square: its mean is the degrees of freedom n, its variance 2 n.

    Four standard deviations above its mean lies one in about 10,000. The seed is fixed, so that
    a test passes always or never.
    """
    expected = probabilities * counts.sum()
    assert not counts[expected == 0].any()
    counts, expected = counts[expected > 0], expected[expected > 0]
    # neighbours count together until 5 of them are expected, as the test asks for
    groups = np.unique(np.cumsum(expected) // 5, return_inverse=True)[1]
    counts, expected = (np.bincount(groups, array) for array in (counts, expected))
    freedom = len(counts) - 1
    assert freedom >= 1
    statistic = np.sum((counts - expected) ** 2 / expected)
    assert statistic < freedom + 4 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("vocab_size", [3, 12, 500, 8000])
@pytest.mark.parametrize("temperature", [1.0, 0.5, 2.0])
def test_tokens_come_with_the_probabilities_of_the_softmax(vocab_size, temperature):
    logits = np.random.default_rng(vocab_size).normal(0, 2, vocab_size).astype("float32")
    counts = count_draws(
        logits, temperature=temperature, draws=DRAWS if vocab_size < 8000 else 4000
    )
    assert_as_expected(counts, softmax(logits / temperature))


@pytest.mark.parametrize("top_k", [1, 2, 7, 100, 499])
def test_only_the_k_most_probable_tokens_are_drawn(top_k):
    logits = np.random.default_rng(5).normal(0, 1, 500)
    counts = count_draws(logits, TopK(top_k))
    best = np.argsort(-logits)[:top_k]
    assert counts[best].sum() == DRAWS
    if top_k > 1:
        assert_as_expected(counts[best], softmax(logits[best]))


def test_a_k_of_the_whole_vocabulary_draws_from_all():
    logits = np.random.default_rng(6).normal(0, 1, 20)
    assert (count_draws(logits, TopK(20)) == count_draws(logits)).all()
    assert (count_draws(logits, TopK(10**6)) == count_draws(logits)).all()


SHARES = np.array([0.1, 0.4, 0.05, 0.25, 0.2])  # best first: 1, 3, 4, 0, 2


@pytest.mark.parametrize(
    ("p", "nucleus"),
    [(1e-9, [1]), (0.39, [1]), (0.41, [1, 3]), (0.8, [1, 3, 4]), (0.86, [1, 3, 4, 0]),
     (0.999, [1, 3, 4, 0, 2]), (1.0, [1, 3, 4, 0, 2])],
)  # fmt: skip
def test_the_nucleus_is_the_fewest_tokens_that_sum_to_p(p, nucleus):
    logits = ops.convert_to_tensor(np.log(SHARES)[None, None].astype("float32"))
    found = TopP(p).narrow(Candidates(logits), 1.0)
    visible = ops.convert_to_numpy(found.logits)[0, 0] > IMPOSSIBLE / 2
    assert ops.convert_to_numpy(found.ids)[0, 0][visible].tolist() == nucleus


HOT = softmax(np.log(SHARES) / 3)  # its best three have 0.72


@pytest.mark.parametrize(
    ("samplers", "temperature", "expected"),
    [
        ((TopP(0.7),), 1.0, np.where(SHARES >= 0.2, SHARES, 0)),
        ((TopP(0.73),), 3.0, np.where(np.arange(5) != 2, HOT, 0)),
        ((TopK(2), TopP(0.6)), 1.0, None),  # 0.4 and 0.25 are 0.62 and 0.38 of the best two
    ],
)
def test_tokens_of_the_nucleus_come_with_their_shares_of_it(samplers, temperature, expected):
    counts = count_draws(np.log(SHARES), *samplers, temperature=temperature)
    if expected is None:
        assert counts.tolist() == [0, DRAWS, 0, 0, 0]
    else:
        assert_as_expected(counts, expected / expected.sum())


def test_forbidden_tokens_are_never_drawn_at_any_temperature_or_number():
    logits = np.full(100, IMPOSSIBLE)
    logits[[17, 40, 99]] = 0.0
    for temperature in (1e-3, 1.0, 100.0):
        for draw in (0.0, 1 / 3, 2 / 3, 1.0 - 2.0**-24):
            ids = draw_tokens(
                ops.convert_to_tensor(logits[None, None].astype("float32")),
                ops.convert_to_tensor(np.array([[draw]], "float32")),
                Sampling(temperature),
            )
            assert int(ids[0, 0]) in (17, 40, 99)


def draw(
    tables: list, samples: int, limits: list[int], length: int | None = None, **options
) -> Hypotheses:
    length = length or max(limits)
    draws = make_draws(1, range(len(tables)), samples, length)
    options = {"sampling": Sampling(), **options, "n_best": samples}
    return search(tables, limits, 1, length, draws, **options)


def sentences(found: Hypotheses, row: int = 0) -> list[tuple[int, ...]]:
    return [tuple(ids[:n].tolist()) for ids, n in zip(found.ids[row], found.lengths[row])]


def test_whole_sentences_come_with_their_probabilities():
    table = random_table(3, 6)
    found = sentences(draw([table], 1500, [3]))
    probabilities: dict[tuple[int, ...], float] = {}

    def extend(past: tuple[int, ...], probability: float) -> None:
        for token, log_probability in enumerate(allowed(table(past))):
            ids, total = (*past, token), probability * math.exp(log_probability)
            if total == 0:
                continue
            if token == END or len(ids) == 3:
                probabilities[ids] = total
            else:
                extend(ids, total)

    extend((), 1.0)
    assert sum(probabilities.values()) == pytest.approx(1)
    assert set(found) <= set(probabilities)
    counts = np.array([found.count(ids) for ids in probabilities])
    assert_as_expected(counts, np.array(list(probabilities.values())))


@pytest.mark.parametrize("sampling", [Sampling(), Sampling(0.5), Sampling(1.0, (TopK(2),))])
def test_log_probabilities_are_those_of_the_model(sampling):
    table = random_table(4, 7)
    found = draw([table], 20, [5], sampling=sampling, length_penalty=0.5)
    for place, ids in enumerate(sentences(found)):
        total = sum(allowed(table(ids[:i]))[token] for i, token in enumerate(ids))
        assert found.log_probabilities[0, place] == pytest.approx(total, abs=1e-4)
        assert found.scores[0, place] == pytest.approx(total / len(ids) ** 0.5, abs=1e-4)


def test_a_sentence_does_not_depend_on_its_neighbours_or_on_the_longest_length():
    tables = [random_table(seed, 9) for seed in range(3)]
    together = draw(tables, 4, [5, 2, 6])
    alone = draw(tables[:1], 4, [5], length=9)
    assert sentences(together) == sentences(alone)
    assert len({*sentences(together), *sentences(together, 2)}) > 4  # other numbers for each
    assert max(map(len, sentences(together, 1))) <= 2


def test_a_prefix_is_kept():
    table = random_table(9, 9)
    samples = draw([table], 50, [6], prefix_ids=(5, 7))
    for place, ids in enumerate(sentences(samples)):
        assert ids[:2] == (5, 7)
        total = sum(allowed(table(ids[:i]))[ids[i]] for i in range(2, len(ids)))
        assert samples.log_probabilities[0, place] == pytest.approx(total, abs=1e-4)


def test_seeds_differ_and_stay_in_their_range():
    seeds = [derive_seed(5, number) for number in range(1000)]
    assert seeds[0] == 5
    assert len(set(seeds)) == 1000
    assert all(0 <= seed < 2**31 for seed in seeds)
    groups = {derive_seed(seed, 0, group) for seed in seeds[:30] for group in range(30)}
    assert len(groups) == 900


@pytest.fixture(scope="module")
def engines(tiny_on) -> dict:
    return {name: tiny_on(name).engine for name in ("keras", "ctranslate2")}


def logits_of_model(translator, ids: list[int], begun: list[int]) -> np.ndarray:
    """For the token after each of a target's; shape (tokens, vocabulary)."""
    logits = translator.model.forward(np.array([ids]), np.array([begun])).logits
    return ops.convert_to_numpy(logits)[0].astype("float64")


def forbidden_ids(target) -> list[int]:
    return [target.start_id, target.padding_id, target.unknown_id, *target.control_ids]


@pytest.fixture
def hottest(tiny_translator) -> SearchOptions:
    """Options that give many different samples of a run that is sure of all it says."""
    return SearchOptions(n_best=600, sampling=Sampling(2.0), seed=3)


@pytest.mark.parametrize("name", ["keras", "ctranslate2"])
@pytest.mark.parametrize(
    ("temperature", "samplers"), [(2.0, ()), (8.0, (TopP(0.6),)), (8.0, (TopK(9), TopP(0.8)))]
)
def test_first_tokens_of_an_engine_have_the_probabilities_of_its_model(
    tiny_translator, engines, hottest, name, temperature, samplers
):
    source, target = tiny_translator.tokenizers
    [ids] = source.encode("The man sees the cat.")
    options = hottest._replace(sampling=Sampling(temperature, samplers))
    [found] = engines[name].search([ids], [2], options)
    assert len(found) == 600
    begun = [target.start_id, target.end_id]  # one token alone makes Keras warn
    logits = logits_of_model(tiny_translator, ids, begun)[0]
    logits[forbidden_ids(target)] = IMPOSSIBLE
    candidates = Candidates(
        ops.convert_to_tensor(logits[None, None].astype("float32")),
        ops.arange(target.size, dtype="int32")[None, None],
    )
    for sampler in samplers:
        candidates = sampler.narrow(candidates, temperature)
    kept, tokens = (ops.convert_to_numpy(array)[0, 0] for array in candidates)
    expected = np.zeros(target.size)
    expected[tokens] = softmax(kept / temperature)
    assert 2 < np.sum(expected > 0) < (target.size / 2 if samplers else target.size)
    assert_as_expected(np.bincount([e.ids[0] for e in found], minlength=target.size), expected)


@pytest.mark.parametrize("name", [pytest.param("keras", marks=pytest.mark.slow), "ctranslate2"])
def test_log_probabilities_of_an_engine_s_samples_are_what_it_scores(
    tiny_translator, engines, hottest, name
):
    source, target = tiny_translator.tokenizers
    [ids] = source.encode("The man sees the cat.")
    engine = engines[name]
    [found] = engine.search([ids], [20], hottest._replace(n_best=40))
    ended = [each for each in found if each.ids[-1] == target.end_id]
    rows = engine.score([ids] * len(ended), [[target.start_id, *each.ids] for each in ended])
    assert len(ended) > 5
    for each, row in zip(ended, rows):
        begun = [target.start_id, *each.ids[:-1]]
        shares = map(softmax, logits_of_model(tiny_translator, ids, begun))
        forbidden = np.array([share[forbidden_ids(target)].sum() for share in shares])
        spread = row - np.log1p(-forbidden)  # over the tokens that are allowed
        assert each.log_probability == pytest.approx(spread.sum(), abs=1e-3 * len(row))
        assert each.score == pytest.approx(each.log_probability / len(row), abs=1e-4)


@pytest.mark.parametrize("name", ["keras", "ctranslate2"])
def test_an_engine_draws_the_same_again(tiny_translator, tiny_corpus, engines, hottest, name):
    lines = (tiny_corpus / "test.en").read_text("utf-8").splitlines()[:4]
    ids = tiny_translator.tokenizers.source.encode(lines)
    limits, options = [9 + i % 3 for i in range(len(ids))], hottest._replace(n_best=2)

    def drawn(**settings) -> list:
        found = engines[name].search(ids, limits, options._replace(**settings))
        assert all(len(its) == 2 for its in found)
        return [[each.ids for each in its] for its in found]

    first = drawn()
    assert drawn() == first
    assert drawn(seed=4) != first
    assert all(len(each) <= limit for its, limit in zip(first, limits) for each in its)


@pytest.mark.parametrize("name", ["keras", "ctranslate2"])
@pytest.mark.parametrize("sampling", [Sampling(1e-3), Sampling(5.0, (TopK(1),))])
def test_a_cold_sample_or_one_of_one_token_is_what_greedy_search_finds(
    tiny_translator, tiny_corpus, engines, name, sampling
):
    lines = (tiny_corpus / "test.en").read_text("utf-8").splitlines()[:4]
    ids = tiny_translator.tokenizers.source.encode(lines)
    greedy, drawn = (
        engines[name].search(ids, [12] * len(ids), options)
        for options in (SearchOptions(1), SearchOptions(sampling=sampling, return_alignment=True))
    )
    assert [each.ids for [each] in drawn] == [each.ids for [each] in greedy]
    for [each], sentence in zip(drawn, ids):
        assert each.alignment.shape == (len(each.ids), len(sentence))


def test_a_k_above_the_vocabulary_draws_from_all_of_it(tiny_translator, engines, hottest):
    [ids] = tiny_translator.tokenizers.source.encode("The man sees the cat.")
    size, drawn = tiny_translator.tokenizers.target.size, []
    for samplers in ((), (TopK(size),), (TopK(size + 1),), (TopK(10**30),)):
        options = hottest._replace(n_best=10, sampling=Sampling(2.0, samplers))
        drawn.append([each.ids for each in engines["ctranslate2"].search([ids], [20], options)[0]])
    assert drawn == drawn[:1] * 4
    assert len(set(drawn[0])) > 1
