"""The form in which OPUS-MT publishes a model: an archive of Marian's own files.

Its weights are a NumPy archive, with Marian's configuration inside.

https://marian-nmt.github.io/docs
"""

from pathlib import Path
from typing import Any

import numpy as np
import yaml

from translator.addons.public_models.public_model import (
    STACKS,
    Arrays,
    Embeddings,
    LayerNames,
    PublicModel,
    TokenizerFiles,
    chosen_name,
    make_model_config,
    read_layers,
    tying,
    whole_number,
)
from translator.addons.public_models.tensor_files import expected_weights
from translator.base.errors import InputError
from translator.base.texts import quoted
from translator.config.model import MAX_BEAM_SIZE, MAX_LENGTH_PENALTY
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
SIZES = ("enc-depth", "dec-depth", "dim-emb", "transformer-heads", "transformer-dim-ffn")
VOCABULARIES = (".yml", ".yaml", ".json")  # those that say the id of each piece
SUB_LAYERS = {"self": "self", "cross": "context"}
PROJECTIONS = {"query": "q", "key": "k", "value": "v", "output": "o"}
LAYERS = LayerNames(
    "{stack}_l{number}_",
    first=1,
    places={
        **{
            f"{kind}_attention/{part}": f"{theirs}_{{}}{projection}"
            for kind, theirs in SUB_LAYERS.items()
            for part, projection in PROJECTIONS.items()
        },
        **{f"{kind}_residual/norm": f"{its}_Wo_ln_{{}}" for kind, its in SUB_LAYERS.items()},
        "feed_forward/inner": "ffn_{}1",
        "feed_forward/outer": "ffn_{}2",
        "feed_forward_residual/norm": "ffn_ffn_ln_{}",
    },
    kinds={"kernel": "W", "bias": "b", "gamma": "scale", "beta": "bias"},
    take=lambda found, name, shape: found.take(name, *(1, *shape)[-2:]).reshape(shape),
)


def is_marian_archive(folder: Path) -> bool:
    """Whether a folder is an archive of OPUS-MT, unpacked, or looks like one."""
    return (folder / DECODER).is_file() or any(folder.glob("*.npz"))


def read_marian_archive(folder: Path) -> PublicModel:
    """Reads an unpacked archive of OPUS-MT.

    Raises:
        InputError: it is a model of another architecture or of BPE codes, or a file is missing
            or damaged.
    """
    _refuse_bpe(folder)
    settings = _read_yaml(folder / DECODER)
    path, vocabularies = _named_files(folder, settings)
    files = TokenizerFiles((folder / "source.spm", folder / "target.spm"), vocabularies)
    for file in (path, *files.models, *files.vocabularies):
        if not file.is_file():
            raise InputError(f"{file}: expected this file of an OPUS-MT archive, found none")
    found = Arrays(_read_npz(path), path)
    values = _read_config(found)
    activation = _check(values, path)
    embeddings = _read_embeddings(found, values["dim-emb"])
    model = make_model_config(
        path,
        num_layers=values["enc-depth"],
        d_model=values["dim-emb"],
        num_heads=values["transformer-heads"],
        dff=values["transformer-dim-ffn"],
        activation=activation,
        **tying(embeddings),
    )
    layers = read_layers(model, found, LAYERS)
    found.check_rest(CONFIG)
    beam_size: Any = settings.get("beam-size")
    penalty: Any = settings.get("normalize")
    is_beam = type(beam_size) is int and 0 < beam_size <= MAX_BEAM_SIZE
    is_penalty = type(penalty) in (int, float) and 0 <= penalty <= MAX_LENGTH_PENALTY
    return PublicModel(
        model,
        files,
        embeddings,
        layers,
        beam_size=beam_size if is_beam else 4,
        length_penalty=float(penalty) if is_penalty else 1.0,
        alignment=_alignment(values, model.num_layers),
    )


def _refuse_bpe(folder: Path) -> None:
    codes = sorted(path.name for path in folder.glob("*.bpe*"))
    if codes:
        raise InputError(
            f"{folder}: expected an archive with SentencePiece models (source.spm and target.spm),"
            f" found BPE codes ({codes[0]}); archives of this older kind cannot be imported"
        )


def _named_files(folder: Path, settings: dict[str, Any]) -> tuple[Path, tuple[Path, Path]]:
    """The weights and the vocabularies that decoder.yml names, inside the folder."""
    paths: list[list[Path]] = []
    for key, most in (("models", 1), ("vocabs", 2)):
        names = settings.get(key)
        is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
        if not isinstance(names, list) or not is_list or not 0 < len(names) <= most:
            wanted = "one file" if most == 1 else "one file or two"
            raise InputError(
                f"{folder / DECODER}: expected {wanted} as {key}, found {quoted(names)}"
            )
        paths.append([folder / Path(name).name for name in names])
    for path in paths[1]:
        if path.suffix not in VOCABULARIES:
            raise InputError(
                f"{folder / DECODER}: expected vocabularies with an id for each piece, files of"
                f" {', '.join(VOCABULARIES)}, found {path.name}; lists of pieces without ids"
                " cannot be imported"
            )
    return paths[0][0], (paths[1][0], paths[1][-1])


def _read_yaml(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError(f"{path}: expected this file of an OPUS-MT archive, found none")
    return _parse_yaml(path.read_bytes(), str(path))


def _parse_yaml(content: bytes, origin: str) -> dict[str, Any]:
    try:
        values = yaml.safe_load(content.decode("utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise InputError(f"{origin}: expected Marian's settings in YAML, found something else")
    return values


def _read_npz(path: Path) -> dict[str, np.ndarray]:
    with (
        expected_weights(path, "Marian's weights in NumPy's format"),
        open(path, "rb") as file,
        np.load(file, allow_pickle=False) as archive,
    ):
        return dict(archive)


def _read_config(found: Arrays) -> dict[str, Any]:
    content = found.values.get(CONFIG)
    if content is None:
        raise InputError(f"{found.origin}: expected {CONFIG} among its arrays, found none")
    return _parse_yaml(content.tobytes().rstrip(b"\0"), f"{found.origin}, {CONFIG}")


def _check(values: dict[str, Any], path: Path) -> str:
    """Checks that the model is one that ours can be; returns its activation.

    Raises:
        InputError: it is not; the message says what was expected.
    """
    for key, expected in EXPECTED.items():
        if values.get(key, expected[0]) not in expected:
            raise InputError(
                f"{path}: expected a post-norm Transformer with {key}:"
                f" {' or '.join(map(repr, expected))}, found {quoted(values[key])}"
            )
    for key in SIZES:
        whole_number(values, key, path)
    if values["enc-depth"] != values["dec-depth"]:
        raise InputError(
            f"{path}: expected as many layers of the decoder as of the encoder,"
            f" {values['enc-depth']}, found {values['dec-depth']}"
        )
    return chosen_name(values, "transformer-ffn-activation", ACTIVATIONS, path)


def _read_embeddings(found: Arrays, width: int) -> Embeddings:
    tables: dict[str, np.ndarray] = {}
    for stack in STACKS:
        name = f"{stack}_Wemb" if f"{stack}_Wemb" in found.values else "Wemb"
        if name not in tables:
            rows = len(found.values[name]) if name in found.values else 0
            tables[name] = found.take(name, rows, width)
    source, *more = tables.values()
    target = more[0] if more else source
    size, out = len(target), "decoder_ff_logit_out"
    projection = None
    if f"{out}_W" in found.values:
        projection = found.take(f"{out}_W", width, size)
    elif f"{out}_Wt" in found.values:  # the same, transposed
        projection = found.take(f"{out}_Wt", size, width).T
    bias = found.take(f"{out}_b", 1, size)[0] if f"{out}_b" in found.values else None
    return Embeddings(source, target, projection, bias)


def _alignment(values: dict[str, Any], num_layers: int) -> AlignmentHeads | None:
    """The head that Marian trained to align words, the first of a layer, if it did."""
    if values.get("guided-alignment", "none") == "none":
        return None
    layer = values.get("transformer-guided-alignment-layer", "last")
    number = num_layers if layer == "last" else int(layer) if str(layer).isdecimal() else 0
    return AlignmentHeads(number - 1, (0,), 0.0, 0) if 1 <= number <= num_layers else None
