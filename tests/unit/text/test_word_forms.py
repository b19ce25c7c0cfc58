"""Forms of known words are told from new words by endings and prefixes that are learnt."""

import itertools

from translator.text.word_forms import WordForms

STEMS = ["".join(letters) for letters in itertools.product("bdfk", "aeiou", "lmn", "o")]
WORDS = frozenset(
    [*STEMS, *(stem + "ing" for stem in STEMS), *("un" + stem for stem in STEMS)]
    + ["hammer", "plug", "organizing", "toming", "sing"]
)
FORMS = WordForms(WORDS)


def test_affixes_of_many_words_are_learnt():
    assert (FORMS.endings, FORMS.prefixes) == ({"ing"}, {"un"})
    assert WordForms(frozenset(["walk", "walked"])).endings == set()


def test_forms_of_known_words_have_learnt_affixes():
    for word, is_form in [
        ("hammer", True),
        ("hammering", True),
        ("unplug", True),
        ("unplugging", False),  # plugg is no word
        ("unhammering", True),
        ("hammers", False),  # no other word has this ending
        ("organiz", False),
        ("organized", False),
        ("replug", False),
        ("untom", False),
        ("un", False),
        ("", False),
    ]:
        assert FORMS.has(word) == is_form


def test_words_of_two_learnt_endings_share_a_stem():
    words = WORDS | {stem + "ed" for stem in STEMS}
    assert WordForms(words).has("organized")
    assert not WordForms(words).has("tomed")  # three letters are too few
