"""A run that is killed at any moment ends like an uninterrupted run."""

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.training_states import assert_same_endings
from translator.runs.directory import RunDirectory
from translator.runs.exports import find_export

PROGRAM = Path(__file__).with_name("announced_training.py")
EVENTS = ("average", "export", *["translation"] * 3, *["renaming"] * 3, *["writing"] * 4)
EVENTS += ("update",) * (20 - len(EVENTS))
EVERYTHING = """
training:
  epochs: 4
  label_smoothing: 0.1
  r_drop_alpha: 1.0
  r_drop_after: 1
  ema_momentum: 0.9
  clip_grad_norm: 0.5
  accumulation_steps: 2
  data_parallel: 2
  keep_last: 2
  save_minutes: 0.00001  # after every update, so that each run has as many
  schedule: {name: cosine, learning_rate: 3e-3, warmup_steps: 4, total_steps: 20}
validation: {every_updates: 2, translate_every: 2, samples: 1, max_sentences: 4}
"""


@pytest.fixture(scope="module")
def config(tiny_corpus, tmp_path_factory) -> Path:
    """The tiny corpus with everything on that has a state, and two shards."""
    path = tmp_path_factory.mktemp("everything") / "config.yaml"
    text = (tiny_corpus / "config.yaml").read_text("utf-8")
    text = text[: text.index("training:")] + EVERYTHING
    text = text.replace("num_layers: 2", "num_layers: 1, attention_dropout_rate: 0.1")
    text = text.replace("batch_size: 8", "batch_size: 7")
    assert "attention_dropout_rate" in text
    assert "batch_size: 7" in text
    path.write_text(text, "utf-8")
    return path


class Uninterrupted(NamedTuple):
    """A run of that configuration which nobody disturbed, and what happened in it how often."""

    run: Path
    events: Counter[str]


@pytest.fixture(scope="module")
def uninterrupted(config, tmp_path_factory) -> Uninterrupted:
    run = tmp_path_factory.mktemp("runs") / "uninterrupted"
    return Uninterrupted(run, train_and_kill(config, run))


def train_and_kill(config: Path, run: Path, event: str = "", count: int = 0) -> Counter[str]:
    """Trains, and kills at the ``count``-th ``event``; returns what happened until then.

    After an update it goes on until the kill arrives; anywhere else it waits for it.
    """
    command = [sys.executable, str(PROGRAM), str(config), str(run)]
    command += [event, str(count)] if event != "update" else []
    seen = Counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        for line in process.stdout:
            seen[line.strip().decode()] += 1
            if seen[event] == count > 0:
                process.kill()
                return seen
        assert process.wait() == 0, process.stderr.read().decode()
    assert not count, f"it came to no {count} of {event}"
    return seen


def let_end(config: Path, run: Path, uninterrupted: Uninterrupted) -> None:
    """Trains on to the end, and compares."""
    train_and_kill(config, run)
    directory = RunDirectory(run)
    assert find_export(directory) is not None
    assert {path.name for path in run.iterdir()} == {p.name for p in uninterrupted.run.iterdir()}
    assert_same_endings(uninterrupted.run, run)


@pytest.mark.slow
def test_a_run_killed_three_times_ends_bit_identical(config, uninterrupted, tmp_path):
    """Between two updates, in the middle of writing a checkpoint, and of the export."""
    for event, count in (("update", 9), ("writing", 3), ("export", 1)):
        train_and_kill(config, tmp_path / "run", event, count)
    let_end(config, tmp_path / "run", uninterrupted)


@pytest.mark.slow
def test_a_run_killed_before_its_first_checkpoint_begins(config, uninterrupted, tmp_path):
    train_and_kill(config, tmp_path / "run", "writing", 1)
    assert RunDirectory(tmp_path / "run").record.exists()
    assert not RunDirectory(tmp_path / "run").last.exists()
    let_end(config, tmp_path / "run", uninterrupted)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_twenty_runs_killed_at_random_end_bit_identical(config, uninterrupted, tmp_path, seed):
    event = EVENTS[seed]
    count = random.Random(seed).randint(1, uninterrupted.events[event])
    train_and_kill(config, tmp_path / "run", event, count)
    let_end(config, tmp_path / "run", uninterrupted)
