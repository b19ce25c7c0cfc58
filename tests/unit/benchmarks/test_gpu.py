"""The benchmark of a GPU: the work that it counts, its rows."""

import numpy as np
import pytest

from translator.config.schema import ModelConfig

TINY = ModelConfig(num_layers=1, d_model=4, num_heads=2, dff=8)


def test_flops_are_those_counted_by_hand():
    from gpu import count_flops

    # A sentence of 3 source tokens and 2 predicted tokens. A projection takes 4 * 4 = 16
    # multiplications a token, the feed-forward network 2 * 4 * 8 = 64.
    encoder = 3 * (4 * 16 + 64) + 2 * 4 * (3 * 3)  # 456
    of_target, of_source = 2 * (4 * 16 + 2 * 16 + 64), 3 * 2 * 16  # 320 and 96
    attention = 2 * 4 * (1 + 2) + 2 * 4 * (2 * 3)  # 72; the first token sees itself alone
    output = 2 * 4 * 10  # 80
    assert encoder + of_target + of_source + attention + output == 1024
    sentence = np.array([3]), np.array([2])
    assert count_flops(TINY, 10, *sentence) == 1024 * 2 * 3
    assert count_flops(TINY, 10, np.array([3, 3]), np.array([2, 2])) == 2 * 1024 * 2 * 3
    two = TINY.model_copy(update={"num_layers": 2})
    assert count_flops(two, 10, *sentence) == (2 * (1024 - 80) + 80) * 6
    wide = TINY.model_copy(update={"head_dim": 4})
    attention = 3 * 64 + 72 + 2 * 96 + 96 + 72  # twice as many as before
    assert count_flops(wide, 10, *sentence) == (1024 + attention) * 6


def test_a_round_counts_real_tokens_alone():
    from gpu import TINY, count_flops, count_work, make_workload

    from translator.data.numpy_batches import UpdateArrays

    work = make_workload(TINY, 512, 12)
    batches, _ = work.batches()
    updates, tokens = work.count_timed(batches)
    arrays = UpdateArrays(batches)
    timed = [arrays[number][0] for number in range(work.untimed, len(arrays))]
    assert updates == len(timed)
    assert tokens == sum(int((target_out != 0).sum()) for _, target_out in timed)
    lengths = [
        (int(s), int(t))
        for (source, _), target_out in timed
        for s, t in zip((source != 0).sum(axis=1), (target_out != 0).sum(axis=1))
    ]
    assert count_work(work) == count_flops(work.config.model, 400, *np.array(lengths).T)


def test_lengths_are_realistic():
    from gpu import CASES

    random = np.random.default_rng(1)
    usual = CASES["base"].draw(random, 100_000)
    assert usual.min() >= 4
    assert usual.max() <= 64
    np.testing.assert_allclose(np.percentile(usual[0], [25, 50, 75]), [12, 17, 24], atol=1)
    long = CASES["base-long"].draw(random, 100_000)
    assert 256 <= long.min() <= long.max() <= 512


def test_the_peak_is_that_of_the_very_card():
    from gpu import find_peak

    peaks = {
        "NVIDIA H100 80GB HBM3": 989e12,
        "NVIDIA A100-SXM4-80GB": 312e12,
        "NVIDIA L4": 121e12,
    }
    assert {kind: find_peak(kind) for kind in peaks} == peaks
    for kind in ("cpu", "NVIDIA L40S", "NVIDIA H100 PCIe", "NVIDIA GeForce RTX 4090 Laptop GPU"):
        assert find_peak(kind) is None


def test_a_row_has_the_median_and_leaves_the_first_round_out():
    from gpu import TINY, count_work, make_rows, make_workload
    from training_rows import Round

    work = make_workload(TINY, 512, 12)

    def rounds(*seconds: tuple[float, float]) -> list[tuple[Round, float]]:
        return [(Round(net, 0.0, 10, 1000), in_all) for net, in_all in seconds]

    found = {
        "translator": rounds((9, 12), (1, 2), (4, 5), (2, 3)),
        "PyTorch": rounds((9, 29), (3, 4), (5, 6), (4, 5)),
    }
    assert make_rows(work, found, count_work(work)) == [
        ["translator", 500, "250 to 1,000", 200.0, "50.0%", "9 s", None],
        ["PyTorch", 250, "200 to 333", 400.0, "25.0%", "24 s", 2.0],
    ]
    assert make_rows(work, found, None)[0][4] == ""


def test_too_few_updates_are_refused():
    from gpu import TINY, make_workload

    from translator.base.errors import InputError

    with pytest.raises(InputError, match="expected more than 1 full batches"):
        make_workload(TINY, 10**6, 1)
