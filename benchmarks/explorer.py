"""Measures the size of the attention explorer's page of a long sentence.

    python benchmarks/explorer.py

The scores are random: 60 tokens on each side, 4 layers, 8 heads.
"""

import harness
import numpy as np

from translator.addons.attention.page import explorer_html
from translator.cli import errors_as_one_line
from translator.translation.records import AttentionRecord, RecordedModel


def main() -> None:
    """Prints the size."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--tokens", type=int, default=60, help="of each side (default: 60)")
    options = parser.parse(tokens=6)
    size = len(explorer_html([random_record(options.tokens)]).encode())
    title = f"The explorer page of a sentence of {options.tokens} tokens"
    harness.show(options, "explorer", title, ["", ""], [["size", f"{size / 1e6:.2f} MB"]], "none")


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


if __name__ == "__main__":
    with errors_as_one_line():
        main()
