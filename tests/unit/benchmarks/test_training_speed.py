"""The benchmark of a training step: the work that it counts, its rows."""

import numpy as np
import pytest
from harness import write_small_config
from training_speed import (
    BASE,
    TINY,
    UNTIMED,
    Round,
    Workload,
    check,
    count_flops,
    count_work,
    draw_lengths,
    draw_workload,
    find_peak,
    make_rows,
)

from translator.base.errors import InputError
from translator.config.schema import ModelConfig
from translator.config.yaml_file import read_config, validate_config
from translator.data.numpy_batches import UpdateArrays

MODEL = ModelConfig(num_layers=1, d_model=4, num_heads=2, dff=8)


def test_flops_are_those_counted_by_hand():
    # A sentence of 3 source tokens and 2 predicted tokens. A projection takes 4 * 4 = 16
    # multiplications a token, the feed-forward network 2 * 4 * 8 = 64.
    encoder = 3 * (4 * 16 + 64) + 2 * 4 * (3 * 3)  # 456
    of_target, of_source = 2 * (4 * 16 + 2 * 16 + 64), 3 * 2 * 16  # 320 and 96
    attention = 2 * 4 * (1 + 2) + 2 * 4 * (2 * 3)  # 72; the first token sees itself alone
    output = 2 * 4 * 10  # 80
    assert encoder + of_target + of_source + attention + output == 1024
    sentence = np.array([3]), np.array([2])
    assert count_flops(MODEL, 10, *sentence) == 1024 * 2 * 3
    assert count_flops(MODEL, 10, np.array([3, 3]), np.array([2, 2])) == 2 * 1024 * 2 * 3
    two = MODEL.model_copy(update={"num_layers": 2})
    assert count_flops(two, 10, *sentence) == (2 * (1024 - 80) + 80) * 6


def test_a_round_counts_real_tokens_alone():
    work = draw_workload(TINY, 12)
    batches, _ = work.batches()
    updates, tokens = work.count_timed(batches)
    arrays = UpdateArrays(batches)
    timed = [arrays[number][0] for number in range(UNTIMED, len(arrays))]
    assert updates == len(timed)
    assert tokens == sum(int((target_out != 0).sum()) for _, target_out in timed)
    lengths = [
        (int(s), int(t))
        for (source, _), target_out in timed
        for s, t in zip((source != 0).sum(axis=1), (target_out != 0).sum(axis=1))
    ]
    assert count_work(work) == count_flops(work.config.model, 400, *np.array(lengths).T)


def test_drawn_sentences_are_as_long_as_they_should_be():
    lengths = draw_lengths(np.random.default_rng(1), BASE, 100_000)
    assert BASE.shortest <= lengths.min() <= lengths.max() <= BASE.longest
    assert lengths.sum(axis=1).min() >= 100_000


def test_the_peak_is_that_of_the_very_card():
    peaks = {"NVIDIA H100 80GB HBM3": 989e12, "NVIDIA A100-SXM4-80GB": 312e12}
    assert {kind: find_peak(kind) for kind in peaks} == peaks
    for kind in ("cpu", "NVIDIA L40S", "NVIDIA H100 PCIe"):
        assert find_peak(kind) is None


def test_a_row_has_the_median_and_leaves_the_first_round_out():
    def rounds(*seconds: tuple[float, float]) -> list[Round]:
        return [Round(net, in_all, 10, 1000) for net, in_all in seconds]

    found = {
        "translator, bfloat16": rounds((9, 12), (1, 2), (4, 5), (2, 3)),
        "PyTorch, bfloat16": rounds((9, 29), (3, 4), (5, 6), (4, 5)),
    }
    assert make_rows(found, 1.0) == [
        ["translator, bfloat16", 500, "250 to 1,000", 200.0, "50.0%", "9 s", None],
        ["PyTorch, bfloat16", 250, "200 to 333", 400.0, "25.0%", "24 s", 2.0],
    ]
    assert make_rows(found, None)[0][4] == ""


def test_too_few_updates_are_refused():
    with pytest.raises(InputError, match=f"expected more than {UNTIMED} full batches"):
        draw_workload(TINY, 1)


def test_padding_to_the_longest_changes_shapes_alone(tmp_path):
    work = Workload(read_config(write_small_config(tmp_path)), 20)
    usual, padded = (each.batches()[0] for each in (work, work._replace(is_padded=True)))
    assert (padded.shapes[:, 1:] == usual.shapes[:, 1:].max(axis=0)).all()
    assert (padded.target_tokens() == usual.target_tokens()).all()


def test_a_model_that_the_one_in_pytorch_differs_from_is_refused():
    usual = {"corpus": {"name": "demo"}, "data": {"max_length": 50, "batch_size": 64}}
    check(validate_config(usual, "usual"))
    for key, value in {"normalize_first": True, "positions": "rotary"}.items():
        with pytest.raises(InputError, match=f"^model.{key}: expected"):
            check(validate_config({**usual, "model": {key: value}}, "changed"))
