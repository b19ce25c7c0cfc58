"""Numbers, names and capitals that a tokenizer removes are restored in translations."""

import json

import numpy as np
import pytest

from translator.base.errors import InputError
from translator.text.casing import Casing
from translator.text.read_lines import ReadSentence
from translator.text.restoration import Restoration
from translator.text.sentences import Part
from translator.text.spans.inline import take_out_marks
from translator.text.spans.kind import ShownWord
from translator.text.spans.name_contexts import NameContexts
from translator.text.spans.numbers import NumberKind, localized
from translator.text.spans.registry import SpanSettings, active_kinds
from translator.text.spans.restoring import restore_spans
from translator.text.spans.showing import show_spans
from translator.text.spans.unseen_names import KnownNames, NameKind
from translator.text.truecasing import Truecaser, split_tokens
from translator.text.word_alignment import AlignmentHeads
from translator.text.writing import TranslationWriter, show_prefix
from translator.tokenizers.subword import Tokenizers
from translator.tokenizers.words import words_of

GERMAN = [
    "Der Mann sieht das Haus.",
    "Sie sagt, der Mann kommt heute zum Essen.",
    "Wir essen heute mit dem Mann zu Abend.",
    "Am Montag kam der Zug um 10:30 Uhr an.",
    "Am Montag haben sie das Essen gekocht, und wir essen es.",
    "Heute kommt Anna mit dem Zug, und der Zug kommt um 10:30 Uhr.",
    "Er kaufte die Zeitung und die Rechnung.",
    "Er las die Meinung der Zeitung und die Wohnung war leer.",
]
KNOWN = Restoration(
    None,
    Truecaser.learn(GERMAN),
    KnownNames.learn(
        ["On Monday the man arrived with us.", "He paid for the train.", "Anna saw us."], [""] * 3
    ),
)


class PiecesAsIds:
    """A tokenizer whose ids are pieces."""

    end_id = "</s>"
    language = "de"

    def pieces(self, ids: list[str]) -> list[str]:
        return ids


def show_numbers(text: str) -> str:
    return show_spans(text, [NumberKind(("en", "de"))]).text


def show_names(text: str, known: KnownNames) -> list[ShownWord]:
    return list(show_spans(text, [NameKind(known, ("en", "fr"))]).words)


def write(
    source: str,
    source_pieces: list[str],
    target_pieces: list[str],
    alignment: np.ndarray,
    known=KNOWN,
    names: bool = False,
    prefix: tuple[ShownWord, ...] = (),
    begins: bool = True,
    languages: tuple[str, str] = ("en", "de"),
    casing: Casing = Casing.SENTENCE,
) -> str:
    """Writes a translation that is given as pieces."""
    kinds = active_kinds(SpanSettings(languages, True, known.names if names else None))
    sentence = ReadSentence(
        Part(source, "", begins), show_spans(source, kinds), [], words_of(source_pieces), True, True
    )
    tokenizers = Tokenizers(PiecesAsIds(), PiecesAsIds())
    writer = TranslationWriter(tokenizers, known, kinds, prefix, True, names)
    return writer.write(sentence._replace(casing=casing), target_pieces, alignment)


def put_right(
    source: str, target: str, points: dict[int, int], names: bool = False, known=KNOWN, **given
) -> str:
    """Restores words, each a piece; ``points`` says where a target word looks, else straight."""
    source_pieces = ["<s>", *("▁" + word.lower() for word in source.split()), "</s>"]
    target_pieces = ["▁" + word for word in target.split()] + ["</s>"]
    alignment = np.full((len(target_pieces), len(source_pieces)), 0.1, "float32")
    for i in range(len(target_pieces) - 1):
        alignment[i, points.get(i, min(i, len(source.split()) - 1)) + 1] = 1.0
    prefix = show_prefix(given.pop("prefix", ""), [], [NumberKind(("en", "de"))])
    return write(source, source_pieces, target_pieces, alignment, known, names, prefix, **given)


def test_a_final_mark_is_removed_before_spans_are_put_back():
    for source, fits, expected in [
        ("The cat", True, "Die Katze"),
        ("The cat.", True, "Die Katze."),
        ("The cat", False, "Die Katze."),
    ]:
        kinds = active_kinds(SpanSettings(("en", "de"), True, None))
        shown = show_spans(source, kinds)
        source_pieces = ["<s>", "▁the", "▁cat", "</s>"]
        sentence = ReadSentence(Part(source, ""), shown, [], words_of(source_pieces), True, True)
        writer = TranslationWriter(
            Tokenizers(PiecesAsIds(), PiecesAsIds()), KNOWN, kinds, fits_marks=fits
        )
        target = ["▁Die", "▁Katze", ".", "</s>"]
        assert writer.write(sentence, target, np.full((4, 4), 0.25, "float32")) == expected


@pytest.mark.parametrize(
    ("text", "marks_alone"), [("<b>Yes</b>", "<b> </b>"), ("Yes 🙂", "🙂"), ("Yes", "")]
)
@pytest.mark.parametrize("pieces", [["</s>"], [], ["▁", "</s>"]])
def test_a_translation_without_words_has_the_marks_alone(text, marks_alone, pieces):
    inline = take_out_marks(text)
    shown = show_spans(inline.plain, [])
    source = words_of(["<s>", "▁Yes", "</s>"])
    sentence = ReadSentence(Part(text, ""), shown, [], source, True, marks=inline.marks)
    writer = TranslationWriter(Tokenizers(PiecesAsIds(), PiecesAsIds()), KNOWN, fits_marks=True)
    alignment = np.full((len(pieces), 3), 0.3, "float32")
    assert writer.write(sentence, pieces, alignment) == marks_alone


def test_german_ordinals_have_a_point():
    for source, target, german in [
        ("my 2nd car .", "mein 0 auto .", "Mein 2. Auto ."),
        ("my 2nd car .", "mein 0. auto .", "Mein 2. Auto ."),
        ("he came 22ND .", "er kam 00, .", "Er kam 22., ."),
        ("my 2nd car .", "mein 0-mann .", "Mein 2-Mann ."),
        ("my 2 cars .", "mein 0 autos .", "Mein 2 Autos ."),
        ("my 21st car .", "mein x auto .", "Mein 21. X Auto ."),
        ("rows 9-12th .", "reihen 0 - 00 .", "Reihen 9 - 12. ."),
        ("my 1,000th car .", "mein 00 auto .", "Mein 1.000. Auto ."),
    ]:
        assert put_right(source, target, {}).lower() == german.lower()


def test_english_ordinals_end_as_their_digits_ask_for():
    for source, target, english in [
        ("am 21. tag .", "on 00th day .", "on 21st day ."),
        ("am 21. tag .", "on 00thth day .", "on 21st day ."),
        ("am 12. tag .", "on 00st day .", "on 12th day ."),
        ("ihr 43. geburtstag .", "her 00 birthday .", "her 43rd birthday ."),
        ("am 22. Mai .", "on 00 May .", "on 22 May ."),
        ("der 12. Mann .", "the x man .", "the 12th x man ."),
        ("mit 22 autos .", "with 00 cars .", "with 22 cars ."),
        ("am 1.021. tag .", "on 00 day .", "on 1,021st day ."),
        ("er kam 22.", "he came 00.", "he came 22."),
        ("er kam 22.", "he came", "he came 22"),
        ("um 9:30 kam er", "at 00th came he", "at 9:30 came he"),
        ("mit 2,5 kilo", "with 00th kilos", "with 2.5 kilos"),
    ]:
        text = put_right(source, target, {}, languages=("de", "en"))
        assert text.lower() == english.lower()


def test_digits_come_from_the_word_with_most_attention():
    text = put_right(
        "The man arrived in 1989 and not in 2001 .",
        "der mann kam nicht 0000 sondern 0000 .",
        {4: 8, 6: 4},
    )
    assert text == "Der Mann kam nicht 2001 sondern 1989 ."


def test_a_number_of_the_same_shape_wins_over_one_with_a_little_more_attention():
    text = put_right("12 men in 1989 .", "im 0000 kamen 00 mann", {1: 0, 3: 3})
    assert text == "Im 1989 kamen 12 Mann"


def test_an_ordinal_has_the_shape_of_its_number():
    kind = NumberKind(("de", "en"))
    assert kind.fit("00th", "21") == kind.fit("00", "21") > kind.fit("00th", "3")


def test_each_number_is_used_once_and_again_only_where_there_are_more():
    assert put_right("5 or 6", "0 oder 0", {0: 0, 2: 0}) == "5 oder 6"
    assert put_right("5 men", "0 mann , 0", {0: 0, 3: 0}) == "5 Mann , 5"


def test_numbers_within_words_and_without_a_source():
    assert put_right("the A38 .", "die a00.", {}) == "Die A38."
    assert put_right("the train .", "der zug 00 .", {}) == "Der Zug 00 ."


def test_numbers_are_written_as_in_german():
    for number, german in [
        ("1.5", "1,5"),
        ("1,000", "1.000"),
        ("1,234,567.89", "1.234.567,89"),
        ("1,5", "1,5"),
        ("10:30", "10:30"),
        ("1989", "1989"),
        ("1.2.3", "1.2.3"),
    ]:
        assert localized(number, ("en", "de")) == german
        assert localized(german, ("de", "en")) == (
            number if german != number else number.replace(",", ".")
        )
        assert localized(number, ("en", "zh")) == localized(number, ("de", "fr")) == number


def test_digits_that_were_not_masked_stay_and_others_are_written_as_ascii():
    assert put_right("The 50 m² are ٣ big", "die 00 m2 sind 0 groß", {1: 1, 4: 4}) == (
        "Die 50 m2 sind 3 groß"
    )


def test_times_and_versions_keep_their_point_and_nothing_else():
    for source, target, german in [
        ("At 7.30 p.m. he came", "um 0.00 kam er", "Um 7.30 kam er"),
        ("He has 1,250 watches", "er hat 0.000 uhr", "Er hat 1.250 uhr"),
        ("At 7.30 he came", "um 0.00 uhr kam er", "Um 7.30 uhr kam er"),
        ("Use Version 2.0 today", "nimm version 0.0 heute", "Nimm version 2.0 heute"),
        ("I am 1.75 meters", "ich bin 0.00 meter", "Ich bin 1,75 meter"),
        ("I paid 1.5 on Monday", "ich zahlte 0,0 am montag", "Ich zahlte 1,5 am Montag"),
        ("They release 1,500 men", "sie entlassen 0.000 mann", "Sie entlassen 1.500 Mann"),
    ]:
        place = next(i for i, word in enumerate(source.split()) if word[0].isdigit())
        at = next(i for i, word in enumerate(target.split()) if word[0] == "0")
        spelt = put_right(source, target, {at: place})
        assert spelt.replace("Uhr", "uhr").replace("Meter", "meter").replace(
            "Version", "version"
        ) == (german)


def test_words_are_capitalised_as_in_the_training_split():
    assert (
        put_right("x", "heute kommt der mann zum essen.", {}) == "Heute kommt der Mann zum Essen."
    )
    assert put_right("x", "der mann und wir essen es.", {}) == "Der Mann und wir essen es."
    assert put_right("x", "er kam. der zug kam.", {}) == "Er kam. Der Zug kam."


def test_capitals_of_unknown_words_follow_their_endings():
    assert put_right("x", "er sieht die hoffnung.", {}) == "Er sieht die Hoffnung."
    assert put_right("x", "am ostermontag kam er.", {}) == "Am Ostermontag kam er."
    assert put_right("x", "er sieht die bnjlpx.", {}) == "Er sieht die bnjlpx."


def test_a_word_that_stays_the_same_keeps_its_spelling():
    assert put_right("the man Keanu", "der mann keanu", {}) == "Der Mann Keanu"


def test_new_names_are_copied_from_the_source_on_request():
    source, target = "The man Keanu Reeves arrived .", "der mann kianu riefs kam ."
    assert put_right(source, target, {}) == "Der Mann kianu riefs kam ."
    assert put_right(source, target, {}, names=True) == "Der Mann Keanu Reeves kam ."
    split = put_right(source, "der mann ki anu riefs, kam .", {2: 2, 3: 2, 4: 3, 5: 4}, names=True)
    assert split == "Der Mann Keanu Reeves, kam ."
    for pieces in ("rie fs,", "r ie fs,"):
        target = f"der mann kianu {pieces} kam ."
        looks = {t: min(t, 3) for t in range(3 + len(pieces.split()))}
        looks[3 + len(pieces.split())] = 4
        assert put_right(source, target, looks, names=True) == "Der Mann Keanu Reeves, kam ."


def test_copying_a_name_removes_no_other_word():
    def names(source: str, target: str, points: dict[int, int], **given) -> str:
        return put_right(source, target, points, names=True, **given)

    number = names("Keanu saw 5 men", "keanu sah 0 mann", {0: 0, 2: 0})
    assert number == "Keanu sah 5 Mann"
    apart = names(
        "On Monday Keanu arrived", "kianu kam am montag kianu", {0: 2, 1: 3, 2: 0, 3: 1, 4: 2}
    )
    assert apart == "Keanu kam am Montag Keanu"
    prefixed = names("Mister Keanu arrived", "der herr kianu kam", {1: 1, 2: 1}, prefix="der Herr")
    assert prefixed == "der Herr Keanu kam"


def test_a_prefix_that_ends_within_a_number_is_continued():
    text = put_right("In 1989 he arrived", "im 0000 kam er", {1: 1}, prefix="Im 19")
    assert text.startswith("Im 1989 kam")
    text = put_right("In 2001 he arrived", "im 0000 kam er", {1: 1}, prefix="Im 19")
    assert text.startswith("Im 1900 kam")


@pytest.mark.parametrize(("fits", "expected"), [(True, "auch"), (False, ", auch")])
def test_a_comma_at_the_beginning_is_removed(fits, expected):
    sentence = ReadSentence(
        Part("too", ""), show_spans("too", []), [], words_of(["<s>", "▁too", "</s>"]), True, True
    )
    tokenizers = Tokenizers(PiecesAsIds(), PiecesAsIds())
    writer = TranslationWriter(tokenizers, Restoration.nothing(), fits_marks=fits)
    attention = np.full((3, 3), 0.25, "float32")
    assert writer.write(sentence, ["▁,", "▁auch", "</s>"], attention) == expected


def test_a_prefix_keeps_its_capitals_in_a_line_in_capitals():
    text = put_right("The man arrived", "der mann kam", {}, prefix="Der M", casing=Casing.CAPITALS)
    assert text == "Der MANN KAM"


def test_numbers_of_cased_text_come_back_and_its_capitals_stay():
    known = KNOWN._replace(truecaser=None)
    source, target = "in 1989 ANNA paid 7.50", "IM Jahr 0000 zahlte ANNA 00"
    points = {2: 1, 5: 4}
    assert put_right(source, target, points, known=known) == "IM Jahr 1989 zahlte ANNA 7,50"
    given = put_right(source, target, points, known=known, prefix="IM Jahr 19")
    assert given == "IM Jahr 1989 zahlte ANNA 7,50"
    given = put_right(source, target, points, known=known, prefix="IM Jahr 2001 z")
    assert given == "IM Jahr 2001 zahlte ANNA 7,50"
    given = put_right("The A39 is long", "Die A00 ist lang", {1: 1}, known=known, prefix="Die A38")
    assert given == "Die A38 ist lang"


def test_words_that_cannot_be_spelt_are_copied_from_the_source():
    assert put_right("On Monday 你好 arrived", "am montag <unk> kam", {}, names=True) == (
        "Am Montag 你好 kam"
    )


def test_words_that_training_saw_are_left_alone():
    assert put_right("The Train arrived", "der zug kam", {}, names=True) == "Der Zug kam"
    known = KNOWN._replace(names=KnownNames.learn(["That's what he saw."], [""]))
    assert put_right("That’s", "das ist", {1: 0}, names=True, known=known) == "Das ist"
    nothing = Restoration(None, KNOWN.truecaser, KnownNames(frozenset(), None))
    assert put_right("The Keanu", "der mann", {}, names=True, known=nothing) == "Der Mann"


def test_tokens_join_to_the_text_again():
    for text in ("", " ", "a", "„Geht’s?“ - ja,  3.5 %!", "...x", "a.b.c.d’e_f z.B."):
        assert "".join(split_tokens(text)) == text


def test_a_restoration_survives_a_round_trip(tmp_path):
    path = tmp_path / "restoration.json"
    source_truecaser = Truecaser.learn(["Then Tom saw the Black Sea.", "A black cat."])
    whole = KNOWN._replace(
        alignment=AlignmentHeads(2, (1, 0), 0.5, 10), source_truecaser=source_truecaser
    )
    whole.save(path)
    again = Restoration.load(path)
    assert again.alignment == whole.alignment
    assert again.names == whole.names
    assert again.truecaser == whole.truecaser
    assert again.source_truecaser == source_truecaser != again.truecaser
    assert Restoration.load(tmp_path / "none.json") == Restoration(
        None, None, KnownNames(frozenset(), None)
    )
    heads = path.read_text().replace("[1, 0]", "{}")
    wrong = [heads.replace("{}", its) for its in ("[]", "[1.5]", "[-1]", '"x"', "[true]")]
    values = json.loads(path.read_text())
    empty = [{"truecaser": {}}, {"source_truecaser": {}}, {"name_contexts": {}}, {"alignment": {}}]
    wrong += [json.dumps({**values, **its}) for its in ({"usual_name": 5}, *empty)]
    for damaged in ("", "[]", "[" * 200_000, '{"alignment": 3}', path.read_text()[:-9], *wrong):
        path.write_text(damaged)
        with pytest.raises(InputError, match="expected what training writes"):
            Restoration.load(path)


def test_a_full_stop_within_a_sentence_begins_no_sentence():
    truecaser = KNOWN.truecaser
    for text in ("Der 3. mann und z. b. der 2. mann", "Um 3. 4. 5."):
        tokens = split_tokens(text.lower())
        assert "".join(truecaser.restore(tokens))[1:].replace("Mann", "mann") == text[1:]


def test_a_decimal_replaces_the_stand_in_with_a_decimal_point():
    given = put_right("I paid 17 for 1.5 liters", "ich zahlte 0,0", {2: 3})
    assert given == "Ich zahlte 17 1,5"  # and the number that was dropped is inserted


def test_a_prefix_stays_as_it_was_given():
    source = "In 1989 the man arrived in Bonn ."
    target = "im jahr 0000 kam der mann nach bonn ."
    points = {2: 1, 3: 4}
    for prefix in ("Im Jahr 1989", "im  jahr 1990 KAM ", "IM J"):
        text = put_right(source, target, points, prefix=prefix)
        assert text.startswith(" ".join(prefix.split()))
        assert text.lower().endswith(" der mann nach bonn .")
    assert put_right(source, target, points, prefix="IM J") == (
        "IM Jahr 1989 kam der Mann nach Bonn ."
    )
    elsewhere = put_right(source, target, points, prefix="Anderswo")
    assert elsewhere == "Im jahr 1989 kam der Mann nach Bonn ."


def test_the_later_part_of_a_cut_sentence_begins_in_lower_case():
    assert put_right("x", "der mann kam.", {}, begins=False) == "der Mann kam."


def test_digits_are_found_where_the_tokenizer_has_other_words():
    source = ["<s>", "▁in", "▁00", "▁0", "00", "</s>"]  # an odd space became a plain one
    text = write("in 10\u180e250", source, ["▁mit", "▁00", "▁000"], np.eye(3, 6, 1))
    assert text == "Mit 10 250"


def test_bytes_of_rare_characters_become_characters_again():
    assert words_of(["▁a", "<0xE2>", "<0x82>", "<0xAC>", "▁b"]).texts == ("a€", "b")
    assert words_of(["<s>", "▁New▁York", "▁b", "</s>"]).texts == ("New York", "b")
    assert words_of(["<0xE2>"]).texts == ("\ufffd",)


def test_numbers_of_rare_shapes_are_shown_as_plain_ones():
    assert show_numbers("At 7:30 he paid 1,250.50 or 3 for 1/2 of 1989.") == (
        "At 00 he paid 00 or 3 for 00 of 1989."
    )
    assert show_numbers("9:00-17:30, -5.5 and 1,234-page") == "9:00-17:30, -5.5 and 1,234-page"
    source = ["<s>", "▁for", "▁00", "▁or", "▁00", "</s>"]
    target = ["▁für", "▁00", "▁oder", "▁00"]
    for points, german in (((1, 2, 3, 4), "Für 1,5 oder 12"), ((1, 4, 3, 2), "Für 12 oder 1,5")):
        alignment = np.eye(6, dtype="float32")[list(points)]
        assert write("for 1.5 or 12", source, target, alignment) == german


def test_without_a_usual_name_new_words_with_capitals_are_copied_unless_nouns_have_them_too():
    nouns = KNOWN._replace(names=KNOWN.names._replace(contexts=NameContexts({}, {}, {}, {})))
    assert put_right("Xylo came .", "x kam .", {}, names=True) == "Xylo kam ."
    assert put_right("Xylo came .", "x kam .", {}, names=True, known=nouns) == "X kam ."


USUAL = KNOWN._replace(names=KNOWN.names._replace(usual="Anna"))


def test_a_new_name_is_shown_as_the_usual_one():
    def show(text: str) -> str:
        return " ".join(word.text for word in show_names(text, USUAL.names))

    assert show("Keanu Reeves arrived with Anna.") == "Anna arrived with Anna."
    assert show("(Keanu), Reeves's man") == "(Anna), Anna's man"
    assert show("the man paid 5 for a BMW3.") == "the man paid 5 for a BMW3."
    assert show("Xaver'll come. Xaver´s man") == "Anna'll come. Anna's man"
    assert show("a Bonn-based man met Jean-Luc") == "a Bonn-based man met Anna"
    assert show("Xaver " * 12).split() == ["Anna"] * 3  # five words make a name at most
    assert show("Keanu Monday met Xaver Train.") == "Anna met Anna."  # known words of a name
    assert show("Keanu, Monday arrived") == "Anna, Monday arrived"
    knows_me = USUAL.names._replace(words=USUAL.names.words | {"i"})
    assert show("He/the man, The/Anna") == "He/the man, The/Anna"
    assert show("Train—the man, So…he, The...Train") == "Train—the man, Anna…he, The...Train"
    assert show("Keanu/Xaver,Monday!Ludmilla") == "Anna/Anna,Monday!Anna"
    assert show("AT&T and J.R. met O'Neill") == "Anna and Anna. met Anna"
    shown = show_names("With Keanu I arrived on Monday", knows_me)
    assert " ".join(word.text for word in shown) == "With Anna I arrived on Monday"


VERBS = ["walk", "talk", "clean", "start", "print", "learn", "open", "call", "point", "paint",
         "want", "need", "help", "look", "visit", "enter", "watch", "show", "wash",
         "work"]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Planted flowers grow.", "Planted flowers grow."),
        ("- Planted flowers grow.", "- Planted flowers grow."),
        ('He said: "Planted."', 'He said: "Planted."'),
        ('He said, "Planted."', 'He said, "Planted."'),
        ("He met Planted.", "He met Anna."),
        ("Unplug the lamp.", "Unplug the lamp."),
        ("Unplug it.", "Unplug it."),
        ("Saws are tools.", "Saws are tools."),
        ("Keanu lives here.", "Anna lives here."),
        ("Keanu, the man", "Anna, the man"),
        ("Keanu—the man", "Anna—the man"),
        ("Keanu's the man", "Anna's the man"),
        ("Keanu", "Anna"),
    ],
)
def test_a_capital_at_the_beginning_of_a_sentence_makes_no_name_of_a_common_word(text, shown):
    words = {*VERBS, *(verb + "ed" for verb in VERBS), "plant", "he", "said", "met", "the", "anna"}
    known = KnownNames(frozenset(words), "Anna")
    assert show_spans(text, [NameKind(known, ("en", "fr"))]).text == shown


def test_a_new_name_replaces_its_stand_in():
    for source, target, points, german in [
        ("Keanu Reeves arrived.", "anna kam an.", {}, "Keanu Reeves kam an."),
        ("Xaver saw Ludmilla.", "ludmilla sah anna.", {}, "Ludmilla sah Ludmilla."),
        ("Xaver saw Ludmilla.", "anna wurde von anna gesehen.", {0: 2, 3: 0},
         "Ludmilla wurde von Xaver gesehen."),
        ("Anna saw Xaver.", "anna sah anna.", {}, "Anna sah Xaver."),
        ("Xaver's man paid", "annas mann zahlte", {}, "Xavers Mann zahlte"),
        ("He saw Xaver.", "er sah sie.", {}, "Er sah sie."),
        ("Felix's man paid", "annas mann zahlte", {}, "Felix' Mann zahlte"),
        ("Xaver—the man", "anna—der mann", {}, "Xaver—der Mann"),
    ]:  # fmt: skip
        seen = " ".join(word.text for word in show_names(source, USUAL.names))
        source_pieces = ["<s>", *("▁" + word.lower() for word in seen.split()), "</s>"]
        target_pieces = ["▁" + word for word in target.split()]
        alignment = np.full((len(target_pieces), len(source_pieces)), 0.1, "float32")
        for t in range(len(target_pieces)):
            alignment[t, points.get(t, min(t, len(seen.split()) - 1)) + 1] = 1
        assert write(source, source_pieces, target_pieces, alignment, USUAL, True) == german


def test_a_word_that_begins_like_the_usual_name_is_not_a_stand_in():
    known = USUAL.names._replace(usual="Mon")
    kind = NameKind(known, ("en", "fr"))
    shown = show_spans("Monday Xaver", [kind]).words
    assert restore_spans([kind], ["montag", "mon"], shown, np.eye(2)).words == ["montag", "Xaver"]
    assert restore_spans([kind], ["mon", "mons"], shown, np.eye(2)).words == ["Xaver", "Xavers"]


def test_a_usual_name_that_the_sentence_has_stands_for_no_other():
    for source, shown, words, points, german in [
        ("Anna saw Keanu", "Anna saw Bern", "Berns sah Anna", [2, 1, 0], "Keanus sah Anna"),
        ("Keanu and Neo", "Anna and Bern", "Bern und Anna", [2, 1, 0], "Neo und Keanu"),
        ("Keanu saw Bern", "Anna saw Bern", "Anna sah Bern", [2, 1, 0], "Keanu sah Bern"),
    ]:
        known = KnownNames(frozenset(["saw", "and", "anna", "bern"]), "Anna", ("Bern",))
        kind = NameKind(known, ("en", "fr"))
        text = show_spans(source, [kind])
        assert text.text == shown
        restored = restore_spans([kind], words.split(), text.words, np.eye(3)[points])
        assert " ".join(restored.words) == german


def test_a_prefix_with_a_new_name_stays_as_it_was_given():
    source = ["<s>", "▁anna", "▁saw", "▁anna", "</s>"]
    target = ["▁anna", "▁sah", "▁anna"]
    points = np.eye(5, dtype="float32")[[1, 2, 3]]
    sentence = "Xaver saw Ludmilla"
    prefix = show_prefix("Xaver SAH", [sentence], [NameKind(USUAL.names, ("en", "fr"))])
    assert [word.text for word in prefix] == ["Anna", "SAH"]
    text = write(sentence, source, target, points, USUAL, True, prefix)
    assert text == "Xaver SAH Ludmilla"


def test_the_usual_name_is_learnt_if_it_is_frequent():
    sources = ["I saw Tom and Mary.", "The Dog saw Tom."] * 60
    targets = ["Ich sah Tom und Maria.", "Der Hund sah Tom."] * 60
    known = KnownNames.learn(sources, targets)
    assert known.usual == "Tom"
    assert known.words == frozenset(["i", "saw", "tom", "and", "mary", "the", "dog"])
    assert KnownNames.learn(sources[:50], targets[:50]).usual is None
    assert KnownNames.learn([], []) == KnownNames(frozenset(), None)


def test_joined_words_are_no_name_where_names_are_copied():
    assert put_right("Paid/the man", "zahlte der mann", {}, names=True) == "Zahlte der Mann"


def test_rare_names_that_are_copied_count_as_new():
    rare = [("I saw Michael.", "Ich sah Michael."), ("The bay is big.", "Die Bucht ist groß.")]
    odd = [("I like Munich.", "Ich mag München."), ("Then Will saw Bay.", "Dann sah Will Bay.")]
    pairs = [*rare * 20, *odd * 20, *[("We will see Tom.", "Wir werden Tom sehen.")] * 100]
    known = KnownNames.learn(*zip(*pairs))
    names = ["Michael", "Munich", "Will", "Bay", "Tom", "Keanu"]
    assert [name for name in names if known.is_new(name)] == ["Michael", "Keanu"]


def test_of_a_word_that_only_begins_sentences_the_spelling_in_lower_case_counts():
    for sentences in (["HALT an!", "Halt an!"], ["Halt an!", "HALT an!"]):
        assert Truecaser.learn(sentences).spellings["halt"] == "halt"
    assert Truecaser.learn(["NATO hilft."]).spellings["nato"] == "NATO"


def test_text_is_split_into_words_and_what_is_between_them_in_linear_time():
    assert split_tokens("'a’b. c' --d  '") == ["'", "a’b", ". ", "c'", " --", "d", "  ", "'"]
    assert split_tokens("'e.g.' foo.bar U.K.") == [
        "'", "e.g.", "' ", "foo", ".", "bar", " ", "U.K."
    ]  # fmt: skip
    assert split_tokens("") == []
    assert split_tokens(" " * 50_000 + "a" * 50_000 + "!") == [" " * 50_000, "a" * 50_000, "!"]


def test_dropped_numbers_of_several_digits_are_inserted():
    text = put_right("It cost 250 here .", "es kostete hier .", {1: 1, 2: 3, 3: 4})
    assert text == "Es kostete 250 hier ."
    text = put_right("I saw 1,250 men.", "ich sah mann.", {2: 3})
    assert text == "Ich sah 1.250 Mann."
    assert put_right("I have 1 man .", "ich habe einen mann .", {2: 2}) == "Ich habe einen Mann ."
    assert put_right("The A38 was here", "der zug war hier", {1: 1}) == "Der Zug war hier"


def test_a_word_that_looks_at_a_dropped_number_stays():
    assert put_right("It cost 250 .", "es kostete viel .", {2: 2}) == "Es kostete 250 viel ."


def test_usual_names_stand_alone_first_and_are_kept_with_the_run(tmp_path):
    pairs = [
        *[("We saw Anna today.", "Wir sahen Anna heute.")] * 120,
        *[("We saw Tom Weber today.", "Wir sahen Tom Weber heute.")] * 150,
        *[("We saw Mary today.", "Wir sahen Maria heute.")] * 20,
        *[("We saw Mary today.", "Wir sahen Mary heute.")] * 130,
        *[("We saw Otto today.", "Wir sahen Otto heute.")] * 99,
    ]
    pairs += [("Anna saw Ulm.", "Anna sah Ulm.")] * 90 + [("He is in Ulm.", "Er ist in Ulm.")] * 30
    names = KnownNames.learn(*zip(*pairs), "en")  # type: ignore[call-arg]
    assert names.usual_names == ("Anna", "Ulm", "Tom", "Weber")
    assert names.places == ("Ulm",)
    assert KnownNames.learn(*zip(*pairs), "fr").places == ()  # type: ignore[call-arg]
    KNOWN._replace(names=names).save(tmp_path / "restoration.json")
    assert Restoration.load(tmp_path / "restoration.json").names == names
    values = json.loads((tmp_path / "restoration.json").read_text("utf-8"))
    del values["other_names"], values["place_names"]  # as earlier versions wrote it
    (tmp_path / "old.json").write_text(json.dumps(values), "utf-8")
    assert Restoration.load(tmp_path / "old.json").names.usual_names == ("Anna",)
