"""What a reader has to read stays short."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
BUILT = {"_build", "notebooks"}  # folders of docs/ that the build of the pages writes


def pages() -> Iterator[Path]:
    yield from ROOT.glob("*.md")
    yield from (ROOT / "notebooks").glob("*.md")
    for page in (ROOT / "docs").rglob("*.md"):
        if BUILT.isdisjoint(page.relative_to(ROOT / "docs").parts):
            yield page


def test_at_most_40_decisions_and_15_000_words_in_the_readme_and_the_docs():
    page = (ROOT / "docs" / "decisions.md").read_text("utf-8")
    decisions = [part for part in page.split("\n\n") if part.startswith("**")]
    assert 20 < len(decisions) <= 40
    words = {page: len(page.read_text("utf-8").split()) for page in pages()}
    assert len(words) > 20
    largest = sorted(words.items(), key=lambda item: -item[1])[:5]
    site = [page for page in words if page.name == "README.md" or page.parent.name == "docs"]
    assert sum(map(words.__getitem__, site)) <= 15_000, largest
    assert sum(words.values()) <= 22_000, largest
