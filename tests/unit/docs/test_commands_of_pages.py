"""The commands that the pages print exist, with their options."""

import re
from pathlib import Path

import pytest
from result_commands import find_command_mistakes

ROOT = Path(__file__).parents[3]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "notebooks").glob("*.md")]
OTHER_PROGRAM = "expected a command of this repository"
READERS_OWN = "configs/mine.yaml"  # the configuration that the pages ask the reader to write


def commands_of(page: str) -> list[str]:
    """The commands of the program and of its scripts in indented blocks, each in one line."""
    lines = re.sub(r"\\\n\s*", "", page)  # a command may go on in the next line
    program = r"translator (?!COMMAND)|make |python (?:scripts|tools|benchmarks)/"
    return re.findall(rf"^ {{4}}(?:\$ |.*\| )?((?:{program}).*)$", lines, re.MULTILINE)


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: page.name)
def test_commands_on_a_page_exist(page):
    mistakes = [
        f"{command}: {mistake}"
        for command in commands_of(page.read_text("utf-8").replace(READERS_OWN, "mine.yaml"))
        for mistake in find_command_mistakes(command, ROOT)
        if not mistake.startswith(OTHER_PROGRAM)
    ]
    assert mistakes == []


def test_commands_are_found_in_blocks_after_prompts_and_pipes():
    page = """\
A `translator lost` in a sentence.

    translator "Good morning." \\
        --from en > out.txt
    $ translator serve --port 8000
    cat text | translator translate
    translator: an error
"""
    assert commands_of(page) == [
        'translator "Good morning." --from en > out.txt',
        "translator serve --port 8000",
        "translator translate",
    ]
