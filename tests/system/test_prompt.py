"""The prompt of ``translator translate`` in a terminal."""

import re
import stat
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs the terminals of POSIX", allow_module_level=True)

from tests.commands import GERMAN, SENTENCE
from tests.terminal import Terminal, plain, terminal

OTHER, OTHER_GERMAN = "The dog loves the house.", "Der Hund liebt das Haus."
PROMPT = "en> "
CTRL_D, CTRL_T, UP = "\x04", "\x14", "\x1b[A"


@pytest.fixture
def own_home(tmp_path) -> str:
    """An empty cache of the program that a test starts."""
    return str(tmp_path / "home")


def answered(program: Terminal, line: str, german: str) -> None:
    """Types a line at the prompt and waits for its translation."""
    program.expect(PROMPT)
    program.type(line)
    program.expect(f"{german}\r\n")


def ends_well(program: Terminal) -> None:
    """Ends the program at its prompt."""
    program.expect(PROMPT)
    program.type(CTRL_D)
    assert program.end() == 0
    assert "Traceback" not in program.seen


def test_a_draft_is_replaced_by_the_translation(tiny_run, own_home):
    with terminal("--run", tiny_run, TRANSLATOR_HOME=own_home) as program:
        program.expect(PROMPT)
        program.type(f"{SENTENCE}\r")
        program.expect("\x1b[2mDer\x1b[0m")
        draft = program.expect("\r\x1b[J")
        assert draft.count("\x1b[2m") > 3, "it grows token by token"
        assert plain(draft) == GERMAN.removeprefix("Der")
        assert plain(program.expect(f"{GERMAN}\r\n")) == ""
        ends_well(program)
    with terminal("--run", tiny_run, TRANSLATOR_HOME=own_home, TERM="dumb") as program:
        program.expect(PROMPT)
        program.type(f"{SENTENCE}\r")
        program.expect(f"{SENTENCE}\r\n")
        assert plain(program.expect(f"{GERMAN}\r\n")) == ""
        ends_well(program)


def test_ctrl_c_clears_the_line_and_ctrl_d_ends(tiny_run, own_home):
    with terminal("--run", tiny_run, TRANSLATOR_HOME=own_home) as program:
        program.expect("type a line in en for its translation into de; :heads or Ctrl-T shows")
        program.expect(PROMPT)
        program.type("The cat")
        program.expect("The cat")
        program.interrupt()
        answered(program, f"{SENTENCE}\r", GERMAN)
        answered(program, f"  \r{OTHER}\r", OTHER_GERMAN)
        ends_well(program)


def test_pasted_lines_are_translated_one_by_one(tiny_run, own_home):
    with terminal("--run", tiny_run, TRANSLATOR_HOME=own_home) as program:
        program.expect(PROMPT)
        program.type(f"\x1b[200~{SENTENCE}\r\r{OTHER}\x1b[201~\r")
        program.expect(f"{GERMAN}\r\n")
        program.expect(f"{OTHER_GERMAN}\r\n")
        ends_well(program)


def test_the_history_is_kept_for_the_owner_alone(tiny_run, own_home):
    history = Path(own_home) / "history"
    Path(own_home).mkdir()
    history.write_text("".join(f"line {number}\n" for number in range(2000)), "utf-8")
    history.chmod(0o644)
    with terminal("--run", tiny_run, TRANSLATOR_HOME=own_home) as program:
        answered(program, f"{SENTENCE}\r", GERMAN)
        ends_well(program)
    lines = history.read_text("utf-8").splitlines()
    assert lines[0] == "line 1001"
    assert lines[-1] == SENTENCE
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    with terminal("--run", tiny_run, TRANSLATOR_HOME=own_home) as program:
        program.expect(PROMPT)
        program.type(UP)
        program.expect(SENTENCE)
        program.type("\r")
        program.expect(f"{GERMAN}\r\n")
        program.expect(PROMPT)
        program.type(UP)
        program.expect(SENTENCE)
        program.interrupt()
        ends_well(program)


def test_a_folder_that_cannot_be_written_costs_only_the_history(tiny_run, tmp_path):
    (tmp_path / "file").touch()
    with terminal("--run", tiny_run, TRANSLATOR_HOME=str(tmp_path / "file")) as program:
        program.expect("the history cannot be written and is not kept")
        answered(program, f"{SENTENCE}\r", GERMAN)
        ends_well(program)


def test_the_heads_of_the_last_line_are_shown(tiny_run, own_home):
    with terminal("--run", tiny_run, TRANSLATOR_HOME=own_home) as program:
        program.expect(PROMPT)
        program.type(CTRL_T)
        program.expect(":heads: expected a translation before it, found none; type a sentence")
        answered(program, f"{SENTENCE}\r", GERMAN)
        program.expect(PROMPT)
        program.type(":heads\r")
        shown = plain(program.expect("explorer: "))
        words = re.findall(r"(\S+) +[▏▎▍▌▋▊▉█]", shown)  # each before its bar
        assert words == ["Der", "Mann", "sieht", "die", "Katze", "."]
        program.expect(", open it in a browser")
        ends_well(program)
    page = Path(own_home) / "explorer.html"
    assert SENTENCE in page.read_text("utf-8")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert ":heads" not in (Path(own_home) / "history").read_text("utf-8")


def test_mistakes_are_one_line_and_the_prompt_stays(tiny_run, own_home):
    with terminal("--run", tiny_run, TRANSLATOR_HOME=own_home) as program:
        program.expect(PROMPT)
        program.type(":haeds\r")
        program.expect(":haeds: expected a command, found none of that name\r\n")
        program.expect(":heads  or Ctrl-T: which words the last translation looked at\r\n")
        program.expect(PROMPT)
        program.type(":from\r")
        program.expect(":from: expected a language after it")
        answered(program, f"{SENTENCE}\r", GERMAN)
        program.expect(PROMPT)
        program.type("exit\r")
        assert program.end() == 0


def test_options_for_programs_have_no_prompt(tiny_run, own_home):
    with terminal("--run", tiny_run, "--n-best", 1, TRANSLATOR_HOME=own_home) as program:
        program.type(f"{SENTENCE}\r")
        program.expect(f"\t{GERMAN}\r\n")
        assert PROMPT not in program.seen
