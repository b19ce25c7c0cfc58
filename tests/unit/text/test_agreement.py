"""What only one of a sentence and its translation says is told; what both say is not."""

from translator.text.agreement import KINDS, AgreementJudge

LACKS = "numbers that the translation lacks:"
ONLY = "numbers that only the translation has:"
LONG = "He said that he would come home early because his mother was waiting for him"
DISAGREEING = [  # English, German, what is told
    ("Thirty-eight people came.", "Vierzig Leute kamen.", f"{LACKS} Thirty-eight (it has Vierzig)"),
    ("It costs 3.4 billion.", "Es kostet 3,4.", f"{LACKS} 3.4 billion (it has 3,4)"),
    ("I have 3 cats and 3 dogs.", "Ich habe 3 Katzen und Hunde.", f"{LACKS} 3"),
    ("It almost drove her wild.", "Sie fuhr fast vierzig.", f"{ONLY} vierzig"),
    ("Tom doesn't sleep.", "Tom schläft.", "a negation that the translation lacks"),
    ("Tom doesn’t sleep.", "Tom schläft.", "a negation that the translation lacks"),
    ("Tom sleeps.", "Tom schläft nie.", "a negation that only the translation has"),
    (f"{LONG}.", "Er sagte, er komme.", "a part of it may be lost"),
    ("The weather was fine.", "Schön.", "a part of it may be lost"),
    (f"{LONG}.", f"Er sagte, {'er ging nach Hause ' * 9}", "its translation is unusually long"),
    ("It costs five dollars.", "Es kostet fünf Euro.", f"{LACKS} five dollars (it has fünf Euro)"),
    ("the fifth floor", "der vierte Stock", f"{LACKS} fifth (it has vierte)"),
    ("I called twice.", "Ich rief dreimal an.", f"{LACKS} twice (it has dreimal)"),
    ("in the 1990s", "in den 1980ern", f"{LACKS} 1990s (it has 1980ern)"),
    ("Don't go until ten.", "Geh bis um zehn.", "a negation that the translation lacks"),
    ("It isn't important.", "Das ist wichtig.", "a negation that the translation lacks"),
    ("This is important.", "Das ist nicht wichtig.", "a negation that only the translation has"),
    ("Is he here?", "Er ist hier.", "a question that the translation does not ask"),
    ("He is here.", "Ist er hier?", "only the translation asks"),
    ("I do not use a.de/x?b=1.", "Ich nutze a.de/x?b=1.", "a negation that the translation lacks"),
    ("I saw Mrs. Abara.", "Ich sah Herrn Abara.", "Mrs. is Herrn in the translation"),
    ("Mr Abara came.", "Frau Abara kam.", "Mr is Frau in the translation"),
    ('He is in "Room 5".', "Er ist in Zimmer 5.", "a quotation that the translation lacks"),
    ('Click "Save" now.', "Klicke jetzt.", "a quotation that the translation lacks"),
    ("Click 'Save' now.", "Klicke jetzt.", "a quotation that the translation lacks"),
    ("Is it a.de/x?b=1?", "Es ist a.de/x?b=1.", "a question that the translation does not ask"),
    ("Xaver slept.", "\ufffd schlief.", "a character of the translation cannot be read"),
]
AGREEING = [
    ("Thirty-eight people came.", "38 Leute kamen."),
    ("It costs 1,234.5 dollars.", "Es kostet 1.234,5 Dollar."),
    ("I was there three times.", "Ich war dreimal da."),
    ("It is a two-room flat.", "Es ist eine Zweizimmerwohnung."),
    ("She comes at eight, or at 8.30.", "Sie kommt um acht Uhr, oder um halb neun."),
    ("You two are right.", "Ihr habt beide recht."),
    ("In the 19th century", "Im 19. Jahrhundert"),
    ("In the twenty-first century", "Im 21. Jahrhundert"),
    ("On the fifth floor", "Im 5. Stock"),
    ("He is in his early forties.", "Er ist Anfang vierzig."),
    ("I bought a watch.", "Ich habe eine Uhr gekauft."),
    ("Watch out!", "Gib acht!"),
    ("It's a hundred dollar bill.", "Das ist ein Hundertdollarschein."),
    ("She comes every other day.", "Sie kommt alle zwei Tage."),
    ("World War II, a year and a half", "2. Weltkrieg, anderthalb Jahre"),
    ("Only one came, one of us.", "Nur einer kam, einer von uns."),
    ("You have 1 new message.", "Du hast eine neue Nachricht."),
    ("i dont know, i cant", "Ich weiß nicht, ich kann nicht"),
    ("They say they know.", "Sie sagen, dass sie sie kennen."),
    ("He said never never.", "Er sagte niemals niemals."),
    ("Click 'Save' now.", "Klicke jetzt auf „Speichern“."),
    ('A 27" screen, the boys\' pen', "Ein 27-Zoll-Bildschirm, der Stift der Jungen"),
    ("The sign says \"Room 5\".", "Auf dem Schild steht „Zimmer 5“."),
    ("He likes rock 'n' roll.", "Er mag Rock ’n’ Roll."),
    ('The film "on May 3" is good.', "Der Film „Am 3. Mai“ ist gut."),
    ("He is unhappy.", "Er ist nicht glücklich."),
    ("He came only at noon.", "Er kam nicht vor Mittag."),
    ("I have no money.", "Ich habe kein Geld."),
    ("It's hot, isn't it?", "Es ist heiß, oder?"),
    ("That's great.", "Das ist wirklich ganz großartig."),
    (f"{LONG}.", "Er sagte, er würde früh heimkommen, weil seine Mutter auf ihn warte."),
    ("Mr. and Mrs. Abara came.", "Herr und Frau Abara kamen."),
    ("Where is Miss Abara?", "Wo ist Frau Abara?"),
    ("His wife Anna knows Mr. Abara.", "Seine Frau Anna kennt Herrn Abara."),
    ("Miss out on this.", "Lass dir den Herrn Abara entgehen."),
    ('He asked: "Who?"', "Er fragte: „Wer?“"),
    ("\ufffd slept.", "\ufffd schlief."),
]  # fmt: skip


def test_what_only_one_side_says_is_told():
    for english, german, told in DISAGREEING:
        [found] = AgreementJudge("en", "de").compare(english, german)
        assert found.text == told
        assert found.kind in KINDS
        reversed_kinds = [each.kind for each in AgreementJudge("de", "en").compare(german, english)]
        if found.kind not in ("length", "letters"):  # a short sentence has any length
            assert reversed_kinds == [found.kind]


def test_what_both_sides_say_is_not_told():
    for english, german in AGREEING:
        assert AgreementJudge("en", "de").compare(english, german) == (), english
        assert AgreementJudge("de", "en").compare(german, english) == (), english


def test_languages_without_tables_are_compared_by_their_digits_and_questions():
    judge = AgreementJudge("fr", "sv-SE")
    assert judge.compare("Il n'a pas 3 chats.", "Han har 3 katter.") == ()
    kinds = [each.kind for each in judge.compare("Il a 3 chats ?", "Han har 4 katter.")]
    assert kinds == ["numbers", "question"]
    for languages in (("en", "de"), ("fr", "sv"), ("ja", "x-none")):
        judge = AgreementJudge(*languages)
        for source, text, told in [
            ("Merci", "", ["its translation is empty"]),
            ("Merci", " ", ["its translation is empty"]),
            ("はい", "♪", ["all of its words may be lost"]),
            ("Merci", "5", []),
            ("...", "…", []),
        ]:
            found = [each.text for each in judge.compare(source, text) if each.kind == "length"]
            assert found == told


def test_a_title_that_the_translation_lacks_is_told():
    judge = AgreementJudge("en", "de")
    [found] = judge.compare("I asked Miss Abara.", "Ich fragte Abara.")
    assert found.text == "Miss is lost"
    for text in ("Ich fragte Fräulein Abara.", "Ich fragte Miss Abara.", "Ich fragte Frau Abara."):
        assert judge.compare("I asked Miss Abara.", text) == ()
    assert AgreementJudge("de", "en").compare("Er sah seine Frau Maria.", "He saw Mary.") == ()


def test_a_word_twice_in_a_row_and_a_lost_address_are_told():
    judge = AgreementJudge("en", "de")
    for source, text, told in [
        ("Mom makes soup.", "Mama macht Suppe Suppe.", ["Suppe Suppe, twice in a row"]),
        ("pepper & salt", "Salz & Salz", ["Salz & Salz, twice in a row"]),
        ("pears, apples", "Äpfel, Äpfel", ["Äpfel, Äpfel, twice in a row"]),
        ("I left. He left.", "Ich ging. Ging er?", ["only the translation asks"]),
        ("He helps those he knows.", "Er hilft denen, denen er hilft.", []),
        ("If I were he, I would go.", "WENN ICH ES WÄRE, WÄRE ICH WEG.", []),
        ("He said very very little.", "Er sagte sehr sehr wenig.", []),
        ("run index.js", "index.js", ["all of its words may be lost"]),
        ("See index.js at 5", "index.js um 5", []),
        ("index.js 5 km", "index.js 5 km", []),
        ("See a.de/x and %s.", "Siehe a.de.", ["what the translation lacks: a.de/x, %s"]),
        ("See a.de/x and %s.", "Siehe %s und a.de/x.", []),
    ]:
        assert [each.text for each in judge.compare(source, text)] == told


def test_a_lost_letter_is_told_unless_it_is_a_word_or_a_part_of_something_else():
    for languages, source, text, told in [
        (("en", "de"), "e is 5, and n a number.", "Das ist 5, und N eine Zahl.", "e"),
        (("en", "de"), "It is plan B.", "Das ist so.", "B"),
        (("en", "de"), "I got a T-shirt, 5 m, R&B, x = 3.", "T-Shirt, 5 m, R&B, x = 3.", ""),
        (("de", "en"), "Oberst a. D., oder Plan B", "A colonel, or plan-B", ""),
        (("fr", "en"), "Il y a x", "There is", ""),
    ]:
        found = [each.text for each in AgreementJudge(*languages).compare(source, text)]
        assert found == [f"what the translation lacks: {told}"] * bool(told)
