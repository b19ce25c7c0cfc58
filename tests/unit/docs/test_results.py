import json
from pathlib import Path
from typing import Any

import pytest
import results
from result_commands import find_command_mistakes

ROOT = Path(__file__).parents[3]
RESULT: dict[str, Any] = {
    "name": "speed",
    "title": "Greedy search",
    "command": "make demo",
    "commit": "abc1234",
    "machine": "two cores",
    "precision": "float32",
    "date": "2026-10-01",
    "columns": ["", "tokens/s", "times"],
    "rows": [["CTranslate2 | float32", 21651, 1], ["Keras", 25802, 1.2], ["slow", None, 0.01]],
}
TABLE = """\
| | tokens/s | times |
|---|---:|---:|
| CTranslate2 \\| float32 | 21,651 | 1 |
| Keras | 25,802 | 1.20 |
| slow | | 0.01 |"""


def read(folder: Path, *changes: dict[str, Any]) -> dict[str, Any]:
    """The results of a folder with one file, of `RESULT` with these changes."""
    text = json.dumps([RESULT | change for change in changes])
    (folder / "speed.json").write_text(text, "utf-8")
    return results.read_results(folder)


def mistakes_of(folder: Path, page: str, **change: Any) -> list[str]:
    return list(results.find_mistakes(read(folder, change), {"page.md": page}))


def test_no_figure_of_the_docs_lacks_a_command_that_exists():
    assert list(results.find_mistakes(results.read_results(), results.read_pages())) == []


def test_a_result_is_drawn_with_its_command_and_where_it_was_measured(tmp_path):
    known = read(tmp_path, {"note": "Quiet."})
    page = "# Speed\n\n```{results} speed\n```\n\nEnd\n"
    measured = "Quiet. [two cores; float32; commit abc1234 of 2026-10-01]{.measured}"
    drawn = f"```\nmake demo\n```\n\n:::{{table}} Greedy search\n{TABLE}\n:::\n\n{measured}"
    assert results.write_blocks(page, known) == f"# Speed\n\n{drawn}\n\nEnd\n"
    seed = " --set training.seed=1"
    known = read(tmp_path, {"command": f"translator train a.yaml{seed * 5}"})
    first, second = results.draw([known["speed"]]).splitlines()[1:3]
    assert first == f"translator train a.yaml{seed * 2} \\"
    assert second == f"   {seed * 3}"


def test_several_results_are_one_table_with_their_commands(tmp_path):
    rows = {"columns": ["", "n"], "rows": [["a", 1], ["b", 2]]}
    other = {"name": "other", "command": "make lint\nmake docs", "date": "2026-10-03"}
    known = read(tmp_path, rows, {**rows, **other})
    drawn = results.write_blocks("```{results}\nspeed\nother\n```\n", known)
    table = "| | n | command |\n|---|---:|---|\n| a | 1 | `make demo` |\n| b | 2 | the same |"
    assert table in drawn
    assert "| a | 1 | `make lint`, then `make docs` |" in drawn
    assert results.write_blocks("```{results}\nspeed\nlost\n```\n", known).startswith("```{")
    known = read(tmp_path, {}, {"name": "other"})
    blocks = "```{results} speed\n```\n\n```{results} other\n```\n"
    assert results.write_blocks(blocks, known).count("make demo") == 1, "not said again"


def test_results_that_say_too_little_or_have_one_name_are_refused(tmp_path):
    for change, expected in [
        ({"command": " "}, "command"),
        ({"commit": "main"}, "commit"),
        ({"commit": "0000000"}, "commit"),
        ({"date": "soon"}, "date"),
        ({"name": "Speed!"}, "name"),
        ({"colums": []}, "colums"),
        ({"rows": [[1, 2]]}, "speed: expected 3 cells in each row"),
    ]:
        with pytest.raises(ValueError, match=rf"speed.json: [\s\S]*{expected}"):
            read(tmp_path, change)
    with pytest.raises(ValueError, match="found speed again"):
        read(tmp_path, {}, {})


def test_pages_show_all_results_and_no_others_and_their_tables_are_up_to_date(tmp_path):
    assert mistakes_of(tmp_path, "```{results} speed\n```\n") == []
    assert mistakes_of(tmp_path, "```{results} sped\n```\n") == [
        "page.md: no result is called sped",
        "benchmarks/results: speed: expected a page that shows it",
    ]
    page = f"<!-- results: speed -->\n\n{TABLE}\n\n<!-- end of results -->\n"
    assert mistakes_of(tmp_path, page) == []
    old = page.replace("25,802", "25,801")
    assert mistakes_of(tmp_path, old) == [
        "page.md: a table is out of date, run python docs/_ext/results.py"
    ]
    assert results.write_tables(old, results.read_results(tmp_path)) == page


def test_commands_exist_or_are_mistakes():
    for command in [
        'translator "Good morning." --engine keras',
        "JAX_LOG_COMPILES=1 translator train configs/demo.yaml --set training.epochs=1 > log",
        "time translator --help",
        "translator corpora | sacrebleu; make docs && python -m pytest tests  # a comment",
        "python scripts/demo.py",
        "sacrebleu reference.de -i test.de",
    ]:
        assert list(find_command_mistakes(command, ROOT)) == []
    for command, expected in [
        ("python scripts/lost.py", "expected a script of this repository, found scripts/lost.py"),
        ("python scripts/demo.py --lost", "scripts/demo.py has no option --lost"),
        ("python -m lost", "expected a module that can be imported, found lost"),
        ("make lost", "expected a target of the Makefile, found lost"),
        ("translator lost --run a", "expected a command of translator or a sentence, found lost"),
        ("translator evaluate --lost", "translator evaluate: No such option '--lost'"),
        ("lost --run a", "expected a command of this repository, found lost --run a"),
        ("make demo | lost", "expected a command of this repository, found lost"),
        ("translator train configs/lost.yaml", "configs/lost.yaml"),
        ("translator train configs/demo.yaml --set training.lost=1", "training.lost"),
    ]:
        [mistake] = find_command_mistakes(command, ROOT)
        assert expected in mistake
