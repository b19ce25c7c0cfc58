"""Small random models of OPUS-MT's, laid out as Hugging Face has them.

`tools/make_marian_reference.py` makes the same ones.
"""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import safetensors.numpy
import sentencepiece

from translator.corpora.demo import load_demo_corpus

TARGET_TOKENS = (">>deu<<", ">>fra<<")
PARTS = ("q_proj", "k_proj", "v_proj", "out_proj")


class Shape(NamedTuple):
    """The shape of a model.

    Attributes:
        layers: of the encoder and of the decoder.
        width: D.
        heads: N.
        inner: width of the feed-forward networks.
        activation: by its name there.
        tied: what the output projection is: ``all``, ``target`` or ``none``, as in our model.
        multilingual: whether the vocabulary has target tokens.
        vocab_size: the fewest pieces of a vocabulary, padding included.
    """

    layers: int
    width: int
    heads: int
    inner: int
    activation: str = "swish"
    tied: str = "all"
    multilingual: bool = False
    vocab_size: int = 320


MODEL = {  # of the section ``model``: what Marian's models have
    "tied_embeddings": "all",
    "activation": "silu",
    "positions": "halves",
    "zero_start": True,
    "output_bias": True,
    "layer_norm_epsilon": 1e-5,
}
SHAPES = {
    "tied": Shape(2, 32, 4, 64),
    "separate": Shape(3, 24, 2, 40, "relu", "target"),
    "multilingual": Shape(1, 48, 8, 32, tied="none", multilingual=True),
}


def write_tokenizers(folder: Path) -> None:
    """Trains source.spm and target.spm on the demo corpus, unigram models as OPUS-MT's."""
    pairs = load_demo_corpus().test[:400]
    for side in ("source", "target"):
        with open(folder / f"{side}.spm", "wb") as file:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter([getattr(pair, side) for pair in pairs]),
                model_writer=file,
                vocab_size=120,
                model_type="unigram",
                hard_vocab_limit=False,
                minloglevel=2,
            )


def vocabularies(folder: Path, shape: Shape) -> list[dict[str, int]]:
    """The ids of the pieces of both sides, with padding last; one for both unless separate."""
    pieces = []
    for side in ("source", "target"):
        model = sentencepiece.SentencePieceProcessor(model_file=str(folder / f"{side}.spm"))
        pieces.append([model.id_to_piece(i) for i in range(3, model.get_piece_size())])
    tokens = TARGET_TOKENS if shape.multilingual else ()
    sides = pieces if shape.tied == "target" else [list(dict.fromkeys(sum(pieces, [])))]
    size = max(shape.vocab_size, *(len(own) + len(tokens) + 3 for own in sides), 0)
    found = []
    for own in sides:
        names = ["</s>", "<unk>", *own, *tokens]
        names += [f"▁rare{i}" for i in range(size - len(names) - 1)]
        found.append({name: i for i, name in enumerate([*names, "<pad>"])})
    return found


def random_weights(shape: Shape, sizes: list[int], seed: int = 4) -> dict[str, np.ndarray]:
    """Weights by the names of transformers; padding has a vector of zeros, as theirs has."""
    random = np.random.default_rng(seed)
    width, inner = shape.width, shape.inner
    weights: dict[str, np.ndarray] = {}

    def draw(name: str, *size: int, scale: float = 1.0, mean: float = 0.0) -> None:
        weights[name] = (mean + scale * random.standard_normal(size)).astype("float32")

    def dense(name: str, inputs: int, outputs: int) -> None:
        draw(f"{name}.weight", outputs, inputs, scale=2.5 * inputs**-0.5)
        draw(f"{name}.bias", outputs, scale=0.3)

    def norm(name: str) -> None:
        draw(f"{name}.weight", width, scale=0.2, mean=1.0)
        draw(f"{name}.bias", width, scale=0.2)

    tables = ["model.shared"]
    if shape.tied == "target":
        tables = ["model.encoder.embed_tokens", "model.decoder.embed_tokens"]
    for table, size in zip(tables, sizes):
        draw(f"{table}.weight", size, width, scale=0.3)
        weights[f"{table}.weight"][-1] = 0
    draw("final_logits_bias", 1, sizes[-1], scale=0.5)
    weights["final_logits_bias"][0, 0] += 1.5  # the end token, so that sentences end
    weights["final_logits_bias"][0, -1] = 0
    if shape.tied == "none":
        draw("lm_head.weight", sizes[-1], width, scale=0.4)
        weights["lm_head.weight"][-1] = 0
    for stack in ("encoder", "decoder"):
        for i in range(shape.layers):
            layer = f"model.{stack}.layers.{i}"
            for kind in ("self_attn", "encoder_attn")[: 1 if stack == "encoder" else 2]:
                for part in PARTS:
                    dense(f"{layer}.{kind}.{part}", width, width)
                norm(f"{layer}.{kind}_layer_norm")
            dense(f"{layer}.fc1", width, inner)
            dense(f"{layer}.fc2", inner, width)
            norm(f"{layer}.final_layer_norm")
    return weights


def hugging_face_config(shape: Shape, sizes: list[int]) -> dict[str, object]:
    """The content of config.json, as OPUS-MT's folders have it."""
    padding = sizes[-1] - 1
    both = {
        key: value
        for stack in ("encoder", "decoder")
        for key, value in (
            (f"{stack}_layers", shape.layers),
            (f"{stack}_attention_heads", shape.heads),
            (f"{stack}_ffn_dim", shape.inner),
            (f"{stack}_layerdrop", 0.0),
        )
    }
    return {
        "activation_function": shape.activation,
        "architectures": ["MarianMTModel"],
        "bad_words_ids": [[padding]],
        "d_model": shape.width,
        "decoder_start_token_id": padding,
        "decoder_vocab_size": sizes[-1],
        "dropout": 0.1,
        "eos_token_id": 0,
        "is_encoder_decoder": True,
        "max_length": 512,
        "max_position_embeddings": 512,
        "model_type": "marian",
        "normalize_before": False,
        "normalize_embedding": False,
        "num_beams": 6,
        "pad_token_id": padding,
        "scale_embedding": True,
        "share_encoder_decoder_embeddings": shape.tied != "target",
        "static_position_embeddings": True,
        "tie_word_embeddings": shape.tied != "none",
        "vocab_size": sizes[0],
        **both,
    }


def write_safetensors(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Writes arrays of float32 in the format of safetensors."""
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    safetensors.numpy.save_file(contiguous, path, {"format": "pt"})


def write_hugging_face(folder: Path, shape: Shape) -> None:
    """Adds the files of Hugging Face's form to a folder with source.spm and target.spm."""
    found = vocabularies(folder, shape)
    sizes = [len(vocabulary) for vocabulary in found]
    config = hugging_face_config(shape, sizes)
    (folder / "config.json").write_text(json.dumps(config, indent=2), "utf-8")
    names = ("vocab.json", "target_vocab.json")
    for name, vocabulary in zip(names, found):
        (folder / name).write_text(json.dumps(vocabulary, ensure_ascii=False), "utf-8")
    settings = {
        "source_lang": "en",
        "target_lang": "mul" if shape.multilingual else "de",
        "separate_vocabs": len(found) == 2,
        "model_max_length": 512,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), "utf-8")
    weights = random_weights(shape, sizes)
    write_safetensors(folder / "model.safetensors", weights | stored_again(shape, weights))


def stored_again(shape: Shape, weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What files of transformers have besides: the positions, and the table of the output."""
    angles = np.arange(512)[:, None] / 10_000 ** (np.arange(0, shape.width, 2) / shape.width)
    sinusoids = np.concatenate([np.sin(angles), np.cos(angles)], 1).astype("float32")
    copies = {
        f"model.{stack}.embed_positions.weight": sinusoids for stack in ("encoder", "decoder")
    }
    if shape.tied == "all":
        names = ("model.encoder.embed_tokens", "model.decoder.embed_tokens", "lm_head")
        copies |= {f"{name}.weight": weights["model.shared.weight"] for name in names}
    return copies
