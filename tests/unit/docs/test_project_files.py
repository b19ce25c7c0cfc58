import re
import tomllib
from pathlib import Path

import pytest
import roads
import yaml

import translator
from translator.base.errors import PACKAGES

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_what_names_the_version_agrees_and_the_changelog_names_the_public_api():
    assert PROJECT["version"] == translator.__version__
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == translator.__version__
    assert f"## [{translator.__version__}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for name in translator.__all__:
        assert name == "__version__" or f"`{name}`" in changelog


def test_workflow_runs_what_readme_and_contributing_say():
    workflow = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text("utf-8"))
    steps = workflow["jobs"]["checks"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands == ["make lint", "make types", "make test", "make docs"]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for command in commands:
        assert f"\n{command.removeprefix('make ')}: " in makefile


def test_extras_are_installed_from_this_project_and_errors_explain_their_packages():
    extras = "|".join(PROJECT["optional-dependencies"])
    texts = [*(ROOT / "translator").rglob("*.py"), *(ROOT / "docs").glob("*.md")]
    for path in (*texts, ROOT / "README.md"):
        for name in re.findall(rf"([\w.-]+)\[(?:{extras})", path.read_text("utf-8")):
            assert name in (PROJECT["name"], "."), path
    imported_as = {"ml-dtypes": "ml_dtypes", "protobuf": "google"}
    imported_as["python-multipart"] = "python_multipart"
    checked = ("common", "train", "jax", "serve", "documents", "pairs", "tensorboard")
    lines = [line for name in checked for line in PROJECT["optional-dependencies"][name]]
    names = {re.split("[<>=]", line)[0] for line in lines} - {"keras-translator[common]"}
    assert {imported_as.get(name, name) for name in names} == set(PACKAGES)


def test_roads_are_drawn_from_the_code():
    for name, road in roads.read_roads(roads.TABLE.read_text("utf-8")).items():
        drawn = (ROOT / "docs" / "images" / f"{name}.svg").read_text("utf-8")
        assert drawn == roads.draw(road), "run python docs/_ext/roads.py"
        for wrong in ({"path": "data.lost"}, {"caller": "cli.main"}, {"gives": "Lost"}):
            with pytest.raises((KeyError, ValueError), match="lost|a call in cli.main|Lost"):
                roads.draw([road[0], road[1]._replace(**wrong)])
        with pytest.raises(ValueError, match="found nothing"):
            roads.draw([road[2], road[8]])
