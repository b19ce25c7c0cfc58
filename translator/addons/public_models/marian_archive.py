"""The form in which OPUS-MT publishes a model: an archive of Marian's own files.

CTranslate2's converter knows its arrays: https://opennmt.net/CTranslate2/guides/marian.html
"""

import itertools
from pathlib import Path
from typing import Any

import numpy as np

from translator.addons.public_models.public_model import (
    STACKS,
    Arrays,
    PublicModel,
    TokenizerFiles,
    Weights,
    chosen_name,
    make_model_config,
    whole_number,
)
from translator.addons.public_models.tensor_files import expected_weights
from translator.base.errors import InputError
from translator.base.reading import read_file
from translator.base.texts import quoted
from translator.config.model import MAX_BEAM_SIZE, MAX_LENGTH_PENALTY
from translator.config.yaml_file import parse_yaml
from translator.runs.export_layout import parts_of
from translator.runs.weights import open_archive
from translator.text.word_alignment import AlignmentHeads

DECODER = "decoder.yml"
CONFIG = "special:model.yml"  # the array with Marian's configuration
ACTIVATIONS = {"swish": "silu", "relu": "relu"}  # Marian's gelu is an approximation of ours
EXPECTED: dict[
    str, tuple[Any, ...]
] = {  # settings with one value that our model can have; those of old archives are missing
    "type": ("transformer",),
    "transformer-preprocess": ("",),
    "transformer-postprocess": ("dan",),
    "transformer-postprocess-emb": ("", "d"),
    "transformer-postprocess-top": ("",),
    "transformer-decoder-autoreg": ("self-attention",),
    "transformer-no-projection": (False,),
    "transformer-no-bias": (False,),
    "transformer-train-position-embeddings": (False,),
    "transformer-ffn-depth": (2,),
    "transformer-tied-layers": ([],),
    "right-left": (False,),
    "lemma-dim-emb": (0,),
}
VOCABULARIES = (".yml", ".yaml", ".json")  # those that say the id of each piece


def is_marian_archive(folder: Path) -> bool:
    """Whether a folder is an archive of OPUS-MT, unpacked, or looks like one."""
    return (folder / DECODER).is_file() or any(folder.glob("*.npz"))


def read_marian_archive(folder: Path) -> PublicModel:
    """Reads an unpacked archive of OPUS-MT.

    Raises:
        InputError: it is a model of another architecture or of BPE codes, or a file is missing
            or damaged.
    """
    codes = sorted(path.name for path in folder.glob("*.bpe*"))
    if codes:
        raise InputError(
            f"{folder}: expected an archive with SentencePiece models (source.spm and target.spm),"
            f" found BPE codes ({codes[0]}); archives of this older kind cannot be imported"
        )
    if not (folder / DECODER).is_file():
        raise InputError(
            f"{folder / DECODER}: expected this file of an OPUS-MT archive, found none"
        )
    settings = _read_settings(read_file(folder / DECODER), str(folder / DECODER))
    path, vocabularies = _named_files(folder, settings)
    files = TokenizerFiles((folder / "source.spm", folder / "target.spm"), vocabularies)
    for file in (path, *files.models, *files.vocabularies):
        if not file.is_file():
            raise InputError(f"{file}: expected this file of an OPUS-MT archive, found none")
    with expected_weights(path, "Marian's weights in NumPy's format"):
        with open_archive(path) as archive:
            arrays = dict(archive)
        content = arrays.pop(CONFIG, None)
        if content is None:
            raise InputError(f"{path}: expected {CONFIG} among its arrays, found none")
        values = _read_settings(content.tobytes().rstrip(b"\0"), f"{path}, {CONFIG}")
        sizes = _read_sizes(values, path)
        found = Arrays(arrays, path)
        _take_arrays(found, sizes["num_layers"], sizes["d_model"], sizes["dff"])
        found.check_rest()
        variables = _convert(found.taken, sizes["num_layers"], sizes["num_heads"])
        model = make_model_config(path, **sizes, **_tying(variables))
        weights: Weights = {}
        for part in parts_of(model):
            weights |= part.separate(variables)
    beam_size: Any = settings.get("beam-size")
    penalty: Any = settings.get("normalize")
    is_beam = type(beam_size) is int and 0 < beam_size <= MAX_BEAM_SIZE
    is_penalty = type(penalty) in (int, float) and 0 <= penalty <= MAX_LENGTH_PENALTY
    return PublicModel(
        model,
        files,
        weights,
        beam_size=beam_size if is_beam else 4,
        length_penalty=float(penalty) if is_penalty else 1.0,
        alignment=_alignment(values, model.num_layers),
    )


def _named_files(folder: Path, settings: dict[str, Any]) -> tuple[Path, tuple[Path, Path]]:
    """The weights and the vocabularies that decoder.yml names, inside the folder."""
    try:
        [weights], [first, *more] = settings["models"], settings["vocabs"]
        path, *vocabularies = (folder / Path(name).name for name in (weights, first, *more))
    except (KeyError, TypeError, ValueError):
        raise InputError(
            f"{folder / DECODER}: expected one file as models, and one or two as vocabs, found"
            f" {quoted(settings.get('models'))} and {quoted(settings.get('vocabs'))}"
        ) from None
    for vocabulary in vocabularies:
        if vocabulary.suffix not in VOCABULARIES:
            raise InputError(
                f"{folder / DECODER}: expected vocabularies with an id for each piece, files of"
                f" {', '.join(VOCABULARIES)}, found {vocabulary.name}; lists of pieces without ids"
                " cannot be imported"
            )
    return path, (vocabularies[0], vocabularies[-1])


def _read_settings(content: bytes, origin: str) -> dict[str, Any]:
    values = parse_yaml(content, origin)
    if not isinstance(values, dict):
        raise InputError(f"{origin}: expected Marian's settings in YAML, found something else")
    return values


def _read_sizes(values: dict[str, Any], path: Path) -> dict[str, Any]:
    """The sizes of the model, which is checked to be one that ours can be.

    Raises:
        InputError: it is not; the message says what was expected.
    """
    for key, expected in EXPECTED.items():
        if values.get(key, expected[0]) not in expected:
            raise InputError(
                f"{path}: expected a post-norm Transformer with {key}:"
                f" {' or '.join(map(repr, expected))}, found {quoted(values[key])}"
            )
    if values.get("enc-depth") != values.get("dec-depth"):
        raise InputError(
            f"{path}: expected as many layers of the decoder as of the encoder,"
            f" {quoted(values.get('enc-depth'))}, found {quoted(values.get('dec-depth'))}"
        )
    return {
        "num_layers": whole_number(values, "enc-depth", path),
        "d_model": whole_number(values, "dim-emb", path),
        "num_heads": whole_number(values, "transformer-heads", path),
        "dff": whole_number(values, "transformer-dim-ffn", path),
        "activation": chosen_name(values, "transformer-ffn-activation", ACTIVATIONS, path),
    }


def _take_arrays(found: Arrays, num_layers: int, width: int, inner: int) -> None:
    """Takes Marian's arrays of a model of these sizes.

    Raises:
        InputError: one is missing, or has another shape.
    """
    rows = 0
    for stack in STACKS:
        name = f"{stack}_Wemb" if f"{stack}_Wemb" in found.values else "Wemb"
        rows = len(np.atleast_1d(found.values.get(name, ())))
        found.take(name, rows, width)
    out = "decoder_ff_logit_out"
    if f"{out}_W" in found.values:
        found.take(f"{out}_W", width, rows)
    elif f"{out}_Wt" in found.values:  # the same, transposed
        found.take(f"{out}_Wt", rows, width)
    if f"{out}_b" in found.values:
        found.take(f"{out}_b", 1, rows)
    for stack, number in itertools.product(STACKS, range(1, num_layers + 1)):
        attentions = ("self", "context")[: 1 + (stack == "decoder")]
        shapes = {f"{kind}_W{part}": (width, width) for kind in attentions for part in "qkvo"}
        shapes |= {"ffn_W1": (width, inner), "ffn_W2": (inner, width)}
        shapes |= {name.replace("_W", "_b"): (1, shape[1]) for name, shape in shapes.items()}
        for norm in (*(f"{kind}_Wo" for kind in attentions), "ffn_ffn"):
            shapes |= {f"{norm}_ln_scale": (1, width), f"{norm}_ln_bias": (1, width)}
        for name, shape in shapes.items():
            found.take(f"{stack}_l{number}_{name}", *shape)


def _convert(arrays: Weights, num_layers: int, num_heads: int) -> Weights:
    """The variables that CTranslate2 makes of Marian's arrays."""
    from ctranslate2.converters.marian import set_transformer_spec
    from ctranslate2.specs import TransformerSpec

    spec = TransformerSpec.from_config(num_layers, num_heads, pre_norm=False)
    set_transformer_spec(spec, arrays)
    variables: Weights = spec.variables()
    without = np.zeros(len(variables["decoder/projection/weight"]), "float32")
    return {"decoder/projection/bias": without, **variables}


def _tying(variables: Weights) -> dict[str, Any]:
    """The settings of a model with these tables."""
    source, target, output = (
        variables[f"{name}/weight"]
        for name in ("encoder/embeddings_0", "decoder/embeddings", "decoder/projection")
    )
    if not np.array_equal(target, output):
        return {"tied_embeddings": "none"}
    is_one = np.array_equal(source, target)
    return {"tied_embeddings": "all" if is_one else "target", "output_bias": True}


def _alignment(values: dict[str, Any], num_layers: int) -> AlignmentHeads | None:
    """The head that Marian trained to align words, the first of a layer, if it did."""
    if values.get("guided-alignment", "none") == "none":
        return None
    layer = values.get("transformer-guided-alignment-layer", "last")
    numbers = range(1, num_layers + 1)
    known = [number for number in numbers if layer in (number, str(number))]
    if layer == "last":
        known = [num_layers]
    return AlignmentHeads(known[0] - 1, (0,), 0.0, 0) if known else None
