"""The script that measures an installation: what a process used, and which run it was given."""

import resource
import runpy
import sys
from pathlib import Path

import pytest

from translator.base.errors import InputError

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(ROOT / "benchmarks" / "installation.py"))


def test_time_and_memory_are_those_of_one_process(script, tmp_path):
    own = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6)
    size = own + 200
    large = script["measure"]([sys.executable, "-c", f"b'x' * {size * 10**6}"], tmp_path)
    small = script["measure"]([sys.executable, "-c", "import time; time.sleep(1)"], tmp_path)
    assert size < large.megabytes < size + 100
    assert small.megabytes < own + 100
    assert 1 <= small.seconds < 20


def test_a_process_that_fails_says_why_itself(script, tmp_path):
    program = (
        "import sys; print('run: x', file=sys.stderr); sys.exit('translator: x: expected a run')"
    )
    with pytest.raises(InputError, match="^x: expected a run$"):
        script["measure"]([sys.executable, "-c", program], tmp_path)
    with pytest.raises(InputError, match="^exit code 3$"):
        script["measure"]([sys.executable, "-c", "raise SystemExit(3)"], tmp_path)


def test_a_run_is_found_from_any_folder_and_a_shipped_model_by_its_name(
    script, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    assert script["chosen"](None) == []
    assert script["chosen"]("mine") == ["--run", str(tmp_path / "mine")]
    assert script["chosen"]("en-de") == ["--run", "en-de"]


def test_pip_says_itself_what_fails(script, tmp_path, capfd):
    folder = str(tmp_path / "none")
    with pytest.raises(InputError, match="pip download: expected it to succeed, found exit code"):
        script["pip"]("download", "--no-index", folder)
    assert "none" in capfd.readouterr().err


def test_a_run_that_is_missing_is_noticed_before_anything_is_built(script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["installation.py", "--run", "none"])
    with pytest.raises(InputError, match="none: expected a run directory"):
        script["main"]()


def test_a_process_without_the_network_has_no_interface_that_is_up(script, tmp_path):
    if not script["can_unshare"]():
        pytest.skip("this system cannot turn the network off")
    program = (
        "import socket\n"
        "try: socket.create_connection(('127.0.0.1', 9), 1)\n"
        "except OSError as error: raise SystemExit(error.strerror)\n"
    )
    with pytest.raises(InputError, match="Network is unreachable"):
        script["measure"]([*script["NO_NETWORK"], sys.executable, "-c", program], tmp_path)
