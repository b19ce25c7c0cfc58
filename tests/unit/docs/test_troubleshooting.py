import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def strings_of_the_program() -> str:
    """Every string in the code, those with values in them in their parts."""
    strings = [(ROOT / "Makefile").read_text("utf-8")]
    for path in (ROOT / "translator").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                strings.append(node.value)
    return "\n".join(strings)


def test_every_quoted_symptom_is_part_of_a_message():
    page = (ROOT / "docs" / "troubleshooting.md").read_text("utf-8")
    symptoms = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    messages = strings_of_the_program()
    assert len(symptoms) > 5
    assert [symptom for symptom in symptoms if symptom not in messages] == []
