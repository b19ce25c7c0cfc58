"""The processes that train a run together: one, or several on one machine or more.

They exchange a few values over JAX's coordination service: what they are to train, the verdict
of each validation, and why one of them ends. Gradients do not go this way.
"""

import atexit
import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from translator.base.backends import JAX, running_backend
from translator.base.errors import InputError
from translator.base.keras_startup import quiet_import
from translator.base.texts import quoted

START_SECONDS = 45  # until all processes must have begun
HEARTBEAT_SECONDS = 25  # a process that is silent for so long is taken for dead
POLL_MILLISECONDS = 500
LAUNCHERS = {  # the environment's number of processes, and the number of each
    "SLURM": ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
    "MPI": ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
}
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


def find_group(
    coordinator: str | None, count: int | None, number: int | None
) -> ProcessGroup | None:
    """The processes that the command line names, or SLURM or MPI.

    Args:
        coordinator: HOST:PORT, or None.
        count: how many, or None.
        number: of this one, or None.

    Returns:
        None where this process trains alone.

    Raises:
        InputError: the three are not complete, or do not fit together.
    """
    given = (coordinator, count, number)
    if given == (None, None, None):
        for launcher, (of_count, of_number) in LAUNCHERS.items():
            if int(os.environ.get(of_count) or 1) > 1:
                if of_number not in os.environ:
                    raise InputError(f"{launcher}: expected {of_number} beside {of_count}")
                return ProcessGroup(None, int(os.environ[of_count]), int(os.environ[of_number]))
        return None
    if coordinator is None or count is None or number is None:
        raise InputError(
            "expected --coordinator, --processes and --process together, such as --coordinator"
            " machine-1:7000 --processes 2 --process 0, found only some of them"
        )
    host, _, port = coordinator.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise InputError(
            f"--coordinator: expected HOST:PORT of process 0, such as machine-1:7000, found"
            f" {quoted(coordinator)}"
        )
    if number >= count:
        raise InputError(
            f"--process: expected a number from 0 to {count - 1}, one below --processes, found"
            f" {number}"
        )
    return ProcessGroup(coordinator, count, number) if count > 1 else None


def connect(group: ProcessGroup) -> None:
    """Connects this process with the others; before JAX or Keras is used.

    JAX ends the program by an abort if they do not all begin within `START_SECONDS`, and
    later if one of them dies; see `translator.training.parent_process`.

    Raises:
        InputError: the port is in use.
    """
    import jax

    if group.coordinator is None:
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
    jax.distributed.initialize(
        **where,
        initialization_timeout=START_SECONDS,
        heartbeat_timeout_seconds=HEARTBEAT_SECONDS,
    )
    with quiet_import():  # of CPUs, the first collective operation prints to standard output
        from jax.experimental.multihost_utils import sync_global_devices

        sync_global_devices("begin")


def _check_port(coordinator: str) -> None:
    import socket

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


class Processes:
    """All processes of this training, seen from one of them."""

    def __init__(self) -> None:
        self.number, self.count = 0, 1
        self.exchanges = 0
        if running_backend() == JAX:
            import jax

            self.number, self.count = jax.process_index(), jax.process_count()

    @property
    def is_first(self) -> bool:
        """Whether this is process 0, which alone writes and reports."""
        return self.number == 0

    def exchange(self, value: Any = None) -> list[Any]:
        """Waits until all processes have come here.

        Args:
            value: of this process, as JSON knows it.

        Returns:
            The values of all processes, in their order.

        Raises:
            InputError: a process has ended instead.
        """
        if self.count == 1:
            return [value]
        self.exchanges += 1
        name = f"translator/{self.exchanges}"
        _client().key_value_set(f"{name}/{self.number}", json.dumps(value))
        return [json.loads(self._wait(f"{name}/{i}")) for i in range(self.count)]

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
        first, *others = self.exchange(ours)
        for number, theirs in enumerate(others, 1):
            for name in first | theirs:
                one, other = first.get(name, "nothing"), theirs.get(name, "nothing")
                if one != other:
                    raise InputError(
                        f"process {number}: expected the same {what} as in process 0, found"
                        f" {name} {other}, there {one}; {advice}"
                    )

    @contextlib.contextmanager
    def in_turn(self) -> Iterator[None]:
        """Lets the others into the block when the first process has left it."""
        if not self.is_first:
            self.exchange()
        yield
        if self.is_first:
            self.exchange()

    def leave(self, error: BaseException) -> None:
        """Tells the others why this process ends, which it then does without waiting for them."""
        if self.count == 1:
            return
        if self._failure() is None:
            message = " ".join(str(error).split()) or type(error).__name__
            _client().key_value_set(
                f"{FAILURES}/{self.number}", f"process {self.number}: {message}"
            )
            time.sleep(4 * POLL_MILLISECONDS / 1000)  # they read it
        is_expected = isinstance(error, InputError | OSError) or self.has_lost_another(error)
        code = 130 if isinstance(error, KeyboardInterrupt) else 2 if is_expected else 1
        atexit.register(_end, code)

    def has_lost_another(self, error: BaseException) -> bool:
        """Whether an error of JAX means that another process does not answer any longer."""
        names = {kind.__name__ for kind in type(error).__mro__}
        return self.count > 1 and not names.isdisjoint(("JaxRuntimeError", "XlaRuntimeError"))

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
        messages = [message for _, message in _client().key_value_dir_get(FAILURES)]
        return messages[0] if messages else None


def _end(code: int) -> None:
    """Ends the process before JAX, at its own exit, waits for the others."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def _client() -> Any:
    """JAX's client of its coordination service; JAX has no public name for it."""
    from jax._src.distributed import global_state

    return global_state.client
