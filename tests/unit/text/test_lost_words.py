"""Names and members of lists that a translation lacks."""

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


EN_DE, DE_EN = ("en", "de"), ("de", "en")


def lost(source: str, text: str, languages: tuple[str, str] = EN_DE) -> list[str]:
    words = GERMAN if languages[0] == "de" else ENGLISH
    return LostWords(*languages, lambda: Lexicon(words)).find(source, text)


def test_members_of_lists_and_names_are_missed():
    """Nouns are no names but behind one; without a capital of its own none is known."""
    for languages, source, text, expected in [
        (EN_DE, "Milk, bread, eggs and cheese", "Milch, Eier und Käse", ["bread"]),
        (EN_DE, "He buys milk, bread, cheese or eggs.", "Milch, Brot oder Eier.", ["cheese"]),
        (EN_DE, "milk, bread, eggs, cheese", "Milch, Eier, Käse", ["bread"]),
        (EN_DE, "Milk, old bread, and cheese", "Milch und Käse", ["old bread"]),
        (EN_DE, "Milk, bread and cheese", "Milch, Graubrot und Käse", []),
        (EN_DE, "Milk, bread, and cheese", "Milch, Brote und Käse", []),
        (EN_DE, "Milk, bread and cheese", "Milch, Brötchen und Käse", []),  # as many as before
        (EN_DE, "Milk, bread and cheese", "Milch, Käse und Käse", ["bread"]),
        (EN_DE, "Milk, faint and cheese", "Milch und Käse", []),  # nothing is known of faint
        (EN_DE, "Come here, please, now", "Bitte komm jetzt her", []),  # no join, no list
        (EN_DE, "Bread, milk and cheese", "Käse, der aus Milch ist, mit Brot", []),
        (EN_DE, "I saw Jane Doe there.", "Ich sah Jane dort.", ["Doe"]),
        (EN_DE, "Jane Doe bought it.", "Jane hat es gekauft.", ["Doe"]),
        (EN_DE, "I saw Jane there.", "Ich sah sie dort.", ["Jane"]),
        (EN_DE, "I saw Jane's house.", "Ich sah Janes Haus.", []),
        (EN_DE, "Doe is here.", "Er ist da.", []),  # the first word of a sentence may be any
        (EN_DE, "Then Will said it.", "Dann sagte er es.", []),
        (EN_DE, "The King is here.", "Der König ist da.", []),
        (EN_DE, "A DOG OF JANE", "Ein Hund", []),
        (EN_DE, "The House Of Jane Doe", "Das Haus", []),
        (EN_DE, "Call 'Jane' on www.Jane.com", "Ruf „Jane“ an", []),
        (DE_EN, "Ich sah Maria Poppins dort.", "I saw Mary there.", ["Poppins"]),
        (DE_EN, "Ich sah die Schweinerei dort.", "I saw the mess there.", []),
        (DE_EN, "In Schwimmbädern ist Brot.", "There is bread in pools.", []),
        (DE_EN, "Milch, Brot, Haus und Hof", "Milk, house and yard", ["Brot"]),
    ]:
        assert lost(source, text, languages) == expected, (source, text)
    judge = AgreementJudge("en", "de", lambda: Lexicon(ENGLISH))
    [found] = judge.compare("Milk, bread and cheese", "Milch und Käse")
    assert (found.kind, found.text) == ("lost", "what the translation lacks: bread")
    assert AgreementJudge("fr", "sv").compare("un, deux, trois et quatre", "tre") == ()


def test_long_lists_take_no_time_that_grows_with_their_square():
    text = "milk, " * 20_000 + "and cheese"
    assert lost(text, "Milch") != []
