"""The processor cores that this process may use."""

import os

if hasattr(os, "sched_getaffinity"):
    ALL_CORES = len(os.sched_getaffinity(0))
else:
    ALL_CORES = os.cpu_count() or 1
