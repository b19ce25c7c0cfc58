"""A run that is killed, at any moment, ends as one that never was."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.training.states import assert_same_endings
from translator.run import RunDirectory

PROGRAM = Path(__file__).with_name("announced_training.py")
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
  keep_best: 2
  average: last
  save_minutes: 0.002
  schedule: {name: cosine, learning_rate: 3e-3, warmup_steps: 4, total_steps: 20}
validation: {every_updates: 2, translate_every: 2, samples: 1, max_sentences: 4}
"""


@pytest.fixture(scope="module")
def config(tiny_corpus, tmp_path_factory) -> Path:
    """The tiny corpus with everything on that has a state."""
    path = tmp_path_factory.mktemp("everything") / "config.yaml"
    text = (tiny_corpus / "config.yaml").read_text("utf-8")
    text = text[: text.index("training:")] + EVERYTHING
    text = text.replace("num_layers: 2", "num_layers: 1, attention_dropout_rate: 0.1")
    path.write_text(text.replace("batch_size: 16", "batch_size: 7, bpe_dropout: 0.2"), "utf-8")
    return path


@pytest.fixture(scope="module")
def uninterrupted(config, tmp_path_factory) -> Path:
    """A run of that configuration which nobody disturbed."""
    run = tmp_path_factory.mktemp("runs") / "uninterrupted"
    assert not train_and_kill(config, run, "the end", 1)
    return run


def train_and_kill(config: Path, run: Path, event: str, count: int) -> bool:
    """Kills a training at its ``count``-th ``event``; returns whether it came to that."""
    pause = count if event == "writing" else 0
    command = [sys.executable, str(PROGRAM), str(config), str(run), str(pause)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        for line in process.stdout:
            count -= line.strip().decode() == event
            if not count:
                process.kill()
                return True
        assert process.wait() == 0, process.stderr.read().decode()
    return False


def let_end(config: Path, run: Path, uninterrupted: Path) -> None:
    """Trains on to the end, and compares."""
    assert not train_and_kill(config, run, "the end", 1)
    assert RunDirectory(run).find_export() is not None
    assert_same_endings(uninterrupted, run)


def test_a_run_killed_twice_ends_bit_identical(config, uninterrupted, tmp_path):
    """Once between two updates, once in the middle of writing a checkpoint."""
    assert train_and_kill(config, tmp_path / "run", "update", 9)
    assert train_and_kill(config, tmp_path / "run", "writing", 3)
    let_end(config, tmp_path / "run", uninterrupted)


def test_a_run_killed_before_its_first_checkpoint_begins(config, uninterrupted, tmp_path):
    assert train_and_kill(config, tmp_path / "run", "writing", 1)
    assert RunDirectory(tmp_path / "run").marker.exists()
    assert not RunDirectory(tmp_path / "run").last.exists()
    let_end(config, tmp_path / "run", uninterrupted)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_twenty_runs_killed_at_random_end_bit_identical(config, uninterrupted, tmp_path, seed):
    chance = random.Random(seed)
    event = "writing" if seed % 3 == 1 else "update"
    assert train_and_kill(config, tmp_path / "run", event, chance.randint(1, 12))
    let_end(config, tmp_path / "run", uninterrupted)
