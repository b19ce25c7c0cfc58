"""Measures the attention explorer: its size, its time to draw and its frames per second.

    python benchmarks/explorer.py
    python benchmarks/explorer.py --records maps.npz

Opens the page in headless Chromium and moves the mouse over every token, first with one
head selected, then with eight. Without records the scores are random: 60 tokens on each side,
4 layers, 8 heads. Needs playwright (pip install playwright) and an installed Chromium.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from translator.addons.attention.page.explorer import explorer_html
from translator.addons.attention.record_files import load_records
from translator.translation.records import AttentionRecord, RecordedModel

WATCH_FRAMES = """() => {
  window.frames_seen = [];
  window.watching = true;
  const seen = (time) => { frames_seen.push(time); if (watching) requestAnimationFrame(seen); };
  requestAnimationFrame(seen);
}"""
CENTRES = """() => [...document.querySelectorAll(".token")].map((token) => {
  const { x, y, width, height } = token.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})"""
TIMES = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  drawn: performance.getEntriesByName("drawn")[0]?.startTime,
})"""


def random_record(tokens: int = 60, layers: int = 4, heads: int = 8) -> AttentionRecord:
    """A record with rows from a Dirichlet distribution; ``tokens`` counts start and end."""
    draw = np.random.default_rng(1)

    def scores(causal: bool = False) -> np.ndarray:
        rows = draw.dirichlet(np.full(tokens, 0.1), (layers, heads, tokens))
        rows = np.tril(rows + 1e-6) if causal else rows
        return (rows / rows.sum(-1, keepdims=True)).astype("float32")

    source = ("<s>", *(f"▁token{i}" for i in range(tokens - 2)), "</s>")
    target = ("<s>", *(f"▁Wort{i}" for i in range(tokens - 1)), "</s>")
    texts = (" ".join(side[1:-1]).replace("▁", "") for side in (source, target))
    model = RecordedModel("random", "en", "de")
    return AttentionRecord(
        *texts, source, target, scores(), scores(causal=True), scores(), model=model
    )


def frames_at_rest(page: Any) -> float:
    """Frames per second while nothing happens: the most that the machine gives."""
    page.wait_for_timeout(500)
    page.evaluate(WATCH_FRAMES)
    page.wait_for_timeout(1000)
    times = page.evaluate("() => { watching = false; return frames_seen; }")
    return 1000 / float(np.diff(times).mean())


def frames_while_hovering(page: Any, heads: int) -> tuple[float, float]:
    """Frames per second while the mouse moves over all tokens: mean, and slowest twentieth."""
    page.locator("[role=rowheader], [data-head='1.1']").nth(0 if heads > 1 else 1).click()
    intervals: list[float] = []
    for screen in range(int(page.evaluate("document.documentElement.scrollHeight / 600")) + 1):
        page.evaluate(f"scrollTo(0, {600 * screen})")
        page.mouse.move(2, 2)
        page.wait_for_timeout(400)
        points = [p for p in page.evaluate(CENTRES) if 150 <= p[1] < 750]
        page.evaluate(WATCH_FRAMES)
        for x, y in points:
            page.mouse.move(x, y)
        times = page.evaluate("() => { watching = false; return frames_seen; }")
        intervals += np.diff(times).tolist() if points else []
    page.evaluate("scrollTo(0, 0)")
    intervals.sort()
    slowest = intervals[-max(1, len(intervals) // 20) :]
    return 1000 / statistics.mean(intervals), 1000 / statistics.mean(slowest)


def measure(records: Sequence[AttentionRecord], browser: Any) -> list[tuple[str, str]]:
    """The rows of the table."""
    html = explorer_html(records)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "explorer.html"
        path.write_text(html, "utf-8")
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(path.as_uri())
        page.locator(".token").first.wait_for()
        while None in (times := page.evaluate(TIMES)).values():
            page.wait_for_timeout(50)
        rows = [
            ("size, MB", f"{len(html.encode()) / 1e6:.2f}"),
            ("first paint, ms", f"{times['paint']:.0f}"),
            ("all drawn, ms", f"{times['drawn']:.0f}"),
        ]
        rows.append(("frames per second, nothing to do: mean", f"{frames_at_rest(page):.1f}"))
        for heads, name in ((1, "one head"), (8, "all heads of a layer")):
            mean, slowest = frames_while_hovering(page, heads)
            rows.append((f"frames per second, {name}: mean", f"{mean:.1f}"))
            rows.append((f"frames per second, {name}: slowest twentieth", f"{slowest:.1f}"))
    return rows


def main() -> int:
    """Prints the table; returns 2 without a browser."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=Path, help="what translator attention --save wrote")
    arguments = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        print("expected playwright and Chromium, found none: install both", file=sys.stderr)
        return 2
    records = list(load_records(arguments.records)) if arguments.records else [random_record()]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        rows = measure(records, browser)
        browser.close()
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:{width}}  {value:>8}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
