"""The script that measures a GPU: the work that it counts, the tables, the search for a limit."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from translator.config.schema import ModelConfig

SCRIPTS = Path(__file__).parents[2] / "benchmarks"
TINY = ModelConfig(num_layers=1, d_model=4, num_heads=2, dff=8)


@pytest.fixture(scope="module")
def script():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        yield runpy.run_path(str(SCRIPTS / "gpu.py"))


@pytest.fixture(scope="module")
def workloads(script):
    return sys.modules["training_workloads"]


def test_flops_are_those_counted_by_hand(workloads):
    # A sentence of 3 source tokens and 2 predicted tokens. A projection takes 4 * 4 = 16
    # multiplications a token, the feed-forward network 2 * 4 * 8 = 64.
    encoder = 3 * (4 * 16 + 64) + 2 * 4 * (3 * 3)  # 456
    of_target, of_source = 2 * (4 * 16 + 2 * 16 + 64), 3 * 2 * 16  # 320 and 96
    attention = 2 * 4 * (1 + 2) + 2 * 4 * (2 * 3)  # 72; the first token sees itself alone
    output = 2 * 4 * 10  # 80
    assert encoder + of_target + of_source + attention + output == 1024
    count = workloads.count_flops
    assert count(TINY, 10, np.array([3]), np.array([2])) == 1024 * 2 * 3
    assert count(TINY, 10, np.array([3, 3]), np.array([2, 2])) == 2 * 1024 * 2 * 3


def test_flops_grow_with_layers_but_for_the_output_and_with_wider_heads(workloads):
    sentence = np.array([3]), np.array([2])
    two = TINY.model_copy(update={"num_layers": 2})
    assert workloads.count_flops(two, 10, *sentence) == (2 * (1024 - 80) + 80) * 6
    wide = TINY.model_copy(update={"head_dim": 4})
    attention = 3 * 64 + 72 + 2 * 96 + 96 + 72  # twice as many as before
    assert workloads.count_flops(wide, 10, *sentence) == (1024 + attention) * 6


def test_a_round_counts_real_tokens_alone(workloads):
    work = workloads.make_workload(workloads.TINY, 512, 12, 2, False)
    updates, tokens, flops = work.count_timed()
    arrays = work.arrays()
    assert updates == len(arrays) - 2
    predicted = [target_out != workloads.PADDING for _, target_out in arrays[2:]]
    assert tokens == sum(int(real.sum()) for real in predicted)
    assert {source.shape for (source, _), _ in arrays} == {(512 // 24, 24), (2, 256)}
    lengths = [
        (int(s), int(t))
        for ((source, _), target_out) in arrays[2:]
        for s, t in zip((source != 0).sum(axis=1), (target_out != 0).sum(axis=1))
    ]
    source, target = np.array(lengths).T
    assert flops == workloads.count_flops(work.config.model, 400, source, target)


def test_lengths_are_realistic(workloads):
    random = np.random.default_rng(1)
    usual = workloads.usual_lengths(random, 100_000)
    assert usual.min() >= 4
    assert usual.max() <= 64
    np.testing.assert_allclose(np.percentile(usual[0], [25, 50, 75]), [12, 17, 24], atol=1)
    long = workloads.long_lengths(random, 100_000)
    assert 256 <= long.min() <= long.max() <= 512
    two = workloads.two_lengths(32, 96)(random, 9600)
    assert two[0].sum() >= 9600
    assert sorted(set(two[0])) == [32, 96]
    for case in workloads.CASES.values():
        assert case.draw(random, 100_000).max() <= case.max_length


def test_the_peak_is_that_of_the_very_card(workloads):
    peaks = {
        "NVIDIA H100 80GB HBM3": 989e12,
        "NVIDIA H200": 989e12,
        "NVIDIA A100-SXM4-80GB": 312e12,
        "NVIDIA L4": 121e12,
        "NVIDIA GeForce RTX 4090": 165e12,
    }
    assert {kind: workloads.find_peak(kind) for kind in peaks} == peaks
    for kind in ("cpu", "NVIDIA L40S", "NVIDIA H100 PCIe", "NVIDIA GeForce RTX 4090 Laptop GPU"):
        assert workloads.find_peak(kind) is None


def test_a_table_is_markdown(script):
    assert script["format_table"](["", "ms"], [["base", "1.5"], ["big", ""]]) == (
        "| | ms |\n| --- | ---: |\n| base | 1.5 |\n| big | |"
    )


def test_a_line_of_the_table_has_the_median_and_leaves_the_first_round_out(script, workloads):
    work = workloads.make_workload(workloads.TINY, 512, 12, 2, False)
    updates, tokens, flops = work.count_timed()
    timed = script["Timed"]
    rounds = {
        ("translator", "fed"): [timed(9, 12), timed(1, 2), timed(4, 5), timed(2, 3)],
        ("translator", "on the device"): [timed(9, 12), timed(1, 2)],
        ("translator", "gathered"): [timed(9, 12), timed(0.5, 0.5)],
        ("PyTorch", "fed"): [timed(9, 29), timed(3, 4), timed(5, 6), timed(4, 5)],
    }
    ours, theirs = script["speed_lines"]("tiny", work, rounds, flops)
    assert ours == [
        "tiny: translator",
        f"{tokens / 2:,.0f}",
        f"{tokens / 4:,.0f} to {tokens:,.0f}",
        f"{2000 / updates:.1f}",
        "50.0%",
        "9 s",
        "",
    ]
    assert theirs[0] == "tiny: PyTorch"
    assert theirs[-3:] == ["25.0%", "24 s", "2.00 times as fast"]
    assert script["speed_lines"]("tiny", work, rounds, None)[0][4] == "unknown"
    split = [f"{seconds / updates:.2f}" for seconds in (2000, 1000, 500)]
    assert script["split_line"]("tiny", work, rounds) == ["tiny", *split]


def test_sizes_grow_until_one_does_not_fit(script):
    search = script["measure_until_full"]

    def measure(size):
        return 10 * size if size <= 90 else None

    assert search(measure, [8, 32], 1000) == {
        **{8: 80, 32: 320, 64: 640, 128: None},
        **{96: None, 80: 800},
    }
    assert search(measure, [8, 32], 64) == {8: 80, 32: 320, 64: 640}
    assert search(measure, [100, 200], 1000) == {100: None}
