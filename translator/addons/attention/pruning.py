"""Writes a run without its least useful heads, which is smaller and faster.

Every layer of the encoder keeps as many heads as the others, and so does every layer of the
decoder, because a model has one number of heads for each, here and in CTranslate2. So heads go in
rounds: the one that is worth least of each layer of the encoder, or of both attentions of each
layer of the decoder, whichever loses less for each head.
"""

import shutil
from collections.abc import Mapping, Sequence

import numpy as np

from translator.base.errors import InputError
from translator.base.files import whole_folder
from translator.config.schema import Config, ModelConfig
from translator.config.yaml_file import config_to_yaml, replace_values
from translator.export.formats import export_run
from translator.runs.directory import RunDirectory
from translator.runs.exports import load_weights
from translator.runs.heads import attention_name, places_of_heads
from translator.runs.record import RunRecord
from translator.text.restoration import Restoration
from translator.translation.records import KINDS

STACKS = {"encoder": ("encoder",), "decoder": ("decoder", "cross")}
LEAST = 1  # head of each attention that stays

Kept = Mapping[str, Sequence[Sequence[int]]]  # by kind: the heads of each layer that stay, from 0


def choose_heads_to_keep(
    losses: Mapping[str, np.ndarray], count: int, pointing: tuple[int, Sequence[int]] | None = None
) -> dict[str, list[list[int]]]:
    """Chooses the heads that stay.

    Args:
        losses: by kind, (L, N): how much the loss rises without each head.
        count: how many heads may go at most.
        pointing: the layer and the heads of cross-attention, from 0, that names and numbers are
            put back by; they stay as long as others can go.

    Returns:
        By kind the heads of each layer that stay, from 0. Fewer than ``count`` go where another
        round would be more.
    """
    worth = {kind: array.astype("float64").copy() for kind, array in losses.items()}
    if pointing is not None:
        worth["cross"][pointing[0], list(pointing[1])] = np.inf
    kept = {
        kind: [list(range(array.shape[1])) for _ in range(len(array))]
        for kind, array in worth.items()
    }
    while True:
        rounds = []  # the loss for each head, how many heads, and by kind the head of each layer
        for kinds in STACKS.values():
            heads = {
                kind: [
                    min(layer, key=of_layer.__getitem__)
                    for layer, of_layer in zip(kept[kind], worth[kind].tolist())
                ]
                for kind in kinds
            }
            size = sum(map(len, heads.values()))
            is_left = all(len(layer) > LEAST for kind in kinds for layer in kept[kind])
            if is_left and size <= count:
                cost = sum(
                    worth[kind][range(len(which)), which].sum() for kind, which in heads.items()
                )
                rounds.append((float(cost) / size, size, heads))
        if not rounds:
            return kept
        _, size, best = min(rounds, key=lambda each: each[0])
        count -= size
        for kind, which in best.items():
            for layer, head in zip(kept[kind], which):
                layer.remove(head)


def smallest_round(model: ModelConfig) -> int | None:
    """The fewest heads that can go together; None where each attention has only one.

    Raises:
        InputError: the encoder's heads are wider than the decoder's, or the other way round, which
            a model with other numbers of them could not be told.
    """
    widths = model.head_dim_of("encoder"), model.head_dim_of("decoder")
    if widths[0] != widths[1]:
        raise InputError(
            f"model.head_dim: expected heads of one width in the encoder and in the decoder, found"
            f" {widths[0]} and {widths[1]}; such a model cannot be pruned"
        )
    sizes = [
        model.num_layers * len(kinds)
        for kinds in STACKS.values()
        if all(model.heads_of(kind) > LEAST for kind in kinds)
    ]
    return min(sizes, default=None)


def pruned_weights(
    weights: Mapping[str, np.ndarray], model: ModelConfig, kept: Kept
) -> dict[str, np.ndarray]:
    """The weights without those of the heads that go.

    Args:
        weights: of the whole model.
        model: its configuration.
        kept: by kind the heads of each layer that stay, from 0.
    """
    pruned = dict(weights)
    for kind in KINDS:
        for layer, heads in enumerate(kept[kind]):
            name = attention_name(kind, layer)
            columns = places_of_heads(heads, model.head_dim_of(kind))
            pruned[f"{name}/output/kernel"] = weights[f"{name}/output/kernel"][columns]
            for part in ("query", "key", "value"):
                pruned[f"{name}/{part}/kernel"] = weights[f"{name}/{part}/kernel"][:, columns]
                pruned[f"{name}/{part}/bias"] = weights[f"{name}/{part}/bias"][columns]
    return pruned


def write_pruned_run(run: RunDirectory, kept: Kept, out: RunDirectory) -> None:
    """Writes a run with some of the heads of another one, and its export.

    Args:
        run: the whole run, with its weights or as an export.
        kept: by kind the heads of each layer that stay, from 0.
        out: the new run.

    Raises:
        InputError: ``out`` is not a place for a run, or the heads are not equally many.
    """
    out.check_free("name another with --pruned")
    config = run.read_config()
    pruned = _pruned_config(config, kept)
    tokenizers = run.read_tokenizers(config)
    record = run.read_record()
    weights = pruned_weights(load_weights(run), config.model, kept)
    with whole_folder(out.path, replace=False) as partial:
        written = RunDirectory(partial)
        written.config.write_text(config_to_yaml(pruned), encoding="utf-8")
        tokenizers.save(partial)
        new = RunRecord.of_training(pruned, tokenizers, record.corpus, record.training_pairs)
        new._replace(finished=True).write(partial)
        written.write_weights(written.weights, weights)
        for path in (*run.learnt, run.held_out):
            if path.is_file() and path != run.restoration:
                shutil.copyfile(path, partial / path.name)
        if run.restoration.is_file():
            _pruned_restoration(Restoration.load(run.restoration), kept).save(written.restoration)
        export_run(written)


def _pruned_config(config: Config, kept: Kept) -> Config:
    counts = {kind: {len(layer) for layer in kept[kind]} for kind in KINDS}
    for stack, kinds in STACKS.items():
        if len(set().union(*(counts[kind] for kind in kinds))) != 1:
            raise InputError(
                f"heads: expected equally many in all layers of the {stack}, found"
                f" {sorted(set().union(*(counts[kind] for kind in kinds)))}"
            )
    [encoder], [decoder] = counts["encoder"], counts["decoder"]
    width = config.model.head_dim_of("encoder")
    return replace_values(
        config,
        {
            "model.num_heads": encoder,
            "model.decoder_num_heads": None if decoder == encoder else decoder,
            "model.head_dim": width,
        },
        "the pruned model",
    )


def _pruned_restoration(restoration: Restoration, kept: Kept) -> Restoration:
    """With the heads that point by their new numbers; without any where none of them is left."""
    alignment = restoration.alignment
    if alignment is None:
        return restoration
    layer = list(kept["cross"][alignment.layer])
    heads = tuple(layer.index(head) for head in alignment.heads if head in layer)
    return restoration._replace(alignment=alignment._replace(heads=heads) if heads else None)
