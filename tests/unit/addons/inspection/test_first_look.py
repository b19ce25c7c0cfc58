"""What a training says of its pairs before it begins."""

import pytest

from translator.addons.inspection.first_look import look_at, strange_in
from translator.config.schema import CorpusConfig
from translator.corpora.demo import load_demo_corpus

PAIRS = [(pair.source, pair.target) for pair in load_demo_corpus().test[:200]]


def test_usual_pairs_are_not_strange():
    assert list(strange_in(PAIRS, ("en", "de"))) == []
    assert list(strange_in([("12", "13")] * 5, ("en", "de"))) == []  # too few to say anything


@pytest.mark.parametrize(
    ("change", "languages", "expected"),
    [
        (
            lambda a, b: (b, a),
            ("en", "de"),
            "100% seem to have en and de the other way round; translator inspect shows which",
        ),
        (
            lambda a, b: (a, a),
            ("en", "de"),
            "100% are the same text on both sides; translator inspect shows which",
        ),
        (
            lambda a, b: ("5 0.97", b),
            ("en", "de"),
            "0% of the source side's characters are letters (is it text?)",
        ),
        (
            lambda a, b: (a, "我看见了一只狗。"),
            ("en", "x-a"),
            "most target letters are Han, written without spaces between words, which x-a is not"
            " (is it the right language?)",
        ),
        (
            lambda a, b: (a, b),
            ("en", "ja"),
            "most target letters are Latin, written with spaces between words, which Japanese is"
            " not (is it the right language?)",
        ),
    ],
)
def test_strange_pairs_are_told(change, languages, expected):
    assert list(strange_in([change(*pair) for pair in PAIRS], languages)) == [expected]


def test_a_part_that_is_swapped_is_told():
    mixed = [(b, a) if i % 4 == 0 else (a, b) for i, (a, b) in enumerate(PAIRS)]
    [line] = strange_in(mixed, ("en", "de"))
    assert line.endswith(
        "% seem to have en and de the other way round; translator inspect shows which"
    )
    few = [(b, a) if i % 20 == 0 else (a, b) for i, (a, b) in enumerate(PAIRS)]
    assert list(strange_in(few, ("en", "de"))) == []


def test_a_side_in_another_language_is_told():
    [line] = strange_in(PAIRS, ("en", "fr"))
    assert "% seem to have a target side in another language than fr, mostly de;" in line


def test_files_are_looked_at_and_known_corpora_are_not(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{pair[1]}\t{pair[0]}\n" for pair in PAIRS), "utf-8")
    config = CorpusConfig.model_validate({"train": {"tsv": str(path)}})
    assert list(look_at(config)) == [
        "corpus: of the first 200 pairs 100% seem to have en and de the other way round; translator"
        " inspect shows which"
    ]
    assert list(look_at(CorpusConfig(name="demo"))) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda text: text.replace(".", " ."),
            "have spaces before commas or full stops: give the text as people write it, as you"
            " will translate it, or set corpus.tokenized",
        ),
        (
            lambda text: text.replace("th", "th@@ "),
            "are cut into pieces (@@, ▁): give the text as it was before that",
        ),
        (
            lambda text: "▁" + text.replace(" ", " ▁"),
            "are cut into pieces (@@, ▁): give the text as it was before that",
        ),
    ],
)
def test_text_that_was_prepared_for_another_program_is_told(change, expected):
    pairs = [(change(source), target) for source, target in PAIRS]
    [line] = strange_in(pairs, ("en", "de"))
    assert line.endswith(f"% {expected}")
    lines = strange_in(pairs, ("en", "de"), tokenized=True)
    assert bool(list(lines)) == ("pieces" in expected)
