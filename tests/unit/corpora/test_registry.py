"""Known corpora, loaded by the real code from a server on this machine."""

import io
import zipfile

from translator.config.schema import CorpusConfig
from translator.corpora import registry
from translator.corpora.corpus import load_corpus
from translator.corpora.registry import fetch_corpus, fingerprint, known_corpora


def test_newer_tatoeba_files_have_one_more_column(loopback, monkeypatch, own_home, tmp_path):
    lines = [f"Sentence {i}.\tSatz {i}.\tCC-BY 2.0 (France) #{i}" for i in range(1000)]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("deu.txt", "\n".join(lines) + "\n")
    loopback.content["/deu-eng.zip"] = buffer.getvalue()
    address = f"{loopback.address}/deu-eng.zip"
    monkeypatch.setattr(registry, "TATOEBA", registry.TATOEBA._replace(address=address))
    corpus = load_corpus(CorpusConfig(name="tatoeba"))
    assert next(iter(corpus.train.targets)) == "Satz 0."


def test_every_corpus_has_size_licence_and_address(own_home):
    for corpus in known_corpora().values():
        told = corpus.describe()
        assert list(told) == ["pairs", "licence", "address", "cached"]
        assert told["cached"].startswith("not needed" if not corpus.files else "no, ")
        assert all(file.address.startswith("https://") for file in corpus.files)
    assert fetch_corpus("demo") == ()


def test_fingerprint_follows_files_and_settings(tmp_path):
    path = tmp_path / "a.tsv"

    def name(content="a\tA\n", **settings):
        path.write_text(content)
        return fingerprint(CorpusConfig(train={"tsv": str(path)}, **settings))

    assert name() == name()
    others = {
        name("b\tB\n"),
        name(target_language="fr"),
        name(cleaning={"drop_duplicates": False}),
        name(split={"test": 0.2}),
    }
    assert len({name(), *others}) == 5
    assert name(cleaning={"max_length_ratio": 3.0}) == name()  # a matter of the encoding


def test_demo_keeps_the_fingerprint_that_runs_of_earlier_releases_recorded():
    assert fingerprint(CorpusConfig(name="demo")) == "5a19a34e645cadb6f141baa6bab7703a"
