"""``translator models``: the table, and a model fetched over the loopback address."""

import pytest

import translator
from tests.public_models import SHAPES
from translator.addons.public_models import importing
from translator.base.errors import InputError
from translator.cli import main
from translator.runs.choosing import find_run

NAME = "opus-mt-en-de"


@pytest.fixture
def host(loopback, monkeypatch, own_home, public_model):
    """A server with the files of one public model, laid out as at Hugging Face."""
    for path in public_model("tied").iterdir():
        loopback.content[f"/{NAME}/resolve/main/{path.name}"] = path.read_bytes()
    monkeypatch.setattr(importing, "HOST", loopback.address)
    return loopback


def test_the_table_names_pair_licence_and_address(own_home, capsys):
    main(["models"])
    lines = capsys.readouterr().out.splitlines()
    first = lines.index(NAME)
    assert lines[first + 1].split() == ["pair", "en", "to", "de"]
    assert "CC BY 4.0" in lines[first + 2]
    assert "Apache 2.0" in lines[lines.index("opus-mt-en-zh") + 2]
    assert "see its page" in lines[lines.index("opus-mt-en-fi") + 2]
    assert lines[first + 3].split() == ["address", f"https://huggingface.co/Helsinki-NLP/{NAME}"]
    assert lines[first + 4].split() == ["fetched", "no"]


def test_a_fetched_model_is_found_by_its_name(host, own_home, capsys):
    main(["models", "--fetch", NAME])
    captured = capsys.readouterr()
    assert f"use it with --run {NAME}" in captured.err
    run = find_run(NAME)
    assert run.path == own_home / "models" / NAME
    assert translator.load(NAME).engine.name == "ctranslate2"
    main(["translate", "--run", NAME, "--max-length", "8", "The dog sees the house."])
    assert capsys.readouterr().out.strip()
    assert translator.load(NAME).config.model.num_layers == SHAPES["tied"].layers
    assert not (own_home / "downloads" / NAME).exists()
    requests = len(host.requests)
    main(["models", "--fetch", NAME])  # it is there already
    assert len(host.requests) == requests
    main(["models"])
    assert f"fetched  yes, {run.path}" in capsys.readouterr().out


def test_a_model_of_several_target_languages_says_its_tokens(
    host, own_home, public_model, monkeypatch, capsys
):
    for path in public_model("multilingual").iterdir():
        host.content[f"/{NAME}/resolve/main/{path.name}"] = path.read_bytes()
    main(["models", "--fetch", NAME])
    tokens = ">>deu<<, >>fra<<"
    assert f"each line with the target language's token: {tokens}\n" in capsys.readouterr().err
    main(["models"])
    assert f"tokens   begin each line with one of {tokens}\n" in capsys.readouterr().out
    main(["translate", "--run", NAME, "--max-length", "8", "The dog.", "The house."])
    error = capsys.readouterr().err
    assert error.count(f"line 1: expected a target token ({tokens}) at the beginning") == 1
    assert "line 2: expected a target token" not in error


def test_another_form_of_weights_is_taken_where_safetensors_are_missing(host, monkeypatch):
    content = host.content.pop(f"/{NAME}/resolve/main/model.safetensors")
    readers = importing.READERS  # type: ignore[attr-defined]
    monkeypatch.setitem(readers, "tf_model.h5", readers["model.safetensors"])
    model = importing.known_models()[NAME]
    with pytest.raises(InputError, match="the answer 404"):
        importing.fetch_weights(model)
    host.content[f"/{NAME}/resolve/main/tf_model.h5"] = content
    assert importing.fetch_weights(model).name == "tf_model.h5"


def test_a_model_that_cannot_be_imported_is_downloaded_anew(host, own_home):
    address = f"/{NAME}/resolve/main/config.json"
    kept = host.content[address]
    host.content[address] = kept.replace(b"swish", b"tanh")
    with pytest.raises(InputError, match="found 'tanh'; the downloaded files are removed"):
        importing.fetch_model(NAME)
    assert not (own_home / "downloads" / NAME).exists()
    host.content[address] = kept
    assert importing.fetch_model(NAME).record.is_file()


def test_settings_of_newer_folders_say_the_beam(host):
    host.content[f"/{NAME}/resolve/main/generation_config.json"] = b'{"num_beams": 3}'
    assert importing.fetch_model(NAME).read_config().decoding.beam_size == 3


def test_bad_downloads_leave_no_run(host, own_home):
    address = f"/{NAME}/resolve/main/"
    for name, content, message in (
        ("vocab.json", b"<html>", "expected settings in JSON, found something else"),
        ("source.spm", b"<html>", "expected a SentencePiece model, found other bytes"),
        ("model.safetensors", b"<html>", "found a damaged or wrong file"),
    ):
        kept = host.content[address + name]
        host.content[address + name] = content
        with pytest.raises(InputError, match=message):
            importing.fetch_model(NAME)
        assert not (own_home / "models" / NAME).exists()
        host.content[address + name] = kept
    with pytest.raises(InputError, match="xx: expected a model that translator models lists"):
        importing.fetch_model("xx")
    host.stop()
    with pytest.raises(InputError, match="found .* with translator import$"):
        importing.fetch_model(NAME)
