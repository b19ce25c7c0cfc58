"""Of several processes one writes."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from translator.base import processes
from translator.runs.directory import RunDirectory
from translator.runs.unchanged import Owner
from translator.training.state import RunWriter


def test_other_processes_write_and_report_nothing(tmp_path, monkeypatch):
    assert processes.writes(), "one that is alone"
    lines: list[str] = []
    run = RunDirectory(tmp_path / "run")
    vars(run)["owner"] = Owner("run", "en to de", "0", "0")  # this run has no record
    weights = {"kernel": np.ones(2)}
    progress: Any = SimpleNamespace(validations=[{}], times=[{}])
    backend: Any = SimpleNamespace(state=dict)
    for number, is_written in ((1, False), (0, True)):
        monkeypatch.setattr(processes._ThisProcess, "number", number)
        writer = RunWriter(run, lines.append)
        writer.recorders = [lambda figures, times: lines.append("recorded")]
        writer.claim(resume=False)
        writer.report("a line")
        run.path.mkdir(exist_ok=True)
        writer.write_validation("validated", progress, weights, keep=True, best=True)
        writer.replace_weights(weights)
        writer.write_failed_batch([("one", "eins")])
        if not is_written:
            writer.save(backend, progress)
        assert any(run.path.iterdir()) == is_written
        writer.remove_snapshots(but=())
        assert lines == ["a line", "recorded"] * is_written
    assert run.failed_batch.read_text("utf-8") == "one\teins\n"
    assert run.weights.exists()
    assert not list(run.snapshots.glob("*.npz"))
