"""What a training says of its pairs before it begins."""

import sys
from types import SimpleNamespace

from translator.addons.inspection.report import describe_faults, warn_about_pairs
from translator.config.schema import CorpusConfig
from translator.corpora.demo import load_demo_corpus

PAIRS = [(pair.source, pair.target) for pair in load_demo_corpus().test[:200]]
SHOWS_WHICH = "; translator inspect shows these"
SWAPPED = f"each side is in the language of the other{SHOWS_WHICH}"


def test_pairs_are_strange_if_many_of_them_are():
    assert list(describe_faults(PAIRS, ("en", "de"))) == []
    assert list(describe_faults([("12", "13")] * 5, ("en", "de"))) == []  # too few to say anything
    mixed = [(b, a) if i % 4 == 0 else (a, b) for i, (a, b) in enumerate(PAIRS)]
    [line] = describe_faults(mixed, ("en", "de"))
    assert line == f"swapped sides in 25% of the first 200 pairs: {SWAPPED}"
    few = [(b, a) if i % 20 == 0 else (a, b) for i, (a, b) in enumerate(PAIRS)]
    assert list(describe_faults(few, ("en", "de"))) == []


def test_strange_pairs_are_reported():
    for change, languages, expected in [
        (lambda a, b: (b, a), ("en", "de"), f"swapped sides in 100%: {SWAPPED}"),
        (
            lambda a, b: (a, a),
            ("en", "de"),
            f"untranslated copy in 100%: both sides are the same text, or nearly{SHOWS_WHICH}",
        ),
        (
            lambda a, b: ("5 0.97", b),
            ("en", "de"),
            "a side without words in 100%: only one side has words; the other is a number, an"
            f" address or the like{SHOWS_WHICH}",
        ),
        (
            lambda a, b: (a, b),
            ("en", "fr"),
            "another language in 100%: a side is in a third language, or both are in the same one"
            f"{SHOWS_WHICH}",
        ),
    ]:
        lines = describe_faults([change(*pair) for pair in PAIRS], languages)
        assert [line.replace(" of the first 200 pairs", "") for line in lines] == [expected]


def test_files_are_looked_at_and_known_corpora_are_not(tmp_path, monkeypatch):
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{pair[1]}\t{pair[0]}\n" for pair in PAIRS), "utf-8")
    config = CorpusConfig.model_validate({"train": {"tsv": str(path)}})
    expected = f"corpus: swapped sides in 100% of the first 200 pairs: {SWAPPED}"
    assert list(warn_about_pairs(SimpleNamespace(corpus=config))) == [expected]
    assert list(warn_about_pairs(SimpleNamespace(corpus=CorpusConfig(name="demo")))) == []
    monkeypatch.setitem(sys.modules, "py3langid.langid", None)
    assert list(warn_about_pairs(SimpleNamespace(corpus=config))) == []  # py3langid is missing
