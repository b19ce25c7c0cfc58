"""Measures the attention explorer: its size, its time to draw and its frames per second.

    python benchmarks/explorer.py

Opens the page in headless Chromium and moves the mouse over every token, first with one
head selected, then with eight. The scores are random: 60 tokens on each side, 4 layers, 8 heads.
Needs playwright (pip install playwright) and an installed Chromium.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import harness
import numpy as np

from translator.addons.attention.page.explorer import explorer_html
from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.translation.records import AttentionRecord, RecordedModel

WATCH_FRAMES = """() => {
  window.frames_seen = [];
  window.watching = true;
  const seen = (time) => { frames_seen.push(time); if (watching) requestAnimationFrame(seen); };
  requestAnimationFrame(seen);
}"""
END_WATCHING = "() => { watching = false; return frames_seen; }"
CENTRES = """() => [...document.querySelectorAll(".token")].map((token) => {
  const { x, y, width, height } = token.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})"""
TIMES = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  drawn: performance.getEntriesByName("drawn")[0]?.startTime,
})"""


def main() -> None:
    """Prints the figures."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--tokens", type=int, default=60, help="of each side (default: 60)")
    options = parser.parse(tokens=6)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        raise InputError("expected playwright and Chromium, found none: install both")
    html = explorer_html([random_record(options.tokens)])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "explorer.html"
        path.write_text(html, "utf-8")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        rows = measure(browser.new_page(viewport={"width": 1280, "height": 900}), path.as_uri())
        browser.close()
    size: list[harness.Row] = [["size", f"{len(html.encode()) / 1e6:.2f} MB"]]
    title = f"The explorer page of a sentence of {options.tokens} tokens"
    harness.show(options, "explorer", title, ["", ""], [*size, *rows], "none")


def random_record(tokens: int, layers: int = 4, heads: int = 8) -> AttentionRecord:
    """A record with rows from a Dirichlet distribution; ``tokens`` counts start and end."""
    draw = np.random.default_rng(1)

    def scores(causal: bool = False) -> np.ndarray:
        rows = draw.dirichlet(np.full(tokens, 0.1), (layers, heads, tokens))
        rows = np.tril(rows + 1e-6) if causal else rows
        return np.asarray(rows / rows.sum(-1, keepdims=True), "float32")

    source = ("<s>", *(f"▁token{i}" for i in range(tokens - 2)), "</s>")
    target = ("<s>", *(f"▁Wort{i}" for i in range(tokens - 1)), "</s>")
    texts = [" ".join(side[1:-1]).replace("▁", "") for side in (source, target)]
    arrays = scores(), scores(causal=True), scores()
    model = RecordedModel("random", "en", "de")
    return AttentionRecord(texts[0], texts[1], source, target, *arrays, model=model)


def measure(page: Any, address: str) -> list[harness.Row]:
    """The rows of a page."""
    page.goto(address)
    page.locator(".token").first.wait_for()
    while None in (times := page.evaluate(TIMES)).values():
        page.wait_for_timeout(50)
    page.wait_for_timeout(500)
    page.evaluate(WATCH_FRAMES)
    page.wait_for_timeout(1000)
    resting = 1000 / np.diff(page.evaluate(END_WATCHING)).mean()
    rows: list[harness.Row] = [
        ["first paint; all drawn", f"{times['paint']:.0f} ms; {times['drawn']:.0f} ms"],
        ["frames per second, nothing to do", round(float(resting), 1)],
    ]
    for heads, name in ((1, "one head"), (8, "all heads of a layer")):
        intervals = sorted(move_over_tokens(page, heads))
        slowest = intervals[-max(1, len(intervals) // 20) :]
        figures = [f"{1000 / np.mean(each):.1f}" for each in (intervals, slowest)]
        rows.append([f"frames per second, {name}; slowest twentieth", "; ".join(figures)])
    return rows


def move_over_tokens(page: Any, heads: int) -> list[float]:
    """The milliseconds between frames while the mouse moves over all tokens."""
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
        times = page.evaluate(END_WATCHING)
        intervals += np.diff(times).tolist() if points else []
    page.evaluate("scrollTo(0, 0)")
    return intervals


if __name__ == "__main__":
    with errors_as_one_line():
        main()
