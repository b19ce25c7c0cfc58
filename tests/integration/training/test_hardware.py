"""Precision and compilation: what ``auto`` means, and that each trains."""

import subprocess
import sys
from pathlib import Path

import keras
import pytest
import tensorflow as tf

from tests.builders import quiet
from tests.training_states import read_figures
from translator.base.errors import InputError
from translator.base.machine import ALL_CORES
from translator.config.schema import TrainingConfig
from translator.runs.directory import RunDirectory
from translator.training import hardware
from translator.training.settings import begin_settings
from translator.training.start import train

PLAIN = ("model.dropout_rate=0.0", "training.epochs=3", "training.precision=float32")


def losses(run: Path) -> list[float]:
    return [line["val_cross_entropy"] for line in read_figures(run)]


@pytest.fixture
def train_apart(tiny_corpus, tmp_path):
    """Trains in a process of its own, which nothing has gone before."""

    def train_with(*overrides) -> Path:
        chosen = ("model.num_layers=1", "data.batch_size=16", *PLAIN, *overrides)
        words = [word for override in chosen for word in ("--set", override)]
        program = [sys.executable, "-m", "translator.cli", "train", tiny_corpus / "config.yaml"]
        subprocess.run([*program, *words, "--run", tmp_path / "apart"], check=True)
        return tmp_path / "apart"

    return train_with


@pytest.fixture(scope="module")
def plain(configure, tmp_path_factory) -> list[float]:
    """Losses of three epochs without dropout in float32, not compiled."""
    run = tmp_path_factory.mktemp("runs") / "plain"
    train(configure(*PLAIN), run, report=quiet)
    training = RunDirectory(run).read_config().training
    assert (training.precision, training.jit_compile) == ("float32", False)
    return losses(run)


@pytest.mark.parametrize(("compiled", "left_out"), [(False, True), (True, False)])
def test_passes_over_graphs_are_left_out_for_the_time_of_a_training_on_a_cpu(compiled, left_out):
    options = tf.config.optimizer.get_experimental_options
    with hardware.starting_sooner(TrainingConfig(jit_compile=compiled)):
        assert (options().get("remapping") is False) == left_out
        assert "constant_folding" not in options(), "it changes bits"
    assert options().get("remapping", True)


@pytest.mark.parametrize(
    ("capability", "is_fast", "precision", "compiled"),
    [
        (None, False, "float32", False),
        (None, True, "bfloat16", False),
        ((7, 5), True, "float16", True),
        ((9, 0), False, "bfloat16", True),
    ],
)
def test_auto(configure, monkeypatch, capability, is_fast, precision, compiled):
    monkeypatch.setattr(hardware, "gpu_capability", lambda: capability)
    monkeypatch.setattr(hardware, "has_fast_bfloat16", lambda: is_fast)
    training = begin_settings(configure("training.precision=auto")).config.training
    assert (training.precision, training.jit_compile) == (precision, compiled)


@pytest.mark.parametrize(
    ("facts", "jit_compile", "precision"),
    [
        ("amx_tile amx_bf16", "auto", "bfloat16"),
        ("AuthenticAMD avx512_vnni avx512_bf16", "auto", "bfloat16"),
        ("GenuineIntel avx512_vnni avx512_bf16", "auto", "float32"),
        ("amx_tile amx_int8 avx512_vnni", "auto", "float32"),
        ("amx_tile amx_bf16", "true", "float32"),
    ],
)
def test_a_cpu_is_asked_whether_it_is_faster(configure, monkeypatch, facts, jit_compile, precision):
    config = configure("training.precision=auto", f"training.jit_compile={jit_compile}")
    monkeypatch.setattr(Path, "read_text", lambda path: f"fpu {facts} avx")
    monkeypatch.delenv("ONEDNN_MAX_CPU_ISA", raising=False)
    assert begin_settings(config).config.training.precision == precision
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", "AVX2")
    assert begin_settings(config).config.training.precision == "float32"


def test_auto_gives_each_core_a_shard_where_threads_can_still_be_shared_out(configure, monkeypatch):
    def shards(capability, *overrides):
        monkeypatch.setattr(hardware, "gpu_capability", lambda: capability)
        return begin_settings(configure(*PLAIN, *overrides)).config.training.data_parallel

    assert shards(None) == 1, "TensorFlow runs already"
    monkeypatch.setattr(hardware, "set_threads_per_shard", lambda: True)
    for cores, count in ((3, 3), (64, 4)):
        monkeypatch.setattr(hardware, "ALL_CORES", cores)
        assert shards(None) == count
    assert shards(None, "training.jit_compile=true") == 1
    assert shards((9, 0)) == 1
    assert shards(None, "training.data_parallel=2") == 2
    with pytest.raises(InputError, match="2 shards are .* only without XLA, found jit_compile on"):
        shards((9, 0), "training.data_parallel=2")


@pytest.mark.slow
def test_a_new_process_has_a_shard_on_each_core(configure, train_apart):
    """And goes on with so many where it may not choose."""
    run = train_apart("training.epochs=1", "training.precision=auto")
    kept = RunDirectory(run).read_config().training
    assert kept.data_parallel == min(ALL_CORES, hardware.MAX_SHARDS)
    longer = configure(*PLAIN, "training.epochs=2", "training.precision=auto")
    assert train(longer, run, resume=True, report=quiet).finished


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["bfloat16", "float16"])
def test_half_precision_trains_and_leaves_the_rest_alone(
    train_small, plain, monkeypatch, precision
):
    """With averages, clipping and resuming; float16 with its losses scaled."""
    monkeypatch.setattr(hardware, "gpu_capability", lambda: (7, 5))
    recipe = (*PLAIN, f"training.precision={precision}", "training.jit_compile=false")
    recipe += ("training.clip_grad_norm=100.0", "training.ema_momentum=0.01")
    train_small(*recipe, "training.epochs=2")
    run = train_small(*recipe, resume=True).run
    assert losses(run.path) == pytest.approx(plain, rel=0.1)
    assert keras.config.dtype_policy().name == "float32"


@pytest.mark.slow
def test_compiled_training_learns_the_same(train_small, train_apart):
    """With the same batches, which all fit one shape."""
    recipe = ("training.epochs=1", "training.label_smoothing=0.1")
    run = train_small(*PLAIN, *recipe, "training.jit_compile=false").run
    compiled = train_apart(*recipe, "training.jit_compile=true")
    assert losses(compiled) == pytest.approx(losses(run.path), rel=0.05)


@pytest.mark.slow
def test_compiled_accumulation_learns_the_same(train_apart, plain):
    recipe = ("training.jit_compile=true", "training.accumulation_steps=2", "data.batch_size=8")
    assert losses(train_apart(*recipe))[-1] == pytest.approx(plain[-1], rel=0.2)
