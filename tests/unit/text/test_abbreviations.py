"""Abbreviations are written out where their meaning is sure."""

import pytest

from tests.growth import grows_linearly
from translator.text.abbreviations import with_written_abbreviations
from translator.text.sentences import sentences_of

WRITTEN = {
    "de": [
        ("Obst, z. B. Äpfel", "Obst, zum Beispiel Äpfel"),
        ("Z.B. Äpfel, zB Äpfel", "Zum Beispiel Äpfel, zum Beispiel Äpfel"),
        ("Ca. 5 Leute, ca 5", "Ungefähr 5 Leute, ungefähr 5"),
        ("Äpfel usw. und evtl. mehr", "Äpfel und so weiter und eventuell mehr"),
        ("Äpfel usw. Er kommt.", "Äpfel und so weiter. Er kommt."),
        ("Äpfel (usw.), Birnen usw.", "Äpfel (und so weiter), Birnen und so weiter."),
        ("Nr. 5 auf S. 7", "Nummer 5 auf Seite 7"),
        ("Die Nr. ist neu, S. Müller", "Die Nr. ist neu, S. Müller"),
        ("1 Mio. von 5 Mio., 3,1 Mrd. Euro", "1 Million von 5 Millionen, 3,1 Milliarden Euro"),
        ("Es dauert 5 Min. Er kommt.", "Es dauert 5 Minuten. Er kommt."),
        ("5min bei 5 Std. Fahrt", "5 Minuten bei 5 Stunden Fahrt"),
        ("Fr. Müller und Hr. Schmidt", "Frau Müller und Herr Schmidt"),
        ("Mo-Fr 9-17 Uhr, Mo.–Sa. zu", "Montag bis Freitag 9-17 Uhr, Montag bis Samstag zu"),
        (
            "Mo. bis Do. 9 Uhr, Di., 3. Mai: So.",
            "Montag bis Donnerstag 9 Uhr, Dienstag, 3. Mai: So.",
        ),
        ("Er kam – So ist es", "Er kam – So ist es"),
        ("250 Tsd. Euro, 50 ct, 80 qm", "250 tausend Euro, 50 Cent, 80 Quadratmeter"),
        ("Hausnr. 5", "Hausnummer 5"),
        ("Das ist Jan. So ist es.", "Das ist Jan. So ist es."),
        ("eine 2-Liter-Flasche, ein 5-Euro-Schein", "eine 2-Liter Flasche, ein 5-Euro Schein"),
        ("Berliner Str. 5, Hauptstr. 7", "Berliner Straße 5, Hauptstraße 7"),
        ("In der Berliner Str. Sie wohnt da.", "In der Berliner Straße. Sie wohnt da."),
        ("Die Str. ist da.", "Die Straße ist da."),
        ("Inkl. MwSt., ohne MwSt.", "Inklusive Mehrwertsteuer, ohne Mehrwertsteuer."),
        ("so 5, um 5, etwa dh", "so 5, um 5, etwa dh"),
    ],
    "en": [
        ("fruit, e.g. apples", "fruit, for example apples"),
        ("I.e. Tom, approx. 5 vs. 7", "That is Tom, about 5 against 7"),
        ("apples etc. Tom came.", "apples and so on. Tom came."),
        ("No. 5, said No. 6, no. 7 (min. age)", "Number 5, said number 6, number 7 (minimum age)"),
        ("Wed, 5 May, Mon and Tue: Sun or Sat", "Wednesday, 5 May, Monday and Tuesday: Sun or Sat"),
        ("1 hr. and 5 hrs., 5ft, 12 lbs.", "1 hour and 5 hours, 5 feet, 12 pounds."),
        ("in St. Louis, Mr. Smith, the U.S. is", "in St. Louis, Mr. Smith, the US is"),
        ("The U.N.E.S.C.O., the U.S.S.R.", "The U.N.E.S.C.O., the U.S.S.R."),
        ("The U.S. Navy, in D.C., saw the U.K.", "The US Navy, in DC, saw the UK."),
        ("Mr and Mrs Lee, Dr Lee, a Dr", "Mr and Mrs. Lee, Dr. Lee, a Dr"),
        ("a 19th-century house of World War 2", "a 19th century house of World War II"),
        ("Mon-Fri, 80 sq. ft. or 1 sqm", "Monday to Friday, 80 square feet or 1 square meter"),
        ("Mar came, and Jan. Tom came.", "Mar came, and Jan. Tom came."),
        ("p. 5, w/o milk, </w/ a>", "page 5, without milk, </w/ a>"),
    ],
    "fr": [("etc. 5 min.", "etc. 5 min.")],
}


@pytest.mark.parametrize("language", WRITTEN)
def test_abbreviations_are_written_out_where_their_meaning_is_sure(language):
    for text, written in WRITTEN[language]:
        assert with_written_abbreviations(text, language) == written
        assert with_written_abbreviations(written, language) == written


def test_fixed_parts_stay_and_no_sentence_ends_at_an_abbreviation():
    assert with_written_abbreviations("ca. ca. 5", "de", lambda text: [(0, 3)]) == "ca. ungefähr 5"
    for language, line in [
        ("de", "Es ist inkl. Steuer ca. Mitte Okt. 2020 zzgl. Kosten fertig."),
        ("en", "Do you know Ms. Smith, approx. Tom's age?"),
    ]:
        written = with_written_abbreviations(line, language)
        assert len(sentences_of(written, language)) == 1


def test_long_texts_take_little_time():
    for text in ("5 ", "ca. ", "Mo.-", " on", ".", "A", "Str. "):
        assert grows_linearly(lambda n: with_written_abbreviations(text * n, "de"), 4000)  # noqa: B023
