"""Terms of a glossary take the places of the words that usually translate them."""

from types import SimpleNamespace

import numpy as np

from tests.builders import translating
from translator.text.read_lines import ReadSentence
from translator.text.sentences import LinePart
from translator.text.shown import TERM, Casing, ShownText, Span
from translator.translation.results import Hypothesis
from translator.translation.terms import TermWriter, with_terms

LEXICON = translating({"flat": {"wohnung": 0.9}, "pilot": {"pilot": 0.8, "piloten": 0.7}})
LONGEST = 40  # tokens
SENTENCE = SimpleNamespace(ids=[1], shown=ShownText(""))


def hypothesis(text: str) -> Hypothesis:
    return Hypothesis(text, (1,), 0.0, 0.0)


def term(given: str, *forms: str, has_article: bool = False) -> Span:
    return Span(0, 0, given, TERM, translation=forms[0], forms=forms, has_article=has_article)


def writer_that_likes(word: str) -> TermWriter:
    """A writer whose model finds texts with a word most probable."""
    tokenizers = SimpleNamespace(target=SimpleNamespace(encode=lambda texts: texts))
    engine = SimpleNamespace(score=lambda sources, texts: [np.array([word in t]) for t in texts])
    return TermWriter(engine, SimpleNamespace(tokenizers=tokenizers, lexicon=LEXICON), LONGEST)


def replaced(text: str, *terms: Span, likes: str = "") -> list[str]:
    found = writer_that_likes(likes).replace_words(SENTENCE, [hypothesis(text)], terms)
    return [each.text for each in found]


def test_a_term_takes_the_place_of_the_word_that_translates_it():
    flat = term("flat", "Bleibe")
    assert replaced("Seine (Wohnung), die", flat) == ["Seine (Bleibe), die"]
    assert replaced("Wohnung gesucht", term("flat", "ruhige Bleibe")) == ["Ruhige Bleibe gesucht"]
    assert replaced("Er sucht etwas.", flat) == [], "the model writes no word for it"
    assert replaced("Die neue Wohnung", term("new flat", "Bleibe")) == [], "two words"
    assert replaced("Die Wohnung", term("flat", "flat")) == [], "a mask is better"
    assert replaced("Die Wohnung", flat, flat) == [], "one word for two terms"
    pilot, writer = term("pilot", "Flieger"), writer_that_likes("")
    [found] = writer.replace_words(SENTENCE, [hypothesis("Der Pilot")], [pilot])
    assert found.terms == (("pilot", "Flieger"),)
    capitals = SimpleNamespace(ids=[1], shown=ShownText("", casing=Casing.CAPITALS))
    [found] = writer.replace_words(capitals, [hypothesis("DIE WOHNUNG")], [flat])
    assert found.text == "DIE BLEIBE"


def test_the_article_and_the_model_choose_the_form():
    flat = term("The flat", "die Bleibe", "der Bleibe", has_article=True)
    assert replaced("Die Wohnung ist da.", flat) == ["Die Bleibe ist da."]
    assert replaced("Das Wohnung ist da.", flat) == [], "another gender"
    pilot = term("pilot", "Flieger", "Fliegern")
    assert replaced("den Piloten", pilot, likes="Fliegern") == ["den Fliegern"]
    assert replaced("den Piloten", pilot) == ["den Flieger"], "the usual one"
    long = "den Piloten" + " x" * LONGEST  # a token is a character here
    assert replaced(long, pilot, likes="Fliegern")[0].startswith("den Flieger x"), "none is judged"
    # so no other word is taken for the usual form
    masks = (term("a", "Amt", "Ämter")._replace(mask="\ue001"), term("b", "Bau")._replace(mask="b"))
    sentence = ReadSentence(LinePart("", ""), ShownText("", masks), [1], None, True)
    writer = writer_that_likes("Ämter im Amt")
    writer.writer.tokenizers.target.decode = lambda ids: "Gesamt sind \ue001 im Amt"
    chosen = writer.choose_forms(sentence, (1,))
    assert [span.translation for span in chosen.shown.spans] == ["Ämter", "Bau"]
    one = sentence._replace(shown=ShownText("", masks[1:]))
    assert writer.choose_forms(one, ()) is one


def test_a_form_that_is_there_is_found_as_a_whole_word():
    mail = term("email", "Mail", "Mails")
    assert with_terms(hypothesis("Die Mails sind da."), [mail]).terms == (("email", "Mails"),)
    assert with_terms(hypothesis("Die E-Mail ist da."), [mail]) is None
