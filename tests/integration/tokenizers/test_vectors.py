"""BPEmb's vectors as the first values of a model's embeddings."""

import errno
import io
import tarfile
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from gensim.models import KeyedVectors

from tests.tokenizer_corpora import configure, prepare
from translator.base.errors import InputError
from translator.runs.weights import make_model, set_embeddings
from translator.tokenizers.bpemb_download import bpemb_tokenizer, load_vectors


def vectors_archive(folder: Path, words: list[str], vectors: np.ndarray, name: str) -> bytes:
    """Vectors as BPEmb publishes them: word2vec's binary format in a .tar.gz."""
    keyed = KeyedVectors(vectors.shape[1])
    keyed.add_vectors(words, vectors)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        keyed.save_word2vec_format(str(folder / "vectors.bin"), binary=True)
        archive.add(folder / "vectors.bin", name)
    return buffer.getvalue()


@pytest.fixture
def with_vectors(bpemb, tmp_path):
    """A configuration whose two sides are English, with vectors of 50 dimensions."""
    tokenizer = bpemb_tokenizer("en", 10_000)
    words = [tokenizer.model.id_to_piece(i) for i in range(10_000)]
    vectors = np.random.default_rng(3).normal(0, 0.3, (10_000, 50)).astype(np.float32)
    name = "en/en.wiki.bpe.vs10000.d50.w2v.bin"
    bpemb.content[f"/{name}.tar.gz"] = vectors_archive(tmp_path, words, vectors, f"data/{name}")
    config = configure(
        {"name": "bpemb", "vocab_size": 10_000, "vectors": True},
        model={"d_model": 50, "num_heads": 5, "num_layers": 1, "dff": 8},
        corpus={"train": {"tsv": "a"}, "source_language": "en", "target_language": "en_GB"},
    )
    return config, vectors


def test_bpembs_vectors_begin_the_embeddings(with_vectors, bpemb):
    config, vectors = with_vectors
    loaded = load_vectors(config)
    assert all(np.allclose(side, vectors) for side in loaded)
    bpemb.stop()
    assert np.allclose(load_vectors(config)[0], vectors)  # from the cache
    tokenizers, _ = prepare(config)
    model = make_model(config, tokenizers)
    before = model.source_embedding.embedding.embeddings.numpy()
    set_embeddings(model, loaded)
    for side in (model.source_embedding, model.target_embedding):
        table = side.embedding.embeddings.numpy()
        assert table.std() == pytest.approx(50**-0.5, rel=0.02)
        scale = table[7, 3] / vectors[7, 3]
        assert np.allclose(table[:10_000], vectors * scale, rtol=1e-4)
    assert np.array_equal(model.source_embedding.embedding.embeddings.numpy()[-1], before[-1])


def test_vectors_that_point_outside_or_are_cut_short_are_refused(
    with_vectors, bpemb, own_home, tmp_path
):
    config, vectors = with_vectors
    path = "/en/en.wiki.bpe.vs10000.d50.w2v.bin.tar.gz"
    whole = bpemb.content[path]
    bpemb.content[path] = whole[:-2000]
    with pytest.raises(InputError, match="expected a complete .tar.gz archive"):
        load_vectors(config)
    assert not list(own_home.rglob("*.tar.gz")), "the next try downloads it again"
    bpemb.content[path] = vectors_archive(tmp_path, ["a"], vectors[:1], "../evil.bin")
    with pytest.raises(InputError, match="expected 10,000 vectors, as many as pieces, found 1"):
        load_vectors(config)
    assert not list(own_home.rglob("evil.bin"))


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_a_download_that_was_not_unpacked_is_kept(with_vectors, bpemb, own_home, error):
    config, vectors = with_vectors
    with (
        patch("translator.tokenizers.bpemb_download.shutil.copyfileobj", side_effect=error),
        pytest.raises(type(error)),
    ):
        load_vectors(config)
    assert len(list(own_home.rglob("*.tar.gz"))) == 1
    bpemb.stop()
    assert np.allclose(load_vectors(config)[0], vectors)
    assert not list(own_home.rglob("*.tar.gz"))


def test_damaged_vectors_in_the_cache_are_named(with_vectors, own_home):
    config, _ = with_vectors
    load_vectors(config)
    [path] = own_home.rglob("*.w2v.bin")
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"garbage\n"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"w2v.bin: expected BPEmb's vectors, found a damaged"):
            load_vectors(config)
