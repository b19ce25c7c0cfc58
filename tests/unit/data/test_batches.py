"""Batches, which are planned from lengths alone."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from translator.config.schema import DataConfig
from translator.config.yaml_file import read_config
from translator.data.batches import EDGES, Batches, BatchLayout
from translator.data.encoded_pairs import EncodedPairs, TokenArray

WMT14 = Path(__file__).parents[3] / "configs" / "wmt14-en-de.yaml"
QUARTERS = ("data.batch_tokens=7250", "training.accumulation_steps=4")


def draw_pairs(count: int) -> EncodedPairs:
    """Pairs as long as those of news and parliament: 29 tokens, a few 100 and more."""
    random = np.random.default_rng(1)
    source = random.lognormal(np.log(22.5), 0.6, count)
    sides = [source, source * random.lognormal(0, 0.15, count)]
    lengths = [np.clip(np.rint(side) + 2, 3, 256).astype(np.int64) for side in sides]
    return EncodedPairs(
        *(
            TokenArray(np.zeros(side.sum(), np.int32), np.concatenate([[0], np.cumsum(side)]))
            for side in lengths
        )
    )


def test_wmt14_is_trained_as_in_the_paper():
    """Section 5, section 6.1 and the base model of table 3 of Vaswani et al. (2017)."""
    config = read_config(WMT14)
    model, training, data = config.model, config.training, config.data
    assert (model.num_layers, model.d_model, model.num_heads, model.dff) == (6, 512, 8, 2048)
    assert (model.dropout_rate, model.attention_dropout_rate) == (0.1, 0.0)
    assert (model.activation_dropout_rate, model.activation) == (0.0, "relu")
    assert (model.positions, model.normalize_first) == ("interleaved", False)
    assert (model.tied_embeddings, config.tokenizer.shared) == ("all", True)
    assert config.tokenizer.vocab_size == 37_000
    schedule = training.schedule
    assert (schedule.name, schedule.learning_rate, schedule.warmup_steps) == ("noam", 1.0, 4000)
    assert (training.label_smoothing, training.r_drop_alpha) == (0.1, 0.0)
    assert (training.clip_grad_norm, training.ema_momentum) == (None, None)
    assert training.keep_last == 5
    assert (config.decoding.beam_size, config.decoding.length_penalty) == (4, 0.6)
    added = (config.tokenizer.masks, data.noise, data.marks, data.word_pairs)
    assert not any((*added, data.truecase, config.corpora))


def test_a_target_has_an_edge_without_its_end():
    """The model reads and predicts as many tokens of a target as the edge has."""
    pairs = EncodedPairs(
        *(TokenArray(np.zeros(length, np.int32), np.array([0, length])) for length in (8, 9))
    )
    tokenizers = (SimpleNamespace(padding_id=0),) * 2
    config = DataConfig(max_length=40, batch_size=1)
    for edges, widths in ((EDGES, [8, 9]), ((), [8, 9]), ((10,), [10, 11])):
        batches = Batches(pairs, config, tokenizers, layout=BatchLayout(edges=edges))
        assert batches.shapes.tolist() == [[1, *widths]], edges
        assert batches.padding_share == pytest.approx(1 - 17 / sum(widths))


def test_batches_of_one_shape_hold_every_pair_once_and_padding():
    pairs = draw_pairs(3000)
    layout = BatchLayout(3, edges=EDGES)
    config = DataConfig(max_length=300, batch_tokens=2000)
    tokenizers = (SimpleNamespace(padding_id=0),) * 2
    batches = Batches(pairs, config, tokenizers, (1, 0), layout)
    rows = np.concatenate(batches.plan[:])
    assert sorted(rows[rows >= 0]) == list(range(3000))
    assert (rows == -1).any()
    assert len(batches.plan) % 3 == 0
    assert all(len(set(batches.shapes[i : i + 3, 1])) == 1 for i in range(0, len(batches.plan), 3))


def test_wmt14_has_100_000_updates_of_25_000_tokens_a_side():
    pairs = draw_pairs(500_000)
    for settings in ((), QUARTERS):
        config = read_config(WMT14, settings)
        steps = config.training.accumulation_steps
        layout = BatchLayout(steps, edges=EDGES)
        tokenizers = (SimpleNamespace(padding_id=0),) * 2
        batches = Batches(pairs, config.data, tokenizers, (1, 0), layout)
        for side in pairs:
            assert 23_500 < side.lengths.sum() / batches.count < 26_500, settings
        updates = batches.count * 4_500_000 / len(pairs) * config.training.epochs
        assert 95_000 < updates < 107_000, settings
        apart = np.diff([0, *config.validation.ends_of_rounds(round(updates / 19))])
        assert (apart > 1000).all(), settings
        assert (apart < 2000).all(), settings
