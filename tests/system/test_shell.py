"""Manners at the shell: pipes that stay open, close early, or bring what is no UTF-8."""

import functools
import json
import re
import shutil
import signal
import subprocess
import sys
import threading

import pytest

from tests.commands import GERMAN, SENTENCE, refused, run, shell
from translator.text.restoration import Restoration

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


def test_translating_with_an_export_imports_no_tensorflow(tiny_run):
    program = (
        "import sys; from translator.cli import main\n"
        f"main(['translate', {SENTENCE!r}, '--run', {str(tiny_run)!r}])\n"
        "assert not {'tensorflow', 'keras', 'bpemb', 'matplotlib'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"{GERMAN}\n"), done.stderr


def test_json_lines_hold_everything(capfd, tiny_run):
    _, out, _ = run(
        capfd, "translate", SENTENCE, "", "--run", tiny_run,
        "--json", "--n-best", 2, "--beam-size", 2,
    )  # fmt: skip
    first, empty = map(json.loads, out.splitlines())
    assert (first["line"], first["source"]) == (1, SENTENCE)
    best, second = first["hypotheses"]
    assert best["text"] == GERMAN
    assert best["tokens"][-1] == "</s>"
    assert best["score"] == pytest.approx(best["log_probability"] / len(best["tokens"]))
    assert second["score"] < best["score"]
    assert empty == {"line": 2, "source": "", "hypotheses": []}


def test_scores_come_before_the_text(capfd, tiny_run):
    _, out, _ = run(capfd, "translate", SENTENCE, "", "--run", tiny_run, "--scores")
    first, empty = out.splitlines()
    score, text = first.split("\t")
    assert -1 < float(score) < 0
    assert (text, empty) == (GERMAN, "\t")


@pytest.mark.parametrize("engine", ["keras", "ctranslate2"])
def test_score_is_what_translate_says(capfd, tiny_run, tmp_path, engine):
    (tmp_path / "en").write_text(f"{SENTENCE}\nThe dog loves the house.\n")
    (tmp_path / "de").write_text(f"{GERMAN}\nDer Hund sieht das Haus.\n")
    code, out, err = run(
        capfd, "score", "--run", tiny_run, "--engine", engine,
        "--source", tmp_path / "en", "--target", tmp_path / "de",
    )  # fmt: skip
    right, wrong = map(float, out.splitlines())
    assert code == 0
    assert right > -0.5 > wrong
    assert "in all: " in err
    assert "perplexity" in err
    arguments = ("--run", tiny_run, "--engine", engine, "--scores")
    _, out, _ = run(capfd, "translate", SENTENCE, *arguments)
    assert float(out.split("\t")[0]) == pytest.approx(right, abs=0.02)  # control tokens aside


def test_bytes_that_are_no_utf8(tiny_run):
    text = f"{SENTENCE}\r\n".encode() + b"The \xff man.\n" + f"{SENTENCE}\n".encode()
    strict = shell("translate", "--run", tiny_run, text=text)
    assert strict.returncode == 2
    assert strict.stdout.decode() == f"{GERMAN}\n"
    assert b"standard input, line 2: expected UTF-8, found the byte 0xff" in strict.stderr
    lenient = shell("translate", "--run", tiny_run, "--errors", "replace", text=text)
    assert lenient.returncode == 0
    lines = lenient.stdout.decode().splitlines()
    assert (lines[0], lines[2], len(lines)) == (GERMAN, GERMAN, 3)


def test_files_are_translated_one_after_the_other(capfd, tiny_run, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).write_text(f"{SENTENCE}\n")
    files = ("--file", tmp_path / "one", "--file", tmp_path / "two")
    assert run(capfd, "translate", "--run", tiny_run, *files)[:2] == (0, f"{GERMAN}\n" * 2)
    assert "found both" in refused(capfd, "translate", SENTENCE, "--run", tiny_run, *files)
    assert "found nothing there" in refused(
        capfd, "translate", "--run", tiny_run, "--file", tmp_path / "none"
    )


def test_hostile_lines_come_out_as_lines(tiny_run):
    lines = ["e" * 100_000, "The man " * 12_500, "\x00\x1b[31m The man sees.", SENTENCE]
    done = shell("translate", "--run", tiny_run, text="\n".join(lines).encode())
    assert done.returncode == 0
    assert done.stdout.decode().count("\n") == 4
    assert done.stdout.decode().splitlines()[-1] == GERMAN
    assert b"line 1: a sentence of " in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--n-best", 3, "--beam-size", 2), "n-best: expected 1 to the beam size (2), found 3"),
        (("--beam-size", 10_000), "beam size: expected 1 to 170, found 10000"),
        (("--prefix", "Der Mann sieht die Katze. " * 3), "prefix: expected fewer than 23"),
        (("--min-length", 30), "min length: expected 1 to 23 tokens, found 30"),
        (("--max-length-ratio", 0), "max length ratio: expected more than 0, found 0.0"),
        (("--engine", "onnx"), "engine: expected keras or ctranslate2, found onnx"),
    ],
)
def test_options_out_of_range_are_one_line(capfd, tiny_run, arguments, message):
    assert message in refused(capfd, "translate", SENTENCE, "--run", tiny_run, *arguments)


def test_a_damaged_restoration_is_one_line(capfd, tiny_run, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(tiny_run, folder)
    (folder / "restoration.json").write_text("{}")
    arguments = ("translate", SENTENCE, "--run", folder, "--replace-unknown")
    assert "expected what a training leaves" in refused(capfd, *arguments)


def test_export_command(capfd, tiny_run, tmp_path):
    folder = tmp_path / "int8"
    code, out, err = run(capfd, "export", tiny_run, "--quantization", "int8", "--out", folder)
    assert (code, out) == (0, "")
    assert f"export: {folder}, int8, 0." in err
    assert run(capfd, "translate", SENTENCE, "--run", folder)[1] == f"{GERMAN}\n"
    assert "expected one of float32, int8" in refused(
        capfd, "export", tiny_run, "--quantization", "int3", "--out", folder
    )
    assert "expected a run directory" in refused(capfd, "export", tmp_path)


@pytest.mark.parametrize("engine", ["keras", "ctranslate2"])
def test_numbers_and_capitals_come_back_with_bpemb(capfd, bpemb_run, engine):
    arguments = ("--run", bpemb_run, "--engine", engine)
    for line, german in (
        ("Anna has 1989 houses.", "Anna hat 1989 Häuser."),
        ("I see 42 men. We know 1,500 dogs.", "Ich sehe 42 Männer. Wir kennen 1.500 Hunde."),
    ):  # fmt: skip
        assert run(capfd, "translate", line, *arguments)[1] == f"{german}\n"
    raw = run(capfd, "translate", "Anna has 1989 houses.", *arguments, "--raw")[1]
    assert raw == "anna hat 0000 häuser.\n"


@pytest.mark.parametrize("engine", ["keras", "ctranslate2"])
def test_numbers_come_back_where_the_tokenizer_has_zeros(capfd, zero_digits_run, engine):
    assert Restoration.load(zero_digits_run / "restoration.json").truecaser is None
    arguments = ("--run", zero_digits_run, "--engine", engine)
    line = "I see 1988 houses. We know 1,500 dogs."
    assert run(capfd, "translate", line, *arguments)[1] == (
        "Ich sehe 1988 Häuser. Wir kennen 1.500 Hunde.\n"
    )
    raw = run(capfd, "translate", "I see 1988 houses.", *arguments, "--raw")[1]
    assert raw == "Ich sehe 0000 Häuser.\n"
    for more in (("--prefix", "Ich sehe 365"), ("--replace-unknown",)):
        given = run(capfd, "translate", "I see 365 houses.", *arguments, *more)[1]
        assert given == "Ich sehe 365 Häuser.\n"


@pytest.mark.parametrize("engine", ["keras", "ctranslate2"])
def test_a_prefix_is_printed_as_it_was_given_with_bpemb(capfd, bpemb_run, engine):
    arguments = ("--run", bpemb_run, "--engine", engine, "--prefix", "Anna HAT 77")
    _, out, _ = run(capfd, "translate", "Anna has 77 houses.", *arguments)
    assert out == "Anna HAT 77 Häuser.\n"
    message = refused(capfd, "translate", SENTENCE, "--run", bpemb_run, "--prefix", "你好")
    assert "prefix: expected de text, found '你', which the tokenizer has never seen" in message


def test_arguments_that_are_no_utf8(tiny_run):
    strict = shell("translate", SENTENCE, b"The \xff man.", "--run", tiny_run)
    assert (strict.returncode, strict.stdout.decode()) == (2, f"{GERMAN}\n")
    assert b"sentences, line 2: expected UTF-8, found the byte 0xff" in strict.stderr
    assert shell("translate", b"The \xff man.", "--run", tiny_run, "--errors", "replace").stdout


def test_an_error_names_the_file(capfd, tiny_run, tmp_path):
    (tmp_path / "good").write_text(f"{SENTENCE}\n" * 3)
    (tmp_path / "bad").write_text(f"{SENTENCE}\n你好 你好\n")
    files = ("--file", tmp_path / "good", "--file", tmp_path / "bad")
    code, out, err = run(capfd, "translate", "--run", tiny_run, *files)
    assert (code, out) == (2, f"{GERMAN}\n" * 4)
    assert f"{tmp_path / 'bad'}, line 2: expected en text" in err


def test_what_is_said_of_a_line_is_said_once(tiny_run):
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


def test_it_says_where_names_cannot_be_told(capfd, tiny_run, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(tiny_run, folder)
    (folder / "restoration.json").unlink()
    code, out, err = run(capfd, "translate", SENTENCE, "--run", folder, "--replace-unknown")
    assert (code, out) == (0, f"{GERMAN}\n")
    assert "expected the words of the training side, found none" in err


@pytest.mark.parametrize("bad", [b"\xff\xfe", "你好。".encode(), b"\x00"])
def test_with_errors_replace_it_goes_on_at_every_line(tiny_run, bad):
    text = f"{SENTENCE}\n".encode() + bad + f"\n{SENTENCE}\n".encode()
    done = shell("translate", "--run", tiny_run, "--errors", "replace", text=text)
    lines = done.stdout.decode().split("\n")
    assert (done.returncode, lines[0], lines[2:]) == (0, GERMAN, [GERMAN, ""])
    assert lines[1].isprintable()
    assert done.stderr.count(b"standard input, line 2: only characters") == 1
    strict = shell("translate", "--run", tiny_run, text=text)
    assert (strict.returncode, strict.stdout.decode()) == (2, f"{GERMAN}\n")


@pytest.mark.parametrize(
    ("closed", "message"),
    [
        ("<&-", b"standard input: expected sentences, found it closed"),
        (">&-", b"standard output: expected it open, found it closed"),
        ("2>&-", b""),
    ],
)
def test_closed_streams_are_one_line(tiny_run, closed, message):
    sentence = "" if closed == "<&-" else "你好"
    command = f"{sys.executable} -m translator.cli translate --run {tiny_run} {sentence} {closed}"
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


def test_attention_is_quiet(tiny_run, tmp_path):
    done = shell("attention", SENTENCE, "--run", tiny_run, "--save", tmp_path / "maps.npz")
    assert (done.returncode, done.stdout.decode()) == (0, f"{GERMAN}\n")
    assert re.fullmatch(
        rf"scores: {tmp_path / 'maps.npz'} \(1 record, [\d,]+ bytes each, .* a second\)\n",
        done.stderr.decode(),
    )
