"""What each head does, measured on records made by hand."""

import weakref
from xml.etree import ElementTree

import numpy as np
import pytest

from translator.addons.attention.alignments import AlignmentErrors
from translator.addons.attention.head_maps import plot_measures, plot_worth
from translator.addons.attention.measures import is_punctuation, measure_heads
from translator.addons.page.offline_page import save_figure
from translator.base.errors import InputError
from translator.translation.records import AttentionRecord

SOURCE = ("<s>", "▁a", ".", "</s>")
TARGET = ("<s>", "▁x", "y", ".", "</s>")  # its rows stand on all but the last


def record(encoder=None, decoder=None, cross=None) -> AttentionRecord:
    """A record of SOURCE and TARGET; attention that is not given is on the first key."""
    first = np.eye(4)[[[[0] * 4]]]
    given = [
        first if its is None else np.array(its)[None, None] for its in (encoder, decoder, cross)
    ]
    return AttentionRecord("a.", "xy.", SOURCE, TARGET, *given)


def measured(kind: str, *scores) -> dict[str, object]:
    """The measures of one head, numbers instead of arrays."""
    found = measure_heads(record(**{kind: its}) for its in scores)
    assert found.sentences == len(scores)
    values = found.kinds[kind]._asdict().items()
    return {
        name: value.item() if isinstance(value, np.ndarray) else value for name, value in values
    }


def test_entropy_is_in_bits():
    assert measured("encoder", np.full((4, 4), 1 / 4))["entropy"] == pytest.approx(2)
    half = np.array([[0.5, 0.5, 0, 0]] * 4)
    assert measured("cross", half)["entropy"] == pytest.approx(1)
    assert str(measured("encoder", np.eye(4))["entropy"]) == "0.0"


def test_heads_look_at_a_place_relative_to_their_own():
    """The decoder's first row, which can attend only to itself, does not count."""
    found = measured("decoder", [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
    assert found["rows"] == 3
    assert (found["offset"], found["previous"], found["same"], found["next"]) == (-1, 1, 0, 0)
    assert (found["start"], found["punctuation"]) == (pytest.approx(1 / 3), 0)
    ahead = measured("encoder", np.eye(4)[[1, 2, 3, 3]])
    assert ahead["next"] == 1  # of the three rows that have a next position
    assert (ahead["same"], ahead["offset"]) == (0.25, 0.75)
    assert (ahead["end"], ahead["punctuation"], ahead["start"]) == (0.5, 0.25, 0)
    itself = measured("encoder", np.eye(4))
    assert (itself["same"], itself["offset"], itself["previous"]) == (1, 0, 0)
    weighted = measured("encoder", [[0, 0, 0, 1], *np.eye(4)[1:3], [0.5, 0, 0.25, 0.25]])
    assert weighted["offset"] == pytest.approx((3 - 0.5 * 3 - 0.25) / 4)
    # row 0 writes target piece 1; the last writes piece 4, a position that the source lacks
    found = measured("cross", np.eye(4)[[1, 2, 3, 3]])
    assert found["offset"] is None
    assert (found["same"], found["previous"]) == (1, 0.25)
    assert measured("cross", np.eye(4)[[0, 1, 2, 3]])["previous"] == 1
    assert measured("cross", np.eye(4)[[2, 3, 0, 0]])["next"] == 1


def test_rows_of_all_sentences_count_alike():
    """A short sentence has fewer rows and weighs less than a long one."""
    short = AttentionRecord(
        "", "", ("<s>", "</s>"), ("<s>", "</s>"),
        np.array([[[[0, 1], [0, 1]]]]), np.ones((1, 1, 1, 1)), np.array([[[[0, 1]]]]),
    )  # fmt: skip
    kinds = measure_heads([record(), short]).kinds
    assert kinds["encoder"].end.item() == pytest.approx(2 / 6)
    assert kinds["cross"].end.item() == pytest.approx(1 / 5)
    assert [kinds[kind].rows for kind in ("encoder", "decoder", "cross")] == [6, 3, 5]


def test_records_are_released_one_by_one():
    scores: list[weakref.ref] = []

    def records():
        for _ in range(5):
            assert sum(its() is not None for its in scores) <= 1
            its = np.full((1, 1, 4, 4), 1 / 4)
            scores.append(weakref.ref(its))
            yield record()._replace(encoder=its)
            del its

    assert measure_heads(records()).sentences == 5


def test_punctuation_is_nothing_but_punctuation():
    assert all(map(is_punctuation, (".", "▁„", "?!", "▁-", "。")))
    assert not any(map(is_punctuation, ("▁", "", "x.", "<s>", "<unk>", "<0x2C>", "▁5", "$")))


def test_every_head_has_its_place_in_the_arrays_and_no_records_are_refused():
    scores = np.full((2, 3, 4, 4), 1 / 4)
    scores[1, 2] = np.eye(4)
    found = measure_heads([record()._replace(encoder=scores)]).kinds["encoder"]
    assert found.entropy.tolist() == [[2, 2, 2], [2, 2, 0]]
    assert found.same[1, 2] == 1
    with pytest.raises(InputError, match="sentence pairs to measure the heads on, found none"):
        measure_heads([])


def texts(path) -> list[str]:
    return [text for node in ElementTree.parse(path).iter() if (text := (node.text or "").strip())]


def test_the_picture_writes_every_number(tmp_path):
    scores = np.full((1, 1, 4, 4), 1 / 4)
    twice = np.concatenate([scores, scores])  # the encoder has a layer more
    found = measure_heads([record()._replace(encoder=twice, decoder=scores, cross=scores)])
    rates = {"written": np.array([[0.125]]), "read": np.array([[0.875]])}
    errors = AlignmentErrors(1, rates)
    save_figure(plot_measures(found, errors, "tiny, 1 pair"), tmp_path / "with.svg")
    drawn = texts(tmp_path / "with.svg")
    assert [drawn.count(f"share on the {where} place") for where in ("previous", "next")] == [3, 2]
    assert drawn.count("2.00") == 4  # the entropies
    assert {"tiny, 1 pair", "alignment error rate, read", "0.12", "0.88"} <= set(drawn)
    save_figure(plot_measures(found), tmp_path / "without.svg")
    assert not any("error" in text for text in texts(tmp_path / "without.svg"))


def test_the_picture_of_worth_writes_verdict_and_number_as_they_are(tmp_path):
    """A run may have any name that a folder may have."""
    kinds = ("cross", "encoder", "decoder")
    worth = {kind: np.array([[0.25, -0.0001]]) for kind in kinds}
    verdicts = {kind: [["aligns", "rests on the start"]] for kind in kinds}
    save_figure(plot_worth(worth, verdicts, "_$x{$\x1b, 3 pairs"), tmp_path / "worth.svg")
    drawn = texts(tmp_path / "worth.svg")
    assert "_$x{$\ufffd, 3 pairs" in drawn
    for text in ("aligns", "+0.250", "rests on the", "start", "+0.000", "layer 1", "head 2"):
        assert drawn.count(text) == 3
