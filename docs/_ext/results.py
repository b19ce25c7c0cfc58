"""Draws tables of measured figures from ``benchmarks/results/`` while the site is built.

A page names a result in a block. The command, table, machine and date replace the block::

    ```{results} decoding-greedy
    ```

A block may name several results, in one line or more. They become one table, with the command of
each row in the last column. README and the model card are also read outside the site. So they hold
their tables themselves, between ``<!-- results: NAMES -->`` and ``<!-- end of results -->``;
``python docs/_ext/results.py`` writes these tables anew.

A warning ends the build if the command of a figure no longer exists, a page names an unknown
result, no page shows a result, or a table is out of date.
"""

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import ConfigDict, StringConstraints, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass
from result_commands import find_command_mistakes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
WITH_TABLES = ("README.md", "MODEL_CARD.md")  # pages that are also read outside the site
BLOCK = re.compile(r"^```\{results\}\s(?P<names>[\s\w-]+)^```$", re.MULTILINE)
TABLE = re.compile(
    r"(?P<start><!-- results: (?P<names>[\w -]+) -->\n\n).*?(?=\n\n<!-- end of results -->)",
    re.DOTALL,
)
WIDTH = 88  # columns of a command before it goes on in the next line

Cell = int | float | str | None
Commit = Annotated[
    str, StringConstraints(pattern="^0*[1-9a-f][0-9a-f]*$", min_length=7, max_length=40)
]
Words = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Result:
    """Figures that a command prints.

    Attributes:
        name: pages show the result by this name.
        title: the title of its table.
        command: the command that prints the figures, or several commands, one a line.
        commit: the commit of the figures; for a benchmark, the commit that was checked out.
        machine: where they were measured.
        precision: the precision of the model's numbers; none where there is no model.
        date: the day of the commit; for a benchmark, the day of the measurement.
        columns: headings; may be empty.
        rows: rows with a cell for each column; cells of text are in Markdown.
        note: a sentence for the reader, in Markdown.
    """

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+$")]
    title: Words
    command: Words
    commit: Commit
    machine: Words
    precision: Words
    date: datetime.date
    columns: list[str]
    rows: list[list[Cell]]
    note: str = ""


def read_results(folder: Path = RESULTS) -> dict[str, Result]:
    """All results by name.

    Args:
        folder: of JSON files; each holds a list of results.

    Raises:
        ValueError: a file is not as `Result` says, two results have one name, or a row has not as
            many cells as there are columns.
    """
    results: dict[str, Result] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            found = TypeAdapter(list[Result]).validate_json(path.read_bytes())
        except ValidationError as error:
            raise ValueError(f"{path.name}: {error}") from None
        for result in found:
            if result.name in results:
                raise ValueError(f"{path.name}: expected new names, found {result.name} again")
            if any(len(row) != len(result.columns) for row in result.rows):
                raise ValueError(
                    f"{path.name}: {result.name}: expected {len(result.columns)} cells in each row"
                )
            results[result.name] = result
    return results


def draw(results: Sequence[Result], former: str = "") -> str:
    """What takes the place of a block: the command, the table and where it was measured.

    Args:
        results: that the block names.
        former: the command of the block before, which is not said again.
    """
    lines = [f":::{{table}} {results[0].title}", draw_table(results), ":::"]
    if len(results) == 1 and results[0].command != former:
        lines = ["```", *_folded(results[0].command), "```", "", *lines]
    notes = [result.note for result in results]
    text = " ".join(filter(None, [*notes, f"[{_where(results)}]{{.measured}}"]))
    return "\n".join([*lines, "", text])


def draw_table(results: Sequence[Result]) -> str:
    """The rows of all results; where they are several, with a column of their commands."""
    columns = list(zip(*(row for result in results for row in result.rows), strict=True))
    headings = [*results[0].columns]
    rules = ["---" if any(isinstance(c, str) for c in column) else "---:" for column in columns]
    texts = [_texts(column) for column in columns]
    if len(results) > 1:
        headings.append("command")
        rules.append("---")
        texts.append([text for result in results for text in _commands(result)])
    rows = [headings, *zip(*texts, strict=True)]
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows]
    return "\n".join([lines[0], f"|{'|'.join(rules)}|", *lines[1:]])


def _texts(column: Sequence[Cell]) -> list[str]:
    """The cells of a column as Markdown; all its floats have the same number of decimals."""
    floats = [repr(cell).partition(".")[2] for cell in column if isinstance(cell, float)]
    decimals = max(map(len, floats), default=0)
    formats = {float: f",.{decimals}f", int: ",", str: ""}
    return [
        "" if cell is None else format(cell, formats[type(cell)]).replace("|", r"\|")
        for cell in column
    ]


def _commands(result: Result) -> list[str]:
    """The command of each row of a result, said once."""
    code = ", then ".join(f"`{line}`" for line in result.command.splitlines())
    return [code.replace("|", r"\|"), *["the same"] * (len(result.rows) - 1)]


def _folded(command: str) -> Iterator[str]:
    """The lines of a command; a long one goes on in the next line with an option."""
    for line in command.splitlines():
        start, *options = re.split(r" (?=--?[a-z])", line)
        for option in options:
            if len(start) + len(option) < WIDTH:
                start += f" {option}"
            else:
                yield f"{start} \\"
                start = f"    {option}"
        yield start


def _where(results: Sequence[Result]) -> str:
    """Where the results were measured, and their commit unless they are several."""
    machines = "; ".join(dict.fromkeys(result.machine for result in results))
    precisions = ", ".join(dict.fromkeys(r.precision for r in results if r.precision != "none"))
    commits = dict.fromkeys(f"commit {result.commit} of {result.date}" for result in results)
    days = sorted({str(result.date) for result in results})
    when = (
        "".join(commits) if len(commits) == 1 else " to ".join(dict.fromkeys([days[0], days[-1]]))
    )
    return "; ".join(filter(None, [machines, precisions, when]))


def read_pages(root: Path = ROOT) -> dict[str, str]:
    """The pages that may show results, by their paths in the repository."""
    paths = [*sorted((root / "docs").glob("*.md")), *(root / name for name in WITH_TABLES)]
    return {str(path.relative_to(root)): path.read_text("utf-8") for path in paths}


def write_blocks(page: str, results: Mapping[str, Result]) -> str:
    """A page in which each block that names known results is replaced by what they draw."""
    former = ""

    def drawn(block: re.Match[str]) -> str:
        nonlocal former
        named = _named(block, results)
        text = draw(named, former) if named else block[0]
        former = named[0].command if len(named) == 1 else ""
        return text

    return BLOCK.sub(drawn, page)


def write_tables(page: str, results: Mapping[str, Result]) -> str:
    """A page that holds its tables itself, with these up to date."""
    return TABLE.sub(
        lambda table: (
            table["start"] + draw_table(named) if (named := _named(table, results)) else table[0]
        ),
        page,
    )


def _named(place: re.Match[str], results: Mapping[str, Result]) -> list[Result]:
    """The results that a block or a table names; none if one of them is unknown."""
    names = place["names"].split()
    return [results[name] for name in names] if results.keys() >= set(names) else []


def find_mistakes(results: Mapping[str, Result], pages: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with results and with pages that show them, a line each."""
    shown: set[str] = set()
    for path, page in pages.items():
        for found in (*BLOCK.finditer(page), *TABLE.finditer(page)):
            names = found["names"].split()
            shown.update(names)
            yield from (f"{path}: no result is called {n}" for n in names if n not in results)
        if write_tables(page, results) != page:
            yield f"{path}: a table is out of date, run python docs/_ext/results.py"
    for name, result in results.items():
        if name not in shown:
            yield f"benchmarks/results: {name}: expected a page that shows it"
        for mistake in find_command_mistakes(result.command, ROOT):
            yield f"benchmarks/results: {name}: {mistake}"


def warn_of_mistakes(app: "Sphinx") -> None:
    """Warns of everything that is wrong, which ends a build that takes warnings for errors."""
    from sphinx.util import logging

    for mistake in find_mistakes(read_results(), read_pages()):
        logging.getLogger(__name__).warning(mistake)


def replace_blocks(app: "Sphinx", page: str, source: list[str]) -> None:
    """Draws the results of a page, which is read again when they change."""
    if BLOCK.search(source[0]):
        source[0] = write_blocks(source[0], read_results())
        for path in RESULTS.glob("*.json"):
            app.env.note_dependency(str(path))


def setup(app: "Sphinx") -> dict[str, bool]:
    """Registers the check and the drawing."""
    app.connect("builder-inited", warn_of_mistakes)
    app.connect("source-read", replace_blocks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    for path in (ROOT / name for name in WITH_TABLES):
        path.write_text(write_tables(path.read_text("utf-8"), read_results()), "utf-8")
