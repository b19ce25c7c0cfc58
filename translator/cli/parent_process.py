"""Finds the processes that train together, and is the parent of one: turns JAX's abort into a line.

When a process of a training dies, JAX ends the others by an abort, with a page of C++ addresses.
So each of them is the child of a small process that passes signals on, waits, and says what
has happened.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from typing import IO

from translator.base.errors import InputError
from translator.base.texts import quoted
from translator.training.processes import LOST, START_SECONDS, ProcessGroup

LIFELINE, STANDARD_ERROR = "TRANSLATOR_LIFELINE", "TRANSLATOR_STDERR"  # file descriptors
LAUNCHERS = (  # the environment's number of processes, and the number of each: SLURM, Open MPI
    ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
)
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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
    if count is None and number is None:
        for names in LAUNCHERS:
            texts = [os.environ.get(name, "") for name in names]
            if all(map(str.isdecimal, texts)) and int(texts[0]) > 1:
                count, number = map(int, texts)
                if coordinator is None:
                    return ProcessGroup(None, count, number)
    if (coordinator, count, number) == (None, None, None):
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


def is_child() -> bool:
    """Whether this process has such a parent."""
    return LIFELINE in os.environ


def run_child(group: ProcessGroup, debug: bool = False) -> int:
    """Runs this program once more, with the same arguments, as a child.

    Args:
        group: the processes.
        debug: whether to show what the child's libraries wrote when it was aborted.

    Returns:
        The exit code: the child's, or 2 after an abort.
    """
    lifeline, our_end = os.pipe()  # the child reads its end of file when this process dies
    standard_error = os.dup(2)
    with tempfile.TemporaryFile() as of_libraries:
        child = subprocess.Popen(
            [sys.executable, *sys.orig_argv[1:]],
            stderr=of_libraries,
            pass_fds=(lifeline, standard_error),
            env={**os.environ, LIFELINE: str(lifeline), STANDARD_ERROR: str(standard_error)},
            start_new_session=True,  # a terminal's Ctrl-C comes once, from here
        )
        os.close(lifeline)
        for number in PASSED_ON:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda number, _: child.send_signal(number))
        code = child.wait()
        os.close(our_end)
        if code >= 0:
            return code
        said = _read(of_libraries)
    if -code in PASSED_ON:  # before or after it could stop in order
        print("translator: interrupted", file=sys.stderr)
        return 130
    if debug:
        print(said, file=sys.stderr)
    print(f"translator: {_explain(-code, said, group)}", file=sys.stderr)
    return 2


def begin_as_child() -> None:
    """Connects a child with its parent: for error messages, and to end when the parent dies."""
    number = int(os.environ.pop(STANDARD_ERROR))
    encoding = sys.stderr.encoding if sys.stderr else "utf-8"
    sys.stderr = open(number, "w", 1, encoding, "backslashreplace")  # noqa: SIM115
    lifeline = int(os.environ.pop(LIFELINE))

    def wait_for_end() -> None:
        os.read(lifeline, 1)
        os._exit(1)

    threading.Thread(target=wait_for_end, daemon=True).start()


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def _explain(number: int, said: str, group: ProcessGroup) -> str:
    """What has happened to a child that a signal ended."""
    this = f"process {group.number} of {group.size}"
    where = group.coordinator or "that SLURM or MPI names"
    if "ALREADY_EXISTS" in said or "incarnation" in said:
        return (
            f"{this}: expected a number of its own, found another process with it; start each"
            " process with another --process, from 0"
        )
    if "RegisterTask" in said:
        return (
            f"{this}: expected all {group.size} processes at the coordinator {where} within"
            f" {START_SECONDS} s, found fewer, or no answer; check the address, the firewall and"
            " that all have been started"
        )
    if number in (signal.SIGABRT, signal.SIGSEGV):
        return f"{this}: {LOST}"
    return (
        f"{this}: ended by signal {number}, such as 9 where memory ran out; nothing that was saved"
        " is lost: start all processes again with --resume"
    )
