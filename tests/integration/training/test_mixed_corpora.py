"""Trainings on several corpora, and on parts of a model."""

import re

import numpy as np
import pytest

from tests.builders import quiet
from tests.training_states import assert_same_endings, read_figures, train_until
from translator.addons.confidence.examples import learn_source_words
from translator.base.errors import InputError
from translator.config.yaml_file import replace_values
from translator.data.epochs import Epochs, draw_pairs
from translator.data.preparation import prepare
from translator.runs.directory import RunDirectory
from translator.runs.weights import load_arrays
from translator.training.backends import training_layout
from translator.training.start import train

OTHERS = 40


@pytest.fixture
def mixed(configure, tiny_corpus, tmp_path):
    """The tiny corpus, and a quarter as many pairs of another one, with a held-out one in it."""
    words = [("one", "eins"), ("two", "zwei"), ("six", "sechs"), ("ten", "zehn")]
    pairs = [
        (f"{a} {b} {c}.", f"{x} {y} {z}.") for a, x in words for b, y in words for c, z in words
    ]
    held_out = (tiny_corpus / "validation.tsv").read_text("utf-8").splitlines()[0]
    lines = ["\t".join(pair) for pair in pairs[:OTHERS]]
    (tmp_path / "others.tsv").write_text("\n".join([*lines, held_out]) + "\n", "utf-8")
    entry = f"corpora=[{{train: {{tsv: {tmp_path}/others.tsv}}, weight: 0.25}}]"
    return configure(entry)


def test_draws_take_every_pair_equally_often():
    for size, count in ((20, 10), (20, 7), (20, 20), (5, 13), (1, 3), (50, 1)):
        epochs = [draw_pairs(size, count, epoch, (1, 2)) for epoch in range(12)]
        assert {len(drawn) for drawn in epochs} == {count}
        for drawn in (np.concatenate(epochs[:end]) for end in range(1, 13)):
            counts = np.bincount(drawn, minlength=size)
            assert counts.max() - counts.min() <= 1
    first, again, other = (draw_pairs(20, 20, 0, seed).tolist() for seed in ((1,), (1,), (2,)))
    assert first == again != other
    assert first != draw_pairs(20, 20, 1, (1,)).tolist(), "the second round has another order"


def test_each_epoch_has_all_own_pairs_and_others_by_weight(mixed):
    lines = []
    data = prepare(mixed, lines.append)
    own = len(data.written[0])
    assert data.mixed == (OTHERS,), "the held-out pair is not among them"
    assert any(line.endswith(f"others.tsv: {OTHERS} pairs to draw from") for line in lines)
    assert any(re.search(r"others.tsv, pairs dropped: 1 .*held", line) for line in lines)
    epochs = Epochs(mixed, data, training_layout(mixed.training))
    drawn = []
    for number in (0, 1, 0):
        rows = np.concatenate(epochs.batches(number).plan[:])
        assert sorted(rows[rows < own]) == list(range(own))
        drawn.append(sorted(rows[rows >= own].tolist()))
        assert len(drawn[-1]) == round(0.25 * own)
        lengths = data.train.target.lengths[rows] - 1
        assert epochs.batches(number).target_tokens()[-1] == lengths.sum()
        assert 0 <= epochs.batches(number).padding_share < 0.5
    assert drawn[0] == drawn[2] != drawn[1]
    assert set(drawn[0] + drawn[1]) == set(range(own, own + OTHERS))


def test_epochs_may_be_equal_parts_of_a_pass(mixed):
    data = prepare(mixed, quiet)
    whole = Epochs(mixed, data, training_layout(mixed.training))
    count = whole.batches(0).count
    for most in (1, 4, count - 1, count, 10 * count):
        changes = {"training.updates_per_epoch": most, "training.epochs": 99}
        divided = Epochs(replace_values(mixed, changes, "test"), data, whole.layout)
        assert divided.parts == -(-count // most)
        size = count // divided.parts
        for number in (0, divided.parts - 1, divided.parts, 2 * divided.parts):
            its, (pass_number, part) = divided.batches(number), divmod(number, divided.parts)
            expected = whole.batches(pass_number).batches_of(part * size, (part + 1) * size)
            for found, wanted in zip(its.batches_of(0, None), expected):
                assert list(map(list, found)) == list(map(list, wanted))
            assert its.count == size <= most or divided.parts == 1


@pytest.mark.parametrize("tag", [None, "bt"])
def test_a_further_corpus_is_learnt_from_unless_it_has_a_tag(mixed, tag):
    other = mixed.corpora[0].model_copy(update={"tag": tag})
    changes = {"corpora": [other], "data.marks": 0.5, "tokenizer.tags": ["bt"]}
    config = replace_values(mixed, changes, "test")
    lines = []
    data = prepare(config, lines.append)
    is_learnt_from = tag is None
    assert len(data.written) == 1 + is_learnt_from
    target = data.tokenizers.target
    assert ("▁sechs" in target.pieces(target.encode("sechs")[0])) == is_learnt_from
    assert ("ten" in learn_source_words(data).words) == is_learnt_from
    said = next(line for line in lines if "to draw from" in line)
    assert ("copies of them" in said) == is_learnt_from == (data.mixed[0] > OTHERS)


def test_a_corpus_may_be_mixed_in_twice(mixed):
    twice = mixed.model_copy(update={"corpora": [*mixed.corpora, mixed.corpora[0]]})
    assert prepare(twice, quiet).mixed == (OTHERS, OTHERS)


@pytest.mark.slow
def test_a_training_of_parts_of_passes_resumes_where_it_stopped(mixed, tmp_path, monkeypatch):
    parts = {"training.updates_per_epoch": 3, "training.epochs": 5}
    config = replace_values(mixed, parts, "test")
    train(config, tmp_path / "whole", report=quiet)
    assert [each["updates"] for each in read_figures(tmp_path / "whole")] == [2, 4, 6, 8, 10]
    assert not train_until((3, 1), config, tmp_path / "run", monkeypatch).finished
    assert train(config, tmp_path / "run", resume=True, report=quiet).finished
    assert_same_endings(tmp_path / "whole", tmp_path / "run")


@pytest.mark.slow
def test_frozen_parts_keep_the_weights_of_the_other_run(train_small, small_run):
    frozen = "training.freeze=[encoder/layer_1, source_embedding]"
    run = train_small(frozen, f"training.init={small_run}", "training.epochs=1").run
    before, after = (load_arrays(path) for path in (RunDirectory(small_run).weights, run.weights))
    for name in before:
        is_frozen = name.startswith(("encoder/layer_1/", "source_embedding/"))
        assert np.array_equal(before[name], after[name]) == is_frozen, name


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ("[encoder/layer_9]", "expected parts of the model such as source_embedding.*layer_9"),
        ("[enc]", "expected parts of the model such as"),
        (
            "[source_embedding, target_embedding, encoder, decoder]",
            "expected a part that is trained, found only",
        ),
    ],
)
def test_parts_that_cannot_be_frozen_are_refused(configure, small_run, tmp_path, parts, message):
    config = configure(f"training.freeze={parts}", f"training.init={small_run}")
    with pytest.raises(InputError, match=f"training.freeze: {message}"):
        train(config, tmp_path / "run", report=pytest.fail)  # before the corpus is read
    assert not (tmp_path / "run").exists()
