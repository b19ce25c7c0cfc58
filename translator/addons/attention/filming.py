"""Records the attention of some sentences during a training, to show how heads develop."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from translator.addons.attention.record_files import record_file
from translator.base.backends import JAX
from translator.base.errors import InputError
from translator.base.texts import quoted
from translator.config.schema import Config
from translator.corpora.corpus import load_held_out
from translator.data.batches import pad
from translator.model.outputs import TransformerOutput
from translator.model.transformer import Transformer
from translator.runs.directory import RunDirectory
from translator.tokenizers.subword import Tokenizers
from translator.training.hooks import Watcher
from translator.translation.given_pairs import encode_pairs
from translator.translation.records import AttentionRecord, RecordedModel

FRAMES = 60  # besides the first, which shows the model before the first update
SPLITS = ("validation", "test")

Forward = Callable[[Any, Any], TransformerOutput]  # of source and target ids


class FilmedPair(NamedTuple):
    """A sentence pair whose attention is recorded.

    Attributes:
        target: the translation that the model reads, so that all frames have the same pieces.
        source_ids: S ids, start and end included.
        target_ids: T + 1 ids, start and end included.
    """

    source: str
    target: str
    source_ids: Sequence[int]
    target_ids: Sequence[int]


def frame_updates(total: int) -> list[int]:
    """The updates after which a frame is taken: close together at first, when most happens."""
    return sorted({round(total * (i / FRAMES) ** 2) for i in range(FRAMES + 1)})


def find_pairs(config: Config, tokenizers: Tokenizers) -> list[FilmedPair]:
    """The sentences of ``film`` with their translations."""
    texts = [text.partition("\t") for text in config.film]
    known: dict[str, str] = {}
    if any(not target for _, _, target in texts):
        for split in SPLITS:
            pairs, _ = load_held_out(config.corpus, split, config.tokenizer.tags)
            for source, target in zip(*pairs) if pairs is not None else ():
                known.setdefault(source, target)
    filmed = []
    for source, _, target in texts:
        translation = target or known.get(source)
        if translation is None:
            raise InputError(
                "film: expected a sentence of the validation or test split, or one with its"
                f" translation after a tab, found {quoted(source)}; add a tab and the translation"
            )
        ids = encode_pairs(tokenizers, config.data.max_length, [source], [translation])
        filmed.append(FilmedPair(source, translation, *(side[0] for side in ids)))
    return filmed


class Film:
    """Takes the frames; the first one shows the new model."""

    def __init__(
        self, config: Config, tokenizers: Tokenizers, run: RunDirectory, total: int
    ) -> None:
        self.run = run
        self.tokenizers = tokenizers
        self.pairs = find_pairs(config, tokenizers)
        self.updates = frozenset(frame_updates(total)) if self.pairs else frozenset()
        self._forward: Forward | None = None

    def take(self, update: int, look: Callable[[], Transformer]) -> None:
        """Takes a frame if one is due.

        Args:
            update: the number of updates that are done.
            look: returns the model after these updates.
        """
        if update not in self.updates:
            return
        model = look()
        self.run.film.mkdir(exist_ok=True)
        with record_file(self.run.film / f"{update:08}.npz", half=True) as writer:
            if self._forward is None:
                self._forward = compile_forward(model)
            for record in record_pairs(self._forward, self.tokenizers, self.pairs):
                writer.add(record)


def film_of(
    config: Config, tokenizers: Tokenizers, run: RunDirectory, updates: int
) -> Watcher | None:
    """The watcher that films a training; None if its configuration names no sentence."""
    return Film(config, tokenizers, run, updates).take if config.film else None


def compile_forward(model: Transformer) -> Forward:
    """Compiles the model's `Transformer.forward` without dropout; weights are given in each call.

    Under TensorFlow it only becomes a graph, without XLA: compiling with XLA takes longer than all
    frames of a film take without it.
    """

    def forward(source_ids: Any, target_ids: Any) -> TransformerOutput:
        return model.forward(source_ids, target_ids, training=False)

    if keras.backend.backend() != JAX:
        import tensorflow as tf

        graph: Forward = tf.function(forward, autograph=False)
        return graph
    import jax

    def forward_with(values: list[Any], *ids: Any) -> TransformerOutput:
        with keras.StatelessScope(list(zip(model.variables, values))):
            return forward(*ids)

    compiled = jax.jit(forward_with)
    return lambda *ids: compiled([variable.value for variable in model.variables], *ids)


def record_pairs(
    forward: Forward, tokenizers: Tokenizers, pairs: Sequence[FilmedPair]
) -> list[AttentionRecord]:
    """Records the attention of pairs, and their log probabilities, with the current weights."""
    source = pad([pair.source_ids for pair in pairs], tokenizers.source.padding_id)
    target = pad([pair.target_ids for pair in pairs], tokenizers.target.padding_id)
    output = forward(source, target[:, :-1])
    likely, encoder, decoder, cross = (
        ops.convert_to_numpy(array)
        for array in (
            ops.log_softmax(output.logits),  # (B, T, V)
            output.encoder_attention,  # (B, L, N, S, S), and so on
            output.decoder_attention,
            output.cross_attention,
        )
    )
    records = []
    for i, pair in enumerate(pairs):
        s, t = len(pair.source_ids), len(pair.target_ids) - 1
        log_probability = float(likely[i, np.arange(t), pair.target_ids[1:]].sum())
        record = AttentionRecord(
            source=pair.source,
            hypothesis=pair.target,
            source_tokens=tuple(tokenizers.source.pieces(pair.source_ids)),
            target_tokens=tuple(tokenizers.target.pieces(pair.target_ids)),
            encoder=encoder[i, :, :, :s, :s],
            decoder=decoder[i, :, :, :t, :t],
            cross=cross[i, :, :, :t, :s],
            sentence=i + 1,
            score=log_probability / t,
            log_probability=log_probability,
            model=RecordedModel("", tokenizers.source.language, tokenizers.target.language),
        )
        records.append(record)
    return records
