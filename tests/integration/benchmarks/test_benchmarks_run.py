"""Every benchmark runs with --try; where results are kept."""

import json

import pytest

from tests.trying import BENCHMARKS, OF_A_RUN, ON_JAX, TAKES_LONG, call, results_in, try_benchmark


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in TAKES_LONG else ())
        for name in (*BENCHMARKS, ON_JAX)
    ],
)
def test_a_benchmark_prints_results_in_a_try_of_seconds(name, request, monkeypatch, capfd):
    run = request.getfixturevalue("tiny_run") if name in OF_A_RUN else None
    try_benchmark(name, monkeypatch, capfd, run)


def test_a_result_takes_the_place_of_the_one_of_its_name(tiny_run, tmp_path, monkeypatch, capfd):
    path = tmp_path / "results.json"
    for count in ("2", "3"):
        arguments = ["--run", str(tiny_run), "--sentences", count, "--json", str(path)]
        call("samples", arguments, monkeypatch)
    printed = results_in(capfd.readouterr().out)
    assert json.loads(path.read_text("utf-8")) == [printed[1]]
    assert len(printed[1]["rows"]) == 3
    assert "--json" not in printed[1]["command"]
