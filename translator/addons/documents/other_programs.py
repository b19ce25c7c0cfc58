"""What Markdown has for other programs: ``$x$``, ``{% raw %}``, ``:::note`` and ``!!! note``."""

import re
from collections.abc import Sequence
from typing import Any

FORMULA, OF_OTHERS = "formula", "of_others"  # the types of the parser's tokens
TAG = re.compile(r"\{%[^{}]*%\}|\{\{<[^{}]*>\}\}|\{\{%[^{}]*%\}\}")  # of Liquid or Hugo
CODE_IN_LINE = re.compile(
    r"\{%-?\s*(raw|highlight)\b.*?\{%-?\s*end\1\b[^{}]*%\}"
    r"|\{\{([<%])\s*highlight\b.*?\{\{\2\s*/\s*highlight\b[^{}]*\}\}",
    re.DOTALL,
)
ATTRIBUTE = r"(?:[#.][\w:-]+|[\w:-]+=(?:\"[^\"{}]*+\"|'[^'{}]*+'|[^\s\"'{}]++))"
ATTRIBUTES = re.compile(rf"\{{:[^{{}}]*\}}|\{{\s*{ATTRIBUTE}(?:\s+{ATTRIBUTE})*\s*\}}")
TITLE = r'\b(?:title|caption|alt)="([^"{}]*)"'
LINES = tuple(map(re.compile, (  # lines for other programs, and their titles
    rf"\{{[{{%][^{{}}]*{TITLE}[^{{}}]*\}}?\}}|:{{3,}}.*{TITLE}.*",  # {{< card title="One" >}}
    rf"(?:(?:{TAG.pattern})\s*)+|{ATTRIBUTES.pattern}",
    r":{3,} ?[\w-]*\[(.*)\](?:\{[^{}]*\})?",  # :::note[One]
    r":{3,} *(?:\{[^{}]*\}|[\w-]*)(?: *\{[^{}]*\})?(?: +(?:[a-z]\S*|(.*)))?",  # ::: note One
    r"(?:!!!|\?{3}\+?) [\w -]+ \"(.*)\"",  # !!! note "One"
    r"(?:!!!|\?{3}\+?) [\w-]+(?: inline)?(?: end)?",
    r"===[!+]? \"(.*)\"",
)))  # fmt: skip
INDENTING = re.compile(r"(?:!!!|\?{3}\+?|===[!+]?) [\w\"]")  # what is indented below is theirs
INDENT = 4
FENCE = re.compile(r"`{3,}(?=[^`]*\Z)|~{3,}")
# The lines between two that say so, and these
CODE = re.compile(
    r"^[ \t>]*(?:[-*+] +)?(?:"
    r"\{%-?\s*(raw|highlight|codeblock|comment)\b(?![^\n]*\{%-?\s*end\1)[^\n]*\n"
    r"(?:[^\n]*\n){0,999}?[^\n]*\{%-?\s*end\1\b"
    r"|\{\{([<%])\s*(highlight|raw)\b(?![^\n]*\{\{\2\s*/\s*\3)[^\n]*\n"
    r"(?:[^\n]*\n){0,999}?[^\n]*\{\{\2\s*/\s*\3\b"
    r")[^\n]*",
    re.MULTILINE,
)
ENDING_TAG = re.compile(r"\{%-?\s*end|\{\{[<%]\s*/")


def as_parsed(rows: Sequence[str]) -> str:
    """A page as the parser reads it, in as many lines.

    Code for other programs is left out, and what is indented below a line such as ``!!! note``
    begins at its left.
    """
    page = CODE.sub(lambda found: "\n" * found[0].count("\n"), "\n".join(rows))
    depths: list[int] = []  # how far what is below such lines is indented
    fence = ""  # that code is in
    found: list[str] = []
    for row in page.split("\n"):
        text = row.lstrip(" ")
        indent = len(row) - len(text)
        while text and not fence and depths and indent < depths[-1]:
            depths.pop()
        found.append(row[min(INDENT * len(depths), indent) :])
        if fence:
            is_end = text.startswith(fence) and not text.strip().strip(fence[0])
            fence = "" if is_end else fence
        elif begin := FENCE.match(text):
            fence = begin[0]
        elif INDENTING.match(text):
            depths.append(indent + INDENT)
    return "\n".join(found)


def title_in(line: str) -> tuple[int, int] | None:
    """Where the title in a line for other programs is, if it has one; None of other lines.

    Args:
        line: of a paragraph.

    Returns:
        Its start and its end, both 0 if there is none.
    """
    matches = (form.fullmatch(line.rstrip()) for form in LINES)
    found = next(filter(None, matches), None)
    return found and (found.span(found.lastindex) if found.lastindex else (0, 0))


def mark_of_others(state: Any, silent: bool) -> bool:
    """A rule for what other programs read: tags, code between them, and attributes."""
    if state.src[state.pos] != "{":
        return False
    matches = (
        form.match(state.src, state.pos, state.posMax) for form in (CODE_IN_LINE, TAG, ATTRIBUTES)
    )
    found = next(filter(None, matches), None)
    if found and not silent:
        state.push(OF_OTHERS, "", 0).content = found[0]
    state.pos = found.end() if found else state.pos
    return found is not None


def formula(state: Any, silent: bool) -> bool:
    """A rule for GitHub's formulas, such as ``$a_1$``; amounts such as $5 or $6 are none."""
    if state.src[state.pos] != "$":
        return False
    end = state.src.find("$", state.pos + 1, state.posMax)
    text = state.src[state.pos + 1 : max(end, 0)]
    if not text or text != text.strip() or state.src[end + 1 : end + 2].isdigit():
        return False
    if not silent:
        state.push(FORMULA, "", 0).content = text
    state.pos = end + 1
    return True


RULES = {FORMULA: formula, OF_OTHERS: mark_of_others}  # that the parser is given
