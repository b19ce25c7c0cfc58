"""Compiles the steps of all batch shapes before they are needed, several at a time, under JAX."""

import json
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import keras
import numpy as np

from translator.base.cache import key_of
from translator.base.machine import ALL_CORES
from translator.base.progress import progress
from translator.base.version import __version__
from translator.config.schema import Config
from translator.data.batches import Batches
from translator.training.feeding import feed
from translator.training.hardware import device_count
from translator.training.packed_state import pack_state

CACHE_ERROR = re.compile("Error (reading|writing) persistent compilation cache entry")


def compile_ahead(
    model: keras.Model,
    config: Config,
    batches: Batches,
    validation: Batches,
    stopped: Callable[[], bool] = lambda: False,
) -> int:
    """Fills JAX's cache on disk, if there is one, with the steps of a training on one device.

    Tracing holds Python's lock, compiling does not. Afterwards `fit` and `evaluate` trace what they
    meet, and find it compiled. What cannot be compiled or kept here fails, or is compiled, there.

    Args:
        batches: of a pass over the pairs; those of others have the same shapes.

    Returns:
        How many steps were compiled, or found in the cache; 0 where the folder cannot be written,
        or an earlier training with these settings has left all of them there.
    """
    import jax

    folder = jax.config.jax_compilation_cache_dir
    if not folder or device_count() > 1 or jax.process_count() > 1:
        return 0
    done = Path(folder) / f"{_key(model, config, batches, validation)}.complete"
    if _is_whole(done) or not _is_writable(Path(folder)):
        return 0
    steps = [(batches, i, model.train_step) for i in _first_of_each_shape(batches)]
    steps += [(validation, i, model.test_step) for i in _first_of_each_shape(validation)]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        count = _compile(_lower(model, steps), len(steps), stopped)
    failures = [str(each.message) for each in told if CACHE_ERROR.match(str(each.message))]
    if not failures and count == len(steps):
        sizes = {path.name: path.stat().st_size for path in Path(folder).glob("*-cache")}
        done.write_text(json.dumps(sizes), "utf-8")
    if any("reading" in failure for failure in failures):  # JAX never replaces a damaged file
        for path in Path(folder).glob("*-cache"):
            path.unlink(missing_ok=True)
    return count


def _is_whole(done: Path) -> bool:
    """Whether all that was compiled is still there; what is damaged is removed."""
    try:
        sizes: dict[str, int] = json.loads(done.read_text("utf-8"))
        damaged = [n for n, size in sizes.items() if (done.parent / n).stat().st_size != size]
    except (OSError, ValueError):
        return False
    for name in damaged:
        (done.parent / name).unlink(missing_ok=True)
    return not damaged


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _compile(lowered: Iterator[Any], total: int, stopped: Callable[[], bool]) -> int:
    """Compiles on all cores; returns how many were."""
    futures = []
    with (
        progress("compiling for each length", total, " lengths") as advance,
        ThreadPoolExecutor(ALL_CORES) as pool,
    ):
        for each in lowered:
            if stopped():
                pool.shutdown(cancel_futures=True)
                break
            futures.append(pool.submit(each.compile))
            futures[-1].add_done_callback(lambda _: advance(1))
    return sum(not each.cancelled() and each.exception() is None for each in futures)


def _lower(model: keras.Model, steps: list[tuple[Batches, int, Any]]) -> Iterator[Any]:
    """Each step, ready to be compiled, with the state as `fit` and `evaluate` give it to them."""
    import jax

    of_model = model.trainable_variables, model.non_trainable_variables
    for batches, number, step in steps:
        trains = step == model.train_step
        of_optimizer = (model.optimizer.variables,) if trains else ()
        variables = *of_model, *of_optimizer, model.metrics_variables
        state = tuple([variable.value for variable in its] for its in variables)
        copies = model.loss.copies if trains else 1
        data = feed(batches, number, number + 1, copies)[0]
        jitted = jax.jit(step, donate_argnums=0)
        if trains:
            yield jitted.lower(pack_state(state), data)
        else:
            with model.loss.without_r_drop():
                lowered = jitted.lower(state, data)
            yield lowered


def _first_of_each_shape(batches: Batches) -> list[int]:
    """The number of the first update of each shape, in the order in which they come."""
    shapes = batches.shapes[:: batches.layout.accumulation_steps]
    return sorted(np.unique(shapes, axis=0, return_index=True)[1].tolist())


def _key(model: keras.Model, config: Config, batches: Batches, validation: Batches) -> str:
    """A key for all that decides what is compiled."""
    import jax

    shapes = [np.unique(each.shapes, axis=0).tolist() for each in (batches, validation)]
    settings = config.model.model_dump(), config.training.model_dump(mode="json")
    machine = __version__, jax.__version__, keras.__version__, jax.devices()[0].device_kind
    return key_of([settings, machine, model.vocab_sizes, model.loss.copies, shapes])
