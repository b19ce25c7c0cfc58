"""The command at the shell: pipes that stay open or close early, bytes that are not UTF-8."""

import functools
import re
import signal
import subprocess
import sys
import threading

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


@pytest.mark.parametrize("way", ["reader gone", "bad line", "interrupt"])
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
            if way == "reader gone":
                process.stdout.close()
            process.stdin.write(b"\xff\n" if way == "bad line" else f"{SENTENCE}\n".encode())
            process.stdin.flush()
        code, said = {
            "reader gone": (1, ""),
            "bad line": (2, "translator: standard input, line 2: expected UTF-8"),
            "interrupt": (130, "translator: interrupted"),
        }[way]
        assert process.wait() == code
        error = process.stderr.read().decode().strip()
        assert error.startswith(said)
        assert error.count("\n") == 0
        assert bool(error) == bool(said)
        guard.cancel()


def test_bytes_that_are_not_utf_8(tiny_run):
    text = f"{SENTENCE}\r\n".encode() + b"The \xff man.\n" + f"{SENTENCE}\n".encode()
    strict = shell("translate", "--run", tiny_run, text=text)
    assert strict.returncode == 2
    assert strict.stdout.decode() == f"{GERMAN}\n"
    assert strict.stderr.decode() == (
        "translator: standard input, line 2: expected UTF-8, found the byte 0xff at column 5;"
        " convert the file first\n"
    )
    lenient = shell("translate", "--run", tiny_run, "--errors", "replace", text=text)
    assert lenient.returncode == 0
    lines = lenient.stdout.decode().splitlines()
    assert (lines[0], lines[2], len(lines)) == (GERMAN, GERMAN, 3)


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n", bytes(5000), b"\x1f\x8b\x08\0\0"])
def test_binary_standard_input_is_refused_in_one_line(tiny_run, content):
    done = shell("translate", "--run", tiny_run, text=content)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"translator: standard input, line 1: expected ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("length", [20_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_hostile_lines_come_out_as_lines(tiny_run, length):
    lines = ["e" * length, "The man " * (length // 8), "\x00\x1b[31m The man sees.", SENTENCE]
    done = shell("translate", "--run", tiny_run, text="\n".join(lines).encode())
    assert done.returncode == 0
    assert done.stdout.decode().count("\n") == 4
    assert done.stdout.decode().splitlines()[-1] == GERMAN
    assert b"line 1: a sentence of " in done.stderr


def test_arguments_that_are_not_utf_8(tiny_run):
    strict = shell("translate", SENTENCE, b"The \xff man.", "--run", tiny_run)
    assert (strict.returncode, strict.stdout.decode()) == (2, f"{GERMAN}\n")
    assert b"sentences, line 2: expected UTF-8, found the byte 0xff" in strict.stderr
    assert shell("translate", b"The \xff man.", "--run", tiny_run, "--errors", "replace").stdout


def test_each_notice_about_a_line_is_printed_once(tiny_run):
    lines = ["The man " * 50, SENTENCE, "你好 你好"]
    done = shell("translate", "--run", tiny_run, text="\n".join(lines).encode())
    assert (done.returncode, done.stdout.count(b"\n")) == (2, 2)
    assert done.stderr.count(b"is cut into") == 1


def test_an_output_that_cannot_write_the_text_is_one_line(tiny_run):
    done = shell(
        "translate", SENTENCE, "The river knows the woman.", "The child hears the river.",
        "--run", tiny_run, PYTHONIOENCODING="ascii", PYTHONUTF8="0",
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout.decode().splitlines()[0] == GERMAN
    assert b"expected an encoding that can write '\\xf6', found ascii; set" in done.stderr


def test_errors_replace_continues_after_every_kind_of_line(tiny_run):
    for bad, notice in [
        (b"\xff\xfe", b"no letters or digits"),  # two U+FFFD
        ("你好。".encode(), b"only characters that the tokenizer has never seen"),
    ]:
        text = f"{SENTENCE}\n".encode() + bad + f"\n{SENTENCE}\n".encode()
        done = shell("translate", "--run", tiny_run, "--errors", "replace", text=text)
        lines = done.stdout.decode().split("\n")
        assert (done.returncode, lines[0], lines[2:]) == (0, GERMAN, [GERMAN, ""])
        assert lines[1] == bad.decode("utf-8", "replace")
        assert done.stderr.count(b"standard input, line 2: " + notice) == 1
        strict = shell("translate", "--run", tiny_run, text=text)
        assert (strict.returncode, strict.stdout.decode()) == (2, f"{GERMAN}\n")


def test_a_line_of_control_characters_is_an_empty_line(tiny_run):
    text = f"{SENTENCE}\n\0\n{SENTENCE}\n".encode()
    done = shell("translate", "--run", tiny_run, text=text)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"{GERMAN}\n\n{GERMAN}\n"


def test_closed_streams_are_one_line(tiny_run):
    for closed, message in [
        ("<&-", b"standard input: expected sentences, found it closed"),
        (">&-", b"standard output: expected it open, found it closed"),
        ("2>&-", b""),
    ]:
        sentence = "" if closed == "<&-" else "你好"
        command = (
            f"{sys.executable} -m translator.cli translate --run {tiny_run} {sentence} {closed}"
        )
        done = subprocess.run(command, shell=True, capture_output=True, check=False)
        assert done.returncode == 2
        assert done.stderr == (b"translator: " + message + b"\n" if message else b"")


def test_scores_are_printed_up_to_a_pair_that_cannot_be_scored(tiny_run):
    pair = f"{SENTENCE}\t{GERMAN}\n"
    text = pair * 3 + "你好\tHallo\n" + pair
    done = shell("score", "--run", tiny_run, text=text.encode())
    assert (done.returncode, done.stdout.count(b"\n")) == (2, 3)
    assert b"translator: line 4: expected en text" in done.stderr
    long = shell("score", "--run", tiny_run, text=f"{SENTENCE}\t{GERMAN * 9}\n".encode())
    assert b"line 1: expected a translation of at most 24 tokens" in long.stderr


@pytest.mark.slow
def test_attention_is_quiet(tiny_run, tmp_path):
    done = shell("attention", SENTENCE, "--run", tiny_run, "--save", tmp_path / "maps.npz")
    assert (done.returncode, done.stdout.decode()) == (0, f"{GERMAN}\n")
    assert re.fullmatch(
        rf"scores: {tmp_path / 'maps.npz'} \(1 record, [\d,]+ bytes each, .* a second\)\n",
        done.stderr.decode(),
    )


def test_input_without_line_ends_is_one_line(tiny_run):
    with open("/dev/zero", "rb") as zeros:
        done = subprocess.run(
            [*COMMAND, "--run", str(tiny_run)], stdin=zeros, capture_output=True, timeout=120
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"translator: standard input, line 1: expected a line of text of")
    assert done.stderr.count(b"\n") == 1


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
        ("translator masks --d", ["--dark", "--debug"]),
    ]:
        last = str(len(typed.split()) - 1)
        done = shell(_TRANSLATOR_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=last)
        assert done.stdout.decode().splitlines() == [f"plain,{name}" for name in completions]
    assert "_translator_completion()" in shell(_TRANSLATOR_COMPLETE="bash_source").stdout.decode()
