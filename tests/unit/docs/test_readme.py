import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES += sorted((ROOT / "docs").glob("*.md"))


def test_readme_has_at_most_150_lines() -> None:
    assert len(README.splitlines()) <= 150


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_of_prose_end_at_100_columns(page: Path) -> None:
    lines = page.read_text("utf-8").splitlines()
    tables_and_output = ("|", "    ")
    long = [line for line in lines if len(line) > 100]
    assert [line for line in long if not line.startswith(tables_and_output)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)[^):]*\)", text):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_that_are_named_exist(page: Path) -> None:
    for name in re.findall(r"`([\w/.]+/\w+\.(?:py|yaml))`", page.read_text("utf-8")):
        folders = [ROOT, ROOT / "translator"]
        assert name == "configs/mine.yaml" or any((folder / name).exists() for folder in folders)


def test_the_line_for_bash_completes_only_where_the_command_is_found(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "getting-started.md").read_text("utf-8")
    [line] = re.findall(r"^    (.*_TRANSLATOR_COMPLETE=bash_source.*)$", guide, re.MULTILINE)
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("this system has no Bash")
    command = tmp_path / "translator"
    for printed in ("", "bash_source\n"):
        done = subprocess.run(
            [bash, "--norc", "-c", line],
            env={"PATH": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert (done.stdout, done.stderr) == (printed, "")
        command.write_text(f"#!{bash}\necho echo $_TRANSLATOR_COMPLETE\n", "utf-8")
        command.chmod(0o755)


def test_package_index_gets_a_drawing_and_no_links_to_files() -> None:
    describe = runpy.run_path(str(ROOT / "setup.py"))["describe"]
    text = describe(README)
    assert "docs/images/cross-attention.png)" in README
    assert "██" in text
    assert "![" not in text
    assert "<!-- The mean" not in text
    assert re.findall(r"\]\((?!https?:)", text) == []
