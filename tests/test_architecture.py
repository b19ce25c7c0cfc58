"""Who may know whom, held by the imports in the code."""

import ast
import copy
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "translator"

# A module may import from the package only what stands here; a longer path wins.
MAY_KNOW = {
    "errors": (),
    "writing": ("errors",),
    "pictures": ("writing",),
    "startup": (),
    "config": (),
    "config_file": ("config", "errors"),
    "cache": ("errors",),
    "download": ("cache", "errors"),
    "corpora": ("cache", "config", "corpora", "download", "errors"),
    "corpora.demo": ("corpora.demo", "errors"),
    "tokenizer": ("cache", "config", "errors", "writing"),
    "vocabulary": ("cache", "config", "corpora", "download", "errors", "tokenizer", "writing"),
    "encoding": ("corpora", "errors", "tokenizer"),
    "preparation": ("cache", "config", "corpora", "decoding.restoration", "encoding", "errors",
                    "tokenizer", "vocabulary"),
    "dataset": ("config", "encoding", "tokenizer"),
    "model": ("model", "config"),
    "run": ("config", "config_file", "errors", "__init__", "tokenizer", "weights", "writing"),
    "weights": ("config", "errors", "tokenizer", "model", "writing"),
    "bpe_dropout": ("encoding", "errors", "tokenizer"),
    "locking": ("errors",),
    "training": ("training", "attention.heads", "attention.words", "bpe_dropout", "config",
                 "corpora", "dataset", "decoding", "encoding", "errors", "evaluation", "export",
                 "locking", "model", "preparation", "run", "tokenizer", "vocabulary", "weights",
                 "writing"),
    "decoding.ranking": (),
    "decoding.search_state": (),
    "decoding.search": ("decoding.ranking", "decoding.search_state"),
    "decoding.engine": (),
    "decoding.sentences": (),
    "decoding.results": ("decoding.sentences",),
    "decoding.limits": ("decoding.engine", "errors"),
    "decoding.reading": ("decoding.sentences", "errors", "tokenizer"),
    "decoding.truecasing": (),
    "decoding.numbers": (),
    "decoding.names": ("decoding.numbers", "decoding.truecasing"),
    "decoding.restoration": ("attention.heads", "attention.words", "corpora", "decoding.names",
                             "decoding.numbers", "decoding.truecasing", "errors", "tokenizer",
                             "writing"),
    "decoding.programs": ("decoding.engine", "decoding.ranking", "decoding.search",
                          "decoding.search_state", "model", "tokenizer"),
    "decoding.keras_engine": ("attention.heads", "dataset", "decoding.engine",
                              "decoding.programs", "decoding.ranking", "decoding.search_state",
                              "model", "tokenizer"),
    "decoding.ctranslate2_engine": ("decoding.engine", "errors", "tokenizer"),
    "decoding.attention": ("dataset", "model", "tokenizer"),
    "decoding.translate": ("decoding", "attention.heads", "attention.records",
                           "attention.words", "errors", "model",
                           "run", "startup", "weights"),
    "decoding.streaming": ("decoding.results", "decoding.translate", "errors"),
    "export": ("attention.heads", "config", "decoding.restoration", "errors", "model.fixed", "run",
               "tokenizer", "weights", "writing"),
    "attention": ("attention", "errors", "writing"),
    "attention.model_pictures": ("attention", "errors", "model.fixed"),
    "evaluation": ("corpora", "decoding", "errors", "tokenizer", "writing"),
    "linked_pairs": ("attention.alignments", "config", "corpora", "errors"),
    "head_analysis": ("attention", "decoding", "errors", "linked_pairs"),
    "comparison": ("config", "errors", "evaluation"),
    "__init__": ("decoding.translate", "run"),
}  # fmt: skip
NO_TENSORFLOW = (
    "attention",
    "export",
    "config",
    "config_file",
    "corpora",
    "cli",
    "run",
    "weights",
    "tokenizer",
    "writing",
    "cache",
    "download",
    "encoding",
    "vocabulary",
    "preparation",
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


@pytest.mark.parametrize("name", [name for name in MODULES if name.split(".")[0] != "cli"])
def test_modules_know_only_whom_they_may(name):
    rooms = [room for room in MAY_KNOW if name == room or name.startswith(room + ".")]
    if not rooms:
        assert MODULES[name].body == [] or not imports(MODULES[name]), f"{name} has no room"
        return
    allowed = MAY_KNOW[max(rooms, key=len)]
    for imported in imports(MODULES[name]):
        if imported.split(".")[0] != "translator":
            continue
        target = imported.removeprefix("translator").removeprefix(".") or "__init__"
        assert any(target == a or target.startswith(a + ".") for a in allowed), (
            f"{name} imports {imported}"
        )


def test_nobody_knows_the_command_line():
    known = {name: imports(MODULES[name]) for name in MODULES if name.split(".")[0] != "cli"}
    assert not [name for name in known if any(i.startswith("translator.cli") for i in known[name])]


@pytest.mark.parametrize("name", list(MODULES))
def test_backends_are_imported_only_where_they_are_used(name):
    body = [node for node in copy.deepcopy(MODULES[name]).body if not isinstance(node, ast.If)]
    top_level = ast.Module(body, [])
    for node in ast.walk(top_level):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            node.body = []
    assert not ONLY_INSIDE_FUNCTIONS & {i.split(".")[0] for i in imports(top_level)}
    if name.split(".")[0] in NO_TENSORFLOW:
        assert not {"tensorflow", "keras"} & {i.split(".")[0] for i in imports(MODULES[name])}


@pytest.mark.parametrize("name", list(MODULES))
def test_modules_are_read_in_one_sitting(name):
    parts = name.split(".")
    path = PACKAGE.joinpath(*parts[:-1], f"{parts[-1]}.py")
    path = path if path.exists() else PACKAGE.joinpath(*parts, "__init__.py")
    assert len(path.read_text("utf-8").splitlines()) <= 400
    assert parts[-1] not in {"utils", "helpers", "common"}
