"""Bars for what takes long."""

import io
import sys
import time

import pytest

from translator.base import progress as bars
from translator.base.progress import bars_aside, progress


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def screen(monkeypatch) -> Screen:
    """A terminal, on which bars appear at once."""
    monkeypatch.setattr(bars, "DELAY", 0.0)
    monkeypatch.setattr(bars, "TICK", 0.01)
    return Screen()


def test_a_wait_shows_the_time_also_while_nothing_advances(screen):
    with progress("starting", stream=screen):
        time.sleep(0.3)
        assert screen.getvalue().count("starting: 00:00") > 1
    assert screen.getvalue().rpartition("00:00")[2].strip() == "", "the line is empty again"


def test_a_bar_counts(screen):
    with progress("measuring", 4, " pairs", stream=screen) as advance:
        advance(1)
        advance(2)
        time.sleep(0.3)
    assert "measuring:  75%|" in screen.getvalue()
    assert "3/4" in screen.getvalue()


def test_lines_stand_above_the_bar(screen, monkeypatch):
    monkeypatch.setattr(sys, "stderr", screen)
    with progress("starting"):
        time.sleep(0.3)
        with bars_aside():
            screen.write("run: en-de\n")
    shown = screen.getvalue()
    assert shown[: shown.index("run: en-de")].endswith("\r"), "at the beginning of a line"


def test_nothing_is_shown_of_what_is_quick_or_without_a_terminal(screen, monkeypatch, capsys):
    monkeypatch.setattr(bars, "DELAY", 60.0)
    with progress("starting", stream=screen) as advance:
        advance(1)
        time.sleep(0.1)
    assert screen.getvalue() == ""
    monkeypatch.setattr(bars, "DELAY", 0.0)
    with progress("starting", 2) as advance:
        advance(1)
    monkeypatch.setattr(sys, "stderr", None)
    with progress("starting"), bars_aside():
        pass
    assert capsys.readouterr() == ("", "")
