"""Of several processes one writes."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from translator.runs.directory import RunDirectory
from translator.training.processes import Processes, ProcessGroup, once
from translator.training.writer import RunWriter


class Counter:
    """Counts in the process that writes."""

    def __init__(self, writes: bool) -> None:
        self.processes: Any = SimpleNamespace(writes=writes)
        self.count = 0

    @once
    def add(self, number: int) -> None:
        """Adds a number."""
        self.count += number


@pytest.mark.parametrize(("writes", "count"), [(True, 5), (False, 0)])
def test_once_acts_in_the_process_that_writes(writes, count):
    counter = Counter(writes)
    counter.add(2)
    counter.add(number=3)
    assert counter.count == count


def test_the_first_process_writes_and_one_alone_too():
    assert Processes(None).writes
    assert Processes(ProcessGroup("localhost:1", 2, 0)).writes
    assert not Processes(ProcessGroup("localhost:1", 2, 1)).writes


def test_other_processes_write_and_report_nothing(tmp_path):
    lines: list[str] = []
    run = RunDirectory(tmp_path / "run")
    weights = {"kernel": np.ones(2)}
    progress: Any = SimpleNamespace(validations=[{}], times=[{}])
    model: Any = None
    for number, is_written in ((1, False), (0, True)):
        writer = RunWriter(run, lines.append, Processes(ProcessGroup("localhost:1", 2, number)))
        writer.recorders = [lambda figures, times: lines.append("recorded")]
        writer.claim(resume=False)
        writer.report("a line")
        run.path.mkdir(exist_ok=True)
        writer.write_validation("validated", progress, weights, keep=True, best=True)
        writer.replace_weights(weights)
        writer.write_failed_batch([("one", "eins")])
        if not is_written:
            writer.save(model, progress)
        assert any(run.path.iterdir()) == is_written
        writer.remove_snapshots(but=())
        assert lines == ["a line", "recorded"] * is_written
    assert run.failed_batch.read_text("utf-8") == "one\teins\n"
    assert run.weights.exists()
    assert not list(run.snapshots.glob("*.npz"))
