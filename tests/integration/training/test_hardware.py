"""Precision, cores and GPUs: what ``auto`` means, and that each precision trains."""

import subprocess
import sys
from pathlib import Path

import keras
import pytest
import tensorflow as tf

from tests.builders import quiet
from tests.training_states import read_figures
from translator.base.machine import ALL_CORES
from translator.config.schema import TrainingConfig
from translator.runs.directory import RunDirectory
from translator.training import hardware, start
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
    """Losses of three epochs without dropout in float32."""
    run = tmp_path_factory.mktemp("runs") / "plain"
    train(configure(*PLAIN), run, report=quiet)
    assert RunDirectory(run).read_config().training.precision == "float32"
    return losses(run)


@pytest.mark.parametrize(
    ("capability", "is_fast", "precision"),
    [
        (None, False, "float32"),
        (None, True, "bfloat16"),
        ((7, 5), True, "float16"),
        ((9, 0), False, "bfloat16"),
    ],
)
def test_auto(configure, monkeypatch, capability, is_fast, precision):
    monkeypatch.setattr(hardware, "gpu_capability", lambda: capability)
    monkeypatch.setattr(hardware, "has_fast_bfloat16", lambda: is_fast)
    training = begin_settings(configure("training.precision=auto")).training
    assert training.precision == precision


@pytest.mark.parametrize(
    ("facts", "precision"),
    [
        ("amx_tile amx_bf16", "bfloat16"),
        ("AuthenticAMD avx512_vnni avx512_bf16", "bfloat16"),
        ("GenuineIntel avx512_vnni avx512_bf16", "float32"),
        ("amx_tile amx_int8 avx512_vnni", "float32"),
    ],
)
def test_a_cpu_is_asked_whether_it_is_faster(configure, monkeypatch, facts, precision):
    config = configure("training.precision=auto")
    monkeypatch.setattr(Path, "read_text", lambda path: f"fpu {facts} avx")
    monkeypatch.delenv("ONEDNN_MAX_CPU_ISA", raising=False)
    assert begin_settings(config).training.precision == precision
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", "AVX2")
    assert begin_settings(config).training.precision == "float32"


def test_auto_gives_each_core_a_shard(configure, monkeypatch):
    for cores, count in ((1, 1), (3, 3), (64, 4)):
        monkeypatch.setattr(hardware, "ALL_CORES", cores)
        assert begin_settings(configure(*PLAIN)).training.data_parallel == count
    chosen = begin_settings(configure(*PLAIN, "training.data_parallel=2"))
    assert chosen.training.data_parallel == 2


def test_tensorflow_leaves_a_gpu_alone_and_says_what_uses_it(monkeypatch):
    hidden, lines = [], []
    monkeypatch.setattr(start, "has_gpu", lambda: True)
    monkeypatch.setattr(tf.config, "set_visible_devices", lambda *named: hidden.append(named))
    start.start_backend(TrainingConfig(data_parallel=1), lines.append, deterministic=False)
    assert hidden == [([], "GPU")]
    [line] = lines
    assert "pip install 'keras-translator[jax-cuda]'" in line
    assert tf.config.optimizer.get_experimental_options()["remapping"] is False


@pytest.mark.slow
def test_a_new_process_has_a_shard_on_each_core(configure, train_apart):
    """And goes on with so many where it may not choose."""
    run = train_apart("training.epochs=1", "training.precision=auto")
    kept = RunDirectory(run).read_config().training
    assert kept.data_parallel == min(ALL_CORES, hardware.MAX_SHARDS)
    longer = configure(*PLAIN, "training.epochs=2", "training.precision=auto")
    assert train(longer, run, resume=True, report=quiet).finished


@pytest.mark.slow
def test_half_precision_trains_and_leaves_the_rest_alone(train_small, plain):
    """With averages, clipping and resuming."""
    recipe = (*PLAIN, "training.precision=bfloat16")
    recipe += ("training.clip_grad_norm=100.0", "training.ema_momentum=0.01")
    train_small(*recipe, "training.epochs=2")
    run = train_small(*recipe, resume=True).run
    assert losses(run.path) == pytest.approx(plain, rel=0.1)
    assert keras.config.dtype_policy().name == "float32"
