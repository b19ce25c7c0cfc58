"""The processor cores and the memory that this process may use."""

import contextlib
import os
from pathlib import Path

from translator.base.errors import InputError

if hasattr(os, "sched_getaffinity"):
    ALL_CORES = len(os.sched_getaffinity(0))
else:
    ALL_CORES = os.cpu_count() or 1

is_program = False  # True in the command line, which needs only a part of Keras


def check_memory(needed: int, purpose: str) -> None:
    """Checks the memory limit of this process, before a C++ library would end the process.

    Args:
        needed: bytes of address space. A process uses less memory than address space.
    """
    free = _left_of_limit()
    if free is not None and free < needed:
        raise InputError(
            f"memory: expected at least {needed >> 20:,} MiB for {purpose}, found"
            f" {describe_memory()}; raise the limit"
        )


def describe_memory() -> str:
    """Says for an error how much memory is left."""
    free = _left_of_limit()
    if free is not None:
        return f"{free >> 20:,} MiB left under the limit of this process (ulimit -v)"
    with contextlib.suppress(OSError, KeyError, ValueError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        sizes = {name: size.split()[0] for name, _, size in (line.partition(":") for line in lines)}
        return f"{int(sizes['MemAvailable']) >> 10:,} MiB available"
    return "less"


def _left_of_limit() -> int | None:
    """How many more bytes of address space the process may take; None without a limit."""
    try:
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):  # not on Linux
        return None
    has_limit = limit != resource.RLIM_INFINITY
    return max(0, limit - pages * resource.getpagesize()) if has_limit else None
