"""Corpora of OPUS, which are served on the loopback address."""

import io
import zipfile

import pytest

from tests.loopback import LoopbackServer
from translator.base.errors import InputError
from translator.config.yaml_file import validate_config
from translator.corpora import opus as opus_module
from translator.corpora.corpus import load_corpus, load_held_out
from translator.corpora.registry import fingerprint, is_at_hand

PAIRS = [(f"A dog sees {i} cats.", f"Un chien voit {i} chats.") for i in range(200)]
PLACE = "/OPUS-Dogs/v1.2/moses/en-fr.txt.zip"


def zipped(members: dict[str, str]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return content.getvalue()


@pytest.fixture
def opus(monkeypatch, tmp_path):
    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path / "home"))
    sides = {
        f"Dogs.en-fr.{name}": "".join(f"{pair[side]}\n" for pair in PAIRS)
        for side, name in enumerate(("en", "fr"))
    }
    server = LoopbackServer()
    server.content[PLACE] = zipped({**sides, "README": "OPUS"})
    address = opus_module.ADDRESS.replace("https://object.pouta.csc.fi", server.address)
    monkeypatch.setattr(opus_module, "ADDRESS", address)
    yield server
    server.stop()


def config_of(source: str, target: str, **corpus: object):
    values = {"name": "opus:Dogs-v1.2", "source_language": source, "target_language": target}
    config = {"corpus": {**values, **corpus}, "data": {"batch_size": 8}}
    return validate_config(config, "test").corpus


def test_a_corpus_of_opus_is_fetched_once_in_any_direction(opus):
    config = config_of("fr", "en")
    assert not is_at_hand(config)
    corpus = load_corpus(config)
    assert ("Un chien voit 7 chats.", "A dog sees 7 cats.") in [
        pair for pairs in (corpus.train, corpus.validation, corpus.test) for pair in zip(*pairs)
    ]
    assert is_at_hand(config)
    turned = load_corpus(config_of("English", "fra"))
    assert next(iter(turned.train.sources)).startswith("A dog")
    assert opus.requests == [PLACE]


def test_own_files_may_be_held_out(opus, tmp_path):
    path = tmp_path / "dev.tsv"
    path.write_text("A dog sees 7 cats.\tUn chien voit 7 chats.\n", "utf-8")
    plain, own = config_of("en", "fr"), config_of("en", "fr", validation={"tsv": str(path)})
    corpus = load_corpus(own)
    assert len(corpus.validation) == 1
    assert corpus.test is None
    assert len(corpus.train) == len(PAIRS) - 1
    held_out, _ = load_held_out(own, "validation")
    assert held_out.sources == ("A dog sees 7 cats.",)
    assert fingerprint(plain) != fingerprint(own)


def test_what_is_no_corpus_of_opus_is_one_line(opus):
    with pytest.raises(InputError, match="corpus of OPUS and its version, .*, found 'opus:Dogs'"):
        config_of("en", "fr", name="opus:Dogs")
    with pytest.raises(InputError, match="has its own sentences"):
        config_of("en", "fr", train={"tsv": "a.tsv"})
    opus.content.clear()
    with pytest.raises(InputError) as error:
        load_corpus(config_of("en", "fr"))
    message = (
        f"opus:Dogs-v1.2: expected a corpus of OPUS with en and fr, found none at {opus.address}"
    )
    assert str(error.value).startswith(message)
    assert str(error.value).endswith("https://opus.nlpl.eu lists names, versions and languages")


def test_an_archive_that_cannot_be_used_is_named_by_its_address_and_not_kept(opus, tmp_path):
    whole, lines = opus.content[PLACE], "A dog.\n"
    two = {f"{stem}.en-fr.{code}": lines for stem in ("Dogs", "Cats") for code in ("en", "fr")}
    for content, found in [
        (whole[: len(whole) // 2], "a whole zip archive, found a damaged one: File is not a zip"),
        (b"<!DOCTYPE html><html>Moved</html>\n", "sentence pairs, found a web page"),
        (zipped(two), "one for each language, found Dogs.en-fr.en, Dogs.en-fr.fr, Cats.en-fr.en"),
        (zipped({"Dogs.de-fr.de": lines, "Dogs.de-fr.fr": lines}), "found Dogs.de-fr.de"),
    ]:
        opus.content[PLACE] = content
        with pytest.raises(InputError) as error:
            load_corpus(config_of("en", "fr"))
        message = str(error.value)
        assert message.startswith(f"{opus.address}{PLACE}: expected ")
        assert found in message
        assert ".part" not in message
        by_hand = tmp_path / "home/corpora/opus/Dogs/v1.2/en-fr.txt.zip"
        assert message.endswith(f"; try again later, or copy the file by hand to {by_hand}")
        assert not by_hand.exists()
