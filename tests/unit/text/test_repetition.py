"""Loops of a search are told from sentences that repeat a word, and texts that are alike."""

from translator.text.repetition import describe_alike, is_loop, without_repetitions


def test_loops_are_recognised():
    for translation in [
        "Haus Haus Haus.",
        "Haus, Haus",
        "Ich sah das Haus, das Haus, das Haus",
        "Mein Flug war dreiarbearbearbe.",
        "Das ist ein Zug-Zug-Zug-Bahnhof.",
        "Das ist aaaaaaah.",
        "Er ist ein 20-Du-FO-FO-FO-FO-Spiel.",
        "Du du du Tom",
        "Ja, ja, ja.",
        "Ja, ja, ja, ja, er kommt.",
        "a b c d e f g h a b c d e f g h a b c d e f g h",
    ]:
        assert is_loop("house", translation)


def test_other_repetitions_are_none():
    for translation in [
        "",
        "Haus",
        "Die, die die Katze sehen, gehen.",
        "Es ist sehr, sehr kalt.",
        "Haus und Haus und Hof",
        "Seeelefant",
        "die CD-ROM-ROM und 9-9-9",
        ", auch",
        "Das Haus und das Haus und der Garten.",
    ]:
        assert not is_loop("house", translation)


def test_a_source_that_repeats_itself_may_be_repeated():
    assert is_loop("Yes, he comes.", "Ja, ja, ja.")
    assert not is_loop("Yes, yes, yes.", "Ja, ja, ja.")
    assert not is_loop("Bye bye", "Tschüss, tschüss")
    assert not is_loop("Come on!", "Komm, komm!")
    assert is_loop("Only", "Nur nur")


def test_a_loop_is_cut_short():
    for loop, short in [
        ("Nur nur", "Nur"),
        ("Haus, Haus, Haus.", "Haus."),
        ("Ich sah das Haus, das Haus, das Haus und ging", "Ich sah das Haus und ging"),
        ("Das war dreiarbearbearbe.", "Das war dreiarbe."),
        ("Das ist Sooooooo", "Das ist So"),
        ("Ein 20-FO-FO-FO-FO-Spiel", "Ein 20-FO-Spiel"),
        ("Ja", "Ja"),
        ("", ""),
    ]:
        assert without_repetitions(loop) == short
        assert not is_loop("house", short)


def test_translations_that_are_all_alike_are_told():
    for texts, told in [
        (["a"] * 4, ""),
        (["y", "z"] * 5, ""),
        ([""] * 5, "all translations are empty"),
        (["Der Mann."] * 10 + ["b"], "10 of 11 translations are 'Der Mann.'"),
        ([". " * count for count in range(2, 8)], "all translations are alike, such as '. . '"),
        (["1", "B 2.", "", "", "5"], "all translations have no words but those of their sources"),
        (["1", "2", "3", "x", "y"], ""),
    ]:
        sources = [f"{number} a b c" for number in range(1, len(texts) + 1)]
        found = describe_alike({**dict(zip(sources, texts)), "": "", " ": ""})
        assert found == (told and f"{told}: the model may have learnt nothing yet")
