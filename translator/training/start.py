"""Begins a training: chooses the backend from the configuration, then starts Keras."""

import contextlib
import itertools
import os
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from translator.base.backends import JAX, TENSORFLOW, choose_backend, has_gpu, running_backend
from translator.base.cache import home
from translator.base.errors import InputError, install_command, is_installed, missing_package
from translator.base.keras_startup import quiet_import, start_keras
from translator.base.languages import check_language
from translator.base.machine import ALL_CORES
from translator.base.processes import are_started, connect
from translator.config.automatic import AUTO
from translator.config.corpus import NONE
from translator.config.schema import Config, TrainingConfig
from translator.config.yaml_file import read_config
from translator.corpora.files import check_file
from translator.corpora.registry import fetch_for, known_corpus, read_corpus
from translator.runs.directory import RunDirectory
from translator.training.settings import find_initial_run, settings_to_resume

if TYPE_CHECKING:
    from keras.optimizers.schedules import LearningRateSchedule

    from translator.training.trainer import TrainingResult

NAMES = {TENSORFLOW: "TensorFlow", JAX: "JAX"}  # names of the backends for the user
COMPILED = "compiled"  # the cache's folder for steps that JAX compiled for a GPU
# Passes of TensorFlow over a graph. On a CPU a step without them is as fast and has the same bits,
# and the first step comes seconds sooner.
WITHOUT_EFFECT = (
    "dependency_optimization",
    "function_optimization",
    "layout_optimizer",
    "loop_optimization",
    "remapping",
    "shape_optimization",
)
IDLE_GPU = (
    "training on the CPU, because here only JAX uses the GPU; to train on the GPU: {}, and leave"
    " training.backend out"
)


def train(
    config: Config | Mapping[str, Any],
    run_dir: str | Path,
    resume: bool = False,
    report: Callable[[str], None] = print,
    deterministic: bool = False,
    schedule: "LearningRateSchedule | None" = None,
) -> "TrainingResult":
    """Trains a model into a run directory.

    Args:
        config: the configuration; may be a dictionary. A resumed run keeps its own configuration,
            and takes only the settings in `settings.CHANGEABLE_ON_RESUME` from this one.
        run_dir: the directory to write everything to.
        resume: continue the run in ``run_dir``.
        report: called with each line for the user.
        deterministic: whether TensorFlow computes the same bits every time. This costs no speed. It
            applies to the whole process. So does the setup of TensorFlow: without GPU, and without
            some passes over graphs.
        schedule: replaces ``training.schedule``: a learning rate over the updates. Keras counts
            updates from 0. The run stores the schedule serialized by Keras. So your own class
            needs ``get_config`` and ``keras.saving.register_keras_serializable``.

    Returns:
        How the training ended.

    Raises:
        InputError: ``config`` is no configuration, or ``schedule`` no schedule; the backend is not
            available; the corpus, the tokenizers or the run directory cannot be used; another
            process trains there; or the training failed.
        OSError: the disk is full; the last checkpoint stays.
    """
    if isinstance(config, Mapping):
        config = read_config(config)
    if not isinstance(config, Config):
        raise InputError(
            f"config: expected a Config, found {type(config).__name__}; read_config reads a file"
        )
    if config.training.schedule.name == "custom" and schedule is None and not resume:
        raise InputError(
            "training.schedule.name: expected another schedule, found custom, which comes from"
            " Python; choose linear, or pass schedule to translator.train"
        )
    if resume:
        config = settings_to_resume(config, RunDirectory(run_dir))
    else:
        _check(config)
        if not are_started():  # the first of several processes checks this later
            RunDirectory(run_dir).check_free()
            _fetch(config)
    start_backend(config.training, report, deterministic)
    from translator.training.hardware import sharing_batches
    from translator.training.trainer import train_run

    with sharing_batches(config.training):
        return train_run(config, run_dir, resume, report, schedule)


def _check(config: Config) -> None:
    """Makes the checks that do not need Keras, because Keras takes seconds to start."""
    corpus, tokenizer = config.corpus, config.tokenizer
    for key, language in zip(("source", "target"), corpus.languages):
        check_language(language, f"corpus.{key}_language")
    mixed = [corpus.train.paths for corpus in config.corpora if corpus.train]
    paths = [*corpus.split_paths.values(), *mixed]
    paths += filter(None, (tokenizer.model_paths, tokenizer.vocabulary_paths))
    for path in itertools.chain.from_iterable(paths):
        check_file(path)
    if corpus.name == "files":
        for pairs in read_corpus(corpus).values():
            next(pairs, None)
    if config.training.init != AUTO:
        find_initial_run(config)


def _fetch(config: Config) -> None:
    """Downloads missing corpora now, because an early failure is better than a late one."""
    names = [mixed.name for mixed in config.corpora if mixed.train is None]
    further = (known_corpus(config.corpus, name, "corpora") for name in names)
    for corpus in (config.corpus, *further):
        if corpus.name not in ("files", NONE):
            fetch_for(corpus)


def start_backend(
    training: TrainingConfig, report: Callable[[str], None], deterministic: bool = False
) -> None:
    """Starts Keras on its backend. Before this, it sets up JAX's devices and processes."""
    is_alone = not are_started()
    if not is_alone and running_backend() is not None:
        raise InputError(
            "several processes: expected a connection before Keras starts, found that Keras already"
            " runs in this process; train in a new process"
        )
    backend = choose_backend(training.backend if is_alone or training.backend != "auto" else JAX)
    if not is_alone and backend != JAX:
        raise InputError(
            f"training.backend: several processes need jax, found {backend}; train a run with the"
            " backend jax"
        )
    _check_machine(training, backend)
    if running_backend() is None and is_alone and is_installed("keras"):
        report(f"starting {NAMES[backend]}, which takes some seconds")
    if backend == JAX and running_backend() is None:
        _start_jax(training)
    start_keras(backend)
    if backend == JAX:
        _check_gpu()
    else:
        if has_gpu():
            report(IDLE_GPU.format(install_command("jax-cuda")))
        _prepare_tensorflow(training, deterministic)


def _check_machine(training: TrainingConfig, backend: str) -> None:
    """Refuses settings that this machine or the backend does not support."""
    if training.precision == "float16" and not (backend == JAX and has_gpu()):
        raise InputError(
            "training.precision: float16 needs a GPU, found none; train with float32, bfloat16 or"
            " auto, or on a machine with a GPU"
        )
    if backend == TENSORFLOW and training.devices not in ("auto", 1):
        raise InputError(
            f"training.devices: {training.devices} devices need JAX, found backend: tensorflow; set"
            " training.backend: jax, or training.devices: 1"
        )
    if backend == JAX and training.data_parallel not in ("auto", 1):
        raise InputError(
            f"training.data_parallel: {training.data_parallel} shards are for TensorFlow on a CPU,"
            " found backend: jax; set training.data_parallel: auto, or training.devices to the"
            " number of devices"
        )


def _prepare_tensorflow(training: TrainingConfig, deterministic: bool) -> None:
    """Keeps TensorFlow on the CPU, and gives each shard of a batch its own cores."""
    import tensorflow as tf

    from translator.training.hardware import shard_count

    shards = min(ALL_CORES, shard_count(training))
    with contextlib.suppress(RuntimeError):  # raised if TensorFlow already runs
        tf.config.set_visible_devices([], "GPU")
        if shards > 1:
            tf.config.threading.set_intra_op_parallelism_threads(ALL_CORES // shards)
            tf.config.threading.set_inter_op_parallelism_threads(shards)
    tf.config.optimizer.set_experimental_options(dict.fromkeys(WITHOUT_EFFECT, False))
    if deterministic:
        tf.config.experimental.enable_op_determinism()


def _start_jax(training: TrainingConfig) -> None:
    try:
        with quiet_import():
            import jax
    except ModuleNotFoundError as error:
        raise missing_package(error) or error from None
    if has_gpu():  # compiling all shapes takes minutes; later starts find them in the cache
        keep_compiled(home() / COMPILED)
    if training.devices != "auto":  # without a GPU, the CPU becomes so many devices
        with contextlib.suppress(RuntimeError):  # raised if JAX already runs
            jax.config.update("jax_num_cpu_devices", training.devices)
    connect()


def keep_compiled(folder: Path) -> None:
    """Lets JAX store compiled steps in a folder; ignores errors of reading and writing."""
    import jax

    jax.config.update("jax_compilation_cache_dir", str(folder))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    message = "Error (reading|writing) persistent compilation cache entry"
    warnings.filterwarnings("ignore", message=message)


def _check_gpu() -> None:
    """Checks that JAX uses the GPU of the machine."""
    import jax

    if (
        has_gpu()
        and "cpu" not in os.environ.get("JAX_PLATFORMS", "")
        and not any(device.platform == "gpu" for device in jax.local_devices())
    ):
        raise InputError(
            "training.backend: jax cannot use the GPU of this machine;"
            f" {install_command('jax-cuda')}, which needs a driver for CUDA 12, or set"
            " CUDA_VISIBLE_DEVICES= in the environment to train on the CPU"
        )
