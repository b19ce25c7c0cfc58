"""The program in processes of its own: streams, pipes, folders and start-up."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands import GERMAN, SENTENCE, shell

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line_and_exit_code_2(tiny_run):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "translator.cli", "translate", SENTENCE, "--run", tiny_run]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.decode().strip() == (
        "translator: no space left on device; free some space and try again"
    )


def test_standard_input_line_by_line(tiny_run):
    text = "\ufeffThe man sees the cat.\r\n\r\nThe dog loves the house.".encode()
    done = shell("translate", "--run", tiny_run, text=text)
    assert done.returncode == 0
    assert done.stdout.decode() == f"{GERMAN}\n\nDer Hund liebt das Haus.\n"
    assert done.stderr == b""


def test_a_pipe_closed_early_ends_quietly(tiny_run):
    command = [sys.executable, "-m", "translator.cli", "translate", "--run", str(tiny_run)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    process.stdin.write(b"The man sees the cat.\n" * 3)
    process.stdin.close()
    assert process.wait(60) == 1
    assert process.stderr.read() == b""
    process.stderr.close()


def test_newest_run_is_taken_and_named(tiny_run, tmp_path):
    for name in ("old", "new"):
        shutil.copytree(tiny_run, tmp_path / "checkpoints" / name)
        past = time.time() - (1000 if name == "old" else 0)
        os.utime(tmp_path / "checkpoints" / name / "weights.npz", (past, past))
    done = shell("translate", SENTENCE, cwd=tmp_path)
    assert done.stdout.decode() == f"{GERMAN}\n"
    assert done.stderr.decode() == "run: checkpoints/new, en to de\n"
    assert shell(SENTENCE, "--beam-size", 2, cwd=tmp_path).stdout == done.stdout
    for name in ("old", "new"):
        record = tmp_path / "checkpoints" / name / "run.json"
        record.write_text(
            record.read_text("utf-8").replace('"finished": true', '"finished": false')
        )
    said = shell("tokenize", SENTENCE, cwd=tmp_path).stderr.decode()
    assert said == "run: en-de, which comes with the program\n"
    hide = "import pathlib, translator.runs.choosing\n"
    hide += "translator.runs.choosing.SHIPPED = pathlib.Path('none')\n"
    (tmp_path / "sitecustomize.py").write_text(hide, "utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", str(ROOT))])
    said = shell("tokenize", SENTENCE, cwd=tmp_path, PYTHONPATH=path).stderr.decode()
    assert said == "run: checkpoints/new, en to de, whose training is not finished\n"
    (tmp_path / "empty").mkdir()
    done = shell("translate", SENTENCE, cwd=tmp_path / "empty", PYTHONPATH=path)
    assert done.returncode == 2
    missing = "expected the model that comes with the program, found no such folder"
    assert missing in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("script", ["train", "translate", "plot_attention"])
def test_scripts_show_the_help_of_their_command(script):
    command = [sys.executable, ROOT / "scripts" / f"{script}.py", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"Usage: translator {script.replace('plot_', '')}")


def test_tokenize_goes_there_and_back_line_by_line(tiny_run):
    text = f"{SENTENCE}\n{SENTENCE.upper()}\n".encode()
    ids = shell("tokenize", "--run", tiny_run, "--as", "ids", text=text).stdout
    assert len(ids.splitlines()) == 2
    back = shell("tokenize", "--run", tiny_run, "--as", "text", text=ids).stdout
    assert back == text
    pieces = shell("tokenize", "--run", tiny_run, "--as", "pieces", SENTENCE).stdout.decode()
    assert pieces.replace(" ", "").replace("▁", " ") == f"<s> {SENTENCE}</s>\n"


def test_help_and_import_are_quick_and_load_no_tensorflow():
    program = (
        "import sys, translator, translator.cli\n"
        "assert not {'tensorflow', 'keras', 'numpy', 'bpemb', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    seconds = []
    for _ in range(5):
        began = time.perf_counter()
        assert shell("--help").returncode == 0
        seconds.append(time.perf_counter() - began)
    assert sorted(seconds)[2] < 0.4
