"""The processes that train a run together: one, or several on one machine or more.

They exchange a few values over JAX's coordination service: what they are to train, the verdict
of each validation, and why one of them ends. Gradients do not go this way.
"""

import atexit
import contextlib
import functools
import json
import os
import re
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, ParamSpec

from translator.base.errors import InputError
from translator.base.keras_startup import quiet_import

START_SECONDS = 45  # until all processes must have begun
HEARTBEAT_SECONDS = 25  # a process that is silent for so long is taken for dead
POLL_MILLISECONDS = 500
LOST = (
    "another process has ended or cannot be reached any longer; nothing that was saved is lost:"
    " start all of them again with --resume"
)
FAILURES = "translator/failures"  # the keys of the messages of processes that end


class ProcessGroup(NamedTuple):
    """Where several processes find each other.

    Attributes:
        coordinator: HOST:PORT of process 0; None where SLURM or MPI tells JAX.
        size: how many they are.
        number: of this one, from 0.
    """

    coordinator: str | None
    size: int
    number: int


ALONE = ProcessGroup(None, 1, 0)


def _check_port(coordinator: str) -> None:
    port = int(coordinator.rpartition(":")[2])
    with socket.socket() as probe:
        try:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("", port))
        except OSError as error:
            raise InputError(
                f"--coordinator {coordinator}: expected a free port, found that {port} cannot be"
                f" used ({error.strerror}); choose another one, for all processes"
            ) from None


class _Here:
    """This process among those that train together; it can take part in one training of several."""

    group = ALONE
    exchanges = 0


P = ParamSpec("P")


def once(act: Callable[P, None]) -> Callable[P, None]:
    """A function that acts in the process that writes; in the others nothing happens."""

    @functools.wraps(act)
    def act_once(*args: P.args, **kwargs: P.kwargs) -> None:
        if writes():
            act(*args, **kwargs)

    return act_once


def writes() -> bool:
    """Whether this is the process that writes and reports; the others compute alone."""
    return _Here.group.number == 0


def are_several() -> bool:
    """Whether others train together with this process."""
    return _Here.group.size > 1


def agree(value: Any = None) -> Any:
    """Waits until all processes have come here.

    Args:
        value: of this process, as JSON knows it.

    Returns:
        The value of the process that writes.

    Raises:
        InputError: a process has ended instead.
    """
    return _exchange(value)[0]


def share(find: Callable[[], Any]) -> Any:
    """What a function finds in the process that writes, as JSON knows it, for all of them."""
    return agree(find() if writes() else None)


def any_asks(asks: bool) -> bool:
    """Whether one of the processes asks for something; waits as `agree` does."""
    return any(_exchange(asks))


def check_equal(what: str, facts: Mapping[str, str], advice: str) -> None:
    """Checks that all processes have the same.

    Args:
        what: for the message.
        facts: texts by name; the message tells which of them differ.
        advice: what the user can do.

    Raises:
        InputError: they have not.
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


@contextlib.contextmanager
def training_together(group: ProcessGroup | None) -> Iterator[None]:
    """Takes part in a training of several processes for a block.

    If the block fails, the others are told why, and the user if it was by them. After the block
    each process counts as alone, and thus writes.

    Args:
        group: None where this process trains alone.

    Raises:
        InputError: another process does not answer any longer.
    """
    _Here.group = group or ALONE
    try:
        yield
    except BaseException as error:
        lost = explain_loss(error)
        _leave(error)
        if lost is not None:
            raise InputError(lost) from error
        raise
    finally:
        _Here.group = ALONE


def explain_loss(error: BaseException) -> str | None:
    """A line for an error of JAX, which means that another process does not answer any longer.

    Returns:
        None for any other error.
    """
    if not are_several() or not _is_of_jax(error):
        return None
    this = f"process {_Here.group.number} of {_Here.group.size}"
    if failure := _failure():
        return f"{this}: another process ended, {failure}"
    return f"{this}: {LOST} ({str(error).partition(chr(10))[0]})"


def _leave(error: BaseException) -> None:
    """Tells the others why this process ends, which it then does without waiting for them.

    They can ask only as long as process 0 runs, and JAX ends them soon after it.
    """
    if not are_several() or _client() is None:
        return
    if _failure() is None:
        number, message = _Here.group.number, _describe(error)
        _client().key_value_set(f"{FAILURES}/{number}", f"process {number}: {message}")
    if writes():
        time.sleep(4 * POLL_MILLISECONDS / 1000)  # they ask, and say what they have to
    is_expected = isinstance(error, InputError | OSError) or _is_of_jax(error)
    code = 130 if isinstance(error, KeyboardInterrupt) else 2 if is_expected else 1
    atexit.register(_end, code)


def _exchange(value: Any = None) -> list[Any]:
    """The values of all processes, in their order."""
    if not are_several():
        return [value]
    _Here.exchanges += 1
    name = f"translator/{_Here.exchanges}"
    _client().key_value_set(f"{name}/{_Here.group.number}", json.dumps(value))
    return [json.loads(_wait(f"{name}/{i}")) for i in range(_Here.group.size)]


def _wait(name: str) -> str:
    while True:
        try:
            value: str = _client().blocking_key_value_get(name, POLL_MILLISECONDS)
            return value
        except RuntimeError as error:
            if "DEADLINE_EXCEEDED" not in str(error):
                raise
        if failure := _failure():
            raise InputError(f"another process ended, {failure}")


def _failure() -> str | None:
    """Why a process ends; None while none does."""
    try:
        messages = [message for _, message in _client().key_value_dir_get(FAILURES)]
    except RuntimeError:  # process 0 is gone
        return None
    return messages[0] if messages else None


def connect(devices: str) -> None:
    """Connects this process with the others, if there are any; before JAX or Keras is used.

    JAX ends the program by an abort if they do not all begin within `START_SECONDS`, and
    later if one of them dies.

    Args:
        devices: how many of its devices each process is to use; the same for all.

    Raises:
        InputError: the port is in use; SLURM or MPI does not say where process 0 is; or the
            processes have different numbers of devices.
    """
    import jax

    group, where = _Here.group, dict[str, Any]()
    if not are_several():
        return
    if group.coordinator is not None:
        if group.number == 0:
            _check_port(group.coordinator)
        where = {
            "coordinator_address": group.coordinator,
            "num_processes": group.size,
            "process_id": group.number,
            "cluster_detection_method": "deactivate",
        }
    try:
        jax.distributed.initialize(
            **where,
            initialization_timeout=START_SECONDS,
            heartbeat_timeout_seconds=HEARTBEAT_SECONDS,
        )
    except ValueError as error:
        raise InputError(
            "expected that SLURM or MPI says where process 0 is, found:"
            f" {error}; name it with --coordinator HOST:PORT"
        ) from None
    facts = {"training.devices": devices, "devices found": str(jax.local_device_count())}
    advice = "give each process as many, with training.devices on a CPU or CUDA_VISIBLE_DEVICES"
    check_equal("devices", facts, advice)
    with quiet_import():  # of CPUs, the first collective operation prints to standard output
        from jax.experimental.multihost_utils import sync_global_devices

        sync_global_devices("begin")


def _is_of_jax(error: BaseException) -> bool:
    """Also where it is a plain error that names Gloo, the library that connects the processes."""
    names = {kind.__name__ for kind in type(error).__mro__}
    names_gloo = re.search(r"\bgloo\b", str(error), re.IGNORECASE) is not None
    return names_gloo or not names.isdisjoint(("JaxRuntimeError", "XlaRuntimeError"))


def _describe(error: BaseException) -> str:
    """An error as one line."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    return " ".join(str(error).split()) or type(error).__name__


def _end(code: int) -> None:
    """Ends the process before JAX, at its own exit, waits for the others."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def _client() -> Any:
    """JAX's client of its coordination service, which has no public name; None before `connect`."""
    if "jax" not in sys.modules:
        return None
    from jax._src.distributed import global_state

    return global_state.client
