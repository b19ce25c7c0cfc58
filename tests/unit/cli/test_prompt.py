"""How the prompt reads lines, and turns to other languages."""

import builtins
import types

import pytest

from translator.base.errors import InputError
from translator.base.languages import Direction
from translator.cli import prompt
from translator.cli.doubts import DoubtReporter
from translator.cli.prompt import Prompt
from translator.translation.options import TranslationOptions


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

    Returns what is translated, after the prompt that stood before it.
    """

    def load(wanted: Direction) -> Model:
        if wanted.source == "it":
            raise InputError("no model from Italian")
        return Model(
            wanted.source or "de", wanted.target or ("fr" if wanted.source == "es" else "en")
        )

    def type_lines(*typed: str | BaseException) -> list[str]:
        translated, events, shown = [], iter(typed), ""

        def answer(before: str) -> str:
            nonlocal shown
            shown, event = before, next(events, EOFError())
            if isinstance(event, BaseException):
                raise event
            return event

        monkeypatch.setattr(builtins, "input", answer)
        monkeypatch.setattr(
            Prompt, "_translate", lambda self, line: translated.append(f"{shown}{line}")
        )
        doubts = DoubtReporter(is_quiet=True)
        Prompt(Model("en", "de"), TranslationOptions(), doubts, load).run()
        return translated

    monkeypatch.setattr(prompt, "_start_readline", lambda: None)
    return type_lines


def test_without_readline_lines_are_read_and_no_history_is_kept(at_prompt, own_home, capsys):
    bad = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    typed = "One.", "Two.\n\n Three.", KeyboardInterrupt(), bad, "", "Four."
    assert at_prompt(*typed) == ["en> One.", "en> Two.", "en>  Three.", "en> Four."]
    told = capsys.readouterr().err.splitlines()
    assert told[1:] == ["expected UTF-8, found other bytes; type the line again"]
    assert not own_home.exists()


def test_the_prompt_turns_to_other_languages_and_ends_at_some_words(at_prompt, capsys):
    typed = "A.", ":swap", "B.", ":swap", "C.", ":from  GERMAN", "D."
    assert at_prompt(*typed) == ["en> A.", "de> B.", "en> C.", "GERMAN> D."]
    assert at_prompt(":from it", "A.", ":from es", "B.") == ["en> A.", "en> B."]
    assert capsys.readouterr().err.splitlines()[-2:] == [
        "no model from Italian",
        "no beam into French",
    ]
    assert at_prompt(":help", ":to en", ":from", ":D Ha.", "A :b.") == ["en> :D Ha.", "en> A :b."]
    told = capsys.readouterr().err.splitlines()[1:]
    assert [line.partition(": expected :swap, ")[0] for line in told] == [":help", ":to", ":from"]
    for word in ("quit", "exit", " exit ", ":q", ":quit", ":exit"):
        assert at_prompt("A.", word, "B.") == ["en> A."]
    assert at_prompt("quit smoking", "Exit") == ["en> quit smoking", "en> Exit"]
