"""Draws the two roads of the page "How the code works": python docs/_ext/roads.py

``roads.txt`` names the steps, the type that each hands on, and where it is called. The code is
parsed, not run. A road is not drawn if one of its steps and the code do not agree.
"""

import ast
import functools
import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

DOCS = Path(__file__).parents[1]
TABLE = DOCS / "_ext" / "roads.txt"
WIDTH, HEIGHT, STEP, EDGE = 660, 70, 106, 20  # of a box; from a box to the next; the margin
STYLE = """
svg { --paper: #faf9f6; --sheet: #ffffff; --ink: #26241f; --soft: #67635a; --line: #a5a198; }
@media (prefers-color-scheme: dark) {
svg { --paper: #141518; --sheet: #212227; --ink: #e6e2d8; --soft: #aaa59a; --line: #767883; } }
rect, path { fill: var(--sheet); stroke: var(--line); }
.paper { fill: var(--paper); stroke: none; }
text { fill: var(--ink); font: 14px system-ui, 'DejaVu Sans', sans-serif; }
.code { font: 600 13px ui-monospace, 'DejaVu Sans Mono', monospace; }
.soft { fill: var(--soft); font-size: 12px; }
"""


class Step(NamedTuple):
    """A box, and the arrow below it: the type that it hands on, and what that is."""

    path: str
    gives: str
    what: str
    caller: str
    does: str


def read_roads(table: str) -> dict[str, list[Step]]:
    """The steps of each road, by its name."""
    step = re.compile(r"(.+) -> (\w+): (.+)\ncalled in (.+)\n(.+)")
    blocks = (block.partition("\n") for block in table.split("\n\n"))
    return {name: [Step(*cells) for cells in step.findall(rest)] for name, _, rest in blocks}


@functools.cache
def find(path: str) -> Any:
    """The syntax tree of what is at a path in the package: a module or a definition in one."""
    names = path.split(".")
    for count in range(len(names), 0, -1):
        stem = (DOCS.parent / "translator").joinpath(*names[:count])
        for file in (stem.with_suffix(".py"), stem / "__init__.py"):
            if file.is_file():
                node: Any = ast.parse(file.read_text("utf-8"))
                for name in names[count:]:
                    node = {getattr(each, "name", ""): each for each in node.body}[name]
                return node
    raise KeyError(path)


def names_in(path: str) -> set[str]:
    """The names that the source of a definition uses."""
    return {getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(find(path))}


def types_of(path: str) -> tuple[set[str], set[str]]:
    """The types that a definition takes, itself or when its object is made, and those returned."""
    node, owner = find(path), find(path.rpartition(".")[0])
    makers = [each for each in owner.body if getattr(each, "name", "") == "__init__"]
    functions = [node, *makers] if isinstance(node, ast.FunctionDef) else node.body
    taken = " ".join(ast.unparse(each.args) for each in functions if hasattr(each, "args"))
    classes = {each.name for each in (node, owner) if isinstance(each, ast.ClassDef)}
    returned = ast.unparse(node.returns) if getattr(node, "returns", None) else ""
    return classes | {*re.findall(r"\w+", taken)}, {*re.findall(r"\w+", returned)}


def check(step: Step, earlier: Sequence[Step]) -> None:
    """Checks that a step is called where it says, gives what it says, and has to do with others."""
    taken, returned = types_of(step.path)
    if step.path.rpartition(".")[2] not in names_in(step.caller):
        raise ValueError(f"{step.path}: expected a call in {step.caller}, found none")
    if step.gives not in taken | returned:
        raise ValueError(f"{step.path}: expected {step.gives} in its signature, found none")
    for each in earlier:
        owner, _, name = each.path.rpartition(".")
        is_beside = step.caller == each.caller or step.caller.startswith(f"{owner}.")
        if each.gives in taken or name in names_in(step.path) or is_beside:
            return
    if earlier:
        raise ValueError(f"{step.path}: expected to take or call something above, found nothing")


def draw(road: Sequence[Step]) -> str:
    """A road as SVG, if each of its steps agrees with the code."""
    lines = []
    for number, step in enumerate(road):
        check(step, road[:number])
        y, end = EDGE + number * STEP, EDGE + number * STEP + HEIGHT
        lines += [
            f'<rect x="{EDGE}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
            _text(14, y + 22, "code", step.path),
            _text(14, y + 42, "", step.does),
            _text(14, y + 60, "soft", f"called in {step.caller}"),
            f'<path d="M{EDGE + 40},{end}v30m-4,-7l4,7l4,-7"/>',
            _text(54, end + 22, "", f"{step.gives}: {step.what}"),
        ]
    size = f'width="{WIDTH + 2 * EDGE}" height="{EDGE + 10 + len(road) * STEP}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{STYLE}</style>'
    return "\n".join([head, f'<rect class="paper" {size}/>', *lines, "</svg>\n"])


def _text(x: int, y: int, kind: str, text: str) -> str:
    return f'<text x="{EDGE + x}" y="{y}" class="{kind}"\n>{html.escape(text)}</text>'


if __name__ == "__main__":
    for name, road in read_roads(TABLE.read_text("utf-8")).items():
        (DOCS / "images" / f"{name}.svg").write_text(draw(road), "utf-8")
