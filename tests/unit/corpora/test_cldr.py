"""Names from CLDR."""

from translator.config.schema import CorpusConfig
from translator.corpora import load_corpus
from translator.corpora.cldr import cldr_pairs


def test_names_are_paired_by_what_they_name():
    pairs = list(cldr_pairs())
    for pair in (
        ("Germany", "Deutschland"),
        ("Southeast Asia", "Südostasien"),
        ("French", "Französisch"),
        ("Swiss franc", "Schweizer Franken"),
        ("Swiss francs", "Schweizer Franken"),
        ("1 kilometer per hour", "1 Kilometer pro Stunde"),
        ("3 nautical miles", "3 Seemeilen"),
    ):
        assert pair in pairs
    assert 900 < len(pairs) < 1100
    assert not [name for pair in pairs for name in pair if not name or set(name) & set("()[]/")]


def test_they_are_a_corpus_in_both_directions():
    german = load_corpus(CorpusConfig(name="cldr", source_language="de", target_language="en"))
    assert "Meter pro Sekunde" in " ".join(german.train.sources)
    assert german.validation
