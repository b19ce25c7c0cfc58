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
from typing import Any, NamedTuple, TypeVar, cast

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


Action = TypeVar("Action", bound=Callable[..., None])


def once(act: Action) -> Action:
    """A method that acts in the process that writes; in the others nothing happens.

    Its object has the processes as ``processes``.
    """

    @functools.wraps(act)
    def act_once(self: Any, *args: Any, **kwargs: Any) -> None:
        if self.processes.writes:
            act(self, *args, **kwargs)

    return cast(Action, act_once)


class Processes:
    """All processes of this training, seen from one of them.

    Args:
        group: of this process; None where it trains alone.
    """

    def __init__(self, group: ProcessGroup | None = None) -> None:
        self.group = group
        self.number, self.count = (group.number, group.size) if group else (0, 1)
        self.writes = self.number == 0  # the others compute alone
        self.exchanges = 0

    def agree(self, value: Any = None) -> Any:
        """Waits until all processes have come here.

        Args:
            value: of this process, as JSON knows it.

        Returns:
            The value of the process that writes.

        Raises:
            InputError: a process has ended instead.
        """
        return self._exchange(value)[0]

    def any(self, asks: bool) -> bool:
        """Whether one of the processes asks for something; waits as `agree` does."""
        return any(self._exchange(asks))

    def check_equal(self, what: str, facts: Mapping[str, str], advice: str) -> None:
        """Checks that all processes have the same.

        Args:
            what: for the message.
            facts: texts by name; the message tells which of them differ.
            advice: what the user can do.

        Raises:
            InputError: they have not.
        """
        ours = dict(facts)
        first, *others = self._exchange(ours)
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
    def in_turn(self) -> Iterator[None]:
        """Lets the others into the block when the process that writes has left it."""
        if not self.writes:
            self._exchange()
        yield
        if self.writes:
            self._exchange()

    @contextlib.contextmanager
    def explaining_losses(self) -> Iterator[None]:
        """Tells the others why a block of this process failed, and the user if it was by them.

        Raises:
            InputError: another process does not answer any longer.
        """
        try:
            yield
        except BaseException as error:
            lost = self.explain_loss(error)
            self.leave(error)
            if lost is not None:
                raise InputError(lost) from error
            raise

    def leave(self, error: BaseException) -> None:
        """Tells the others why this process ends, which it then does without waiting for them.

        They can ask only as long as process 0 runs, and JAX ends them soon after it.
        """
        if self.count == 1 or _client() is None:
            return
        if self._failure() is None:
            message = _describe(error)
            _client().key_value_set(
                f"{FAILURES}/{self.number}", f"process {self.number}: {message}"
            )
        if self.writes:
            time.sleep(4 * POLL_MILLISECONDS / 1000)  # they ask, and say what they have to
        is_expected = isinstance(error, InputError | OSError) or _is_of_jax(error)
        code = 130 if isinstance(error, KeyboardInterrupt) else 2 if is_expected else 1
        atexit.register(_end, code)

    def explain_loss(self, error: BaseException) -> str | None:
        """A line for an error of JAX, which means that another process does not answer any longer.

        Returns:
            None for any other error.
        """
        if self.count == 1 or not _is_of_jax(error):
            return None
        this = f"process {self.number} of {self.count}"
        if failure := self._failure():
            return f"{this}: another process ended, {failure}"
        return f"{this}: {LOST} ({str(error).partition(chr(10))[0]})"

    def _exchange(self, value: Any = None) -> list[Any]:
        """The values of all processes, in their order."""
        if self.count == 1:
            return [value]
        self.exchanges += 1
        name = f"translator/{self.exchanges}"
        _client().key_value_set(f"{name}/{self.number}", json.dumps(value))
        return [json.loads(self._wait(f"{name}/{i}")) for i in range(self.count)]

    def _wait(self, name: str) -> str:
        while True:
            try:
                value: str = _client().blocking_key_value_get(name, POLL_MILLISECONDS)
                return value
            except RuntimeError as error:
                if "DEADLINE_EXCEEDED" not in str(error):
                    raise
            if failure := self._failure():
                raise InputError(f"another process ended, {failure}")

    def _failure(self) -> str | None:
        """Why a process ends; None while none does."""
        try:
            messages = [message for _, message in _client().key_value_dir_get(FAILURES)]
        except RuntimeError:  # process 0 is gone
            return None
        return messages[0] if messages else None


def connect(processes: Processes, devices: str = "auto") -> None:
    """Connects this process with the others; before JAX or Keras is used.

    JAX ends the program by an abort if they do not all begin within `START_SECONDS`, and
    later if one of them dies.

    Args:
        processes: of a group.
        devices: how many of its devices each process is to use; the same for all.

    Raises:
        InputError: the port is in use; SLURM or MPI does not say where process 0 is; or the
            processes have different numbers of devices.
    """
    import jax

    group = processes.group
    if group is None or group.coordinator is None:
        where: dict[str, Any] = {}
    else:
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
    processes.check_equal("devices", facts, advice)
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
