"""The processes that train a run together: one, or several on one machine or more.

JAX connects those that SLURM, Kubernetes or Open MPI has started, or that three variables of the
environment name. When one of them dies, JAX ends the others. They exchange a few values over JAX's
coordination service: what they are to train, the verdict of each validation, and whether one of
them is to stop. Gradients do not go this way.
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
LAUNCHED = ("SLURM_STEP_NUM_TASKS", "OMPI_COMM_WORLD_SIZE")  # how many SLURM, Open MPI has started
INDEXED = "JOB_COMPLETION_INDEX"  # the number of each that Kubernetes has started
SILENT_SECONDS = 30  # after which JAX takes a process for dead
POLL_MILLISECONDS = 500


class _Here:
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
    """Connects this process with the others, if there are any; before JAX or Keras is used."""
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
            f"several processes: expected that {', '.join(BY_HAND)} or SLURM, Kubernetes or Open"
            f" MPI say where they meet, found: {error}"
        ) from None
    _Here.size, _Here.number = jax.process_count(), jax.process_index()
    advice = "give each process as many, with training.devices on a CPU or CUDA_VISIBLE_DEVICES"
    check_equal("devices", {"devices": str(jax.local_device_count())}, advice)
    with quiet_import():  # of CPUs, the first collective operation prints to standard output
        from jax.experimental.multihost_utils import sync_global_devices

        sync_global_devices("begin")


def are_several() -> bool:
    """Whether others train together with this process."""
    return _Here.size > 1


def writes() -> bool:
    """Whether this is the process that writes and reports; the others compute alone."""
    return _Here.number == 0


def once(act: Callable[P, None]) -> Callable[P, None]:
    """A function that acts in the process that writes; in the others nothing happens."""

    @functools.wraps(act)
    def act_once(*args: P.args, **kwargs: P.kwargs) -> None:
        if writes():
            act(*args, **kwargs)

    return act_once


def agree(value: Any = None) -> Any:
    """Waits until all processes have come here, and returns the value of the one that writes."""
    return _exchange(value)[0]


def share(find: Callable[[], Any]) -> Any:
    """What a function finds in the process that writes, as JSON knows it, for all of them."""
    return agree(find() if writes() else None)


def any_asks(*asks: bool) -> list[bool]:
    """Whether one of the processes asks for each of some things; waits as `agree` does."""
    return [any(of_one) for of_one in zip(*_exchange(asks))]


def check_equal(what: str, facts: Mapping[str, str], advice: str) -> None:
    """Checks that all processes have the same.

    Args:
        facts: texts by name; the message tells which of them differ.
    """
    first, *others = _exchange(dict(facts))
    for number, theirs in enumerate(others, 1):
        different = [
            f"{name} {theirs.get(name, 'nothing')} (there {first.get(name, 'nothing')})"
            for name in first | theirs
            if first.get(name) != theirs.get(name)
        ]
        if different:
            raise InputError(
                f"process {number}: expected the same {what} as in process 0, found"
                f" {', '.join(different)}; {advice}"
            )


@contextlib.contextmanager
def in_turn() -> Iterator[None]:
    """Lets the others into the block when the process that writes has left it."""
    if not writes():
        _exchange()
    yield
    if writes():
        _exchange()


def _exchange(value: Any = None) -> list[Any]:
    """The values of all processes, in their order."""
    if not are_several():
        return [value]
    from jax._src.distributed import global_state  # which has no public name

    _Here.exchanges += 1
    name = f"translator/{_Here.exchanges}"
    global_state.client.key_value_set(f"{name}/{_Here.number}", json.dumps(value))
    return [json.loads(_wait(global_state.client, f"{name}/{i}")) for i in range(_Here.size)]


def _wait(client: Any, name: str) -> str:
    while True:
        try:
            value: str = client.blocking_key_value_get(name, POLL_MILLISECONDS)
            return value
        except RuntimeError as error:  # Ctrl-C is heard between two tries
            if "DEADLINE_EXCEEDED" not in str(error):
                raise
