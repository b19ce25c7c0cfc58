"""Exports a run in the format of CTranslate2; plain CTranslate2 can load it, too.

https://opennmt.net/CTranslate2
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from translator.base.errors import InputError
from translator.base.files import whole_folder
from translator.config.schema import Config, ModelConfig
from translator.model.constants import POSITIONS, sinusoidal_positions
from translator.runs.directory import RunDirectory
from translator.runs.export_layout import Arrays, parts_of, with_heads_first
from translator.runs.exports import describe_export, own_names
from translator.search.ctranslate2_engine import CTranslate2Engine
from translator.text.alignment_heads import PointingHeads, pointing_heads
from translator.tokenizers.subword import Tokenizers

# The files that CTranslate2 writes. If both sides share a vocabulary, it has one file.
CTRANSLATE2_FILES = (
    "model.bin",
    "config.json",
    "source_vocabulary.json",
    "target_vocabulary.json",
    "shared_vocabulary.json",
)
QUANTIZATIONS = ("float32", "int8", "int16", "float16", "bfloat16")


def export_run(
    run: RunDirectory, folder: Path | None = None, quantization: str = "float32"
) -> Path:
    """Writes the best weights of a run, its tokenizers and its configuration.

    Args:
        folder: the folder of the export. It may be new, empty, or an export, which is replaced.
            None for the run's own export, which `Translator` finds.
    """
    record = run.read_record()  # an error here leaves no folder
    folder = folder or run.export
    is_own = folder.resolve() == run.export.resolve()
    if not is_own:
        _check_folder(run, folder)
    if quantization not in QUANTIZATIONS:
        raise InputError(
            f"quantization: expected one of {', '.join(QUANTIZATIONS)}, found {quantization}"
        )
    config = run.read_config()
    tokenizers = run.read_tokenizers(config)
    weights = run.read_weights(run.find_weights())
    heads = pointing_heads(record.alignment, config.model)
    with whole_folder(folder) as partial:
        make_spec(config, tokenizers, weights, quantization, heads).save(str(partial))
        describe_export(run, partial, is_own)
    return folder


def _check_folder(run: RunDirectory, folder: Path) -> None:
    """Checks that a folder outside of the run is empty or only has an export."""
    place = Path(os.path.realpath(folder))
    if place.name == run.export.name and (place.parent / run.record.name).is_file():
        raise InputError(
            f"{folder}: expected a folder for the export of {run.path}, found the export of another"
            " run; choose another folder"
        )
    if folder.is_file():
        raise InputError(f"{folder}: expected a folder for the export, found a file")
    export, names = RunDirectory(folder), set[str]()
    if export.record.is_file() and (record := export.read_record()).is_export:
        names = {export.record.name, *own_names(export), *CTRANSLATE2_FILES, *(record.files or {})}
    is_current = place == Path.cwd()
    if is_current or (folder.exists() and {path.name for path in folder.iterdir()} - names):
        raise InputError(
            f"{folder}: expected a new or empty folder, or one with only an export to replace,"
            f" found {'the current folder' if is_current else 'other files'}"
        )


@contextlib.contextmanager
def engine_with(
    config: Config, tokenizers: Tokenizers, weights: Arrays
) -> Iterator[CTranslate2Engine]:
    """Yields an engine with float32 weights.

    Nothing is compiled, so it is the fastest way to translate with weights that change.
    """
    spec = make_spec(config, tokenizers, weights, "float32", pointing_heads(None, config.model))
    with tempfile.TemporaryDirectory() as folder:
        try:
            spec.save(folder)
        except OSError as error:  # the error does not name the file
            error.filename = error.filename or folder
            raise
        yield CTranslate2Engine(Path(folder), tokenizers)


def make_spec(
    config: Config,
    tokenizers: Tokenizers,
    weights: Arrays,
    quantization: str,
    alignment: PointingHeads,
) -> Any:
    """Arranges a model's weights in the form that CTranslate2 expects.

    Args:
        alignment: the heads whose attention CTranslate2 will return.
    """
    from ctranslate2 import specs
    from ctranslate2.specs.model_spec import index_spec

    model = config.model
    dtype: Any = "float32"
    if quantization == "bfloat16":  # CTranslate2's own conversion needs PyTorch
        from ml_dtypes import bfloat16

        dtype = bfloat16
        weights = {name: array.astype(dtype) for name, array in weights.items()}
    encoder, decoder = _make_stacks(model, alignment)
    spec = specs.TransformerSpec(encoder, decoder)
    weights = with_heads_first(weights, alignment, model)
    for part in parts_of(model):
        layer = index_spec(spec, part.path)
        for name, array in part.join(weights).items():
            setattr(layer, name, array)
    if model.positions in POSITIONS:
        table = sinusoidal_positions(config.data.max_length, model.d_model, model.positions)
        for stack in (encoder, decoder):
            stack.position_encodings.encodings = table.astype(dtype)
    for register, tokenizer in (
        (spec.register_source_vocabulary, tokenizers.source),
        (spec.register_target_vocabulary, tokenizers.target),
    ):
        register(tokenizer.pieces(range(tokenizer.size)))
    spec.config.layer_norm_epsilon = model.layer_norm_epsilon
    spec.config.add_source_bos = tokenizers.source.has_start
    spec.config.add_source_eos = True
    spec.validate()
    spec.optimize(quantization)
    return spec


def _make_stacks(model: ModelConfig, alignment: PointingHeads) -> tuple[Any, Any]:
    """Makes the specifications of encoder and decoder, still without weights."""
    from ctranslate2 import specs

    sizes: dict[str, Any] = {"pre_norm": model.normalize_first, "activation": _activation(model)}
    if model.head_dim is not None:
        sizes["head_dim"] = model.head_dim
    if model.positions == "rotary":
        sizes["rotary_dim"] = 0  # 0 for all dimensions of a head
    encoder = specs.TransformerEncoderSpec(model.num_layers, model.num_heads, **sizes)
    decoder = specs.TransformerDecoderSpec(
        model.layers_of("decoder"),
        model.heads_of("decoder"),
        alignment_layer=alignment.layer,
        alignment_heads=len(alignment.heads),
        **sizes,
    )
    decoder.start_from_zero_embedding = model.zero_start
    return encoder, decoder


def _activation(model: ModelConfig) -> Any:
    from ctranslate2.specs import Activation

    # Keras's gelu by name is exact, not the approximation by tanh.
    known = {"relu": Activation.RELU, "gelu": Activation.GELU, "silu": Activation.SWISH}
    return known[model.activation]
