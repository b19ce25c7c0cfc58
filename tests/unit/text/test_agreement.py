"""What only one of a sentence and its translation says is told; what both say is not."""

from translator.text.agreement import KINDS, AgreementJudge

LACKS = "numbers that the translation lacks:"
ONLY = "numbers that only the translation has:"
LONG = "He said that he would come home early because his mother was waiting for him"
DISAGREEING = [  # English, German, what is told
    ("Thirty-eight people came.", "Vierzig Leute kamen.", f"{LACKS} Thirty-eight (it has Vierzig)"),
    ("It costs 3.4 billion.", "Es kostet 3,4.", f"{LACKS} 3.4 billion (it has 3,4)"),
    ("I have 3 cats.", "Ich habe 38 Katzen.", f"{LACKS} 3 (it has 38)"),
    ("It almost drove her wild.", "Sie fuhr fast vierzig.", f"{ONLY} vierzig"),
    ("in the 1990s", "in den 1980ern", f"{LACKS} 1990s (it has 1980ern)"),
    (f"{LONG}.", "Er sagte, er komme.", "its translation may lack a part"),
    ("The weather was fine.", "Schön.", "its translation may lack a part"),
    (f"{LONG}.", f"Er sagte, {'er ging nach Hause ' * 9}", "its translation is unusually long"),
]
AGREEING = [
    ("Thirty-eight people came.", "38 Leute kamen."),
    ("It costs 1,234.5 dollars.", "Es kostet 1.234,5 Dollar."),
    ("I was there three times.", "Ich war dreimal da."),
    ("It is a two-room flat.", "Es ist eine Zweizimmerwohnung."),
    ("She comes at eight, or at 8.30.", "Sie kommt um acht Uhr, oder um halb neun."),
    ("You two are right.", "Ihr habt beide recht."),
    ("In the 19th century", "Im neunzehnten Jahrhundert"),
    ("On the fifth floor", "Im 5. Stock"),
    ("He is in his early forties.", "Er ist Anfang vierzig."),
    ("I bought a watch.", "Ich habe eine Uhr gekauft."),
    ("Watch out!", "Gib acht!"),
    ("It's a hundred dollar bill.", "Das ist ein Hundertdollarschein."),
    ("She comes every other day.", "Sie kommt alle zwei Tage."),
    ("World War II, a year and a half", "2. Weltkrieg, anderthalb Jahre"),
    ("Only one came, one of us.", "Nur einer kam, einer von uns."),
    ("You have 1 new message.", "Du hast eine neue Nachricht."),
    ("That's great.", "Das ist wirklich ganz großartig."),
    (f"{LONG}.", "Er sagte, er würde früh heimkommen, weil seine Mutter auf ihn warte."),
    ("No, the child of Nein.", "Nein, das Kind von Nein."),
]


def test_what_only_one_side_says_is_told():
    for english, german, told in DISAGREEING:
        [found] = AgreementJudge("en", "de").compare(english, german)
        assert found.text == told
        assert found.kind in KINDS
        reversed_kinds = [each.kind for each in AgreementJudge("de", "en").compare(german, english)]
        if found.kind != "length":  # a short sentence has any length
            assert reversed_kinds == [found.kind]


def test_what_both_sides_say_is_not_told():
    for english, german in AGREEING:
        assert AgreementJudge("en", "de").compare(english, german) == (), english
        assert AgreementJudge("de", "en").compare(german, english) == (), english


def test_languages_without_tables_are_compared_by_their_digits():
    judge = AgreementJudge("fr", "sv-SE")
    assert judge.compare("Il n'a pas 3 chats.", "Han har 3 katter.") == ()
    [found] = judge.compare("Il a 3 chats ?", "Han har 4 katter.")
    assert found.kind == "numbers"
    for languages in (("en", "de"), ("fr", "sv"), ("ja", "x-none")):
        judge = AgreementJudge(*languages)
        for source, text, told in [
            ("Merci", "", ["its translation is empty"]),
            ("Merci", " ", ["its translation is empty"]),
            ("はい", "♪", ["its translation has no words"]),
            ("Merci", "5", []),
            ("...", "…", []),
        ]:
            problems = judge.compare(source, text)
            assert [each.text for each in problems if each.kind == "length"] == told


def test_a_lost_address_is_told():
    judge = AgreementJudge("en", "de")
    for text, told in [
        ("Siehe a.de.", ["text that the translation lacks: a.de/x, %s"]),
        ("Siehe %s und a.de/x.", []),
    ]:
        assert [each.text for each in judge.compare("See a.de/x and %s.", text)] == told
