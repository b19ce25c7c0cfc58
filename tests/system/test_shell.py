"""The command at the shell: pipes that stay open or close early, streams, encodings."""

import functools
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.commands import GERMAN, SENTENCE, shell

COMMAND = [sys.executable, "-m", "translator.cli", "translate"]


def test_a_line_sent_down_an_open_pipe_is_answered_at_once(tiny_run):
    with subprocess.Popen(
        [*COMMAND, "--run", str(tiny_run)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        guard = threading.Timer(60, process.kill)
        guard.start()
        for _ in range(3):
            process.stdin.write(f"{SENTENCE}\n".encode())
            process.stdin.flush()
            assert process.stdout.readline().decode() == f"{GERMAN}\n"
        process.stdin.close()
        assert process.wait() == 0
        guard.cancel()


def test_a_pipe_closed_early_ends_quietly(tiny_run, tmp_path):
    (tmp_path / "many").write_text(f"{SENTENCE}\n" * 5000)
    with subprocess.Popen(
        [*COMMAND, "--run", str(tiny_run), "--file", str(tmp_path / "many")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout.readline().decode() == f"{GERMAN}\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


@pytest.mark.parametrize("way", ["reader gone", "interrupt"])
def test_it_ends_while_its_standard_input_stays_open(tiny_run, way):
    with subprocess.Popen(
        [*COMMAND, "--run", str(tiny_run)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:  # fmt: skip
        guard = threading.Timer(60, process.kill)
        guard.start()
        process.stdin.write(f"{SENTENCE}\n".encode())
        process.stdin.flush()
        assert process.stdout.readline().decode() == f"{GERMAN}\n"
        if way == "interrupt":
            process.send_signal(signal.SIGINT)
        else:
            process.stdout.close()
            process.stdin.write(f"{SENTENCE}\n".encode())
            process.stdin.flush()
        assert process.wait() == {"reader gone": 1, "interrupt": 130}[way]
        said = {"reader gone": "", "interrupt": "translator: interrupted.*"}[way]
        assert re.fullmatch(said, process.stderr.read().decode().strip())
        guard.cancel()


def test_an_output_that_cannot_write_the_text_is_one_line(tiny_run):
    done = shell(
        "translate", SENTENCE, "The river knows the woman.", "The child hears the river.",
        "--run", tiny_run, PYTHONIOENCODING="ascii", PYTHONUTF8="0",
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout.decode().splitlines()[0] == GERMAN
    assert b"expected an encoding that can write '\\xf6', found ascii; set" in done.stderr


def test_closed_streams_are_one_line(tiny_run):
    for closed, code, message in [
        ("<&-", 2, b"standard input: expected sentences, found a closed input"),
        (">&-", 2, b"standard output: expected an open output, found a closed output"),
        ("2>&-", 1, b""),
    ]:
        sentence = "" if closed == "<&-" else "你好"
        command = (
            f"{sys.executable} -m translator.cli translate --run {tiny_run} {sentence} {closed}"
        )
        done = subprocess.run(command, shell=True, capture_output=True, check=False)
        assert done.returncode == code
        assert done.stderr == (b"translator: " + message + b"\n" if message else b"")


@pytest.mark.slow
def test_attention_is_quiet(tiny_run, tmp_path):
    done = shell("attention", SENTENCE, "--run", tiny_run, "--save", tmp_path / "maps.npz")
    assert (done.returncode, done.stdout.decode()) == (0, f"{GERMAN}\n")
    assert done.stderr.decode() == f"scores: {tmp_path / 'maps.npz'} (1 record)\n"


def test_standard_input_is_read_beside_files_only_if_asked_for(tiny_run, tmp_path):
    (tmp_path / "lines").write_text(f"{SENTENCE}\n")
    files = ("translate", "--run", tiny_run, "--file", tmp_path / "lines")
    other = b"The dog loves the house.\n"
    assert shell(*files, text=other).stdout.decode() == f"{GERMAN}\n"
    both = shell(*files, "--file", "-", text=other).stdout.decode()
    assert both == f"{GERMAN}\nDer Hund liebt das Haus.\n"


def test_the_shell_completes_commands_and_options():
    for typed, completions in [
        ("translator tr", ["train", "translate"]),
        ("translator translate --be", ["--beam-size"]),
        ("translator draw --d", ["--dark", "--debug"]),
    ]:
        last = str(len(typed.split()) - 1)
        done = shell(_TRANSLATOR_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=last)
        assert done.stdout.decode().splitlines() == [f"plain,{name}" for name in completions]
    assert "_translator_completion()" in shell(_TRANSLATOR_COMPLETE="bash_source").stdout.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line_and_exit_code_2(tiny_run):
    with open("/dev/full", "wb") as full:
        command = [*COMMAND, SENTENCE, "--run", tiny_run]
        for unbuffered in ("", "1"):  # Python keeps what it prints, or not
            environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
            done = subprocess.run(
                command, stdout=full, stderr=subprocess.PIPE, check=False, env=environment
            )
            assert done.returncode == 2
            assert done.stderr.decode().strip() == (
                "translator: no space left on device; free some space and try again"
            )


def test_standard_input_line_by_line(tiny_run):
    text = "\ufeffThe man sees the cat.\r\n\r\nThe dog loves the house.".encode()
    for asked in ("translate", "-"):
        done = shell(asked, "--run", tiny_run, text=text)
        assert done.returncode == 0
        assert done.stdout.decode() == f"{GERMAN}\r\n\r\nDer Hund liebt das Haus.\n"
        assert done.stderr == b""


def test_the_program_alone_reads_what_is_piped_into_it(tmp_path):
    done = shell(text=b"Good morning.\n", cwd=tmp_path, PYTHONPATH=str(Path.cwd()))
    assert done.stdout.decode() == "Guten Morgen.\n"
    assert shell(cwd=tmp_path, PYTHONPATH=str(Path.cwd())).stdout == b""


@pytest.mark.parametrize("script", ["train", "translate", "plot_attention"])
def test_scripts_show_the_help_of_their_command(script):
    path = Path(__file__).parents[2] / "scripts" / f"{script}.py"
    done = subprocess.run(
        [sys.executable, path, "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"Usage: translator {script.replace('plot_', '')}")
