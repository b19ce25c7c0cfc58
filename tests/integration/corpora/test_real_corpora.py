"""Tatoeba and Multi30k as they are, from a server of the test's own."""

import gzip

import pytest

from translator.base.errors import InputError
from translator.config.schema import CorpusConfig
from translator.corpora import registry
from translator.corpora.cleaning import normalized_key
from translator.corpora.corpus import load_corpus
from translator.corpora.registry import fetch_corpus, known_corpora


@pytest.fixture
def served(loopback, monkeypatch, own_home, shared_data):
    """The real corpora, at the addresses that the registry knows but for the host."""
    tatoeba = (shared_data / "tatoeba/deu-eng.zip").read_bytes()
    loopback.content["/anki/deu-eng.zip"] = tatoeba
    for path in (shared_data / "multi30k").iterdir():
        content = path.read_bytes()
        if ".tok." in path.name:
            loopback.content[f"/task1/tok/{path.stem}"] = gzip.decompress(content)
        else:
            loopback.content[f"/task1/raw/{path.name}"] = content
    address = f"{loopback.address}/anki/deu-eng.zip"
    monkeypatch.setattr(registry, "TATOEBA", registry.TATOEBA._replace(address=address))
    monkeypatch.setattr(registry, "MULTI30K", f"{loopback.address}/task1")
    return loopback


@pytest.mark.slow
def test_tatoeba_is_downloaded_split_without_leaks_and_cached(served):
    config = CorpusConfig(name="tatoeba")
    corpus = load_corpus(config)
    total = len(corpus.train) + len(corpus.validation) + len(corpus.test)
    assert total + corpus.dropped["held out"] == 169_813
    assert len(set(corpus.validation.sources)) > 1200
    for side in (0, 1):
        train = {normalized_key(sentence) for sentence in corpus.train[side]}
        for held_out in (corpus.validation, corpus.test):
            assert not train & {normalized_key(sentence) for sentence in held_out[side]}
    served.stop()
    assert load_corpus(config) == corpus
    assert served.requests == ["/anki/deu-eng.zip"]
    back = load_corpus(CorpusConfig(name="tatoeba", source_language="de", target_language="en"))
    assert (back.validation.sources, back.validation.targets) == corpus.validation[::-1]


def test_multi30k_has_its_own_splits_and_two_variants(served):
    raw = load_corpus(CorpusConfig(name="multi30k"))
    assert [len(split) for split in (raw.train, raw.validation, raw.test)] == [28_995, 1_014, 1_000]
    assert raw.dropped == {"empty": 0, "duplicates": 3, "held out": 2}
    assert next(iter(raw.test.sources)) == "A man in an orange hat starring at something."
    tokenized = load_corpus(CorpusConfig(name="multi30k-tokenized"))
    assert next(iter(tokenized.test.sources)) == "a man in an orange hat starring at something ."
    assert len(served.requests) == 12
    assert len(fetch_corpus("multi30k-tokenized")) == 6
    assert len(served.requests) == 12
    assert all(file.is_cached() for file in known_corpora()["multi30k"].files)


def test_a_multi30k_file_with_other_bytes_is_refused(served):
    path = "/task1/raw/val.de.gz"
    served.content[path] = gzip.compress(b"Nein.\n" * 1014)
    with pytest.raises(InputError, match=r"val.de.gz: expected the file with SHA-256 f0cba2f99518"):
        load_corpus(CorpusConfig(name="multi30k"))
    assert len(served.requests) == 4  # the three before it stay
    served.content[path] = served.content["/task1/raw/val.en.gz"]
    with pytest.raises(InputError):
        load_corpus(CorpusConfig(name="multi30k"))
    assert len(served.requests) == 5


def test_a_page_in_place_of_a_file_without_a_hash_is_not_kept(served):
    served.content["/task1/tok/val.lc.norm.tok.de"] = b"<html>log in first</html>\n"
    with pytest.raises(InputError, match=r"val.lc.norm.tok.de: expected 1,014 lines, found 1;"):
        load_corpus(CorpusConfig(name="multi30k-tokenized"))
    assert not known_corpora()["multi30k-tokenized"].files[3].path.exists()
