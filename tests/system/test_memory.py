"""A training that takes all memory."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from translator.runs.directory import RunDirectory
from translator.training import state

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "configs" / "demo.yaml"
LITTLE_MEMORY = """
import re, resource, sys
from pathlib import Path
from translator.base.keras_startup import start_keras
start_keras()
from translator.cli.main import main
from translator.training.loop import Training

train = Training.train

def train_with_little_memory(self):
    size = int(re.search(r"VmSize:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) << 10
    resource.setrlimit(resource.RLIMIT_AS, (size + (2 << 30),) * 2)
    train(self)

Training.train = train_with_little_memory
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is read from Linux's /proc")
def test_a_batch_that_really_takes_all_memory(tmp_path):
    """20,000 sentences, for which 2 GiB are too little."""
    size = ("--set", "data.batch_tokens=null", "--set", "data.batch_size=20000")
    done = subprocess.run(
        [sys.executable, "-c", LITTLE_MEMORY, "train", DEMO, "--run", tmp_path / "run", *size],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "out of memory at update" in done.stderr
    assert re.search("20000 sentences of up to 1[0-9] source and 1[0-9] target tokens", done.stderr)
    assert state.read_progress(RunDirectory(tmp_path / "run")).epoch == 0
