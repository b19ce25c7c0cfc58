"""The benchmarks that train run with --try; those of other things are tried beside them."""

import pytest

from tests.trying import OF_TRAINING, try_benchmark


@pytest.mark.parametrize("name", OF_TRAINING)
def test_a_benchmark_prints_results_in_a_try_of_seconds(name, monkeypatch, capfd):
    try_benchmark(name, monkeypatch, capfd)
