"""What the machine has that this process may use."""

import os

ALL_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
