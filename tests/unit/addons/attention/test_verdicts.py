"""What is said of heads, by rules on their measures."""

import numpy as np

from translator.addons.attention.alignments import AlignmentErrors
from translator.addons.attention.measures import head_verdicts, measure_heads
from translator.translation.records import AttentionRecord

SOURCE = ("<s>", "▁a", "▁b", "▁c", "▁d", "▁e", ".", "</s>")
TARGET = ("<s>", "▁u", "▁v", "▁w", "▁x", "▁y", ".", "</s>")


def record_of(cross, encoder):
    """A record of one layer, with heads of cross-attention and of the encoder."""
    decoder = np.tril(np.ones((1, len(cross), 7, 7)))
    decoder /= decoder.sum(axis=-1, keepdims=True)
    return AttentionRecord(
        "a b c d e.", "u v w x y.", SOURCE, TARGET,
        np.array([encoder], "float32"), decoder.astype("float32"), np.array([cross], "float32"),
    )  # fmt: skip


def columns(rows, shares):
    """Each row has these shares, by column."""
    scores = np.zeros((rows, 8))
    for column, share in shares.items():
        scores[:, column] = share
    return scores


def test_the_first_rule_that_holds_names_a_head():
    rest = {1: 0.1, 2: 0.1, 3: 0.1, 4: 0.1}
    cross = [
        columns(7, {7: 0.6, **rest}),
        columns(7, {0: 0.6, **rest}),
        columns(7, {0: 0.32, 6: 0.3, 7: 0.3, 1: 0.08}),
        columns(7, {i: 1 / 8 for i in range(8)}),
        columns(7, {2: 1.0}),
        columns(7, {1: 0.3, 2: 0.3, 3: 0.2, 4: 0.2}),
        np.eye(7, 8),  # in an order of its own
    ]
    before, after = np.eye(8, k=-1), np.eye(8, k=1)
    before[0, 0] = after[7, 7] = 1
    leaning = 0.5 * before + columns(8, {0: 0.3, 7: 0.2})
    encoder = [np.eye(8), before, after, *[np.full((8, 8), 1 / 8)] * 3, leaning]
    found = head_verdicts(measure_heads([record_of(cross, encoder)]))
    assert found["cross"] == [[
        "rests on the end", "rests on the start", "rests on marks", "looks everywhere",
        "picks a few pieces", "looks at several pieces", "picks a few pieces",
    ]]  # fmt: skip
    assert found["encoder"][0] == [
        "looks at its own place", "looks at the piece before", "looks at the piece after",
        *["looks everywhere"] * 3, "looks at the piece before",
    ]  # fmt: skip
    assert set(found["decoder"][0]) == {"looks everywhere"}
    cross = [columns(7, {7: 1.0})] * 2
    measures = measure_heads([record_of(cross, [np.eye(8)] * 2)])
    errors = AlignmentErrors(1, {"written": np.array([[0.9, 0.5]]), "read": np.array([[0.9, 0.3]])})
    assert head_verdicts(measures, errors)["cross"] == [["rests on the end", "aligns"]]
