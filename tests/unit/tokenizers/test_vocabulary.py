"""Where tokenizers come from: trained, BPEmb's, or a stand-in; and BPEmb's vectors."""

import io
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

from translator.base.errors import InputError
from translator.config.yaml_file import validate_config
from translator.corpora import SentencePairs
from translator.runs.weights import make_model, set_embeddings
from translator.tokenizers import sources as vocabulary
from translator.tokenizers.sources import (
    bpemb_tokenizer,
    load_vectors,
    prepare_tokenizers,
    train_stand_in,
)
from translator.tokenizers.subword import SubwordTokenizer, load_tokenizers

TEXT = tuple(
    f"Der Hund Nummer {i} sieht die große Katze, das Übel und {i * 7} Bücher." for i in range(60)
)


def configure(tokenizer: dict, **sections):
    """A configuration with that tokenizer section."""
    values = {"corpus": {"train": {"tsv": "a"}}, "data": {"batch_size": 4}, "tokenizer": tokenizer}
    return validate_config(values | sections, "here")


PAIRS = SentencePairs(tuple(map(str.upper, TEXT)), TEXT)


def prepare(config, pairs=PAIRS):
    """Tokenizers of a corpus that is called "key"."""
    return prepare_tokenizers(config, "key", lambda: pairs)


@pytest.mark.parametrize("shared", [False, True])
def test_models_are_trained_on_the_training_side_once_and_kept(own_home, tmp_path, shared):
    config = configure({"vocab_size": 320, "shared": shared})
    made, notes = prepare(config)
    assert notes == []
    made.save(tmp_path)
    assert (made.source.model_bytes == made.target.model_bytes) == shared
    again = load_tokenizers(tmp_path, config)
    assert again.target.encode(TEXT[:2]) == made.target.encode(TEXT[:2])
    assert again.target.decode(again.target.encode(TEXT[:1])[0]) == TEXT[0]
    cached, _ = prepare(config, pairs=None)  # is not looked at
    assert cached.target.model_bytes == made.target.model_bytes


def test_models_of_text_without_digits_know_zeros_alone(own_home):
    pairs = SentencePairs(
        tuple(f"{line} 1989" for line in TEXT), tuple(f"{line} 77" for line in TEXT)
    )
    made, _ = prepare(configure({"vocab_size": 320, "zero_digits": True}), pairs)
    pieces = made.source.pieces(range(made.source.size))
    assert any("00" in piece for piece in pieces)
    assert not any(set(piece) & set("123456789") for piece in pieces if not piece.startswith("<"))
    assert made.source.decode(made.source.encode(["1989"])[0]) == "0000"


@pytest.fixture
def bpemb(loopback, monkeypatch, own_home, shared_data):
    """BPEmb's server, with the English model of 10,000 pieces and nothing else."""
    name = "en/en.wiki.bpe.vs10000.model"
    loopback.content[f"/{name}"] = (shared_data / "bpemb" / name).read_bytes()
    monkeypatch.setattr(vocabulary, "BPEMB", loopback.address)
    return loopback


def test_bpembs_model_is_downloaded_checked_and_cached(bpemb):
    tokenizer = bpemb_tokenizer("English", 10_000)
    assert tokenizer.decode(tokenizer.encode(["Hello 42!"])[0]) == "hello 00!"
    bpemb.stop()
    assert bpemb_tokenizer("en", 10_000).fingerprint == tokenizer.fingerprint


def test_a_bpemb_model_with_other_bytes_is_refused(bpemb):
    bpemb.content["/en/en.wiki.bpe.vs10000.model"] += b" "
    with pytest.raises(InputError, match="expected the file with SHA-256 843d908206b0"):
        bpemb_tokenizer("en", 10_000)
    bpemb.content["/de/de.wiki.bpe.vs3000.model"] = b"<html>no model</html>"
    with pytest.raises(InputError, match="expected a SentencePiece model, found other bytes"):
        bpemb_tokenizer("de", 3_000)


def test_sizes_and_languages_that_bpemb_lacks_are_refused_with_those_it_has():
    with pytest.raises(
        InputError, match=r"BPEmb has 1000, 3000, 5000, 10000, .* for de, found 8000"
    ):
        bpemb_tokenizer("de", 8000)
    with pytest.raises(InputError, match="BPEmb has no models for aa"):
        bpemb_tokenizer("aa", 10_000)
    with pytest.raises(InputError, match=r"Germann: .* German \(de\)"):
        bpemb_tokenizer("Germann", 10_000)


def test_where_german_cannot_be_had_a_stand_in_takes_its_place_and_is_told(bpemb, shared_data):
    config = configure({"name": "bpemb", "vocab_size": 10_000})
    with pytest.raises(InputError, match=r"answer 404.*--set tokenizer.stand_in=target"):
        prepare(config)
    with zipfile.ZipFile(shared_data / "tatoeba/deu-eng.zip") as archive:
        lines = archive.read("deu.txt").decode().splitlines()[:60_000]
    pairs = SentencePairs(*zip(*(line.split("\t")[:2] for line in lines)))
    stood_in = configure({"name": "bpemb", "vocab_size": 10_000, "stand_in": "target"})
    (english, german), [note] = prepare(stood_in, pairs)
    assert note.startswith("tokenizer: a stand-in for BPEmb's de model, trained on the corpus")
    name = "en/en.wiki.bpe.vs10000.model"
    assert english.model_bytes == (shared_data / "bpemb" / name).read_bytes()
    assert german.size == english.size == 10_001
    [ids] = german.encode(["Er kam 1989 nach Hause."])
    assert german.decode(ids) == "er kam 0000 nach hause."
    assert len(ids) < 10
    again, _ = prepare(stood_in, None)  # is not trained again
    assert again.target.model_bytes == german.model_bytes


def test_a_damaged_trained_tokenizer_is_trained_anew(own_home):
    config = configure({"vocab_size": 320})
    made, _ = prepare(config)
    [path] = own_home.rglob("target.model")
    path.write_bytes(path.read_bytes()[:100])
    assert prepare(config)[0].target.model_bytes == made.target.model_bytes


def test_a_stand_in_has_bpembs_settings(tmp_path):
    path = tmp_path / "de.model"
    path.write_bytes(train_stand_in(TEXT, 100))
    tokenizer = SubwordTokenizer(path, "de", bpemb=True)
    assert (tokenizer.unknown_id, tokenizer.start_id, tokenizer.end_id) == (0, 1, 2)
    assert (tokenizer.padding_id, tokenizer.size) == (100, 101)
    [ids] = tokenizer.encode(["Das ÜBEL sieht 19 Bücher"])
    assert tokenizer.decode(ids) == "das übel sieht 00 bücher"
    assert tokenizer.unknown_id in tokenizer.encode(["漢字"])[0]  # no byte fallback


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
        corpus={"train": {"tsv": "a"}, "source_language": "en", "target_language": "eng"},
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
    with pytest.raises(InputError, match="expected a whole .tar.gz archive"):
        load_vectors(config)
    bpemb.content[path] = vectors_archive(tmp_path, ["a"], vectors[:1], "../evil.bin")
    with pytest.raises(
        InputError, match=r"names inside the archive's own folder, found '../evil.bin'"
    ):
        load_vectors(config)
    bpemb.content[path] = vectors_archive(tmp_path, ["a"], vectors[:1], "data/en.bin")
    with pytest.raises(InputError, match="expected 10,000 vectors, as many as pieces, found 1"):
        load_vectors(config)
    assert not (own_home / "evil.bin").exists()


def test_damaged_vectors_in_the_cache_are_named(with_vectors, own_home):
    config, _ = with_vectors
    load_vectors(config)
    [path] = own_home.rglob("*.w2v.bin")
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"garbage\n"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"w2v.bin: expected BPEmb's vectors, found a damaged"):
            load_vectors(config)


def test_bpemb_sees_zeros_without_being_told():
    with pytest.raises(InputError, match="zero_digits is for name: sentencepiece; BPEmb's"):
        configure({"name": "bpemb", "vocab_size": 1000, "zero_digits": True})


def test_vectors_of_another_dimension_than_the_model_are_refused_with_those_there_are():
    with pytest.raises(InputError, match=r"25, 50, 100, 200, 300 .* found model.d_model 128"):
        configure({"name": "bpemb", "vectors": True})
