"""Records: what a hypothesis's attention was, exactly."""

import subprocess
import sys

import numpy as np
import pytest

from translator.attention.heads import PointingHeads
from translator.attention.records import KINDS, load_record, save_record
from translator.decoding.engine import SearchOptions
from translator.decoding.results import Hypothesis

SENTENCE = "The man sees the river."


@pytest.fixture(scope="module")
def records(tiny_translator):
    """Records of the three best hypotheses of a sentence, with the hypotheses."""
    [translation] = tiny_translator.translate([SENTENCE], beam_size=3, n_best=3)
    return [(h, tiny_translator.attention(SENTENCE, h)) for h in translation.hypotheses]


def test_shapes_and_labels(records):
    for hypothesis, record in records:
        source, target = len(record.source_tokens), len(hypothesis.ids)
        assert record.encoder.shape == (2, 2, source, source)
        assert record.decoder.shape == (2, 2, target, target)
        assert record.cross.shape == (2, 2, target, source)
        assert record.source_tokens[0] == record.target_tokens[0] == "<s>"
        assert record.source_tokens[-1] == record.target_tokens[-1] == "</s>"
        for kind in KINDS:
            queries, keys = record.labels(kind)
            assert record.scores(kind).shape[2:] == (len(queries), len(keys))
        assert "".join(record.labels("cross")[0][:-1]).replace("▁", " ").strip() == hypothesis.text


def test_rows_sum_to_one_and_the_future_is_hidden(records):
    for _, record in records:
        for kind in KINDS:
            assert np.allclose(record.scores(kind).sum(-1), 1, atol=1e-5)
        assert np.all(np.triu(record.decoder, k=1) == 0)


class Watched:
    """A model that keeps what each step of a search computed for each past that it saw."""

    def __init__(self, model) -> None:
        self.model = model
        self.rows: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]] = {}
        self.pasts: list[tuple[int, ...]] = []
        self.changes_of_place = 0

    def __getattr__(self, name: str):
        return getattr(self.model, name)

    def decode_step(self, ids, positions, slot, visible, cache, memory, table):
        output = self.model.decode_step(ids, positions, slot, visible, cache, memory, table)
        position, beams = int(positions[0]), ids.shape[1]
        entries = np.array(visible)[0, 0].reshape(beams, -1, beams)  # (K, T, K)
        length = entries.shape[1]
        slots = [(int(slot) - position + i) % length for i in range(position + 1)]
        before, self.pasts = self.pasts, []
        for k in range(beams):
            path = entries[k, slots].argmax(axis=1)  # the beam of each slot
            parent = before[path[-2]] if position else ()
            self.changes_of_place += position > 1 and path[-2] != k
            self.pasts.append((*parent, int(ids[0, k])))
            own = np.array(output.self_attention_scores)[0, :, :, k]
            own = own[:, :, [t * beams + beam for t, beam in zip(slots, path)]]
            cross = np.array(output.cross_attention_scores)[0, :, :, k]
            self.rows[self.pasts[-1]] = (own, cross)
        return output


def test_records_equal_what_the_search_computed(tiny_translator):
    """For every hypothesis of a beam whose hypotheses change place."""
    from translator.decoding.keras_engine import KerasEngine

    watched = Watched(tiny_translator.model)
    engine = KerasEngine(watched, tiny_translator.tokenizers, PointingHeads(0, (0,)))
    tokenizers = tiny_translator.tokenizers
    [source] = tokenizers.source.encode([SENTENCE])
    [found] = engine.search([source], [23], SearchOptions(beam_size=4, n_best=4))
    assert watched.changes_of_place > 3
    for hypothesis in found:
        text = tokenizers.target.decode(hypothesis.ids)
        record = tiny_translator.attention(SENTENCE, Hypothesis(text, *hypothesis[:3]))
        for step in range(len(hypothesis.ids)):
            past = (tokenizers.target.start_id, *hypothesis.ids[:step])
            own, cross = watched.rows[past]
            padded = np.pad(own, ((0, 0), (0, 0), (0, len(hypothesis.ids) - step - 1)))
            assert np.allclose(record.cross[:, :, step], cross[:, :, : len(source)], atol=1e-5)
            assert np.allclose(record.decoder[:, :, step], padded, atol=1e-5)


def test_saved_record_reads_back_the_same(records, tmp_path):
    _, record = records[0]
    save_record(tmp_path / "record.npz", record)
    again = load_record(tmp_path / "record.npz")
    for one, other in zip(record, again):
        assert np.array_equal(one, other)


def test_reading_a_record_needs_no_tensorflow(records, tmp_path):
    save_record(tmp_path / "record.npz", records[0][1])
    program = (
        "import sys; from pathlib import Path\n"
        "from translator.attention.records import load_record\n"
        f"from translator.attention import plots\n"
        f"print(load_record(Path({str(tmp_path / 'record.npz')!r})).hypothesis)\n"
        "assert not {'tensorflow', 'keras'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, records[0][1].hypothesis), done.stderr
