"""What a training that goes on from another run takes from it, and what it may not say."""

import pytest

from translator.base.errors import InputError
from translator.config.yaml_file import read_config
from translator.training.resolution import complete_for_encoding, find_initial_run

CONFIG = "corpus: {train: {tsv: own.tsv}}\ndata: {batch_tokens: 2048}\nmodel: {}\n"


def taken(tmp_path, text: str, *overrides: str):
    """A configuration with what it lacks from the model that comes with the program."""
    path = tmp_path / "config.yaml"
    path.write_text(CONFIG + text, "utf-8")
    config = read_config(path, ("training.init=en-de", *overrides))
    return complete_for_encoding(config, find_initial_run(config), print)


def test_what_is_not_said_is_taken_over(tmp_path):
    config = taken(tmp_path, "tokenizer: {shared: true}\n")
    assert config.tokenizer.vocab_size == 8000
    assert config.model.tied_embeddings == "all"


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("tokenizer.shared=false", "en-de has tokenizer.shared: True, found False; set tokenizer"),
        ("tokenizer.name=bpemb", "en-de has tokenizer.name: 'sentencepiece', found 'bpemb'"),
        ("tokenizer.tags=[bt]", r"en-de has tokenizer.tags: \[\], found \['bt'\]; set tokenizer"),
    ],
)
def test_what_does_not_fit_the_other_run_is_refused(tmp_path, override, message):
    with pytest.raises(InputError, match=f"^training.init: .*{message}"):
        taken(tmp_path, "", override)


def test_tags_of_mixed_corpora_are_those_of_the_other_run(tmp_path):
    mixed = "corpora: [{train: {tsv: more.tsv}, weight: 1, tag: bt}]\n"
    message = r"^training.init: .*en-de: corpora.0.tag: expected a tag of .* \(none\), found 'bt'"
    with pytest.raises(InputError, match=message):
        taken(tmp_path, mixed)
