"""The offer to go on from a model that comes with the program."""

import re
import shutil
import types

import pytest

from translator.addons.monitoring import prospects
from translator.addons.monitoring.prospects import compare_with_known_model, offer_known_model
from translator.config.yaml_file import validate_config
from translator.corpora.pairs import SentencePairs
from translator.data.encoded_pairs import EncodedPairs
from translator.data.encoding import store_text
from translator.runs.choosing import find_run
from translator.runs.directory import RunDirectory

PAIRS = [("I am not tired today.", "Ich bin heute nicht müde."), ("Tom is here.", "Tom ist hier.")]
EXPECTED = (
    r"{name}, which comes with the program, already has BLEU ([\d.]+) on 2 held-out"
    " sentences; to train this model further, add --init {name}"
)


def held_out(folder, pairs, target="de"):
    """The data of a training that holds some pairs out."""
    store_text(SentencePairs.from_pairs(pairs), folder, "text")
    return types.SimpleNamespace(
        validation_text=EncodedPairs.load(folder, "text"),
        tokenizers=types.SimpleNamespace(target=types.SimpleNamespace(language=target)),
    )


def offers(folder, pairs, **sections):
    """The lines of a training on pairs in files, of which some are held out."""
    source, target = sections.pop("languages", ("en", "de"))
    corpus = {"train": {"tsv": "own.tsv"}, "source_language": source, "target_language": target}
    values = {"corpus": corpus, "data": {"batch_tokens": 1024}, "model": {}, **sections}
    data = held_out(folder, pairs, target)
    return list(offer_known_model(validate_config(values, "test"), data))


@pytest.mark.parametrize("step", [1, -1])
def test_it_says_how_well_the_model_translates_the_held_out_pairs(tmp_path, step):
    languages = ("en", "de")[::step]
    name, pairs = "-".join(languages), [pair[::step] for pair in PAIRS]
    right, wrong = (
        float(re.fullmatch(EXPECTED.format(name=name), line)[1])
        for targets in ([target for _, target in pairs], ["nothing of this", "nor of this"])
        for line in offers(tmp_path, zip(next(zip(*pairs)), targets), languages=languages)
    )
    assert right > 40 > 5 > wrong


def test_nothing_is_offered_where_no_model_fits_or_one_is_named(tmp_path):
    assert not offers(tmp_path, PAIRS, languages=("en", "fr"))
    assert not offers(tmp_path, PAIRS, training={"init": "en-de"})
    assert not offers(tmp_path, PAIRS, corpus={"name": "demo"})


def test_a_run_keeps_that_the_model_that_comes_along_is_better(tmp_path, monkeypatch):
    run, said = RunDirectory(tmp_path / "own"), []
    shutil.copytree(find_run("en-de").path, run.path)
    shutil.copytree(run.path, run.export)
    data = held_out(tmp_path, PAIRS)
    compare_with_known_model(run, data, said.append)  # it is the same model
    assert not said
    assert run.read_record().known is None
    monkeypatch.setattr(
        prospects, "_measure", lambda model, *_: 21.64 if model == run.export else 26.36
    )
    compare_with_known_model(run, data, said.append)
    assert said == [
        "en-de, which comes with the program, translates 2 held-out sentences better than this run:"
        " BLEU 26.4 instead of 21.6; train that model further with --init en-de"
    ]
    assert run.read_record().known == [26.4, 21.6]
