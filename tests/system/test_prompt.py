"""The prompt of ``translator translate`` in a terminal."""

import stat
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs the terminals of POSIX", allow_module_level=True)

from tests.commands import GERMAN, SENTENCE
from tests.terminal import Terminal, terminal

OTHER, OTHER_GERMAN = "The dog loves the house.", "Der Hund liebt das Haus."
PROMPT = "en> "
CTRL_D, UP = "\x04", "\x1b[A"


@pytest.fixture
def own_home(tmp_path) -> str:
    return str(tmp_path / "home")


def answered(program: Terminal, line: str, german: str) -> None:
    """Types a line at the prompt and waits for its translation."""
    program.expect(PROMPT)
    program.type(line)
    program.expect(f"{german}\r\n")


def ends_well(program: Terminal) -> None:
    program.expect(PROMPT)
    program.type(CTRL_D)
    assert program.end() == 0
    assert "Traceback" not in program.seen


def test_ctrl_c_clears_the_line_and_ctrl_d_ends(tiny_run, own_home):
    with terminal("--run", tiny_run, TRANSLATOR_HOME=own_home) as program:
        program.expect("type a line in en to translate it into de; :swap swaps")
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
    assert len(lines) == 1000
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


def test_a_mistake_is_one_line_and_the_prompt_stays(tiny_run, own_home):
    with terminal("--run", tiny_run, TRANSLATOR_HOME=own_home) as program:
        program.expect(PROMPT)
        program.type(":from xx\r")
        program.expect("xx")
        answered(program, f"{SENTENCE}\r", GERMAN)
        program.expect(PROMPT)
        program.type("exit\r")
        assert program.end() == 0


def test_options_for_programs_have_no_prompt(tiny_run, own_home):
    with terminal("--run", tiny_run, "--n-best", 1, TRANSLATOR_HOME=own_home) as program:
        program.type(f"{SENTENCE}\r")
        program.expect(f"\t{GERMAN}\r\n")
        assert PROMPT not in program.seen
