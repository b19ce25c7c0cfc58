"""What the prompt writes to the terminal, and how it reads lines."""

import builtins
import os
import shutil
import types

import pytest

from translator.base.errors import InputError
from translator.base.languages import Direction
from translator.cli import line_input, prompt
from translator.cli.doubts import DoubtReporter
from translator.cli.line_input import LineInput
from translator.cli.prompt import Prompt
from translator.translation.options import TranslationOptions


@pytest.mark.parametrize(
    ("text", "rows_above"),
    [("Guten Tag", 0), ("Guten Tag.", 0), ("Guten Tag..", 1), ("a" * 30, 2), ("日本語日本語", 1)],
)
def test_a_draft_is_erased_from_its_first_row(monkeypatch, text, rows_above):
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((10, 24)))
    up = f"\x1b[{rows_above}A" if rows_above else ""
    assert prompt._erase(text) == f"\r{up}\x1b[J"
    assert prompt._erase("") == ""


def test_without_readline_lines_are_read_and_no_history_is_kept(own_home, monkeypatch, capsys):
    bad = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    events = iter(["One.", "Two.\n\n Three.", KeyboardInterrupt(), bad, "", EOFError()])

    def typed(prompt: str) -> str:
        event = next(events)
        if isinstance(event, BaseException):
            raise event
        return event

    monkeypatch.setattr(line_input, "_import_readline", lambda: None)
    monkeypatch.setattr(builtins, "input", typed)
    lines = LineInput("en> ")
    assert [lines.read() for _ in range(3)] == [["One."], ["Two.", " Three."], []]
    assert capsys.readouterr().err == ""
    assert [lines.read() for _ in range(3)] == [[], [], None]
    assert capsys.readouterr().err == "expected UTF-8, found other bytes; type the line again\n"
    lines.remember("One.")
    assert not own_home.exists()


class Model:
    """Stands for a loaded run: has languages, and refuses the options if it writes French."""

    def __init__(self, source: str, target: str) -> None:
        self.tokenizers = [types.SimpleNamespace(language=code) for code in (source, target)]

    def translate_read(self, lines: list, options: TranslationOptions) -> list:
        if self.tokenizers[1].language == "fr":
            raise InputError("no beam into French")
        return lines


@pytest.fixture
def at_prompt(monkeypatch):
    """Types lines at the prompt of a model from English to German.

    Returns what is translated, after the prompt that stood before it, and what was loaded.
    """
    loaded = []

    def load(wanted: Direction) -> Model:
        loaded.append(wanted)
        if wanted.source == "it":
            raise InputError("no model from Italian")
        return Model(wanted.source or "de", wanted.target or "en")

    def type_lines(*typed: str) -> tuple[list[str], list[Direction]]:
        translated, events, shown = [], iter(typed), ""

        def answer(before: str) -> str:
            nonlocal shown
            shown = before
            try:
                return next(events)
            except StopIteration:
                raise EOFError from None

        def translate(model: Model, line: str, *_: object) -> None:
            translated.append(f"{shown}{line}")

        monkeypatch.setattr(builtins, "input", answer)
        monkeypatch.setattr(prompt, "_translate", translate)
        doubts = DoubtReporter(is_quiet=True)
        Prompt(Model("en", "de"), TranslationOptions(), doubts, load).run()
        return translated, loaded

    monkeypatch.setattr(line_input, "_import_readline", lambda: None)
    return type_lines


def test_the_prompt_turns_to_other_languages(at_prompt):
    typed = ("A.", ":swap", "B.", ":swap", "C.", "--from de", "D.", ":to  GERMAN", "E.")
    translated, loaded = at_prompt(*typed)
    assert translated == ["en> A.", "de> B.", "en> C.", "de> D.", "en> E."]
    assert loaded == [("de", "en")], "each model is loaded once"


def test_languages_that_the_prompt_cannot_turn_to_leave_it_as_it_is(at_prompt, capsys):
    translated, _ = at_prompt(":from it", "A.", ":to fr", "B.", ":from", "C.")
    assert translated == ["en> A.", "en> B.", "en> C."]
    said = capsys.readouterr().err.splitlines()
    assert said[1:] == [
        "no model from Italian",
        "no beam into French",
        ":from: expected a language after it, such as :from de, found none",
    ]


def test_words_that_end_the_prompt(at_prompt):
    for word in ("quit", "exit", " exit ", ":q", ":quit", ":exit"):
        assert at_prompt("A.", word, "B.")[0] == ["en> A."]
    assert at_prompt("quit smoking", "Exit")[0] == ["en> quit smoking", "en> Exit"]


@pytest.mark.parametrize("missing", [(), ("append_history_file",)])
def test_the_history_keeps_lines_of_another_prompt_where_it_can(own_home, monkeypatch, missing):
    readline = pytest.importorskip("readline")
    names = [name for name in dir(readline) if name not in missing]
    fake = types.SimpleNamespace(**{name: getattr(readline, name) for name in names})
    monkeypatch.setattr(line_input, "_import_readline", lambda: fake)
    readline.clear_history()
    lines = LineInput("en> ")
    lines.remember("One.")
    with (own_home / "history").open("a", encoding="utf-8") as file:
        file.write("Of another prompt.\n")
    lines.remember("Two.")
    kept = (own_home / "history").read_text("utf-8").splitlines()
    assert kept == ["One.", *([] if missing else ["Of another prompt."]), "Two."]


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
