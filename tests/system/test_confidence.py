"""Marks of doubtful lines, as a user sees them in a terminal and through pipes."""

import json
import sys

import pytest

from tests.commands import GERMAN, SENTENCE, shell

UNSEEN = "The badger sees the man."
NAMED = "words that the training data does not have: badger"


def test_marks_do_not_disturb_the_lines_of_a_pipe(tiny_run):
    text = f"{SENTENCE}\n{UNSEEN}\n\nDer Hund.\n".encode()
    done = shell("translate", "--run", tiny_run, text=text)
    assert done.returncode == 0
    lines = done.stdout.decode().split("\n")
    assert len(lines) == 5
    assert (lines[0], lines[2]) == (GERMAN, "")
    first, second = done.stderr.decode().splitlines()
    assert first.startswith(f"standard input, line 2: {NAMED}")
    assert second.startswith("standard input, line 4: not English?")
    quiet = shell("translate", "--run", tiny_run, "--quiet", text=text)
    assert (quiet.stdout, quiet.stderr) == (done.stdout, b"")


def test_a_file_of_another_language_ends_with_a_summary(tiny_run, tmp_path):
    (tmp_path / "german").write_text("Der Hund.\n" * 300, "utf-8")
    done = shell("translate", "--run", tiny_run, "--file", tmp_path / "german", "--json")
    assert [json.loads(line)["doubts"][0] for line in done.stdout.splitlines()] == [
        "not English?"
    ] * 300
    marks = done.stderr.decode().splitlines()
    assert len(marks) == 22
    assert marks[-1].startswith("300 of 300 lines are doubtful: 300 not in the language")


@pytest.mark.skipif(sys.platform == "win32", reason="needs the terminals of POSIX")
def test_a_prompt_says_once_what_its_marks_are(tiny_run, tmp_path):
    from tests.terminal import terminal

    home = str(tmp_path / "home")
    introduction = "this model has learnt from its own corpus alone;"
    with terminal("--run", tiny_run, TRANSLATOR_HOME=home) as program:
        program.expect("en> ")
        program.type(f"{UNSEEN}\r")
        program.expect(introduction)
        program.expect(NAMED)
        program.expect("en> ")
        program.type("Der Hund.\r")
        assert introduction not in program.expect("not English?")
        program.expect("en> ")
        program.type("\x04")
        assert program.end() == 0
    with terminal("--run", tiny_run, "--quiet", TRANSLATOR_HOME=home) as program:
        program.expect("en> ")
        program.type(f"{UNSEEN}\r")
        assert NAMED not in program.expect("en> ")
        program.type("\x04")
        assert program.end() == 0
        assert introduction not in program.seen
