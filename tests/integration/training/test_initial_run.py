"""What a training that goes on from another run takes from it, and what it may not say."""

import pytest

from translator.base.errors import InputError
from translator.config.yaml_file import read_config
from translator.training.settings import choose_initial_run, decide_encoding

CONFIG = "corpus: {train: {tsv: own.tsv}}\ndata: {batch_tokens: 2048}\nmodel: {}\n"


def taken(tmp_path, text: str, *overrides: str):
    """A configuration with what it lacks from the model that comes with the program."""
    path = tmp_path / "config.yaml"
    path.write_text(CONFIG + text, "utf-8")
    config = read_config(path, ("training.init=en-de", *overrides))
    return decide_encoding(*choose_initial_run(config, print), print)


def test_the_model_that_comes_with_the_program_is_taken_where_it_fits(tmp_path, capsys):
    for overrides, init, said in [
        ((), "en-de", "chosen: training.init en-de: it translates from en to de"),
        (("corpus.source_language=fr",), None, "none: no model from fr to de comes with"),
        (("model.d_model=128",), None, "en-de, found 128; set model.d_model to the run"),
        (("tokenizer.name=bpemb",), None, "en-de, found 'bpemb'; set tokenizer.name to"),
        (("training.init=none",), None, ""),
    ]:
        assert taken(tmp_path, "", "training.init=auto", *overrides).training.init == init
        assert said in capsys.readouterr().out.partition("\n")[0]


def test_what_is_not_said_is_taken_over(tmp_path):
    config = taken(tmp_path, "tokenizer: {shared: true}\n")
    assert config.tokenizer.vocab_size == 12000
    assert config.model.tied_embeddings == "all"


def test_what_does_not_fit_the_other_run_is_refused(tmp_path):
    mixed = "corpora: [{train: {tsv: more.tsv}, weight: 1, tag: bt}]\n"
    for text, overrides, message in [
        ("", ("tokenizer.shared=false",), "tokenizer.shared: True as in .*, found False; set"),
        ("", ("tokenizer.name=bpemb",), "tokenizer.name: 'sentencepiece' as in .*, found 'bpemb'"),
        ("", ("tokenizer.tags=[bt]",), r"tokenizer.tags: \['formal.* as in .*, found .*; set to"),
        (mixed, (), r"en-de: corpora.0.tag: expected a tag of .* \(formal, informal\), found 'bt'"),
    ]:
        with pytest.raises(InputError, match=f"^training.init: .*{message}"):
            taken(tmp_path, text, *overrides)
