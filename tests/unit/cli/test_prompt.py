"""What the prompt writes to the terminal, and how it reads lines."""

import builtins
import os
import shutil
import types

import pytest

from translator.cli import line_input, prompt
from translator.cli.line_input import LineInput


@pytest.mark.parametrize(
    ("text", "rows_above"),
    [("Guten Tag", 0), ("Guten Tag.", 0), ("Guten Tag..", 1), ("a" * 30, 2), ("日本語日本語", 1)],
)
def test_a_draft_is_erased_from_its_first_row(monkeypatch, text, rows_above):
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((10, 24)))
    up = f"\x1b[{rows_above}A" if rows_above else ""
    assert prompt._erase(text) == f"\r{up}\x1b[J"
    assert prompt._erase("") == ""


class Typing:
    """Stands for a person and readline: gives the next line, or raises the next error."""

    def __init__(self, *events: object) -> None:
        self.events = list(events)

    def __call__(self, shown: str) -> str:
        event = self.events.pop(0)
        if isinstance(event, BaseException):
            raise event
        return event


@pytest.fixture
def lines(own_home, monkeypatch):
    """A prompt without readline, as on Windows, at which given things happen."""
    monkeypatch.setattr(line_input, "_import_readline", lambda: None)

    def start(*events: object) -> LineInput:
        monkeypatch.setattr(builtins, "input", Typing(*events))
        return LineInput("en> ")

    return start


def test_without_readline_lines_are_read_and_remembered(lines, own_home, capsys):
    bad = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    prompt_lines = lines("One.", "Two.\n\n Three.", KeyboardInterrupt(), bad, "", EOFError())
    assert prompt_lines.read() == ["One."]
    assert prompt_lines.read() == ["Two.", " Three."]
    assert prompt_lines.read() == []
    assert capsys.readouterr().err == ""
    assert prompt_lines.read() == []
    assert capsys.readouterr().err == "expected UTF-8, found other bytes; type the line again\n"
    assert prompt_lines.read() == []
    assert prompt_lines.read() is None
    for text in ("One.", "Grüße"):
        prompt_lines.remember(text)
    assert (own_home / "history").read_text("utf-8") == "One.\nGrüße\n"
    assert lines()._history == own_home / "history"
    assert (own_home / "history").read_text("utf-8") == "One.\nGrüße\n"


@pytest.mark.parametrize(
    ("kind", "bound"),
    [
        ("GNU readline", r'"\C-t": "\C-a\C-k:heads\C-m"'),
        ("libedit readline", "bind -s ^T ^A^K:heads^M"),
    ],
)
def test_the_key_is_bound_in_either_library_s_own_words(kind, bound):
    said = []
    fake = types.SimpleNamespace(
        __doc__=f"command line editing using {kind}",
        parse_and_bind=said.append,
        set_auto_history=lambda wanted: said.append(wanted),
    )
    line_input._set_keys(fake)
    assert said[:2] == [False, bound]
