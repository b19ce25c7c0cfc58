"""How long modules are, and what they are called; the linters hold what they may import."""

from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "translator"


def test_modules_are_read_in_one_sitting():
    modules = list(PACKAGE.rglob("*.py"))
    assert modules
    for path in modules:
        assert len(path.read_text("utf-8").splitlines()) <= 400, path
        assert path.stem not in {"utils", "helpers", "common"}, path
