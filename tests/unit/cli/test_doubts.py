"""Marks of doubtful lines on standard error."""

from translator.cli.doubts import MOST_MARKED, DoubtReporter
from translator.translation.results import Doubt, Hypothesis, Translation

LANGUAGE = Doubt("language", "is this English?")
LOW = Doubt("confidence", "low confidence 0.12")


def line(*doubts: Doubt, source: str = "x") -> Translation:
    return Translation(source, (Hypothesis("y", (5,), -1.0, -1.0),), doubts)


def said(capsys, *marks: tuple[str, Translation], is_quiet: bool = False) -> list[str]:
    """The lines on standard error after all these and the summary."""
    doubts = DoubtReporter(is_quiet)
    for mark in marks:
        doubts.mark(*mark)
    doubts.summarize()
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


def test_a_doubtful_line_is_named_with_its_reasons_unless_quiet(capsys):
    marks = ("line 1", line()), ("line 2", line(LANGUAGE, LOW)), ("", line(Doubt("words", "a\rb")))
    assert said(capsys, *marks) == ["line 2: is this English?; low confidence 0.12", r"a\rb"]
    assert said(capsys, *marks * MOST_MARKED, is_quiet=True) == []


def test_many_doubtful_lines_are_counted(capsys):
    doubtful = [(f"line {i}", line(LANGUAGE, LOW) if i % 2 else line(LOW)) for i in range(1, 1001)]
    lines = said(capsys, *doubtful, ("line 1001", line()))
    assert lines[MOST_MARKED - 1].startswith(f"line {MOST_MARKED}: ")
    assert lines[MOST_MARKED:] == [
        "further doubtful lines are only counted",
        "1,000 of 1,001 lines are doubtful: 500 not in the language of the model, 1,000 of low"
        " confidence",
    ]
    assert len(said(capsys, *doubtful[:MOST_MARKED], ("line 21", line()))) == MOST_MARKED


def test_what_was_not_translated_is_named_behind_any_other_line(capsys):
    passed_on = line(Doubt("unknown", "no known character; left as it is"))
    doubtful = [("line", line(LOW))] * MOST_MARKED
    lines = said(capsys, *doubtful, ("line", passed_on), *doubtful)
    assert lines[MOST_MARKED + 1] == "further doubtful lines are only counted"
    assert len(lines) == MOST_MARKED + 3
    doubtful = [(f"line {i}", line(LOW)) for i in range(1, 101)]
    lines = said(capsys, *doubtful, ("line 101", passed_on))
    assert lines[MOST_MARKED + 1] == "line 101: no known character; left as it is"


def test_a_prompt_marks_every_line(capsys):
    count = 2 * MOST_MARKED
    lines = said(capsys, *[("", line(LOW))] * count)
    assert lines[:count] == ["low confidence 0.12"] * count


def test_one_translation_of_many_lines_is_told_unless_quiet(capsys):
    marks = [(f"line {i}", line(source=str(i))) for i in range(5)]
    [warning] = said(capsys, *marks)
    assert warning.startswith("warning: all translations are 'y': ")
    assert said(capsys, *marks, is_quiet=True) == []
    assert said(capsys, *marks[:4], *[("line", line(source=" " * i)) for i in range(9)]) == []
