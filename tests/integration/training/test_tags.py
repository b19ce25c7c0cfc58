"""Runs with tags and masks: they reach the model, in both engines and in pictures."""

import pytest

import translator
from tests.commands import refused, run
from translator.export.ctranslate2 import export_run
from translator.runs.directory import RunDirectory
from translator.translation.options import TranslationOptions

SENTENCE, PLAIN = "The man sees the cat.", "Der Mann sieht die Katze."
BACK = "Ja der Mann sieht die Katze."  # what <bt> makes of it
NEWS = "Nein der Mann sieht die Katze."


@pytest.fixture
def tagged_run(stored_run):
    """A finished run in which the tag of a sentence decides the first word of its translation."""
    return stored_run("tagged")


@pytest.mark.parametrize("engine", ["ctranslate2", pytest.param("keras", marks=pytest.mark.slow)])
def test_tags_decide_translations_and_are_not_printed(capfd, tagged_run, engine):
    lines = [SENTENCE, f"<bt> {SENTENCE}", f"<news> {SENTENCE}", f"<news> {SENTENCE} {SENTENCE}"]
    arguments = ("translate", *lines, "<bt>", "--run", tagged_run, "--engine", engine)
    code, out, _ = run(capfd, *arguments)
    assert code == 0
    assert out.splitlines() == [PLAIN, BACK, NEWS, f"{NEWS} {NEWS}", ""]
    _, out, _ = run(capfd, *arguments, "--tag", "bt")
    assert out.splitlines() == [BACK, BACK, NEWS, f"{NEWS} {NEWS}", ""]
    _, out, _ = run(capfd, *arguments, "--tag", "bt", "--sample", "--top-k", 1)
    assert out.splitlines() == [BACK, BACK, NEWS, f"{NEWS} {NEWS}", ""]


def test_a_run_knows_the_tags_of_its_pairs_and_tells_of_others(capfd, tagged_run, tmp_path):
    export_run(RunDirectory(tagged_run), tmp_path / "export")
    tags = RunDirectory(tagged_run).read_record().tags
    assert min(tags[name] for name in ("news", "bt", "")) >= 80
    opened = translator.load(tmp_path / "export")
    assert opened.engine.name == "ctranslate2"
    assert [each.text for each in opened.translate([f"<news> {SENTENCE}"])] == [NEWS]
    for folder in (tagged_run, tmp_path / "export"):
        code, out, err = run(capfd, "translate", f"<2de> {SENTENCE}", SENTENCE, "--run", folder)
        assert code == 0
        assert err.count("expected a tag") == 1
        assert "line 1: expected a tag of the training data (news, bt), found <2de>, which" in err


def test_engines_score_and_find_the_same_behind_tags(tagged_run):
    sources = [SENTENCE, f"<bt> {SENTENCE}", f"<bt> <news> {SENTENCE}"]
    scores, texts = [], []
    for engine in ("keras", "ctranslate2"):
        opened = translator.load(tagged_run, engine)
        options = TranslationOptions(n_best=2)
        scores.append([each.log_probability for each in opened.score(sources, [BACK] * 3)])
        found = opened.translate(sources, options)
        texts.append([[each.ids for each in its.hypotheses] for its in found])
    assert texts[0] == texts[1]
    assert scores[0] == pytest.approx(scores[1], abs=0.02)
    assert scores[0][1] > scores[0][0] + 1


def test_attention_shows_a_tag_as_a_token_of_the_source(capfd, tagged_run, tmp_path):
    opened = translator.load(tagged_run)
    [translation] = opened.translate(f"<bt> {SENTENCE}")
    [record] = opened.attention(translation)
    assert record.source_tokens[:3] == ("<s>", "<bt>", "▁The")
    assert record.cross.shape[-1] == len(record.source_tokens)
    [pair] = opened.attention_of_pairs(f"<bt> {SENTENCE}", BACK)
    assert pair.source_tokens == record.source_tokens
    picture = tmp_path / "heads.svg"
    code, _, err = run(
        capfd, "attention", f"<bt> {SENTENCE}", "--run", tagged_run, "--out", picture
    )
    assert code == 0, err
    assert picture.exists()


def test_unknown_tags_are_refused_where_they_are_asked_for(capfd, tagged_run, tiny_run):
    arguments = ("translate", SENTENCE, "--tag", "nwes", "--run")
    assert refused(capfd, *arguments, tagged_run) == (
        "tag: expected one of the run's tags (news, bt), found 'nwes'"
    )
    assert refused(capfd, *arguments, tiny_run) == (
        "tag: expected no tag, found 'nwes'; this run was trained without tokenizer.tags"
    )
    assert refused(capfd, "translate", SENTENCE, "--formality", "formal", "--run", tagged_run) == (
        "formality: expected a model with the tags formal and informal, found one without; leave it"
        " out"
    )


def test_unknown_tags_in_training_text_are_refused_and_leave_nothing(
    capfd, tiny_corpus, tmp_path, own_home
):
    train = tmp_path / "train.tsv"
    train.write_text(f"<bt> {SENTENCE}\t{BACK}\n<news> {SENTENCE}\t{NEWS}\n", "utf-8")
    error = refused(
        capfd, "train", tiny_corpus / "config.yaml", "--run", tmp_path / "run",
        "--set", f"corpus.train.tsv={train}", "--set", "tokenizer.tags=[bt, talks]",
    )  # fmt: skip
    assert error.endswith(
        "expected a tag of tokenizer.tags (bt, talks), found <news>; correct the tag, or add its"
        " name to this key"
    )
    assert f"{train}, line 2" in error
    assert not list((tmp_path / "run").glob("*.npz"))


@pytest.mark.parametrize("name", ["zero-digits", "bpemb"])
def test_attention_of_given_pairs_is_read_with_masks(stored_run, name):
    model = translator.load(stored_run(name))
    [record] = model.attention_of_pairs(["Olga has 99 dogs."], ["Olga hat 99 Hunde."])
    assert {"⟨1⟩", "⟨#1⟩"} <= {*record.source_tokens} & {*record.target_tokens}
    good, bad = model.score(
        ["Olga has 99 dogs."] * 2, ["Olga hat 99 Hunde.", "Olga hat 99 Häuser."]
    )
    assert good.log_probability > bad.log_probability
