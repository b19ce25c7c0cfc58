"""The traced search considers, keeps and ends what the search itself does."""

import pytest

import translator
from translator.search.engine import DROPPED, ENDED, KEPT, SearchOptions
from translator.search.keras_engine import KerasEngine
from translator.text.alignment_heads import PointingHeads

SENTENCE = "the old man sees a small house"


@pytest.fixture(scope="module")
def engine(tiny_run):
    run = translator.load(tiny_run, engine="keras")
    return KerasEngine(run.model, run.tokenizers, PointingHeads(0, (0,)))


def paths(found):
    texts = []
    for each in found:
        texts.append((*(() if each.parent is None else texts[each.parent]), each.id))
    return texts


@pytest.mark.parametrize(
    ("beam_size", "max_length", "penalty"), [(1, 20, 1.0), (4, 20, 1.0), (4, 20, 0.3), (3, 3, 1.0)]
)
def test_what_ends_is_what_the_search_finds(engine, beam_size, max_length, penalty):
    [ids] = engine.tokenizers.source.encode([SENTENCE])
    options = SearchOptions(beam_size, n_best=beam_size, length_penalty=penalty)
    found = engine.trace(ids, max_length, options)
    [expected] = engine.search([ids], [max_length], options)
    texts = paths(found)
    ended = sorted(
        (each for each in enumerate(found) if each[1].fate == ENDED),
        key=lambda each: -each[1].score,
    )[:beam_size]
    assert [texts[i] for i, _ in ended] == [hypothesis.ids for hypothesis in expected]
    for (_, each), hypothesis in zip(ended, expected):  # float32 has steps of 1e-6 at logits of 8
        assert each.log_probability == pytest.approx(hypothesis.log_probability, rel=1e-5, abs=1e-6)
        assert each.score == pytest.approx(hypothesis.score, rel=1e-5, abs=1e-6)


def test_each_step_keeps_a_beam_and_drops_the_rest(engine):
    [ids] = engine.tokenizers.source.encode([SENTENCE])
    found = engine.trace(ids, 20, SearchOptions(3))
    last = max(each.step for each in found)
    for step in range(last + 1):
        of_step = [(i, each) for i, each in enumerate(found) if each.step == step]
        assert len(of_step) == 6
        assert [each.log_probability for _, each in of_step] == sorted(
            (each.log_probability for _, each in of_step), reverse=True
        )
        kept = [i for i, each in of_step if each.fate == KEPT]
        assert len(kept) == (3 if step < last else 0)
        followed = {each.parent for each in found if each.step == step + 1}
        assert followed <= set(kept)
    assert {each.fate for each in found} == {KEPT, ENDED, DROPPED}


def test_a_prefix_is_followed_alone(engine):
    target = engine.tokenizers.target
    [ids] = engine.tokenizers.source.encode([SENTENCE])
    [prefix] = target.encode(["ein kleines"])
    options = SearchOptions(2, prefix_ids=tuple(prefix[1:-1]))
    found = engine.trace(ids, 20, options)
    count = len(options.prefix_ids)
    assert [each.id for each in found if each.step < count] == list(options.prefix_ids)
    [expected] = engine.search([ids], [20], options)
    best = max((each for each in found if each.fate == ENDED), key=lambda each: each.score)
    assert best.score == pytest.approx(expected[0].score, rel=1e-5)
