"""Copies of pairs as people type them."""

from translator.corpora import SentencePairs
from translator.data.noise import make_noisy_copies

PAIRS = SentencePairs.from_pairs(
    [(f"It's cat {i}.", f"Es ist Katze {i}.") for i in range(1000)]
    + [(f"Dog {i}!", f"Hund {i}!") for i in range(1000)]
    + [(f"Horse {i}", f"Pferd {i}.") for i in range(500)]
    + [(f"Horse {i}.", f"Pferd {i}") for i in range(500)]
)


def test_a_share_of_the_copies_has_no_final_mark():
    copies = list(zip(*make_noisy_copies(PAIRS, 0.2, "en")))
    shorter = [pair for pair in copies if pair[1][-1].isdigit()]
    assert all(text[-1].isdigit() for pair in shorter for text in pair)
    assert 320 < len(shorter) < 480  # of cats and dogs; of horses one side has none
    assert not any(source.startswith("Horse") for source, _ in shorter)


def test_a_source_is_typed_in_each_way_and_keeps_its_tags_and_target():
    english = "It's the boss's idea for Tom and Anna."
    rows = [
        ("en", english, "Its the bosss idea for Tom and Anna.", 0.1),
        ("de", "Österreichs SS-Straße", "Oesterreichs SS-Strasse", 0.025),
        ("de", "Österreichs SS-Straße", "Österreichs SS-Strasse", 0.025),
    ]
    for language, source, typed, share in rows:
        pairs = SentencePairs.from_pairs([(f"<bt> {source}", "T")] * 10_000)
        copies = list(zip(*make_noisy_copies(pairs, 0.1, language, ("bt",))))
        assert {target for _, target in copies} == {"T"}
        assert all(copy.startswith("<bt> ") for copy, _ in copies)
        assert 0.7 < copies.count((f"<bt> {typed}", "T")) / (10_000 * share) < 1.3, typed


def test_copies_do_not_depend_on_anything_else():
    assert make_noisy_copies(PAIRS, 0.2, "en") == make_noisy_copies(PAIRS, 0.2, "en")
    assert len(make_noisy_copies(PAIRS, 0.0, "en")) == 0
