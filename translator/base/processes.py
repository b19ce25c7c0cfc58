"""The processes that train a run together: one process, or several on one or more machines.

JAX connects processes that SLURM, Kubernetes or Open MPI started, or that three environment
variables name. When a process dies, JAX ends the others. The processes exchange a few values over
JAX's coordination service: facts about the training, the result of each validation, and whether a
process should stop. Gradients are exchanged in another way.
"""

import contextlib
import functools
import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ParamSpec

from translator.base.errors import InputError
from translator.base.keras_startup import quiet_import

BY_HAND = ("JAX_COORDINATOR_ADDRESS", "JAX_NUM_PROCESSES", "JAX_PROCESS_ID")
LAUNCHED = ("SLURM_STEP_NUM_TASKS", "OMPI_COMM_WORLD_SIZE")  # how many processes started
INDEXED = "JOB_COMPLETION_INDEX"  # the number of a process that Kubernetes started
SILENT_SECONDS = 30  # a process that is silent so long is dead for JAX
POLL_MILLISECONDS = 500


class _ThisProcess:
    """This process among those that train together."""

    size, number = 1, 0
    exchanges = 0


P = ParamSpec("P")


def are_started() -> bool:
    """Whether this process was started as one of several."""
    counts = (os.environ.get(name, "") for name in LAUNCHED)
    is_launched = any(count.isdecimal() and int(count) > 1 for count in counts)
    return is_launched or INDEXED in os.environ or any(name in os.environ for name in BY_HAND)


def connect() -> None:
    """Connects this process with the others, if there are any, before JAX or Keras starts."""
    if are_several() or not are_started():
        return
    import jax

    address, *numbers = (os.environ.get(name) for name in BY_HAND)
    try:
        count, number = (None if text is None else int(text) for text in numbers)
        jax.distributed.initialize(
            address,
            count,
            number,
            cluster_detection_method="deactivate" if None not in (address, *numbers) else None,
            heartbeat_timeout_seconds=SILENT_SECONDS,
            shutdown_timeout_seconds=SILENT_SECONDS,
        )
    except ValueError as error:
        raise InputError(
            f"several processes: expected {', '.join(BY_HAND)}, or SLURM, Kubernetes or Open MPI,"
            f" to connect them, found: {error}"
        ) from None
    _ThisProcess.size, _ThisProcess.number = jax.process_count(), jax.process_index()
    advice = "set the same number for all with training.devices, or on GPUs CUDA_VISIBLE_DEVICES"
    check_equal("devices", {"devices": str(jax.local_device_count())}, advice)
    with quiet_import():  # on CPUs, the first collective operation prints to standard output
        from jax.experimental.multihost_utils import sync_global_devices

        sync_global_devices("begin")


def are_several() -> bool:
    """Whether others train together with this process."""
    return _ThisProcess.size > 1


def writes() -> bool:
    """Whether this is the process that writes and reports; the others only compute."""
    return _ThisProcess.number == 0


def in_writer(act: Callable[P, None]) -> Callable[P, None]:
    """Makes a function act only in the process that writes; in the others it does nothing."""

    @functools.wraps(act)
    def act_in_writer(*args: P.args, **kwargs: P.kwargs) -> None:
        if writes():
            act(*args, **kwargs)

    return act_in_writer


def agree(value: Any = None) -> Any:
    """Waits until all processes call this; returns the value of the process that writes."""
    return _exchange(value)[0]


def share(find: Callable[[], Any]) -> Any:
    """Calls a function in the process that writes; all processes get its result, through JSON."""
    return agree(find() if writes() else None)


def any_asks(*asks: bool) -> list[bool]:
    """Says for each value whether it is true in at least one process; waits like `agree`."""
    return [any(values) for values in zip(*_exchange(asks))]


def check_equal(subject: str, facts: Mapping[str, str], advice: str) -> None:
    """Checks that all processes have the same facts.

    Args:
        facts: texts by name; the message names the facts that differ.
    """
    first, *others = _exchange(dict(facts))
    for number, here in enumerate(others, 1):
        different = [
            f"{name} {here.get(name, 'nothing')} (in process 0: {first.get(name, 'nothing')})"
            for name in first | here
            if first.get(name) != here.get(name)
        ]
        if different:
            raise InputError(
                f"process {number}: expected the same {subject} as in process 0, found"
                f" {', '.join(different)}; {advice}"
            )


@contextlib.contextmanager
def in_turn() -> Iterator[None]:
    """Lets the other processes enter the block after the process that writes has left it."""
    if not writes():
        _exchange()
    yield
    if writes():
        _exchange()


def _exchange(value: Any = None) -> list[Any]:
    """The values of all processes, in their order."""
    if not are_several():
        return [value]
    from jax._src.distributed import global_state  # JAX has no public name for it

    _ThisProcess.exchanges += 1
    name = f"translator/{_ThisProcess.exchanges}"
    global_state.client.key_value_set(f"{name}/{_ThisProcess.number}", json.dumps(value))
    return [json.loads(_wait(global_state.client, f"{name}/{i}")) for i in range(_ThisProcess.size)]


def _wait(client: Any, name: str) -> str:
    while True:
        try:
            value: str = client.blocking_key_value_get(name, POLL_MILLISECONDS)
            return value
        except RuntimeError as error:  # Ctrl-C works between two tries
            if "DEADLINE_EXCEEDED" not in str(error):
                raise
