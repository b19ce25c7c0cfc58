"""Marks of doubtful lines on standard error."""

import pytest

from translator.cli.doubts import MOST_MARKED, DoubtReporter
from translator.translation.results import Doubt, Hypothesis, Translation

LANGUAGE = Doubt("language", "not English?")
LOW = Doubt("confidence", "low confidence 0.12")


def line(*doubts: Doubt) -> Translation:
    return Translation("x", (Hypothesis("y", (5,), -1.0, -1.0),), doubts)


def test_a_doubtful_line_is_named_with_its_reasons(capsys):
    doubts = DoubtReporter("demo", is_quiet=False)
    doubts.mark("line 1", line())
    doubts.mark("line 2", line(LANGUAGE, LOW))
    doubts.mark("", line(LOW))
    doubts.summarize()
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "line 2: not English?; low confidence 0.12\nlow confidence 0.12\n"


def test_nothing_is_said_if_quiet(capsys):
    doubts = DoubtReporter("demo", is_quiet=True)
    for _ in range(2 * MOST_MARKED):
        doubts.mark("line 1", line(LANGUAGE))
    doubts.summarize()
    assert capsys.readouterr() == ("", "")


def test_many_doubtful_lines_are_counted(capsys):
    doubts = DoubtReporter("demo", is_quiet=False)
    for number in range(1, 1001):
        doubts.mark(f"line {number}", line(LANGUAGE, LOW) if number % 2 else line(LOW))
    doubts.mark("line 1001", line())
    doubts.summarize()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == MOST_MARKED + 2
    assert lines[MOST_MARKED - 1].startswith(f"line {MOST_MARKED}: ")
    assert lines[-2] == "further doubtful lines are only counted"
    assert lines[-1] == (
        "1,000 of 1,001 lines are doubtful: 500 not in the language of the model, 1,000 of low"
        " confidence"
    )


def test_nothing_is_only_counted_as_long_as_each_line_is_marked(capsys):
    doubts = DoubtReporter("demo", is_quiet=False)
    for number in range(1, MOST_MARKED + 1):
        doubts.mark(f"line {number}", line(LOW))
    doubts.mark("line 21", line())
    doubts.summarize()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == MOST_MARKED
    assert lines[-1] == f"line {MOST_MARKED}: low confidence 0.12"


def test_a_prompt_marks_every_line(capsys):
    doubts = DoubtReporter("demo", is_quiet=False)
    for _ in range(2 * MOST_MARKED):
        doubts.mark("", line(LOW))
    assert capsys.readouterr().err == "low confidence 0.12\n" * 2 * MOST_MARKED


@pytest.mark.parametrize(
    ("corpus", "named"), [("demo", "a small grammar"), ("files", "its own corpus")]
)
def test_a_terminal_is_told_once_what_the_marks_are(capsys, monkeypatch, corpus, named):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    doubts = DoubtReporter(corpus, is_quiet=False)
    doubts.mark("", line())
    assert capsys.readouterr().err == ""
    doubts.mark("", line(LOW))
    doubts.mark("", line(LANGUAGE))
    introduction, first, second = capsys.readouterr().err.splitlines()
    assert introduction.startswith(f"this model has learnt from {named} alone;")
    assert introduction.endswith("are named here (--quiet turns this off)")
    assert (first, second) == ("low confidence 0.12", "not English?")


def test_control_characters_of_a_line_are_escaped(capsys):
    DoubtReporter("demo", is_quiet=False).mark("line 1", line(Doubt("words", "a\rb")))
    assert "\r" not in capsys.readouterr().err
