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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_of_prose_end_at_100_columns_and_what_is_named_exists(page):
    text = page.read_text("utf-8")
    long = [line for line in text.splitlines() if len(line) > 100]
    assert [line for line in long if not line.startswith(("|", "    "))] == []  # tables, output
    for target in re.findall(r"\]\(([^)#:]+)[^):]*\)", re.sub(r"(?s)```.*?```", "", text)):
        assert (page.parent / target).exists(), target
    for name in re.findall(r"`([\w/.]+/\w+\.(?:py|yaml))`", text):
        folders = [ROOT, ROOT / "translator"]
        assert name == "configs/mine.yaml" or any((folder / name).exists() for folder in folders)


def test_the_line_for_bash_completes_only_where_the_command_is_found(tmp_path):
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


def test_package_index_gets_a_drawing_and_no_links_to_files():
    describe = runpy.run_path(str(ROOT / "setup.py"))["describe"]
    text = describe(README)
    assert len(README.splitlines()) <= 120
    assert "docs/images/cross-attention.png)" in README
    assert "██" in text
    assert "![" not in text
    assert "<!-- The mean" not in text
    assert re.findall(r"\]\((?!https?:)", text) == []
