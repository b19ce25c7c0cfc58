"""Searches of one shape: which one is chosen, and that compiled ones find the same."""

import time

import numpy as np
import pytest

from tests.commands import python
from translator.search import compiled_search, keras_engine
from translator.search.compiled_search import LengthBucket, SearchChooser
from translator.search.engine import MAX_OPEN_HYPOTHESES, SearchOptions
from translator.search.keras_engine import KerasEngine
from translator.text.word_alignment import PointingHeads

BUCKET = LengthBucket(16, 20)
OPTIONS = SearchOptions(beam_size=2)


@pytest.fixture
def make_chooser(tiny_translator):

    def make():
        reports: list[str] = []
        target = tiny_translator.tokenizers.target
        return SearchChooser(tiny_translator.model, target, reports.append), reports

    return make


def test_few_sentences_are_not_compiled_and_many_are(make_chooser):
    made, reports = make_chooser()
    assert not made.choose(
        compiled_search.COMPILE_FROM_SENTENCES - 1, BUCKET, OPTIONS
    ).search.is_compiled
    assert not reports
    assert made.choose(compiled_search.COMPILE_FROM_SENTENCES, BUCKET, OPTIONS).search.is_compiled
    assert reports == ["compiling the search for sentences of up to 16 tokens, once"]


def test_what_is_compiled_serves_the_few_too(make_chooser):
    made, reports = make_chooser()
    many = made.choose(compiled_search.COMPILE_FROM_SENTENCES, BUCKET, OPTIONS).search
    assert made.choose(1, BUCKET, OPTIONS).search is many
    assert not made.choose(1, LengthBucket(32, 40), OPTIONS).search.is_compiled
    assert len(reports) == 1


@pytest.mark.parametrize(("count", "slots"), [(1, 1), (2, 8), (64, 8), (65, 64)])
def test_a_shape_is_compiled_after_as_much_time_as_compiling_costs(make_chooser, count, slots):
    made, _ = make_chooser()
    uncompiled, preferred = made.choose(count, BUCKET, OPTIONS)
    preferred.seconds_uncompiled = compiled_search.COMPILE_AFTER_SECONDS - 0.1
    assert made.choose(count, BUCKET, OPTIONS) == (uncompiled, preferred)
    assert not uncompiled.is_compiled
    preferred.seconds_uncompiled = compiled_search.COMPILE_AFTER_SECONDS
    assert made.choose(count, BUCKET, OPTIONS) == (preferred, preferred)
    assert preferred.is_compiled
    assert preferred.shape.slots == slots


def test_time_counts_as_uncompiled_only_if_another_search_ran(tiny_translator):
    loaded = tiny_translator
    engine = KerasEngine(loaded.model, loaded.tokenizers, PointingHeads(0, (0,)))
    [ids] = loaded.tokenizers.source.encode(["The man sees the cat."])
    bucket = next(bucket for bucket in engine.buckets if len(ids) <= bucket.source)
    choice = engine.chooser.choose(1, bucket, OPTIONS)
    began = time.perf_counter()
    engine.search([ids], [10], OPTIONS)
    elapsed = time.perf_counter() - began
    missed = choice.preferred.seconds_uncompiled
    assert 0 < missed < elapsed
    choice.preferred.is_compiled = True
    engine.search([ids], [10], OPTIONS)
    assert choice.preferred.seconds_uncompiled == missed


def test_a_large_beam_takes_fewer_slots(make_chooser):
    made, _ = make_chooser()
    for beam_size in (1, 16, 17, 100, 5000):
        for count in (1, 8, 64, 1000):
            shape = made.choose(count, BUCKET, OPTIONS._replace(beam_size=beam_size)).search.shape
            assert shape.slots == 1 or shape.slots * beam_size <= MAX_OPEN_HYPOTHESES
            assert shape.sentences % shape.slots == 0


def test_only_the_searches_used_last_are_kept(make_chooser):
    made, _ = make_chooser()
    kept = made.choose(1, BUCKET, OPTIONS).preferred
    for token in range(5, 5 + compiled_search.MAX_KEPT_SEARCHES):
        made.choose(1, BUCKET, OPTIONS._replace(prefix_ids=(token,)))
        assert made.choose(1, BUCKET, OPTIONS).preferred is kept
    assert len(made._searches) == compiled_search.MAX_KEPT_SEARCHES


@pytest.mark.slow
@pytest.mark.parametrize("beam_size", [1, 3])
def test_compiled_side_by_side_and_cut_finds_the_same(tiny_translator, monkeypatch, beam_size):
    """Of sentences of all lengths, in buckets so small that many must go on to the next."""
    translator = tiny_translator
    words = ["the", "man", "sees", "a", "river", "and", "the", "old", "house", "of", "his"]
    lines = [" ".join(words[i % 5 : i % 5 + 1 + i % 7]) + "." for i in range(70)]
    ids = translator.tokenizers.source.encode(lines)
    limits = [2 * len(each) + 10 for each in ids]  # also more than the model takes
    options = SearchOptions(beam_size=beam_size, n_best=beam_size)
    monkeypatch.setattr(keras_engine, "SMALLEST_BUCKET", 4)

    def engine():
        return KerasEngine(translator.model, translator.tokenizers, PointingHeads(0, (0,)))

    expected = engine().search(ids, limits, options)
    monkeypatch.setattr(compiled_search, "COMPILE_FROM_SENTENCES", 1)
    monkeypatch.setattr(keras_engine, "SEARCH_THREADS", 2)
    found = engine().search(ids, limits, options)
    longest = max(len(its[0].ids) for its in expected)
    assert longest > 5, "some translation is longer than the smallest bucket"
    for one, other in zip(expected, found):
        assert [h.ids for h in one] == [h.ids for h in other]
        assert np.allclose([h.score for h in one], [h.score for h in other], atol=1e-5)


@pytest.mark.slow
def test_other_limits_do_not_compile_again(tiny_run, tmp_path):
    """XLA compiles once for each value that it takes for a constant."""
    program = (
        "import sys; import numpy as np; import translator\n"
        "from translator.search.engine import SearchOptions\n"
        "from translator.search.compiled_search import SearchChooser, LengthBucket\n"
        "loaded = translator.load(sys.argv[1], 'keras')\n"
        "made = SearchChooser(loaded.model, loaded.tokenizers.target, print)\n"
        "search = made.choose(10_000, LengthBucket(8, 10), SearchOptions(beam_size=2)).search\n"
        "ids = loaded.tokenizers.source.encode(['the man', 'a river'])\n"
        "for limits in ([10, 10], [5, 3], [1, 9]):\n"
        "    search.run(ids, np.array(limits))\n"
    )
    python(program, tiny_run, XLA_FLAGS=f"--xla_dump_to={tmp_path} --xla_dump_hlo_as_text")
    compiled = [path for path in tmp_path.iterdir() if "_search" in path.name]
    modules = {path.name.split(".")[0] for path in compiled}
    assert len(modules) == 1
