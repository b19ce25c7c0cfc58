"""Every line has its line of output, whatever it holds, and files keep their form."""

import json
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.commands import captured

GERMAN = "Der Mann sieht die Katze."
ENGLISH = "The man sees the cat."
UNKNOWN = "你好世界"


def translate(run, path, *arguments):
    return captured("translate", "--run", run, "--file", path, *arguments)


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / "hostile.en"
    lines = [
        ENGLISH.encode(),
        UNKNOWN.encode(),
        b"The man \xff\xfe sees the cat.",
        b"",
        f"{ENGLISH} {UNKNOWN}".encode(),
        b"the man sees the cat and " * 40,
        b"x" * 100_000,
        b"\x00\x00\x00\x00\x00\x00\x00\x00",
        b"...",
        ENGLISH.encode(),
    ]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


@pytest.mark.parametrize("more", [(), ("--no-split",)])
def test_no_line_ends_a_job(tiny_run, hostile, more):
    assert translate(tiny_run, hostile, *more, "--quiet")[::2] == (1, "")
    code, out, err = translate(tiny_run, hostile, *more)
    lines = out.splitlines()
    assert (code, len(lines)) == (1, 10), err
    assert lines[0] == lines[9] == GERMAN
    assert lines[1] == UNKNOWN
    assert UNKNOWN in lines[4]
    assert (lines[3], lines[7], lines[8]) == ("", "", "...")
    assert f"{hostile}, line 2: only characters that" in err
    assert f"{hostile}, line 3: bytes that are not UTF-8" in err
    assert f"{hostile}, line 6: a sentence of" in err
    assert "of 10 lines are doubtful: " in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b"The man \xff sees.", "expected UTF-8, found the byte 0xff at column 9; mend"),
        (UNKNOWN.encode(), "expected en text, found only characters .*without --errors strict"),
    ],
)
def test_strict_ends_at_the_first_such_line_after_those_before(tiny_run, tmp_path, bad, message):
    path = tmp_path / "lines"
    path.write_bytes(b"\n".join([ENGLISH.encode(), bad, ENGLISH.encode()]))
    code, out, err = translate(tiny_run, path, "--errors", "strict")
    assert (code, out, err.count("\n")) == (2, f"{GERMAN}\n", 1)
    assert re.match(f"translator: {path}, line 2: {message}", err)


def test_the_exit_code_is_0_where_all_is_translated_and_2_where_nothing_can_be(tiny_run, tmp_path):
    path = tmp_path / "lines.en"
    path.write_text(f"{ENGLISH}\n...\n", "utf-8")
    assert translate(tiny_run, path)[0] == 0
    for content in (ENGLISH.encode("utf-16"), b"PK\x03\x04 the dog"):
        path.write_bytes(content)
        code, out, err = translate(tiny_run, path, "--errors", "replace")
        assert (code, out) == (2, "")
        assert "found zero bytes, as in UTF-16 or a binary file" in err


def test_json_says_why_a_line_is_passed_on(tiny_run, hostile):
    _, out, _ = translate(tiny_run, hostile, "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert [line["line"] for line in found] == list(range(1, 11))
    assert found[1]["hypotheses"][0]["text"] == UNKNOWN
    assert found[1]["doubts"][0].startswith("only characters that")


def test_indentation_and_line_ends_stay(tiny_run, tmp_path):
    path = tmp_path / "lines.en"
    path.write_bytes(f"  {ENGLISH}\r\n\t{ENGLISH}  \r\n\r\n{ENGLISH}".encode())
    code, out, err = translate(tiny_run, path)
    assert code == 0, err
    assert out == f"  {GERMAN}\r\n\t{GERMAN}  \r\n\r\n{GERMAN}"
    two = captured("translate", "--run", tiny_run, "--file", path, "--file", path)[1]
    assert two == f"{out}\n{out}"


def test_a_file_is_gone_on_with_from_a_line(tiny_run, tmp_path):
    path = tmp_path / "lines.en"
    path.write_bytes(f"One.\nTwo.\r\n{ENGLISH}\r\n{UNKNOWN}\n".encode())
    code, out, err = translate(tiny_run, path, "--from-line", "3")
    assert (code, out) == (1, f"{GERMAN}\r\n{UNKNOWN}\n")
    assert "line 4: only characters" in err
    code, _, err = translate(tiny_run, path, "--file", path, "--from-line", "2")
    assert (code, "expected one file" in err) == (2, True)


def test_an_interrupted_file_leaves_what_is_done_and_says_how_to_go_on(tiny_run, tmp_path):
    path = tmp_path / "lines.en"
    path.write_text(f"{ENGLISH}\n" * 200_000, "utf-8")
    command = [sys.executable, "-m", "translator.cli", "translate", "--run", tiny_run]
    out = tmp_path / "out"
    with (
        out.open("wb") as file,
        subprocess.Popen(
            [*command, "--file", path], stdout=file, stderr=subprocess.PIPE, text=True
        ) as process,
    ):
        while not out.stat().st_size and process.poll() is None:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    written = out.read_text("utf-8")
    done = written.count("\n")
    assert written == f"{GERMAN}\n" * done
    goes_on = [f"{n:,} lines are done; to continue: --from-line {n + 1}" for n in (done - 1, done)]
    assert any(each in err for each in goes_on), "a line may be repeated, but none is lost"


@pytest.mark.parametrize("text", ["- The man sees the cat.", "-- The man sees the cat. -h"])
def test_what_has_a_space_is_a_text_and_no_option(tiny_run, text):
    for arguments in ((text, "--run", tiny_run), ("--run", tiny_run, text)):
        for command in ((), ("translate",)):
            code, out, err = captured(*command, *arguments)
            assert (code, GERMAN.rstrip(".") in out) == (0, True), err
    code, out, err = captured("translate", "-x", "--run", tiny_run)
    assert (code, out) == (2, "")
    assert "No such option" in err
