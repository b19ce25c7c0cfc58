"""Records: what a hypothesis's attention was, exactly."""

import subprocess
import sys

import numpy as np
import pytest

from translator.attention.records import KINDS, load_record, save_record

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


def test_record_equals_step_by_step_decoding(tiny_translator, records):
    model, tokenizers = tiny_translator.model, tiny_translator.tokenizers
    source = np.array(tokenizers.source.encode([SENTENCE]))
    for hypothesis, record in records:
        memory, cache = model.encode(source), model.empty_cache(1, 16)
        for step, token in enumerate([tokenizers.target.start_id, *hypothesis.ids[:-1]]):
            output = model.decode_step(np.array([token]), step, cache, memory)
            cache = output.cache
            cross = np.array(output.cross_attention_scores)[0, :, :, 0]
            own = np.array(output.self_attention_scores)[0, :, :, 0]
            assert np.allclose(record.cross[:, :, step], cross, atol=1e-5)
            assert np.allclose(
                record.decoder[:, :, step], own[:, :, : len(hypothesis.ids)], atol=1e-5
            )


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
