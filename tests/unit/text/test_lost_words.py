"""Names and members of lists that a translation lacks."""

import pytest

from translator.text.agreement import AgreementJudge
from translator.text.lexicon import Lexicon
from translator.text.lost_words import LostWords

ENGLISH = {
    "bread": {"brot": 0.9}, "milk": {"milch": 0.9}, "old": {"alt": 0.3}, "cheese": {"käse": 0.8},
    "eggs": {"eier": 0.8, "eiern": 0.1}, "house": {"haus": 0.9}, "please": {"bitte": 0.8},
    "jane": {"jane": 0.6}, "will": {"wird": 0.5}, "king": {"könig": 0.7}, "tom": {"tom": 0.9},
    "faint": {"schwach": 0.2},
}  # fmt: skip
GERMAN = {"brot": {"bread": 0.9}, "maria": {"maria": 0.5, "mary": 0.5}, "haus": {"house": 0.9},
          "in": {"in": 0.8}}  # fmt: skip


def lost(source: str, text: str, languages: tuple[str, str] = ("en", "de")) -> list[str]:
    words = GERMAN if languages[0] == "de" else ENGLISH
    return LostWords(*languages, lambda: Lexicon(words)).find(source, text)


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("Milk, bread, eggs and cheese", "Milch, Eier und Käse", ["bread"]),
        ("He buys milk, bread, cheese or eggs.", "Er kauft Milch, Brot oder Eier.", ["cheese"]),
        ("milk, bread, eggs, cheese", "Milch, Eier, Käse", ["bread"]),
        ("Milk, old bread, and cheese", "Milch und Käse", ["old bread"]),
        ("Milk, bread and cheese", "Milch, Graubrot und Käse", []),
        ("Milk, bread, and cheese", "Milch, Brote und Käse", []),
        ("Milk, bread and cheese", "Milch, Brötchen und Käse", []),  # as many as before
        ("Milk, bread and cheese", "Milch, Käse und Käse", ["bread"]),
        ("Milk, faint and cheese", "Milch und Käse", []),  # nothing is known of faint
        ("Come here, please, now", "Bitte komm jetzt her", []),  # three without a join are no list
        ("Bread, milk and cheese", "Käse, der aus Milch ist, mit Brot", []),
    ],
)
def test_members_of_lists_that_have_fewer_are_missed(source, text, expected):
    assert lost(source, text) == expected


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("I saw Jane Doe there.", "Ich sah Jane dort.", ["Doe"]),
        ("Jane Doe bought it.", "Jane hat es gekauft.", ["Doe"]),
        ("I saw Jane there.", "Ich sah sie dort.", ["Jane"]),
        ("I saw Jane's house.", "Ich sah Janes Haus.", []),
        ("Doe is here.", "Er ist da.", []),  # the first word of a sentence may be any
        ("Then Will said it.", "Dann sagte er es.", []),
        ("The King is here.", "Der König ist da.", []),
        ("A DOG OF JANE", "Ein Hund", []),
        ("The House Of Jane Doe", "Das Haus", []),
        ("Call 'Jane' on www.Jane.com", "Ruf „Jane“ an", []),
    ],
)
def test_names_are_missed(source, text, expected):
    assert lost(source, text) == expected


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("Ich sah Maria Poppins dort.", "I saw Mary there.", ["Poppins"]),
        ("Ich sah die Schweinerei dort.", "I saw the mess there.", []),
        ("In Schwimmbädern ist Brot.", "There is bread in pools.", []),
        ("Milch, Brot, Haus und Hof", "Milk, house and yard", ["Brot"]),
    ],
)
def test_nouns_are_no_names_but_behind_one(source, text, expected):
    assert lost(source, text, ("de", "en")) == expected


def test_what_is_lost_is_a_disagreement():
    judge = AgreementJudge("en", "de", lambda: Lexicon(ENGLISH))
    [found] = judge.compare("Milk, bread and cheese", "Milch und Käse")
    assert (found.kind, found.text) == ("lost", "what the translation lacks: bread")
    assert AgreementJudge("fr", "sv").compare("un, deux, trois et quatre", "tre") == ()


def test_long_lists_take_no_time_that_grows_with_their_square():
    text = "milk, " * 20_000 + "and cheese"
    assert lost(text, "Milch") != []
