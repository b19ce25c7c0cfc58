"""Titles in place of pronouns have the case of the pronoun, in both directions."""

import re

import numpy as np
import pytest

from translator.data.masked_pairs import with_title

EN_DE = ("en", "de")
DE_EN = ("de", "en")

TITLE = re.compile(r"(?:Mr|Mrs|Ms|Miss)\b\.?")  # of the source any of the usual ones


@pytest.mark.parametrize(
    ("languages", "pair", "made"),
    [
        (EN_DE, ("He left.", "Er ging."), ("Mr. X left.", "Herr X ging.")),
        (EN_DE, ("I saw him there.", "Ich sah ihn dort."), ("saw Mr. X there", "sah Herrn X dort")),
        (EN_DE, ("Help him!", "Hilf ihm!"), ("Help Mr. X!", "Hilf Herrn X!")),
        (EN_DE, ("I saw her.", "Ich sah sie."), ("saw Ms. X.", "sah Frau X.")),
        (DE_EN, ("Ich half ihr.", "I helped her."), ("Ich half Frau X.", "helped Ms. X.")),
        (DE_EN, ("Wo ist sie?", "Where is she?"), ("Wo ist Frau X?", "Where is Ms. X?")),
    ],
)
def test_a_title_stands_in_the_case_of_the_pronoun(languages, pair, made):
    titled = with_title(pair, languages, "X", np.random.default_rng(1))
    assert titled is not None
    for part, side in zip(made, titled):
        assert TITLE.sub("M", part) in TITLE.sub("M", side)


@pytest.mark.parametrize(
    ("languages", "pair"),
    [
        (EN_DE, ("He said he left.", "Er sagte, er sei gegangen.")),  # which of the two
        (EN_DE, ("He's here.", "Er ist hier.")),
        (EN_DE, ("They left.", "Sie gingen.")),
        (EN_DE, ("He left.", "Der Mann ging.")),
        (EN_DE, ("I know her car.", "Ich kenne ihr Auto.")),
        (EN_DE, ("She knows her.", "Sie kennt sie.")),
        (("en", "fr"), ("He left.", "Il est parti.")),
    ],
)
def test_other_pairs_have_no_title(languages, pair):
    assert with_title(pair, languages, "X", np.random.default_rng(1)) is None


def test_all_titles_of_a_source_are_drawn_and_the_translation_has_the_usual_one():
    generator = np.random.default_rng(1)
    pairs = [with_title(("She left.", "Sie ging."), EN_DE, "X", generator) for _ in range(60)]
    assert {pair and pair[0].split()[0] for pair in pairs} == {"Ms.", "Mrs.", "Miss", "Ms", "Mrs"}
    assert {pair and pair[1] for pair in pairs} == {"Frau X ging."}
