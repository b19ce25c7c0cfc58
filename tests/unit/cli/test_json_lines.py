"""The lines of ``translate --json``."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.commands import run
from translator.translation.results import Doubt, Hypothesis, Translation, WordConfidence

GUIDE = Path(__file__).parents[3] / "docs" / "translating.md"


@pytest.fixture
def json_line(capfd, monkeypatch) -> dict:
    """What is printed for a line with one hypothesis of one word."""
    best = Hypothesis("y", (5,), -1.0, -0.5, (), 0.1, (WordConfidence("y", 0.2),))
    translation = Translation("x", (best,), (Doubt("confidence", "low confidence 0.10"),))
    loaded = SimpleNamespace(
        config=SimpleNamespace(corpus=SimpleNamespace(name="demo")),
        tokenizers=SimpleNamespace(target=SimpleNamespace(pieces=lambda ids: ["▁y"])),
        assessor=object(),
    )
    monkeypatch.setattr("translator.cli.translating.load", lambda *arguments: loaded)
    monkeypatch.setattr(
        "translator.translation.streaming.translate_lines",
        lambda translator, lines, options, name: [(list(lines), [translation])],
    )
    code, out, _ = run(capfd, "translate", "--json", "x")
    assert code == 0
    return json.loads(out)


def test_a_line_has_its_hypotheses_with_their_words(json_line):
    assert json_line == {
        "line": 1,
        "source": "x",
        "doubts": ["low confidence 0.10"],
        "hypotheses": [
            {
                "text": "y",
                "score": -0.5,
                "log_probability": -1.0,
                "confidence": 0.1,
                "words": [{"text": "y", "confidence": 0.2}],
                "tokens": ["▁y"],
            }
        ],
    }


def test_the_guide_lists_the_keys_in_order(json_line):
    text = GUIDE.read_text("utf-8")
    section = text[text.index("`--json` prints an object") : text.index("## Sampling")]
    before, _, table = section.partition("| key |")
    assert re.findall(r"`(\w+)`", before) == list(json_line)
    keys = re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE)
    assert keys == list(json_line["hypotheses"][0])
