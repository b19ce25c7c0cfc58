"""An update starts no more kernels and reads no more bytes on a GPU than the results say.

It is compiled for an H100, which takes no GPU, only packages that are installed here for the test.
"""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.trying import FOLDER, ROOT, results_in

pytestmark = pytest.mark.slow
PACKAGES = ("jax-cuda12-plugin=={0}", "jax-cuda12-pjrt=={0}", "nvidia-cuda-nvcc-cu12<13")
MORE = 1.02  # is no mistake


@pytest.fixture(scope="module")
def stored() -> dict:
    """The result, if it is of this version of JAX, whose compiler decides."""
    results = json.loads((FOLDER / "results" / "gpu.json").read_text("utf-8"))
    [result] = [each for each in results if each["name"] == "compiled-updates"]
    if not result["machine"].endswith(f"JAX {version('jax')}"):
        pytest.skip(f"the result is of {result['machine']}, here is JAX {version('jax')}")
    return result


@pytest.fixture(scope="module")
def cuda(stored, tmp_path_factory) -> Path:
    """A folder with JAX's plugin for CUDA, from the package index."""
    folder = tmp_path_factory.mktemp("cuda")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-deps"]
    packages = [package.format(version("jaxlib")) for package in PACKAGES]
    done = subprocess.run(
        [*pip, "--target", folder, *packages], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"pip finds no plugin for CUDA: {done.stderr.strip()[-200:]}")
    return folder


def test_an_update_does_no_more_on_a_gpu_than_the_results_say(stored, cuda):
    path = os.pathsep.join(map(str, (ROOT, cuda)))
    done = subprocess.run(
        [sys.executable, FOLDER / "compile_step.py"],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    [result] = results_in(done.stdout)
    for row, expected in zip(result["rows"], stored["rows"], strict=True):
        assert row[0] == expected[0]
        for figure, most in zip(row[1:], expected[1:]):
            assert figure <= MORE * most, (row, expected)
