"""Makes a run from another run, with another vocabulary, other layers or another inner width.

    python -m tools.grow_run checkpoints/OLD configs/NEW.yaml --out checkpoints/GROWN

A training with the new run as `training.init` continues from the old run. At first, new parts
change nothing, as in Chen et al. (2016), "Net2Net", https://arxiv.org/abs/1511.05641: new layers
and new inner units add 0 to their input. Training then learns their weights. A new piece begins
with the mean of the old pieces that spell it.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from translator.base.errors import InputError
from translator.base.files import whole_folder
from translator.cli import errors_as_one_line
from translator.config.model import ModelConfig
from translator.config.schema import Config
from translator.config.yaml_file import config_to_yaml, read_config
from translator.data.preparation import prepare
from translator.runs.directory import RunDirectory
from translator.runs.export_layout import load_weights
from translator.runs.record import RunRecord
from translator.tokenizers.subword import Tokenizer, Tokenizers
from translator.training.settings import begin_settings, decide_encoding

EMBEDDING = "shared_embedding/embedding/embeddings"
ADDING = ("output/kernel", "output/bias", "outer/kernel", "outer/bias")  # to its input
MAY_DIFFER = {"num_layers", "decoder_num_layers", "dff", "dropout_rate"}


def main() -> None:
    """Writes the new run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("run", type=Path, help="the old run, with its weights")
    parser.add_argument("config", type=Path, help="of the new run")
    parser.add_argument("--out", type=Path, required=True, help="the new run's folder")
    options = parser.parse_args()
    run, out = RunDirectory(options.run), RunDirectory(options.out)
    out.check_free("name another folder with --out")
    config = begin_settings(read_config(options.config, ("training.init=null",)))
    config = decide_encoding(config, None, print)
    old = run.read_config()
    check_sizes(old.model, config.model)
    data = prepare(config, print)
    weights = load_weights(run)
    weights[EMBEDDING] = grown_embedding(
        weights[EMBEDDING], run.read_tokenizers(old).source, data.tokenizers.source
    )
    random = np.random.default_rng(config.training.seed)
    weights = grown_layers(weights, old.model, config.model, random)
    write_run(out, config, data.tokenizers, data.fingerprint, weights)


def check_sizes(old: ModelConfig, new: ModelConfig) -> None:
    """Checks that a model can be grown to another one.

    Raises:
        InputError: it cannot.
    """
    sizes = [each.model_dump(exclude=MAY_DIFFER) for each in (old, new)]
    if sizes[0] != sizes[1] or new.dff < old.dff:
        raise InputError(
            "model: expected the sizes of the old run, except for more inner numbers or other"
            f" layers, found {new}"
        )
    if not new.normalize_first or new.tied_embeddings != "all":
        raise InputError("model: expected normalize_first: true and tied_embeddings: all")


def grown_embedding(table: np.ndarray, old: Tokenizer, new: Tokenizer) -> np.ndarray:
    """The rows of a new vocabulary.

    Args:
        table: (V, D) of the old one.
        old: the tokenizer of the table.
        new: the tokenizer of the new table.

    Returns:
        (V', D): the old row of each piece. A new piece gets the mean of the rows of the old pieces
        that spell it; they are found from the left, the longest first.
    """
    rows = {piece: row for piece, row in zip(old.pieces(range(old.size)), table)}
    return np.stack([_row(piece, rows) for piece in new.pieces(range(new.size))])


def _row(piece: str, rows: Mapping[str, np.ndarray]) -> np.ndarray:
    found, rest = [], piece
    while rest:
        length = next((n for n in range(len(rest), 0, -1) if rest[:n] in rows), 0)
        if length:
            found.append(rows[rest[:length]])
        rest = rest[max(1, length) :]
    return np.mean(found, axis=0) if found else np.zeros_like(next(iter(rows.values())))


def grown_layers(
    weights: Mapping[str, np.ndarray],
    old: ModelConfig,
    new: ModelConfig,
    random: np.random.Generator,
) -> dict[str, np.ndarray]:
    """The weights of a model with other layers and more inner numbers.

    With the same number of layers or more, it computes the same. With fewer layers, it keeps some
    old layers, evenly from the first to the last.

    Args:
        weights: of the old model, by name.
        old: its sizes.
        new: the sizes that are wanted.
        random: draws the input weights of new inner numbers.
    """
    more = new.dff - old.dff
    wide = {
        name: _widened(name, array, more, random) if more else array
        for name, array in weights.items()
    }
    grown = {name: array for name, array in wide.items() if "/layer_" not in name}
    for stack in ("encoder", "decoder"):
        before, after = old.layers_of(stack), new.layers_of(stack)
        kept = np.linspace(1, before, min(before, after)).round().astype(int).tolist()
        for number, taken in enumerate([*kept, *[before] * (after - before)], start=1):
            prefix = f"{stack}/layer_{taken}/"
            for name in [name for name in wide if name.startswith(prefix)]:
                is_zero = number > before and name.endswith(ADDING)
                place = f"{stack}/layer_{number}/{name.removeprefix(prefix)}"
                grown[place] = np.zeros_like(wide[name]) if is_zero else wide[name].copy()
    return grown


def _widened(name: str, array: np.ndarray, more: int, random: np.random.Generator) -> np.ndarray:
    if name.endswith("feed_forward/inner/kernel"):
        drawn = random.normal(0, array.std(), (len(array), more))
        return np.concatenate([array, drawn.astype(array.dtype)], axis=1)
    if name.endswith("feed_forward/inner/bias"):
        return np.concatenate([array, np.zeros(more, array.dtype)])
    if name.endswith("feed_forward/outer/kernel"):
        return np.concatenate([array, np.zeros((more, array.shape[1]), array.dtype)])
    return array


def write_run(
    out: RunDirectory,
    config: Config,
    tokenizers: Tokenizers,
    corpus: str,
    weights: Mapping[str, np.ndarray],
) -> None:
    """Writes a run from which others can start; it has no export."""
    with whole_folder(out.path, replace=False) as partial:
        written = RunDirectory(partial)
        written.config.write_text(config_to_yaml(config), encoding="utf-8")
        tokenizers.save(partial)
        record = RunRecord.of_training(config, tokenizers, corpus, None)
        record._replace(finished=True).write(partial)
        written.write_weights(written.weights, weights)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
