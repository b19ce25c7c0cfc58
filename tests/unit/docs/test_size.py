"""What a reader has to read stays short."""

from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_at_most_40_decisions() -> None:
    page = (ROOT / "docs" / "decisions.md").read_text("utf-8")
    decisions = [part for part in page.split("\n\n") if part.startswith("**")]
    assert 20 < len(decisions) <= 40
