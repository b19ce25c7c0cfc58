"""Copies of pairs as people type them."""

from translator.corpora import SentencePairs
from translator.data.noise import make_noisy_copies, with_curly_marks

PAIRS = SentencePairs.from_pairs(
    [(f"It's cat {i}.", f"Es ist Katze {i}.") for i in range(1000)]
    + [(f"Dog {i}!", f"Hund {i}!") for i in range(1000)]
    + [(f"Horse {i}", f"Pferd {i}.") for i in range(1000)]
)


def test_copies_have_no_final_mark_or_curly_marks():
    copies = list(zip(*make_noisy_copies(PAIRS, 0.2)))
    kinds = {
        "curly": [pair for pair in copies if pair[0].startswith("It’s") and pair[1][-1] == "."],
        "shorter": [pair for pair in copies if pair[0][-1].isdigit() and pair[1][-1].isdigit()],
    }
    assert sum(map(len, kinds.values())) == len(copies)
    assert 80 < len(kinds["curly"]) < 120
    assert 240 < len(kinds["shorter"]) < 360  # half of the cats, all of the dogs, no horses
    assert not any(source.startswith("Horse") for source, _ in copies)


def test_copies_do_not_depend_on_anything_else():
    assert make_noisy_copies(PAIRS, 0.2) == make_noisy_copies(PAIRS, 0.2)
    assert len(make_noisy_copies(PAIRS, 0.0)) == 0


def test_marks_become_curly():
    given = """Tom's "best" friend said 'no'."""
    assert with_curly_marks(given) == "Tom’s “best” friend said ’no’."
