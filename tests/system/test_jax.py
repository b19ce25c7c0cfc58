"""One training on JAX, in a process of its own; the slow tests of JAX are in tests/jax."""

import json

from tests.commands import shell
from translator.runs.directory import RunDirectory

SETTINGS = (
    "training.backend=jax", "training.devices=1", "training.epochs=2", "model.num_layers=1",
    "data.batch_size=128", "data.max_length=11",  # one shape, for which JAX compiles once
)  # fmt: skip


def test_a_training_on_jax_learns_and_is_exported(tiny_corpus, tmp_path):
    options = [part for setting in SETTINGS for part in ("--set", setting)]
    train = ("train", tiny_corpus / "config.yaml", "--run", tmp_path / "run")
    done = shell(*train, *options, XLA_FLAGS="--xla_backend_optimization_level=0")
    assert done.returncode == 0, done.stderr.decode()
    run = RunDirectory(tmp_path / "run")
    first, *_, last = map(json.loads, run.metrics.read_text("utf-8").splitlines())
    assert last["val_cross_entropy"] < first["val_cross_entropy"]
    assert run.read_config().training.backend == "jax"
    assert run.export.is_dir()
