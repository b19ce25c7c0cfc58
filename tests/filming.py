"""Compares the film of a training with its weights."""

import json

import numpy as np
import pytest

import translator
from translator.addons.attention.record_files import load_records
from translator.runs.directory import RunDirectory
from translator.runs.weights import model_weights, set_model_weights


def assert_filmed(run: RunDirectory) -> None:
    """The last frame is that of the last update, and the attention of the weights after it."""
    last = max(run.film.iterdir())
    rows = [json.loads(line) for line in run.metrics.read_text("utf-8").splitlines()]
    assert rows[-1]["updates"] == int(last.stem)
    loaded = translator.load(run.path, engine="keras")
    with np.load(run.last) as state:
        weights = {name.removeprefix("model/"): state[name] for name in state.files}
    set_model_weights(
        loaded.model, {name: weights[name] for name in model_weights(loaded.model)}, run.last
    )
    # Frames are in half precision; bfloat16, in which some processors train, has fewer digits.
    tolerance = 1e-2 if loaded.config.training.precision == "bfloat16" else 1e-3
    records = list(load_records(last))
    texts = [[getattr(record, side) for record in records] for side in ("source", "hypothesis")]
    for record, other in zip(records, loaded.attention_of_pairs(*texts)):
        assert (record.source_tokens, record.target_tokens) == (
            other.source_tokens,
            other.target_tokens,
        )
        np.testing.assert_allclose(record.cross, other.cross, atol=tolerance)
        np.testing.assert_allclose(record.encoder, other.encoder, atol=tolerance)
    for record, score in zip(records, loaded.score(*texts)):
        assert record.log_probability == pytest.approx(score.log_probability, rel=tolerance)
