"""Texts in capitals, titles and lower case are recognised and written as ordinary sentences."""

from tests.builders import truecaser_of
from tests.growth import grows_linearly
from translator.text.casing import CaseReader, in_casing
from translator.text.shown import Casing
from translator.text.truecasing import begin_with_capitals


def reader_of(language: str, *sentences: str, knows_phrases: bool = False) -> CaseReader:
    return CaseReader(truecaser_of(sentences), language, knows_phrases)


ENGLISH = reader_of(
    "en",
    "Then I saw Tom in the old town.",
    "Yesterday Tom's friend went home to Boston.",
    "He said good morning, where the TV is.",
    "Do you know what the friend of Tom saw?",
)
GERMAN = reader_of(
    "de",
    "Das war die weiße Katze.",
    "Da sind meine Füße.",
    *["Da ist die Große, sie sagt nein.", "Da sagte die große Katze Nein."] * 2,
)


def test_unusual_casing_and_emphasis_are_written_as_in_sentences_and_other_text_stays():
    for given, text, casing in [
        ("I SAW TOM IN BOSTON.", "I saw Tom in Boston.", Casing.CAPITALS),
        ("i saw tom in boston.", "I saw Tom in Boston.", Casing.LOWER),
        ("I Saw Tom In The Old Town.", "I saw Tom in the old town.", Casing.TITLE),
        ("I Saw the Friend of Tom", "I saw the friend of Tom", Casing.TITLE),
        ("town", "Town", Casing.LOWER),
        ("i saw boston's old town", "I saw boston's old town", Casing.LOWER),
        ("I SAW KOWALSKI'S TV", "I saw kowalski's TV", Casing.CAPITALS),
        ("I Saw The McDonald", "I saw the McDonald", Casing.TITLE),
        ("I SAW the OLD town.", "I saw the old town.", Casing.SENTENCE),
        ("I saw the X-OLD TOWN.", "I saw the X-OLD town.", Casing.SENTENCE),
        ("THE old tOWN, hE said.", "The old town, he said.", Casing.SENTENCE),
        ("He saw the TV of TOM, and XYZ.", "He saw the TV of Tom, and XYZ.", Casing.SENTENCE),
        *((same, same, Casing.SENTENCE) for same in (
            "He is at McDonald and I.", "I saw Tom.", "TV", "I", "Tom", "Tom Smith", "", "12:30",
            "?!", "iPhone", "中文", "NATO", "H2O", "Tom saw Friend and Town.",
            "Old and Town met Home.",
        )),
    ]:  # fmt: skip
        assert ENGLISH.read(given) == (text, casing), given


def test_a_spelling_in_capitals_is_an_abbreviation_where_it_is_usual():
    reader = reader_of("en", *["It is not so."] * 20, "It is NOT my US.")
    assert reader.read("It is NOT so, US.") == ("It is not so, US.", Casing.SENTENCE)
    assert reader.read("The IT is so, IT.") == ("The IT is so, it.", Casing.SENTENCE)
    sentences = ["It is my arm."] * 30 + ["Buy an ARM processor."]
    for times, expected in [(1, "an arm processor"), (2, "an ARM processor")]:
        reader = reader_of("en", *sentences * times, knows_phrases=True)
        for text in ("arm", "red arm hurt", expected):
            assert ("ARM" in reader.read(text.lower())[0]) == ("ARM" in text)
    assert GERMAN.read("NEIN") == ("Nein", Casing.CAPITALS)
    reader = reader_of("en", "He gave us the US flag.", "He gave us an OK.", "He saw us.")
    assert reader.read("US.") == ("US.", Casing.SENTENCE)
    assert reader.read("OK") == ("OK", Casing.SENTENCE)
    assert reader.read("FLAG") == ("Flag", Casing.CAPITALS)


def test_lost_apostrophes_are_added_where_no_other_word_is_typed():
    sentences = ["Yes, I don't know, and I'm Tom's friend. He knows its shirt, so it's wet."]
    sentences += ["I say she'll go, and we'd go, and I'd go. Then a man's dog."]
    sentences += ["I can't go. I cant say."]  # some wrote it without
    for given, text in [
        ("I dont know.", "I don't know."),
        ("I cant know.", "I can't know."),
        ("Dont go, Im here.", "Don't go, I'm here."),
        ("He knows its wet.", "He knows its wet."),
        ("He knows Toms shirt.", "He knows Toms shirt."),
        ("He knows mans shirt.", "He knows mans shirt."),
        ("The shell is red, go.", "The shell is red, go."),
        ("It is Wed.", "It is Wed."),
        ("My Id is wet.", "My Id is wet."),
        ("I doesnt know.", "I doesnt know."),  # the corpus does not have it
    ]:
        assert reader_of("en", *sentences).read(given)[0] == text
        assert reader_of("fr", *sentences).read(given)[0] == given


def test_an_unknown_word_is_respelt_to_one_that_is_known():
    for given, text in [
        ("Für weisse Fuesse.", "Für weiße Fuesse."),  # who types ü would have typed Füße
        ("da sind meine fuesse.", "Da sind meine Füße."),
        ("Da ist die grosse Katze.", "Da ist die große Katze."),  # known with both cases
        ("DA IST DIE GROSSE KATZE.", "Da ist die große Katze."),
        ("Die Fluesse und Massen.", "Die Fluesse und Massen."),
        ("DIE WEIẞE KATZE", "Die weiße Katze"),
    ]:
        assert GERMAN.read(given)[0] == text
        assert ENGLISH.read("Fuesse weisse Katze.")[0] == "Fuesse weisse Katze."
    assert grows_linearly(lambda n: GERMAN.read("ss" * n), 4000)


LETTERS = reader_of(
    "en",
    "He saw vitamin E, C or D in a note in G.",
    "It was at 5 p.m. in the U.K. that he said so.",
    "He may press or click the x, k or y.",
    "So I am, as I said, here in a town.",
)


def test_abbreviations_are_words():
    for given, text in [
        ("the note e.g. in the town", "The note e.g. in the town"),
        ("it was in the u.k.", "It was in the U.K."),
        ("IT WAS AT 5 P.M. IN THE U.K.", "It was at 5 p.m. in the U.K."),
        ("IT WAS K.Y.", "It was k.y."),
        ("e was in a note, i said", "E was in a note, I said"),
        ('Click "X".', 'Click "X".'),
    ]:
        assert LETTERS.read(given)[0] == text


def test_phrases_are_written_as_within_sentences_for_a_model_of_phrases():
    reader = CaseReader(ENGLISH.truecaser, "en", knows_phrases=True)
    for given, text in [
        ("town", "town"),
        ("boston", "Boston"),
        ("old town", "old town"),
        ("we saw boston.", "We saw Boston."),
        ("we saw old boston", "We saw old Boston"),
        ("OLD TOWN", "Old town"),
    ]:
        assert reader.read(given)[0] == text


def test_without_a_truecaser_only_capitals_are_recognised():
    reader = CaseReader(None, "en")
    assert reader.read("WHERE IS TOM?") == ("WHERE IS TOM?", Casing.CAPITALS)
    for text in ("TV", "where is tom?", "Where Is Tom?"):
        assert reader.read(text) == (text, Casing.SENTENCE)
    assert in_casing("alte Stadt", Casing.LOWER) == "alte Stadt"
    assert in_casing("Die Straße in Köln", Casing.CAPITALS) == "DIE STRAẞE IN KÖLN"


def test_sentences_without_capitals_are_not_taken_for_unusual():
    assert begin_with_capitals(["A dog.", "Two cats.", "three men."])
    assert not begin_with_capitals(["a dog.", "two cats.", "Three men."])
    assert not begin_with_capitals(["一只狗。"])


def test_a_span_keeps_its_letters():
    for reader, text, span, cased in [
        (GERMAN, "Da ist fuesse.de, meine Fuesse.", "fuesse.de", "Da ist fuesse.de, meine Füße."),
        (ENGLISH, "I SAW www.TOM.org IN BOSTON", "www.TOM.org", "I saw www.TOM.org in Boston"),
        (ENGLISH, "i saw README.md in boston", "README.md", "I saw README.md in Boston"),
    ]:
        start = text.index(span)
        assert reader.read(text, [(start, start + len(span))])[0] == cased
