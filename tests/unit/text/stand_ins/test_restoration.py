"""Numbers, names and capitals that a tokenizer removes are restored in translations."""

import itertools
import json
from typing import Any, NamedTuple

import numpy as np
import pytest

from translator.base.errors import InputError
from translator.text.casing import Casing
from translator.text.memo import ShownWord
from translator.text.read_lines import ReadSentence
from translator.text.restoration import Restoration, damage_reported
from translator.text.sentences import Part
from translator.text.spans.inline import take_out_marks
from translator.text.stand_ins.known_names import KnownNames
from translator.text.stand_ins.name_contexts import NameContexts
from translator.text.stand_ins.numbers import NumberKind, localized
from translator.text.stand_ins.registry import SpanSettings, active_kinds
from translator.text.stand_ins.showing import show_spans
from translator.text.stand_ins.unseen_names import NameKind
from translator.text.stand_ins.writing import TranslationWriter, show_prefix
from translator.text.truecasing import Truecaser, split_tokens
from translator.text.word_alignment import AlignmentHeads
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
ENGLISH = ["On Monday the man arrived with us.", "He paid for the train.", "Anna saw us."]


class Known(NamedTuple):
    """What a writer is made with."""

    truecaser: Truecaser | None
    names: KnownNames


KNOWN = Known(Truecaser.learn(GERMAN), KnownNames.learn(ENGLISH, [""] * 3))
USUAL = KNOWN._replace(names=KNOWN.names._replace(usual="Anna"))
CASED = KNOWN._replace(truecaser=None)


class PiecesAsIds:
    """A tokenizer whose ids are pieces."""

    end_id = "</s>"
    language = "de"

    def pieces(self, ids: list[str]) -> list[str]:
        return ids


TOKENIZERS: Any = Tokenizers(PiecesAsIds(), PiecesAsIds())


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
    words = words_of(source_pieces)
    part = Part(source, "", begins)
    sentence = ReadSentence(part, show_spans(source, kinds), [], words, True, True, casing)
    its = (known.truecaser, known.names if names else None)
    writer = TranslationWriter(TOKENIZERS, kinds, prefix, *its)
    return writer.write(sentence, target_pieces, alignment)


def put_right(source: str, target: str, points: dict[int, int], **given) -> str:
    """Restores words, each a piece; ``points`` says where a target word looks, else straight."""
    shown = source
    if given.get("known") is USUAL:
        shown = show_spans(source, [NameKind(USUAL.names, ("en", "fr"))]).text
    words = shown.split()
    source_pieces = ["<s>", *("▁" + word.lower() for word in words), "</s>"]
    target_pieces = ["▁" + word for word in target.split()] + ["</s>"]
    alignment = np.full((len(target_pieces), len(source_pieces)), 0.1, "float32")
    for i in range(len(target_pieces) - 1):
        alignment[i, points.get(i, min(i, len(words) - 1)) + 1] = 1.0
    prefix = show_prefix(given.pop("prefix", ""), [], [NumberKind(("en", "de"))])
    return write(source, source_pieces, target_pieces, alignment, prefix=prefix, **given)


@pytest.mark.parametrize(
    ("source", "target", "points", "written"),
    [
        # Digits come from the word with most attention, and from one of the same shape
        ("The man came in 1989 and not in 2001 .", "der mann kam nicht 0000 sondern 0000 .",
         {4: 8, 6: 4}, "Der Mann kam nicht 2001 sondern 1989 ."),
        ("12 men in 1989 .", "im 0000 kamen 00 mann", {1: 0, 3: 3}, "Im 1989 kamen 12 Mann"),
        ("5 or 6", "0 oder 0", {0: 0, 2: 0}, "5 oder 6"),
        ("5 men", "0 mann , 0", {0: 0, 3: 0}, "5 Mann , 5"),  # again only if there are more
        ("the A38 .", "die a00.", {}, "Die A38."),
        ("the train .", "der zug 00 .", {}, "Der Zug 00 ."),
        ("The 50 m² are ٣ big", "die 00 m2 sind 0 groß", {1: 1, 4: 4}, "Die 50 m2 sind 3 groß"),
        ("I paid 17 for 1.5 liters", "ich zahlte 0,0", {2: 3}, "Ich zahlte 17 1,5"),
        # Those that were dropped are inserted if they have several digits
        ("It cost 250 here .", "es kostete hier .", {1: 1, 2: 3, 3: 4}, "Es kostete 250 hier ."),
        ("I saw 1,250 men.", "ich sah mann.", {2: 3}, "Ich sah 1.250 Mann."),
        ("I have 1 man .", "ich habe einen mann .", {2: 2}, "Ich habe einen Mann ."),
        ("The A38 was here", "der zug war hier", {1: 1}, "Der Zug war hier"),
        ("It cost 250 .", "es kostete viel .", {2: 2}, "Es kostete 250 viel ."),
        # The point of a time and of a version stays, that of a decimal does not
        ("At 7.30 p.m. he came", "um 0.00 kam er", {}, "Um 7.30 kam er"),
        ("At 7.30 he came", "um 0.00 uhr kam er", {}, "Um 7.30 Uhr kam er"),
        ("Use Version 2.0 now", "an zug 0.0 heute", {}, "An Zug 2.0 heute"),
        ("He has 1,250 watches", "er hat 0.000 uhr", {}, "Er hat 1.250 Uhr"),
        ("I paid 1.5 on Monday", "ich zahlte 0,0 am montag", {}, "Ich zahlte 1,5 am Montag"),
        # Capitals are those of the training split; unknown words follow their endings
        ("x", "heute kommt der mann zum essen.", {}, "Heute kommt der Mann zum Essen."),
        ("x", "der mann und wir essen es.", {}, "Der Mann und wir essen es."),
        ("x", "er kam. der zug kam.", {}, "Er kam. Der Zug kam."),
        ("x", "er sieht die hoffnung.", {}, "Er sieht die Hoffnung."),
        ("x", "am ostermontag kam er.", {}, "Am Ostermontag kam er."),
        ("x", "er sieht die bnjlpx.", {}, "Er sieht die bnjlpx."),
        ("x", "und z. b. der 2. mann", {}, "Und z. b. der 2. Mann"),
        ("the man Keanu", "der mann keanu", {}, "Der Mann Keanu"),
        # German ordinals have a point
        ("my 2nd car .", "mein 0 auto .", {}, "Mein 2. auto ."),
        ("my 2nd car .", "mein 0. auto .", {}, "Mein 2. auto ."),
        ("he came 22ND .", "er kam 00, .", {}, "Er kam 22., ."),
        ("my 2nd car .", "mein 0-mann .", {}, "Mein 2-Mann ."),
        ("my 21st car .", "mein x auto .", {}, "Mein 21. x auto ."),
        ("my 1,000th car .", "mein 00 auto .", {}, "Mein 1.000. auto ."),
    ],
)  # fmt: skip
def test_numbers_and_capitals_are_put_back(source, target, points, written):
    assert put_right(source, target, points) == written


def test_english_ordinals_end_as_their_digits_ask_for():
    for source, target, english in [
        ("am 21. tag .", "on 00thth day .", "on 21st day ."),
        ("am 12. tag .", "on 00st day .", "on 12th day ."),
        ("ihr 43. geburtstag .", "her 00 birthday .", "her 43rd birthday ."),
        ("am 22. Mai .", "on 00 May .", "on 22 May ."),
        ("der 12. Mann .", "the x man .", "the 12th x man ."),
        ("mit 22 autos .", "with 00 cars .", "with 22 cars ."),
        ("am 1.021. tag .", "on 00 day .", "on 1,021st day ."),
        ("er kam 22.", "he came", "he came 22"),
        ("um 9:30 kam er", "at 00th came he", "at 9:30 came he"),
        ("mit 2,5 kilo", "with 00th kilos", "with 2.5 kilos"),
    ]:
        assert put_right(source, target, {}, languages=("de", "en"), known=CASED) == english


def test_numbers_are_written_as_in_german():
    for number, german in [
        ("1.5", "1,5"),
        ("1,234,567.89", "1.234.567,89"),
        ("1,5", "1,5"),
        ("10:30", "10:30"),
        ("1.2.3", "1.2.3"),
    ]:
        back = number if german != number else number.replace(",", ".")
        assert (localized(number, ("en", "de")), localized(german, ("de", "en"))) == (german, back)
        assert localized(number, ("en", "zh")) == localized(number, ("de", "fr")) == number


@pytest.mark.parametrize(
    ("source", "target", "points", "given", "written"),
    [
        # New names come from the source; no other word goes with them
        ("The man Keanu Reeves came .", "der mann kianu riefs kam .", {}, {"names": False},
         "Der Mann kianu riefs kam ."),
        ("The man Keanu Reeves came .", "der mann kianu riefs kam .", {}, {},
         "Der Mann Keanu Reeves kam ."),
        ("The man Keanu Reeves came .", "der mann ki anu r ie fs, kam .",
         {3: 2, 4: 3, 5: 3, 6: 3, 7: 4}, {}, "Der Mann Keanu Reeves, kam ."),
        ("Keanu saw 5 men", "keanu sah 0 mann", {0: 0, 2: 0}, {}, "Keanu sah 5 Mann"),
        ("On Monday Keanu came", "kianu kam am montag kianu", {0: 2, 1: 3, 2: 0, 3: 1, 4: 2}, {},
         "Keanu kam am Montag Keanu"),
        ("Paid/the man", "zahlte der mann", {}, {}, "Zahlte der Mann"),
        ("On Monday 你好 came", "am montag <unk> kam", {}, {}, "Am Montag 你好 kam"),
        ("The Train came", "der zug kam", {}, {}, "Der Zug kam"),
        ("That’s", "das ist", {1: 0},
         {"known": KNOWN._replace(names=KnownNames.learn(["That's what he saw."], [""]))},
         "Das ist"),
        ("The Keanu", "der mann", {},
         {"known": KNOWN._replace(names=KnownNames(frozenset(), None))}, "Der Mann"),
        ("Xylo came .", "x kam .", {},
         {"known": KNOWN._replace(names=KNOWN.names._replace(
             contexts=NameContexts({}, {}, {}, {})))}, "X kam ."),
        # With a usual name they take the place of their stand-in
        ("Keanu Reeves arrived.", "anna kam an.", {}, {"known": USUAL}, "Keanu Reeves kam an."),
        ("Xaver saw Ludmilla.", "ludmilla sah anna.", {}, {"known": USUAL},
         "Ludmilla sah Ludmilla."),
        ("Xaver saw Ludmilla.", "anna wurde von anna gesehen.", {0: 2, 3: 0}, {"known": USUAL},
         "Ludmilla wurde von Xaver gesehen."),
        ("Anna saw Xaver.", "anna sah anna.", {}, {"known": USUAL}, "Anna sah Xaver."),
        ("Xaver's man paid", "annas mann zahlte", {}, {"known": USUAL}, "Xavers Mann zahlte"),
        ("Felix's man paid", "annas mann zahlte", {}, {"known": USUAL}, "Felix' Mann zahlte"),
        ("He saw Xaver.", "er sah sie.", {}, {"known": USUAL}, "Er sah sie."),
        ("Xaver—the man", "anna—der mann", {}, {"known": USUAL}, "Xaver—der Mann"),
        # A prefix stays as it was given, and is continued if it ends within a word or number
        ("Mister Keanu came", "der herr kianu kam", {1: 1, 2: 1}, {"prefix": "der Herr"},
         "der Herr Keanu kam"),
        ("In 1989 he came", "im 0000 kam er", {1: 1}, {"prefix": "Im 19"}, "Im 1989 kam er"),
        ("In 2001 he came", "im 0000 kam er", {1: 1}, {"prefix": "Im 19"}, "Im 1900 kam er"),
        ("In 1989 the man", "im jahr 0000 der mann", {2: 1}, {"prefix": "IM J"},
         "IM Jahr 1989 der Mann"),
        ("In 1989 the man", "im jahr 0000 der mann", {2: 1}, {"prefix": "Im  jahr 1990 DER "},
         "Im jahr 1990 DER Mann"),
        ("In 1989 the man", "im jahr 0000 der mann", {2: 1},
         {"prefix": "Anderswo", "names": False}, "Im jahr 1989 der Mann"),
        ("The man came", "der mann kam", {}, {"prefix": "Der M", "casing": Casing.CAPITALS},
         "Der MANN KAM"),
        # Text with capitals keeps them
        ("in 1989 ANNA paid 7.50", "IM Jahr 0000 zahlte ANNA 00", {2: 1, 5: 4},
         {"known": CASED, "prefix": "IM Jahr 2001 z"}, "IM Jahr 2001 zahlte ANNA 7,50"),
        ("The A39 is long", "Die A00 ist lang", {1: 1}, {"known": CASED, "prefix": "Die A38"},
         "Die A38 ist lang"),
        # The later part of a sentence that was cut begins in lower case
        ("x", "der mann kam.", {}, {"begins": False}, "der Mann kam."),
    ],
)  # fmt: skip
def test_names_and_prefixes_are_put_back(source, target, points, given, written):
    assert put_right(source, target, points, **{"names": True, **given}) == written


@pytest.mark.parametrize(
    ("source", "fits", "target", "expected"),
    [
        ("The cat", True, ["▁Die", "▁Katze", "."], "Die Katze"),
        ("The cat.", True, ["▁Die", "▁Katze", "."], "Die Katze."),
        ("The cat", False, ["▁Die", "▁Katze", "."], "Die Katze."),
        ("too", True, ["▁,", "▁auch"], "auch"),
        ("too", False, ["▁,", "▁auch"], ", auch"),
    ],
)
def test_marks_fit_the_source_if_that_is_wanted(source, fits, target, expected):
    words = words_of(["<s>", *("▁" + word for word in source.split()), "</s>"])
    sentence = ReadSentence(Part(source, ""), show_spans(source, []), [], words, True, True)
    writer = TranslationWriter(TOKENIZERS, fits_marks=fits)
    attention = np.full((len(target) + 1, len(words.numbers)), 0.25, "float32")
    assert writer.write(sentence, [*target, "</s>"], attention) == expected


@pytest.mark.parametrize("pieces", [["</s>"], [], ["▁", "</s>"]])
def test_a_translation_without_words_has_the_marks_alone(pieces):
    for text, marks_alone in [("<b>Yes</b>", "<b> </b>"), ("Yes 🙂", "🙂"), ("Yes", "")]:
        inline = take_out_marks(text)
        source = words_of(["<s>", "▁Yes", "</s>"])
        shown = show_spans(inline.plain, [])
        sentence = ReadSentence(Part(text, ""), shown, [], source, True, marks=inline.marks)
        writer = TranslationWriter(TOKENIZERS, fits_marks=True)
        assert writer.write(sentence, pieces, np.full((len(pieces), 3), 0.3)) == marks_alone


def test_digits_are_found_where_the_tokenizer_has_other_words():
    source = ["<s>", "▁in", "▁00", "▁0", "00", "</s>"]  # an odd space became a plain one
    text = write("in 10\u180e250", source, ["▁mit", "▁00", "▁000"], np.eye(3, 6, 1))
    assert text == "Mit 10 250"


def test_bytes_of_rare_characters_become_characters_again():
    assert words_of(["▁a", "<0xE2>", "<0x82>", "<0xAC>", "▁b"]).texts == ("a€", "b")
    assert words_of(["<s>", "▁New▁York", "▁b", "</s>"]).texts == ("New York", "b")
    assert words_of(["<0xE2>"]).texts == ("\ufffd",)


def test_numbers_of_rare_shapes_are_shown_as_plain_ones():
    for text, shown in [
        ("At 7:30 he paid 1,250.50 or 3 for 1/2.", "At 00 he paid 00 or 3 for 00."),
        ("9:00-17:30, -5.5 and 1,234-page", "9:00-17:30, -5.5 and 1,234-page"),
    ]:
        assert show_spans(text, [NumberKind(("en", "de"))]).text == shown
    kind = NumberKind(("de", "en"))
    assert kind.fit("00th", "21") == kind.fit("00", "21") > kind.fit("00th", "3")


def test_a_new_name_is_shown_as_the_usual_one():
    for text, shown in [
        ("Keanu Reeves arrived with Anna.", "Anna arrived with Anna."),
        ("(Keanu), Reeves's man", "(Anna), Anna's man"),
        ("the man paid 5 for a BMW3.", "the man paid 5 for a BMW3."),
        ("Xaver'll come. Xaver´s man", "Anna'll come. Anna's man"),
        ("a Bonn-based man met Jean-Luc", "a Bonn-based man met Anna"),
        ("Xaver " * 12, "Anna Anna Anna"),  # five words make a name at most
        ("Keanu Monday met Xaver Train.", "Anna met Anna."),  # known words of a name
        ("Keanu, Monday arrived", "Anna, Monday arrived"),
        ("He/the man, The/Anna", "He/the man, The/Anna"),
        ("Train—the man, So…he, The...Train", "Train—the man, Anna…he, The...Train"),
        ("Keanu/Xaver,Monday!Ludmilla", "Anna/Anna,Monday!Anna"),
        ("AT&T and J.R. met O'Neill", "Anna and Anna. met Anna"),
    ]:
        assert show_spans(text, [NameKind(USUAL.names, ("en", "fr"))]).text == shown


def test_a_capital_at_the_beginning_of_a_sentence_makes_no_name_of_a_common_word():
    stems = ["".join(letters) for letters in itertools.product("bdfk", "aeiou", "lmn", "o")]
    words = {*stems, *(stem + "ed" for stem in stems), "plant", "he", "said", "met", "the", "anna"}
    kind = NameKind(KnownNames(frozenset(words), "Anna"), ("en", "fr"))
    for text, shown in [
        ("Planted flowers grow.", "Planted flowers grow."),
        ("- Planted flowers grow.", "- Planted flowers grow."),
        ('He said: "Planted."', 'He said: "Planted."'),
        ('He said, "Planted."', 'He said, "Planted."'),
        ("He met Planted.", "He met Anna."),
        ("Unplug the lamp.", "Unplug the lamp."),  # hardly a name before "the"
        ("Keanu lives here.", "Anna lives here."),
        ("Keanu, the man", "Anna, the man"),
        ("Keanu's the man", "Anna's the man"),
    ]:
        assert show_spans(text, [kind]).text == shown


def test_a_prefix_with_a_new_name_stays_as_it_was_given():
    source, target = ["<s>", "▁anna", "▁saw", "▁anna", "</s>"], ["▁anna", "▁sah", "▁anna"]
    points = np.eye(5, dtype="float32")[[1, 2, 3]]
    sentence = "Xaver saw Ludmilla"
    prefix = show_prefix("Xaver SAH", [sentence], [NameKind(USUAL.names, ("en", "fr"))])
    assert [word.text for word in prefix] == ["Anna", "SAH"]
    text = write(sentence, source, target, points, USUAL, True, prefix)
    assert text == "Xaver SAH Ludmilla"


def test_frequent_names_are_learnt_those_that_stand_alone_first(tmp_path):
    pairs = [
        *[("We saw Anna today.", "Wir sahen Anna heute.")] * 120,
        *[("We saw Tom Weber today.", "Wir sahen Tom Weber heute.")] * 150,
        *[("We saw Mary today.", "Wir sahen Maria heute.")] * 20,
        *[("We saw Mary today.", "Wir sahen Mary heute.")] * 130,
        *[("We saw Otto today.", "Wir sahen Otto heute.")] * 99,
        *[("Anna saw Ulm.", "Anna sah Ulm.")] * 90,
        *[("He is in Ulm.", "Er ist in Ulm.")] * 30,
    ]
    names = KnownNames.learn(*zip(*pairs), "en")  # type: ignore[call-arg]
    assert names.usual_names == ("Anna", "Ulm", "Tom", "Weber")
    assert names.places == ("Ulm",)
    assert {"saw", "mary", "he"} <= names.words
    assert KnownNames.learn(*zip(*pairs), "fr").places == ()  # type: ignore[call-arg]
    assert KnownNames.learn([], []) == KnownNames(frozenset(), None)
    Restoration(names=names.to_json()).save(tmp_path / "restoration.json")
    loaded = Restoration.load(tmp_path / "restoration.json")
    assert KnownNames.from_json(loaded.names) == names
    values = json.loads((tmp_path / "restoration.json").read_text("utf-8"))
    del values["other_names"], values["place_names"]  # as earlier versions wrote it
    (tmp_path / "old.json").write_text(json.dumps(values), "utf-8")
    old = Restoration.load(tmp_path / "old.json")
    assert KnownNames.from_json(old.names).usual_names == ("Anna",)


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
    for text, tokens in [
        ("'a’b. c' --d  '", ["'", "a’b", ". ", "c'", " --", "d", "  ", "'"]),
        ("'e.g.' foo.bar U.K.", ["'", "e.g.", "' ", "foo", ".", "bar", " ", "U.K."]),
        ("", []),
        (" " * 50_000 + "a" * 50_000 + "!", [" " * 50_000, "a" * 50_000, "!"]),
    ]:
        assert split_tokens(text) == tokens


def test_a_restoration_survives_a_round_trip(tmp_path):
    path = tmp_path / "restoration.json"
    source_truecaser = Truecaser.learn(["Then Tom saw the Black Sea.", "A black cat."])
    heads = AlignmentHeads(2, (1, 0), 0.5, 10)
    names = KNOWN.names.to_json()
    whole = Restoration(heads, KNOWN.truecaser, source_truecaser, names)
    whole.save(path)
    assert Restoration.load(path) == whole
    assert source_truecaser != whole.truecaser
    assert Restoration.load(tmp_path / "none.json") == Restoration()
    assert whole.knows_names
    nothing = KnownNames(frozenset(), None).to_json()
    assert not any(it.knows_names for it in (Restoration(), Restoration(names=nothing)))
    text, values = path.read_text(), json.loads(path.read_text())
    wrong = [text.replace("[1, 0]", its) for its in ("[]", "[1.5]", "[-1]", '"x"', "[true]")]
    changes = [{key: {}} for key in ("truecaser", "source_truecaser", "name_contexts", "alignment")]
    wrong += [json.dumps({**values, **its}) for its in ({"usual_name": 5}, *changes)]
    for damaged in ("", "[]", "[" * 200_000, '{"alignment": 3}', text[:-9], *wrong):
        path.write_text(damaged)
        with (
            pytest.raises(InputError, match="expected what training writes"),
            damage_reported(path),
        ):
            KnownNames.from_json(Restoration.load(path).names)
