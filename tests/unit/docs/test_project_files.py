import re
import tomllib
from pathlib import Path

import yaml

import translator
from translator.base.errors import PACKAGES

ROOT = Path(__file__).parents[3]


def test_all_that_names_the_version_agrees() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == translator.__version__
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == translator.__version__
    assert f"## [{translator.__version__}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_changelog_names_the_whole_public_api() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for name in translator.__all__:
        assert name == "__version__" or f"`{name}`" in changelog


def test_workflow_runs_what_readme_and_contributing_say() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text("utf-8"))
    steps = workflow["jobs"]["checks"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands == ["make lint", "make types", "make test", "make docs"]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for command in commands:
        assert f"\n{command.removeprefix('make ')}: " in makefile


def test_extras_are_installed_from_the_distribution_of_this_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = "|".join(project["optional-dependencies"])
    texts = [*(ROOT / "translator").rglob("*.py"), *(ROOT / "docs").glob("*.md")]
    for path in (*texts, ROOT / "README.md"):
        for name in re.findall(rf"([\w.-]+)\[(?:{extras})", path.read_text("utf-8")):
            assert name in (project["name"], "."), path


def test_packages_of_the_extras_are_those_that_errors_explain() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    imported_as = {
        "ml-dtypes": "ml_dtypes",
        "protobuf": "google",
        "python-multipart": "python_multipart",
    }
    extras = project["optional-dependencies"]
    checked = ("common", "train", "jax", "serve", "documents", "pairs")
    lines = [line for name in checked for line in extras[name]]
    names = {re.split("[<>=]", line)[0] for line in lines} - {"keras-translator[common]"}
    assert {imported_as.get(name, name) for name in names} == set(PACKAGES)
