"""Copies of pairs as people type them."""

from translator.corpora.pairs import SentencePairs
from translator.data.noise import make_noisy_copies

LANGUAGES = ("en", "de")
PAIRS = SentencePairs.from_pairs(
    [(f"It's cat {i}.", f"Es ist Katze {i}.") for i in range(1000)]
    + [(f"Dog {i}!", f"Hund {i}!") for i in range(1000)]
    + [(f"Horse {i}", f"Pferd {i}.") for i in range(1000)]
)


def test_copies_have_no_final_mark():
    copies = list(zip(*make_noisy_copies(PAIRS, 0.2, LANGUAGES)))
    assert all(text[-1].isdigit() for pair in copies for text in pair)
    assert 320 < len(copies) < 480  # of cats and dogs; horses have none
    assert not any(source.startswith("Horse") for source, _ in copies)


def test_copies_do_not_depend_on_anything_else():
    assert make_noisy_copies(PAIRS, 0.2, LANGUAGES) == make_noisy_copies(PAIRS, 0.2, LANGUAGES)
    assert len(make_noisy_copies(PAIRS, 0.0, LANGUAGES)) == 0


def test_pairs_with_an_ordinal_number_have_copies_in_digits():
    pairs = SentencePairs.from_pairs(
        [
            *[("The third time I saw it.", "Das dritte Mal, dass ich es sah.")] * 200,
            ("The First dog is the second one.", "Der erste Hund ist der zweite."),
            ("He came first.", "Er kam als Erster."),
            ("Wait a second here.", "Warte hier eine Sekunde."),
        ]
    )
    copies = list(zip(*make_noisy_copies(pairs, 0.0, LANGUAGES)))
    assert len(copies) == 200
    assert ("The 21st time I saw it.", "Das 21. Mal, dass ich es sah.") in copies
    assert ("The 12th time I saw it.", "Das 12. Mal, dass ich es sah.") in copies
    back = SentencePairs(pairs.targets, pairs.sources)
    assert ("Das 2. Mal, dass ich es sah.", "The 2nd time I saw it.") in zip(
        *make_noisy_copies(back, 0.0, ("de", "en"))
    )
    assert len(make_noisy_copies(pairs, 0.0, ("en", "fr"))) == 0
