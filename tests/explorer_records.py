"""Records for the tests of the explorer."""

import numpy as np

from translator.translation.records import AttentionRecord, RecordedModel

SOURCE = ("<s>", "▁a", "▁great", "▁direc", "tor", ".", "</s>")
FIRST = ("<s>", "▁ein", "▁große", "r", "▁Direktor", ".", "</s>")
SECOND = ("<s>", "▁ein", "▁große", "▁Regie", ".", "</s>")
HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(1)> & "quotes" \'\u2028'


def make_record(
    source, target, seed=0, text=None, sentence=1, rank=1, encoder=None, layers=2, heads=3
):
    """A record of random scores; one row attends to start only, one almost only."""
    draw = np.random.default_rng(seed)

    def scores(queries, keys):
        return draw.dirichlet(np.full(keys, 0.4), (layers, heads, queries)).astype("float32")

    width, height = len(source), len(target) - 1
    cross = scores(height, width)
    cross[0, 0, 0] = np.eye(width)[0]
    cross[0, 0, 1] = [1 - 1e-3, 6e-4, 4e-4, *np.zeros(width - 3)]
    decoder = np.tril(scores(height, height) + 1e-6)
    spelt = ["".join(side[1:-1]).replace("▁", " ").strip() for side in (source, target)]
    return AttentionRecord(
        text or spelt[0], spelt[1], source, target,
        scores(width, width) if encoder is None else encoder,
        decoder / decoder.sum(-1, keepdims=True), cross, sentence, rank,
        -0.25 * rank, -1.5 * rank, RecordedModel("tiny", "en", "de"),
    )  # fmt: skip


def explorer_records():
    """Two hypotheses of a sentence, and one of a hostile one."""
    first = make_record(SOURCE, FIRST)
    second = make_record(SOURCE, SECOND, seed=1, rank=2, encoder=first.encoder)
    pieces = ("<s>", *(f"▁{word}" for word in HOSTILE.split()), "</s>")
    words = (("ein", 0.97), ("großer", 0.31), ("Direktor.", 0.5))
    first = first._replace(
        hypothesis="ein großer <b>Direktor</b>.", confidence=0.593, word_confidences=words
    )
    return [first, second, make_record(pieces, FIRST, seed=2, text=HOSTILE, sentence=2)]
