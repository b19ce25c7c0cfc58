"""Loops of a search are told from sentences that repeat a word, and texts that are alike."""

from translator.text.repetition import describe_alike, is_loop


def test_loops_are_told_from_other_repetitions():
    for source, translation, repeats in [
        ("house", "Haus Haus Haus.", True),
        ("house", "Haus, Haus", True),
        ("house", "Ich sah das Haus, das Haus, das Haus", True),
        ("house", "Mein Flug war dreiarbearbearbe.", True),
        ("house", "Das ist ein Zug-Zug-Zug-Bahnhof.", True),
        ("house", "Das ist aaaaaaah.", True),
        ("house", "Er ist ein 20-Du-FO-FO-FO-FO-Spiel.", True),
        ("house", "Du du du Tom", True),
        ("house", "Ja, ja, ja.", True),
        ("house", "Ja ja ja, er kommt.", True),
        ("house", "a b c d e f g h a b c d e f g h a b c d e f g h", True),
        ("Yes, he comes.", "Ja, ja, ja.", True),
        ("Only", "Nur nur", True),
        ("Yes, yes, yes.", "Ja, ja, ja.", False),
        ("Bye bye", "Tschüss, tschüss", False),
        ("Come on!", "Komm, komm!", False),
        ("house", "", False),
        ("house", "Haus", False),
        ("house", "Die, die die Katze sehen, gehen.", False),
        ("house", "Es ist sehr, sehr kalt.", False),
        ("house", "Haus und Haus und Hof", False),
        ("house", "Seeelefant", False),
        ("house", "die CD-ROM-ROM und 9-9-9", False),
        ("house", ", auch", False),
        ("house", "Das Haus und das Haus und der Garten.", False),
    ]:
        assert is_loop(source, translation) == repeats, translation


def test_translations_that_are_all_alike_are_told():
    for texts, told in [
        (["a"] * 4, ""),
        (["y", "z"] * 5, ""),
        ([""] * 5, "all translations are empty"),
        (["Der Mann."] * 10 + ["b"], "10 of 11 translations are 'Der Mann.'"),
        ([". " * count for count in range(2, 8)], "all translations are alike, such as '. . '"),
        (["1", "2", "3", "x", "y"], ""),
    ]:
        sources = [f"{number} a b c" for number in range(1, len(texts) + 1)]
        found = describe_alike({**dict(zip(sources, texts)), "": "", " ": ""})
        assert found == (told and f"{told}: the model may have learnt nothing yet")
