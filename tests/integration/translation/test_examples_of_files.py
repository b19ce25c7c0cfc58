"""The page about translating shows what becomes of a text of each format."""

import io
from pathlib import Path

import pytest

from tests.commands import captured

PAGE = Path(__file__).parents[3] / "docs" / "translating.md"
FORMATS = {
    ".txt": "text",
    ".md": "markdown",
    ".html": "html",
    ".srt": "subtitles",
    ".po": "gettext",
    ".json": "json",
    ".yaml": "yaml",
    ".csv": "table",
}


def examples() -> dict[str, list[str]]:
    """The lines of each example by the ending of its file: the text, and its translation."""
    page = PAGE.read_text("utf-8")
    found: dict[str, list[str]] = {}
    for row in page[page.index("    .txt ") : page.index("\n\n![The minutes")].splitlines():
        found.setdefault(row[4:12].strip() or [*found][-1], []).append(row[12:])
    return found


def test_each_format_has_an_example():
    assert examples().keys() == FORMATS.keys()


@pytest.mark.parametrize("ending", FORMATS)
def test_an_example_is_what_the_model_makes_of_it(ending, monkeypatch):
    rows = examples()[ending]
    half = len(rows) // 2
    text, expected = "\n".join(rows[:half]), "\n".join(rows[half:])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    column = ("--column", "2") if ending == ".csv" else ()
    options = ("--run", "en-de", "--format", FORMATS[ending], *column)
    assert captured("translate", *options)[:2] == (0, expected)
