"""Programs: which one is taken, and that what compiling gives is the same."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from translator.search import compiled as programs
from translator.search import keras_engine
from translator.search.compiled import Programs, Room
from translator.search.engine import MOST_BEAMS, SearchOptions
from translator.search.keras_engine import KerasEngine
from translator.text.word_alignment import PointingHeads

ROOM = Room(16, 20)
OPTIONS = SearchOptions(beam_size=2)


@pytest.fixture
def make_programs(tiny_translator):
    """Makes the programs of the tiny run, and a list of what they report."""

    def make():
        reports: list[str] = []
        target = tiny_translator.tokenizers.target
        return Programs(tiny_translator.model, target, reports.append), reports

    return make


def test_few_sentences_are_not_compiled_and_many_are(make_programs):
    made, reports = make_programs()
    assert not made.choose(programs.COMPILE_FROM - 1, ROOM, OPTIONS).program.is_compiled
    assert not reports
    assert made.choose(programs.COMPILE_FROM, ROOM, OPTIONS).program.is_compiled
    assert reports == ["compiling the search for sentences of up to 16 tokens, once"]


def test_what_is_compiled_serves_the_few_too(make_programs):
    made, reports = make_programs()
    many = made.choose(programs.COMPILE_FROM, ROOM, OPTIONS).program
    assert made.choose(1, ROOM, OPTIONS).program is many
    assert not made.choose(1, Room(32, 40), OPTIONS).program.is_compiled
    assert not made.choose(1, ROOM, OPTIONS._replace(unknown=True)).program.is_compiled
    assert len(reports) == 1


@pytest.mark.parametrize(("count", "slots"), [(1, 1), (2, 8), (64, 8), (65, 64)])
def test_a_shape_is_compiled_after_as_much_time_as_compiling_costs(make_programs, count, slots):
    made, _ = make_programs()
    uncompiled, wanted = made.choose(count, ROOM, OPTIONS)
    wanted.missed = programs.COMPILE_AFTER - 0.1
    assert made.choose(count, ROOM, OPTIONS) == (uncompiled, wanted)
    assert not uncompiled.is_compiled
    wanted.missed = programs.COMPILE_AFTER
    assert made.choose(count, ROOM, OPTIONS) == (wanted, wanted)
    assert wanted.is_compiled
    assert wanted.shape.slots == slots


def test_single_sentences_after_many_get_a_search_of_their_own(make_programs):
    made, reports = make_programs()
    many = made.choose(programs.COMPILE_FROM, ROOM, OPTIONS).program
    program, wanted = made.choose(1, ROOM, OPTIONS)
    assert program is many
    wanted.missed = programs.COMPILE_AFTER
    assert made.choose(1, ROOM, OPTIONS).program.shape.slots == 1
    assert made.choose(2, ROOM, OPTIONS).program in (many, wanted)
    assert len(reports) == 2


def test_time_is_missed_only_where_another_program_ran(tiny_translator):
    loaded = tiny_translator
    engine = KerasEngine(loaded.model, loaded.tokenizers, PointingHeads(0, (0,)))
    [ids] = loaded.tokenizers.source.encode(["The man sees the cat."])
    room = next(room for room in engine.rooms if len(ids) <= room.source)
    choice = engine.programs.choose(1, room, OPTIONS)
    engine.search([ids], [10], OPTIONS)
    missed = choice.wanted.missed
    assert 0 < missed < 10
    choice.wanted.compile()
    engine.search([ids], [10], OPTIONS)
    assert choice.wanted.missed == missed


def test_a_large_beam_takes_fewer_slots(make_programs):
    made, _ = make_programs()
    for beam_size in (1, 16, 17, 100, 5000):
        for count in (1, 8, 64, 1000):
            shape = made.choose(count, ROOM, OPTIONS._replace(beam_size=beam_size)).program.shape
            assert shape.slots == 1 or shape.slots * beam_size <= MOST_BEAMS
            assert shape.sentences % shape.slots == 0


def test_programs_do_not_pile_up(make_programs):
    made, _ = make_programs()
    kept = made.choose(1, ROOM, OPTIONS).wanted
    for token in range(5, 5 + programs.KEPT):
        made.choose(1, ROOM, OPTIONS._replace(prefix_ids=(token,)))
        assert made.choose(1, ROOM, OPTIONS).wanted is kept
    assert len(made._programs) == programs.KEPT


def test_a_room_holds_what_is_asked_for_at_least(tiny_translator):
    loaded = tiny_translator
    engine = KerasEngine(loaded.model, loaded.tokenizers, PointingHeads(0, (0,)))
    ids = [loaded.tokenizers.source.start_id] * 3
    assert engine._narrowest(ids, OPTIONS) == engine.rooms[0]
    for options in (OPTIONS._replace(min_length=21), OPTIONS._replace(prefix_ids=(5,) * 20)):
        assert engine._narrowest(ids, options) == engine.rooms[1]
    assert engine._narrowest(ids, OPTIONS._replace(min_length=1000)) == engine.rooms[-1]


@pytest.mark.parametrize("beam_size", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_compiled_side_by_side_and_cut_finds_the_same(tiny_translator, monkeypatch, beam_size):
    """Of sentences of all lengths, in rooms so small that many must go on to the next."""
    translator = tiny_translator
    words = ["the", "man", "sees", "a", "river", "and", "the", "old", "house", "of", "his"]
    lines = [" ".join(words[i % 5 : i % 5 + 1 + i % 7]) + "." for i in range(70)]
    ids = translator.tokenizers.source.encode(lines)
    limits = [2 * len(each) + 10 for each in ids]  # also more than the model takes
    options = SearchOptions(beam_size=beam_size, n_best=beam_size)
    monkeypatch.setattr(keras_engine, "NARROWEST", 4)

    def engine():
        return KerasEngine(translator.model, translator.tokenizers, PointingHeads(0, (0,)))

    expected = engine().search(ids, limits, options)
    monkeypatch.setattr(programs, "COMPILE_FROM", 1)
    monkeypatch.setattr(keras_engine, "WORKERS", 2)
    found = engine().search(ids, limits, options)
    longest = max(len(its[0].ids) for its in expected)
    assert longest > 5, "some translation is longer than the narrowest room"
    for one, other in zip(expected, found):
        assert [h.ids for h in one] == [h.ids for h in other]
        assert np.allclose([h.score for h in one], [h.score for h in other], atol=1e-5)


def test_other_limits_do_not_compile_anew(tiny_run, tmp_path):
    """XLA compiles once for each value of what it takes for a constant."""
    program = (
        "import sys; import numpy as np; import translator\n"
        "from translator.search.engine import SearchOptions\n"
        "from translator.search.compiled import Programs, Room\n"
        "loaded = translator.load(sys.argv[1], 'keras')\n"
        "made = Programs(loaded.model, loaded.tokenizers.target, print)\n"
        "search = made.choose(10_000, Room(8, 10), SearchOptions(beam_size=2)).program\n"
        "ids = loaded.tokenizers.source.encode(['the man', 'a river'])\n"
        "for limits in ([10, 10], [5, 3], [1, 9]):\n"
        "    search.run(ids, np.array(limits))\n"
    )
    flags = f"--xla_dump_to={tmp_path} --xla_dump_hlo_as_text"
    subprocess.run(
        [sys.executable, "-c", program, str(tiny_run)],
        env={**os.environ, "XLA_FLAGS": flags},
        cwd=Path(__file__).parents[3],
        check=True,
        capture_output=True,
    )
    compiled = [path for path in tmp_path.iterdir() if "_search" in path.name]
    modules = {path.name.split(".")[0] for path in compiled}
    assert len(modules) == 1
