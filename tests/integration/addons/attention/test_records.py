"""Records hold exactly the attention that the search computed, and files keep it."""

import json

import numpy as np
import pytest
import tensorflow

from translator.addons.attention.record_files import load_records, save_records
from translator.search.engine import SearchOptions
from translator.text.alignment_heads import PointingHeads
from translator.translation.options import TranslationOptions
from translator.translation.records import KINDS
from translator.translation.results import Hypothesis, Translation

SENTENCE = "The man sees the river."


@pytest.fixture(scope="module")
def records(tiny_translator):
    """Records of the three best hypotheses of a sentence, with the hypotheses."""
    [translation] = tiny_translator.translate([SENTENCE], TranslationOptions(beam_size=3, n_best=3))
    return list(zip(translation.hypotheses, tiny_translator.attention([translation])))


def test_shapes_labels_and_sums(records):
    for hypothesis, record in records:
        source, target = len(record.source_tokens), len(hypothesis.ids)
        assert record.encoder.shape == (2, 2, source, source)
        assert record.decoder.shape == (2, 2, target, target)
        assert record.cross.shape == (2, 2, target, source)
        assert (record.score, record.log_probability) == hypothesis[2:4][::-1]
        for tokens in (record.source_tokens, record.target_tokens):
            assert (tokens[0], tokens[-1]) == ("<s>", "</s>")
        for kind in KINDS:
            queries, keys, scores = record.maps(kind)
            assert scores.shape[2:] == (len(queries), len(keys))
            assert np.allclose(scores.sum(-1), 1, atol=1e-5)
        written = "".join(record.maps("cross").queries[:-1])
        assert written.replace("▁", " ").strip() == hypothesis.text
        assert np.all(np.triu(record.decoder, k=1) == 0), "the future is hidden"


class Watched:
    """A model that keeps the attention of each search step for each prefix."""

    def __init__(self, model) -> None:
        self.model = model
        self.rows: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]] = {}
        self.pasts: list[tuple[int, ...]] = []
        self.changes_of_place = 0

    def __getattr__(self, name: str):
        return getattr(self.model, name)

    def decode_step(self, ids, position, visible, cache, memory, table):
        output = self.model.decode_step(ids, position, visible, cache, memory, table)
        beams, place = ids.shape[1], int(position)
        entries = np.array(visible)[0, 0].reshape(beams, -1, beams)  # (K, T, K)
        before, self.pasts = self.pasts, []
        for k in range(beams):
            path = entries[k, : place + 1].argmax(axis=1)  # the beam at each position
            parent = before[path[-2]] if place else ()
            self.changes_of_place += place > 1 and path[-2] != k
            self.pasts.append((*parent, int(ids[0, k])))
            own = np.array(output.self_attention_scores)[0, :, :, k]
            own = own[:, :, [t * beams + beam for t, beam in enumerate(path)]]
            cross = np.array(output.cross_attention_scores)[0, :, :, k]
            self.rows[self.pasts[-1]] = (own, cross)
        return output


def test_records_equal_what_the_search_computed(tiny_translator):
    """For every hypothesis of a beam whose hypotheses swap places."""
    from translator.search.keras_engine import KerasEngine

    watched = Watched(tiny_translator.model)
    engine = KerasEngine(watched, tiny_translator.tokenizers, PointingHeads(0, (0,)))
    tokenizers = tiny_translator.tokenizers
    [source] = tokenizers.source.encode([SENTENCE])
    tensorflow.config.run_functions_eagerly(True)
    [found] = engine.search([source], [23], SearchOptions(beam_size=4, n_best=4))
    tensorflow.config.run_functions_eagerly(False)
    assert watched.changes_of_place > 3
    for hypothesis in found:
        text = tokenizers.target.decode(hypothesis.ids)
        translation = Translation(SENTENCE, (Hypothesis(text, *hypothesis[:3]),))
        [record] = tiny_translator.attention([translation])
        for step in range(len(hypothesis.ids)):
            past = (tokenizers.target.start_id, *hypothesis.ids[:step])
            own, cross = watched.rows[past]
            padded = np.pad(own, ((0, 0), (0, 0), (0, len(hypothesis.ids) - step - 1)))
            assert np.allclose(record.cross[:, :, step], cross[:, :, : len(source)], atol=1e-5)
            assert np.allclose(record.decoder[:, :, step], padded, atol=1e-5)


@pytest.fixture
def saved(records, tmp_path):
    save_records(tmp_path / "records.npz", [record for _, record in records])
    return tmp_path / "records.npz"


def same(one, other) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other))


def test_numpy_and_json_alone_read_a_file_as_documented(records, saved):
    again = list(load_records(saved))
    assert [record.rank for record in again] == [1, 2, 3]
    assert all(same(a, b) for a, (_, b) in zip(again, records))
    arrays = np.load(saved)
    header = json.loads(str(arrays["header"]))
    assert (header["format"], header["version"]) == ("translator attention", 1)
    last, (_, record) = header["records"][2], records[2]
    assert (last["source"], last["hypothesis"]) == (SENTENCE, record.hypothesis)
    assert last["target_tokens"] == list(record.target_tokens)
    assert last["score"] == record.score != 0
    for kind in KINDS:
        assert np.array_equal(arrays[last[kind]], record.maps(kind).scores)
    assert len({entry["encoder"] for entry in header["records"]}) == 1
    assert len({entry["cross"] for entry in header["records"]}) == 3


def test_sentences_of_the_same_number_keep_their_own_encoder(tiny_translator, tmp_path):
    """Each call counts its sentences from 1."""
    translations = tiny_translator.translate([SENTENCE, "The dog loves the house of the cat."])
    found = [record for one in translations for record in tiny_translator.attention([one])]
    assert [record.sentence for record in found] == [1, 1]
    save_records(tmp_path / "records.npz", found)
    assert all(map(same, load_records(tmp_path / "records.npz"), found))


def test_half_precision_is_half_the_size_and_near(records, saved, tmp_path):
    save_records(tmp_path / "half.npz", [record for _, record in records], half=True)
    for half, (_, record) in zip(load_records(tmp_path / "half.npz"), records):
        for kind in KINDS:
            scores = half.maps(kind).scores
            assert scores.dtype == np.float32
            assert np.abs(scores - record.maps(kind).scores).max() < 5e-4
            assert np.abs(scores.sum(-1) - 1).max() < 1e-3
    sizes = [path.stat().st_size for path in (tmp_path / "half.npz", saved)]
    assert sizes[0] < 0.7 * sizes[1]
