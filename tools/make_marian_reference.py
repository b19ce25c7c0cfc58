"""Writes the outputs of transformers for small random Marian models; tests compare with them.

It needs torch, transformers and sentencepiece; the tests do not need them:

    python tools/make_marian_reference.py tests/reference/marian.npz
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.public_models import SHAPES, Shape, hugging_face_config, random_weights  # noqa: E402

VOCAB_SIZES = {"tied": [50], "separate": [50, 50], "multilingual": [50]}


def random_ids(sizes: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Two padded source sentences, and two target sentences from the start token on."""
    random = np.random.default_rng(2)
    source = random.integers(2, sizes[0] - 1, (2, 8))
    source[:, -1] = 0
    source[1, 4:] = [0, *[sizes[0] - 1] * 3]
    target = random.integers(2, sizes[-1] - 1, (2, 6))
    target[:, 0] = sizes[-1] - 1
    return source, target


def run_transformers(shape: Shape, sizes: list[int]) -> dict[str, np.ndarray]:
    """Logits (B, T, V) and every head's attention, by the names of `TransformerOutput`."""
    import torch
    from transformers import MarianConfig, MarianMTModel

    model = MarianMTModel(MarianConfig(**hugging_face_config(shape, sizes)))
    weights = {k: torch.from_numpy(v) for k, v in random_weights(shape, sizes).items()}
    missing, unknown = model.load_state_dict(weights, strict=False)
    model.tie_weights()
    assert not unknown, unknown
    own = ("embed_positions", "embed_tokens", "lm_head")  # fixed, or the same as another
    assert all(any(name in key for name in own) for key in missing), missing
    model.eval()
    model.set_attn_implementation("eager")
    source, target = map(torch.from_numpy, random_ids(sizes))
    with torch.no_grad():
        output = model(
            input_ids=source,
            attention_mask=(source != sizes[0] - 1).long(),
            decoder_input_ids=target,
            output_attentions=True,
        )
    kinds = {
        "encoder_attention": output.encoder_attentions,
        "decoder_attention": output.decoder_attentions,
        "cross_attention": output.cross_attentions,
    }
    found = {name: torch.stack(layers, 1).numpy() for name, layers in kinds.items()}
    return {"logits": output.logits.numpy(), **found}


def main() -> None:
    """Writes the file that the command line names."""
    arrays = {}
    for name, shape in SHAPES.items():
        sizes = VOCAB_SIZES[name]
        for key, array in run_transformers(shape, sizes).items():
            arrays[f"{name}/{key}"] = array.astype("float32")
    out = Path(sys.argv[1])
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=out.parent, suffix=".npz", delete=False) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    Path(file.name).replace(out)
    print(f"{out}: {len(arrays)} arrays, {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
