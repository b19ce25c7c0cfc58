"""The mark at the end of a sentence is removed, and a translation has one only like its source."""

from translator.text.punctuation import fit_final_mark, fit_first_letter, without_final_mark


def test_the_final_mark_is_removed():
    shorter = [without_final_mark(text) for text in ("Run!", "Well …", "好。", "?")]
    assert shorter == ["Run", "Well", "好", ""]


def test_a_translation_has_a_final_mark_only_if_its_source_has_one():
    for source, translation, expected in [
        ("Where is Tom", "Wo ist Tom?", "Wo ist Tom"),
        ("He said “no”", "Er sagte „Nein“.", "Er sagte „Nein“."),
        ("room 3", "Zimmer 3.", "Zimmer 3"),
        ("Tom", "...", "..."),
        ("Regards", "Grüße,", "Grüße"),
        ("I see Tom", "Ich sehe Tom .", "Ich sehe Tom"),
        ("", "Ja.", "Ja."),
        ("about 50%", "etwa 50 %.", "etwa 50 %"),
        ("It is 00.", "Es ist 00", "Es ist 00."),
        ("I came.", "我来了", "我来了"),
        ("He is here?", "Er ist hier.", "Er ist hier?"),
        ("Tell me.", "Sagst du es mir?", "Sagst du es mir."),
        ('He said, "Is it?"', "Er sagte: „Ist es.“", "Er sagte: „Ist es?“"),
        ("Is it?!", "Ist es!", "Ist es?!"),
        ("Wait ...", "Warte.", "Warte..."),
        ("I came...", "Ich bin .. gekommen ...", "Ich bin gekommen..."),
        ("Wait...", "Warte ...", "Warte..."),
        ("Wait.", "Warte...", "Warte."),
        ("Really...?", "Echt ..?", "Echt...?"),
        ("Come here.", "Komm her!", "Komm her."),
        ("Komm her!!!", "Come here.", "Come here!!!"),
    ]:
        words = translation.split()
        fitted = fit_final_mark(source, words)
        assert (" ".join(filter(None, fitted)), len(fitted)) == (expected, len(words))
    assert fit_final_mark("I see Tom.", ["Ich", "sehe"], has_ended=False) == ["Ich", "sehe"]


def test_a_translation_begins_with_a_capital_if_its_source_is_a_sentence_that_does():
    for source, translation, expected in [
        ("Zimmer sind teuer.", "rooms are expensive.", "Rooms are expensive."),
        ("„Zimmer“ ist neu.", '"room" is new.', '"Room" is new.'),
        ("Zimmer mit Bad", "room with bath", "Room with bath"),
        ("green tea is good.", "grüner Tee ist gut.", "grüner Tee ist gut."),
        ("Das iPhone ist neu.", "iPhones are new.", "iPhones are new."),
        ("Ja.", "", ""),
        ("Ja.", "...", "..."),
    ]:
        assert " ".join(fit_first_letter(source, translation.split())) == expected
