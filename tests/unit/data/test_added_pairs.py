"""Pairs that are added to a training split hold no sentence that is scored against."""

from collections import Counter
from typing import NamedTuple

import pytest

from tests.builders import article_pairs
from translator.config.yaml_file import validate_config
from translator.corpora.cleaning import normalized_key
from translator.corpora.corpus import Corpus
from translator.corpora.pairs import SentencePairs
from translator.data.training_pairs import (
    make_added_pairs,
    read_further_corpora,
    with_formality,
    without_added_pairs,
)
from translator.data.word_links import WordLinks
from translator.tokenizers.subword import Tokenizers

HELD_OUT = {
    "validation": ("The dog!", "Unser Tier."),
    "test": ("Our house.", "Das Haus."),
    "set_aside": ("knows the cat", "kennt die Katze"),
}


class BytesFor(NamedTuple):
    """Tokenizers that spell some marks in bytes."""

    marks: str

    def spells_in_bytes(self, text: str) -> bool:
        """Whether it is one of these marks."""
        return text in self.marks


def added(
    corpus: Corpus, tmp_path, drop_held_out: bool = True, unspelt: str = ""
) -> dict[str, SentencePairs]:
    """Each kind of pairs, and those of a further corpus."""
    further = tmp_path / "further.tsv"
    lines = ["\t".join(pair) for pair in (*HELD_OUT.values(), ("A bird.", "Ein Vogel."))]
    further.write_text("\n".join(lines), "utf-8")
    config = validate_config(
        {
            "corpus": {"train": {"tsv": "train.tsv"}, "cleaning": {"drop_held_out": drop_held_out}},
            "corpora": [{"train": {"tsv": str(further)}, "weight": 1.0}],
            "data": {"batch_size": 8, "noise": 0.9, "marks": 0.9, "word_pairs": True},
        },
        "here",
    )
    links, tokenizers = WordLinks.of(corpus.train), Tokenizers(BytesFor(""), BytesFor(unspelt))
    [mixed] = read_further_corpora(corpus, config)
    kinds = dict(make_added_pairs(corpus, corpus.train, config, links, tokenizers))
    return kinds | {"further": mixed.pairs}


def keys_of(found: dict[str, SentencePairs]) -> dict[str, set[str]]:
    """The keys of all sentences of each kind of pairs."""
    return {
        name: {normalized_key(text) for side in pairs for text in side}
        for name, pairs in found.items()
    }


@pytest.fixture
def corpus() -> Corpus:
    """A corpus, of which phrases could be cut that are held out."""
    one = {name: SentencePairs.from_pairs([pair]) for name, pair in HELD_OUT.items()}
    train = SentencePairs.from_pairs(article_pairs())
    return Corpus(train, one["validation"], one["test"], {}, {}, one["set_aside"])


def test_no_kind_of_added_pairs_has_a_held_out_sentence(corpus, tmp_path):
    held_out = {normalized_key(text) for pair in HELD_OUT.values() for text in pair}
    found = keys_of(added(corpus, tmp_path))
    assert found.keys() == {
        "further", "noisy copies", "copies with marks", "words and phrases"
    }  # fmt: skip
    for keys in found.values():
        assert keys
        assert not keys & held_out
    assert "a bird" in found["further"]
    everything = keys_of(added(corpus, tmp_path, drop_held_out=False))
    assert held_out <= everything["further"]
    assert {"the dog", "das haus", "knows the cat"} <= everything["words and phrases"]


def test_what_people_wrote_stays_without_made_pairs():
    added = {"noise": 0.5, "marks": 0.5, "word_pairs": True}
    corpus = {"train": {"tsv": "train.tsv"}}
    plain, more = (
        validate_config(
            {
                "corpus": corpus,
                "corpora": [{"name": "phrasebook", "weight": 1.0}],
                "data": {"batch_size": 8, **data},
            },
            "here",
        )
        for data in ({}, added)
    )
    assert without_added_pairs(more) == plain


def test_half_of_the_pairs_with_a_form_of_address_say_it_to_a_model_with_its_tags():
    rows = {  # the target, and the shares of its sources with each tag
        "Kommen Sie mit!": {"<formal>": 0.5},
        "Das ist für dich, Tom.": {"<informal>": 0.5},
        "Habt Ihr eure Schuhe?": {},  # shows both
        "Sie kommen.": {},  # may be "they"
        "Sie kommen mit.": {"<formal>": 0.5},
        "Komm mit!": {},
        "Er schläft.": {"<formal>": 0.05, "<informal>": 0.05},
    }
    tags = ["bt", "formal", "informal"]
    informed, plain = (
        validate_config(
            {
                "corpus": {"train": {"tsv": "train.tsv"}, "target_language": "de"},
                "data": {"batch_size": 8},
                "tokenizer": {"tags": names},
            },
            "here",
        )
        for names in (tags, tags[:2])
    )
    for target, shares in rows.items():
        source = "You come, too." if "mit." in target else "Text."
        pairs = SentencePairs.from_pairs([(f"<bt> {source}", target)] * 4000)
        assert with_formality(pairs, plain) == pairs
        sources = with_formality(pairs, informed).sources
        assert with_formality(pairs, informed).targets == pairs.targets
        found = Counter(told.removesuffix(f"<bt> {source}").strip() for told in sources)
        for name in {*found, *shares} - {""}:
            assert found[name] / 4000 == pytest.approx(shares[name], abs=0.03), target


def test_a_sentence_of_the_training_split_is_no_reference(corpus, tmp_path):
    train = SentencePairs.from_pairs([*zip(*corpus.train), ("knows the cat", "kennt sie")])
    found = keys_of(added(corpus._replace(train=train), tmp_path))
    assert "knows the cat" in found["further"]


def test_a_mark_that_a_tokenizer_spells_in_bytes_is_not_taught(corpus, tmp_path):
    def marks(unspelt: str) -> set[str]:
        pairs = added(corpus, tmp_path, unspelt=unspelt)["copies with marks"]
        return set("".join(["".join(side) for side in pairs])) & set('":')

    assert marks("") == set('":')
    assert marks('"„') == set(":")
