"""Tags at the beginning of source lines: what is one, and what they do not change."""

import pytest

from translator.base.errors import InputError
from translator.base.texts import Counts
from translator.config.corpus import CorpusConfig, FilesConfig, MixedCorpusConfig
from translator.corpora.corpus import load_corpus, load_held_out, read_mixed
from translator.corpora.registry import mixed_fingerprint
from translator.corpora.tags import check_tags, split_tags

KNOWN = ("bt", "news-2")


def test_only_a_known_name_at_the_beginning_is_a_tag():
    for line, names, rest in [
        ("<bt> A dog.", ("bt",), "A dog."),
        ("  <bt>\tA dog. ", ("bt",), "A dog. "),
        ("<bt> <news-2> A dog.", ("bt", "news-2"), "A dog."),
        ("<bt>", ("bt",), ""),
        ("<bt> <BT> A dog.", ("bt",), "<BT> A dog."),
        ("<bt>A dog.", (), "<bt>A dog."),
        ("A <bt> dog.", (), "A <bt> dog."),
        (" <b> A dog.", (), " <b> A dog."),
        ("</bt> A dog.", (), "</bt> A dog."),
        ("<bt > A dog.", (), "<bt > A dog."),
        ("", (), ""),
    ]:
        assert split_tags(line, KNOWN) == (names, rest)


def test_without_known_names_nothing_is_a_tag():
    assert split_tags("<bt> A dog.", ()) == ((), "<bt> A dog.")


def test_unknown_tags_and_those_of_targets_are_refused_with_their_line():
    unknown = r"a tag of tokenizer\.tags \(bt, news-2\), found <nix>; correct the tag, or"
    of_target = "tags only before the source, found <bt> before the target; remove that tag"
    for pair, message in [
        (("<nix> A dog.", "Ein Hund."), unknown),
        (("<bt> <nix> A dog.", "Ein Hund."), unknown),
        ((" <nix>", "Ein Hund."), unknown),
        (("A dog.", "<bt> Ein Hund."), of_target),
    ]:
        pairs = [("<bt> A dog.", "<nix> Ein Hund."), pair]
        with pytest.raises(InputError, match=rf"^a\.tsv, line 2: expected {message}"):
            list(check_tags(pairs, KNOWN, "a.tsv"))
        assert list(check_tags(pairs, (), "a.tsv")) == pairs


def test_markup_is_no_unknown_tag():
    pairs = [("<b>A</b> dog.", "x"), ("<br/> A dog.", "y"), ("1 <2> 3", "z")]
    assert list(check_tags(pairs, KNOWN, "a.tsv")) == pairs


@pytest.fixture
def tagged(tmp_path) -> CorpusConfig:
    """A corpus whose training side has a held-out sentence with a tag, and an empty line."""
    texts = {
        "train": "<bt> A dog.\tEin Hund.\n<bt> \tLeer.\n<bt> A cat!\tEine Katze.\n"
        "A dog.\tEin Hund.\n",
        "validation": "A cat.\tEine Katze da.\n",
    }
    files = {}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
        files[name] = {"tsv": str(tmp_path / name)}
    return CorpusConfig.model_validate(files)


@pytest.fixture
def back(tmp_path) -> MixedCorpusConfig:
    """Pairs of which the first is in that corpus, and the last is empty."""
    path = tmp_path / "back"
    path.write_text("A dog.\tEin Hund.\n<news-2> A cow.\tEine Kuh.\n\tNichts.\n", "utf-8")
    return MixedCorpusConfig(train=FilesConfig(tsv=str(path)), weight=1.0, tag="bt")


def test_held_out_sentences_are_found_behind_tags_and_tags_alone_are_empty(tagged):
    corpus = load_corpus(tagged, KNOWN)
    assert list(zip(*corpus.train)) == [("<bt> A dog.", "Ein Hund."), ("A dog.", "Ein Hund.")]
    assert corpus.dropped == {"empty": 1, "duplicates": 0, "held out": 1}
    assert ("<bt> A cat!", "Eine Katze.") in zip(*load_corpus(tagged).train)


def test_all_of_a_sentence_stay_together_whatever_its_tags(tmp_path):
    lines = [f"{tag}Sentence {i}.\tSatz {i} {j}.\n" for i in range(300) for j, tag in
             enumerate(("", "<bt> ", "<news-2> "))]  # fmt: skip
    (tmp_path / "train").write_text("".join(lines), "utf-8")
    config = CorpusConfig.model_validate(
        {
            "train": {"tsv": str(tmp_path / "train")},
            "source_language": "fr",
            "split": {"validation": 0.1, "test": 0.1},
        }
    )
    corpus = load_corpus(config, KNOWN)
    held_out = {split_tags(text, KNOWN)[1] for text in corpus.validation.sources}
    assert len(corpus.validation) == 3 * len(held_out) > 0
    assert not held_out & {split_tags(text, KNOWN)[1] for text in corpus.train.sources}


def test_pairs_that_are_mixed_in_get_their_tag_and_known_ones_are_dropped(tagged, back):
    dropped = Counts()
    pairs = read_mixed(tagged, back, load_corpus(tagged, KNOWN), dropped, KNOWN)
    assert list(zip(*pairs)) == [("<bt> <news-2> A cow.", "Eine Kuh.")]
    assert dropped == {"empty": 1, "duplicates": 1}
    keys = [
        mixed_fingerprint(tagged, back.model_copy(update={"tag": tag}))
        for tag in ("bt", "news-2", None, "bt")
    ]
    assert len(set(keys)) == 3
    assert keys[0] == keys[3]


def test_unknown_tags_are_refused_in_every_file(tagged, back):
    for tags, name in ((("news-2",), "train"), (("bt",), "back")):
        with pytest.raises(InputError, match=f"{name}, line [12]: expected a tag of"):
            read_mixed(tagged, back, load_corpus(tagged, tags), Counts(), tags)
    path = tagged.validation.paths[0]
    path.write_text("A cat.\tEine Katze.\n<nix> A.\tB.\n", "utf-8")
    with pytest.raises(InputError, match="validation, line 2: .* found <nix>"):
        load_held_out(tagged, "validation", ("bt",))
