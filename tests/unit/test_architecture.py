"""Where backends are imported, and how long modules are; import-linter holds the rooms."""

import ast
import copy
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "translator"

NO_TENSORFLOW = (  # rooms that import neither Keras nor a backend, wherever in a module
    "addons.attention.drawing",
    "addons.attention.page",
    "addons.attention.record_files",
    "addons.inspection",
    "addons.public_models",
    "base.errors",
    "base.files",
    "base.cache",
    "base.download",
    "cli",
    "config",
    "corpora",
    "data.encoding",
    "data.preparation",
    "export",
    "runs",
    "text",
    "tokenizers",
)
ONLY_INSIDE_FUNCTIONS = {"tensorflow", "jax"}


def modules() -> dict[str, ast.Module]:
    """Every module by its dotted name below the package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
        found[name] = ast.parse(path.read_text("utf-8"))
    return found


def imports(tree: ast.AST) -> set[str]:
    """Dotted names of all that is imported anywhere in ``tree``."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


MODULES = modules()


@pytest.mark.parametrize("name", list(MODULES))
def test_backends_are_imported_only_where_they_are_used(name):
    body = [node for node in copy.deepcopy(MODULES[name]).body if not isinstance(node, ast.If)]
    top_level = ast.Module(body, [])
    for node in ast.walk(top_level):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            node.body = []
    assert not ONLY_INSIDE_FUNCTIONS & {i.split(".")[0] for i in imports(top_level)}
    if any(f"{name}.".startswith(f"{room}.") for room in NO_TENSORFLOW):
        assert not {"tensorflow", "keras"} & {i.split(".")[0] for i in imports(MODULES[name])}


@pytest.mark.parametrize("name", list(MODULES))
def test_modules_are_read_in_one_sitting(name):
    parts = name.split(".")
    path = PACKAGE.joinpath(*parts[:-1], f"{parts[-1]}.py")
    path = path if path.exists() else PACKAGE.joinpath(*parts, "__init__.py")
    assert len(path.read_text("utf-8").splitlines()) <= 400
    assert parts[-1] not in {"utils", "helpers", "common"}
