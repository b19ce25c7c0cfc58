"""The codec of masks: what training sees is what translating shows, and nothing is lost."""

from pathlib import Path

import numpy as np
import pytest

from tests.builders import table_of
from tests.growth import grows_linearly
from tests.tokenizer_corpora import TEXT
from translator.corpora.pairs import SentencePairs
from translator.data.linked_pairs import Linker
from translator.data.masked_pairs import PairMasker
from translator.data.word_links import WordLinks
from translator.text.codec import Codec, Parts
from translator.text.copied_spans import find_copied
from translator.text.learnt_words import LearntWords
from translator.text.masking import Masker
from translator.text.names import NameModel, copies, learn_names
from translator.text.preprocessing import Preprocessor
from translator.text.read_lines import CodecOptions
from translator.text.shown import COPIED, NAME, QUANTITY
from translator.text.word_table import WordTable
from translator.tokenizers.masks import MASKS, NUMBER_MASKS, WORD_MASKS, with_names
from translator.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer
from translator.tokenizers.subword import Tokenizers
from translator.tokenizers.training import train_model

TRAIN = SentencePairs.from_pairs(
    [
        *[("Tom saw the dog.", "Tom sah den Hund.")] * 30,
        *[("I saw Mary there.", "Ich sah dort Maria.")] * 30,
        *[(f"{name} sang.", f"{name} sang.") for name in ("Ali", "Kim", "Ben", "Eva", "Max")],
        ("We met Kenji here.", "Wir trafen hier Kenji."),
        ("The dog was in Boston.", "Der Hund war in Boston."),
        ("She has three books.", "Sie hat drei Bücher."),
        ("He has seen it.", "Er hat es gesehen."),
    ]
)


def copies_of(pairs: SentencePairs, masker: PairMasker) -> list[tuple[str, str]]:
    worth = bytearray()
    list(masker.as_translated(zip(*pairs), worth=worth))
    return list(masker.copies(pairs, worth, 0.5, Linker(WordLinks.of(pairs))))


def pair_masker(masker: Masker, tags: tuple[str, ...] = ()) -> PairMasker:
    return PairMasker(Preprocessor(masker, True, tags=tags))


@pytest.fixture(scope="module")
def names() -> NameModel:
    """What the pairs tell of names."""
    return NameModel(WordTable.of(learn_names(*TRAIN, ("en", "de"))))


@pytest.fixture(scope="module")
def masker(names) -> Masker:
    """From English to German."""
    return Masker(("en", "de"), names, spells=lambda character: character not in {*MASKS, "☃"})


@pytest.fixture(scope="module")
def model_file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("tokenizer") / "both.model"
    path.write_bytes(train_model((*TEXT, *TRAIN.sources, *TRAIN.targets), 360))
    return path


def make_codec(model_file: Path, languages: tuple[str, str], train: SentencePairs) -> Codec:
    source, target = (
        SentencePieceTokenizer(model_file, code, has_masks=True) for code in languages
    )
    tokenizers = Tokenizers(source, target)
    return Codec(Parts(tokenizers, 64, LearntWords.learn(train, tokenizers, {})))


@pytest.fixture(scope="module")
def codec(model_file) -> Codec:
    """From English to German."""
    return make_codec(model_file, ("en", "de"), TRAIN)


@pytest.fixture(scope="module")
def codecs(codec, model_file) -> dict[str, Codec]:
    """By the source language."""
    reverse = SentencePairs(TRAIN.targets, TRAIN.sources)
    return {"en": codec, "de": make_codec(model_file, ("de", "en"), reverse)}


HOSTILE = {
    "de": [
        "a b ", "7", "100 ", "100\u00a0", "1,", "dreizehn", "eine Million ", "gib ", "z. B. ",
        "los", "Xqzw ", "ss",
    ],
    "en": [
        "<", "<a b=", "<!--", "{", "{{a", "(", "@", "//", "_a.", "a-a-", "`", '"a', "\u202ea",
        "\u200d", "!", "half a million ", "H<sub>2</sub>", "A", "ABC ", "   ", "あ。",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "part"), [(code, part) for code, parts in HOSTILE.items() for part in parts]
)
def test_any_line_is_read_and_written_in_linear_time(codecs, language, part):
    codec, options = codecs[language], CodecOptions(errors="replace")

    def read_and_write(size: int) -> None:
        line = codec.reader(options).read((part * size)[:size] + " 1x", "line 1")
        writer = codec.writer(options)
        for sentence in line.sentences:
            if sentence.is_spelt:
                count = len(sentence.ids)
                writer.write(sentence, sentence.ids[1:], np.full((count - 1, count), 1 / count))

    assert grows_linearly(read_and_write, 4000)


def test_what_every_language_writes_alike_is_found():
    for text, spans in [
        ("See https://a.b/c?d=1).", ["https://a.b/c?d=1"]),
        ("Mail (a.b@c.de) now.", ["a.b@c.de"]),
        ("Open main.py and ~/x/y.", ["main.py", "~/x/y"]),
        ("There are %d files in {dir}.", ["%d", "{dir}"]),
        ("Set x=%d, y", ["x=%d"]),
        ("{n} km, {km} m's, %d h", ["{n} km", "{km}", "%d h"]),
        ("Run `python x/y.py --a`.", ["`python x/y.py --a`"]),
        ("```yaml", ["```yaml"]),
        ("Run ``a b``, ```d e```.", ["``a b``", "```d e```"]),
        ("Use v1.2.3 with --all.", ["v1.2.3", "--all"]),
        ("-h, --help, -I know, he is -a big man-.", ["-h", "--help"]),
        ("See :ref:`a b` and :smile: or 3:a:b.", [":ref:`a b`", ":smile:"]),
        ("There are %n files.", ["%n"]),
        ("Run foo_bar() on GPT-4.", ["foo_bar()", "GPT-4"]),
        ("Call a.b('c') or d(„e“) (\"f\") g(h).", ["a.b('c')", "d(„e“)"]),
        ("E = mc^2, (x=3), f(x) < 2.5 km, I <3 you.", ["mc^2", "x=3"]),
        ("H<sub>2</sub>O: E = mc<sup>2</sup>", ["H<sub>2</sub>O", "mc<sup>2</sup>"]),
        ("AT&T has C++-2 and C# (A+), 0.5s.", ["AT&T", "C++-2", "C#", "A+", "0.5s"]),
        ("Press Ctrl+C or Ctrl+Alt+F4.", ["Ctrl+C", "Ctrl+Alt+F4"]),
        ("I, ......, of ____/____.", ["......", "____/____"]),
        ("Part........12, Name____ of ___a___, No.... so", ["........", "____"]),
        ("Dear ###A_B###, __HI__ of @tom-smith", ["###A_B###", "__HI__", "@tom-smith"]),
        ("To [NAME], [A] [b] [NAME](x) «First_Name» «So»", ["[NAME]", "First_Name"]),
        ("Hi <%= user.name %>, [% a %] b%]", ["<%= user.name %>", "[% a %]"]),
        ("At :name, :smile: 10:ab a:b :", [":name", ":smile:"]),
        ("Send GET /api/users, or DELETE /a/{id}.", ["/api/users", "/a/{id}"]),
        ("Is getName in otData or 3D a.bc, GmbH?", ["getName", "otData", "3D", "a.bc"]),
        ("Get iOS 17.1, Python 3.8+ or 1.2rc3.", ["iOS 17.1", "Python 3.8+", "1.2rc3"]),
        ("git add a.py", ["git add a.py"]),
        ("git add. Python 3.8 % of it.", []),
        ("A - B, I + you = we, Time = money.", []),
        ("AW: Re: It's 5'10\" tall and 3' long, Redo:", ["AW:", "Re:", "5'10\"", "3'"]),
        ("He said 'I am 5' and \"27\".", []),
        *(
            (line, [line])
            for line in (
                "To: Ann <a@b.c>",
                "MIME-Version: 1.0",
                "Date: Thu, 14 Mar 2024 09:42:17 +0000",
            )
        ),
        ("To: Ann Fox", []),
        ("It was 5km in the 1990s, on the 21st.", []),
        ("The **red** car (almost) & plain text.", []),
    ]:
        assert [text[start:end] for start, end in find_copied(text)] == spans


def test_new_and_rare_names_are_told_from_known_words(names):
    words = ["Tom", "saw", "Farida", ",", "Kenji", "and", "The", "dogs", "."]
    assert list(filter(names.is_new_name, words)) == ["Farida", "Kenji"]
    assert list(map(names.translation, ("Mary", "Tom", "Kenji"))) == ["Maria", "Tom", "Kenji"]
    assert [copies("Tom", text) for text in ("Toms Hund", "Tomate", "Tom.")] == [True, False, True]
    pairs = [("Der Hund liest Bücher im Zug.", "The dog reads books on the train.")]
    names = NameModel(WordTable.of(learn_names(*SentencePairs.from_pairs(pairs), ("de", "en"))))
    words = ("Xaver", "Hundebücher", "Büchern", "neu")
    assert [word for word in words if names.is_new_name(f"„{word}“,")] == ["Xaver"]
    pairs = [("Then Anna, who met Mary.", "Dann Lena Maria.")] * 30 + [("WHO, Who, Bonn",) * 2] * 2
    pairs.append(("Bonn", "Bonner"))
    names = NameModel(WordTable.of(learn_names(*SentencePairs.from_pairs(pairs), ("en", "de"))))
    assert (names.translation("Anna"), names.translation("Mary")) == ("Lena", "Mary")
    assert [word for word in ("Bonn", "WHO", "Who") if names.is_new_name(word)] == ["Bonn", "WHO"]


def test_copies_mask_known_names_too(masker):
    made = copies_of(TRAIN, pair_masker(masker, ("bt",)))
    assert made == copies_of(TRAIN, pair_masker(masker, ("bt",)))
    assert 0 < len(made) <= round(0.5 * len(TRAIN))
    assert any("Maria" not in target and "dort" in target for _, target in made)
    assert all(any(c in MASKS for c in source) for source, _ in made)


def test_masks_stand_for_new_names_numbers_and_addresses(masker):
    masked = masker.mask("Farida saw Abbas Ali, Tom's 25 dogs on a.com.")
    assert with_names(masked.text) == "⟨1⟩ saw ⟨2⟩, Tom's ⟨#1⟩ dogs on ⟨3⟩."
    assert [span.text for span in masked.spans] == ["Farida", "Abbas Ali", "25", "a.com"]
    assert [span.kind for span in masked.spans] == [NAME, NAME, QUANTITY, COPIED]
    titles = masker.mask("Mrs. Farida saw Ms Abbas.")  # also where the corpus has none
    assert with_names(titles.text) == "Mrs. ⟨1⟩ saw Ms ⟨2⟩."
    masked = masker.mask(" ".join(f"{n}.5" for n in range(12)))
    assert (len(masked.spans), masked.unmasked) == (9, 3), "spans beyond the masks stay"
    # also what a user typed and what no piece spells; points and initials are in a name
    for text, spans in [
        ("It costs 1,234.5 dollars.", {"1,234.5 dollars": "1.234,5 Dollar"}),
        ("GB82 WEST 1234 5698 7654 32 is in A4", ["GB82 WEST 1234 5698 7654 32", "A4"]),
        ("version 2.10.3, on 31/12/2026.", {"2.10.3": "2.10.3", "31/12/2026": "31. Dezember 2026"}),
        ("Dr. Farida J. Kenji saw Tom.", ["Dr. Farida J. Kenji"]),
        ("Tom J. saw it.", ["J."]),
        ("I saw D'Angelo’s dog.", ["D'Angelo"]),
        ("We saw Farida. Tom's dog.", ["Farida."]),
        ("We can't, Don't you see?", []),
        (f"I saw {WORD_MASKS[4]} here.", [WORD_MASKS[4]]),
        ("I saw (sn☃wmen), 25.", ["sn☃wmen", "25"]),
        ("I saw ☃1☃ and ☃#2☃.", ["☃1☃", "☃#2☃"]),
        ("I saw https://a.b/☃/c.", ["https://a.b/☃/c"]),
        ("A ☃ and 5 km☃.", ["☃", "5 km"]),
    ]:
        found = masker.mask(text).spans
        assert [span.text for span in found] == list(spans), text
        for span in found if isinstance(spans, dict) else ():
            assert span.translation == spans[span.text]


def test_a_known_word_after_a_title_is_a_name_but_no_office():
    for languages, text, given in (
        (("en", "de"), "Mr. Young is young.", ["Young"]),
        (("en", "de"), "Dr. Young is", ["Young"]),
        (("en", "de"), "Mr. President is", []),
        (("en", "de"), "Is Young Mr. Young?", ["Young"]),
        (("de", "en"), "Frau Baum kam.", ["Baum"]),
    ):
        known = "mr young president is dr frau baum eine kam"
        masker = Masker(languages, NameModel(table_of(known.split())))
        assert [span.text for span in masker.mask(text).spans if span.kind == NAME] == given, text


def test_what_a_prefix_has_is_not_masked_apart(masker):
    prefix = masker.read_prefix("Farida sah um 14:00 Uhr drei von x.de")
    masked = masker.mask("I saw at 2 p.m. that Farida and Kenji saw 3 dogs of x.de.", prefix)
    of_prefix = {span.text: span.mask in prefix.texts for span in masked.spans}
    assert of_prefix == {"2 p.m.": True, "Kenji": False, "3": True, "x.de": True}
    shown = masker.read_prefix("Farida sah 3 von 30").shown
    assert shown == f"Farida sah {NUMBER_MASKS[-1]} von {NUMBER_MASKS[-2]}", "3 is no part of 30"


def test_what_no_piece_spells_is_masked_without_the_numbers_beside_it(names, codec):
    masker = Masker(("en", "de"), names, spells=lambda character: character not in {*MASKS, ","})
    masked = masker.mask("saw 2024-03-05, 7.5,")
    assert [span.translation for span in masked.spans] == ["2024-03-05", "7,5"]
    assert codec.parts.tokenizers.source.spells_in_bytes("J")
    assert not codec.parts.tokenizers.source.spells_in_bytes("j")
    assert [span.text for span in codec.preprocessor.masker.mask("saw (aJa), (aΩa)").spans] == [
        "aΩa"
    ]


def test_training_pairs_have_masks_where_translating_shows_them(masker):
    pairs = [
        ("Farida has 25 dogs.", "Farida hat 25 Hunde."),
        ("Farida is here.", "Fahrida ist hier."),
        ("Tom is here.", "Tom ist hier."),
        ("I saw Farida's dog.", "Ich sah Faridas Hund."),
        ("Farida saw Farida.", "Farida sah sich."),
    ]
    made = list(pair_masker(masker).as_translated(pairs))
    assert [*made[1:3], made[4]] == [*pairs[1:3], pairs[4]]
    for (source, target), (given, _) in zip(made[:4], pairs):
        masks = sorted(c for c in source if c in MASKS)
        assert masks == sorted(c for c in target if c in MASKS)
        assert len(masks) == len(masker.mask(given).spans) or given == pairs[1][0]
    assert (made[3][1][:8], made[3][1][9:]) == ("Ich sah ", "s Hund.")
    [(source, _)] = pair_masker(masker, ("bt",)).as_translated([("<bt> Farida!", "<bt> Farida!")])
    assert source.startswith("<bt> "), "tags of a source are never masked"
    assert source[5] in WORD_MASKS


def test_masks_are_learnt_from_a_corpus_without_names_and_numbers(masker):
    pairs = SentencePairs.from_pairs(
        [(f"the {s} runs", f"der {t} rennt") for s, t in (("dog", "Hund"), ("man", "Mann"))] * 20
    )
    made = copies_of(pairs, pair_masker(masker))
    assert len(made) == 20
    assert {c in NUMBER_MASKS for pair in made for c in pair[0] if c in MASKS} == {True, False}
    for source, target in made:
        assert [c for c in source if c in MASKS] == [c for c in target if c in MASKS]


def write(codec: Codec, line: str, translation: str, alignment=None, **options) -> str:
    """Reads a line of one sentence, and writes a translation in which # is a mask of a number."""
    given = CodecOptions(**options)
    read = codec.reader(given).read(line, "line 1")
    [sentence] = read.sentences
    text = translation.replace("#", NUMBER_MASKS[0]).replace("@", WORD_MASKS[0])
    [ids] = codec.parts.tokenizers.target.encode([text])
    return codec.writer(given).write(sentence, ids[1:], alignment)


def test_masks_are_looked_up(codecs):
    for language, line, translation, text in [
        ("en", "Farida saw 1,000 dogs.", "@ sah # Hunde.", "Farida sah 1.000 Hunde."),
        ("en", "Farida's dog is big.", "@s Hund ist groß.", "Faridas Hund ist groß."),
        ("en", "Sixty-two dogs sang.", "# Hunde sangen.", "Zweiundsechzig Hunde sangen."),
        ("en", "the sixty-two dogs sang.", "# Hunde sangen.", "zweiundsechzig Hunde sangen."),
        ("en", "In here it sang.", "in Haus sang es.", "In Haus sang es."),
        ("en", "FARIDA SAW TOM.", "@ sah Tom.", "FARIDA SAH TOM."),
        ("en", "He saw Tom…", "Er sah Tom...", "Er sah Tom…"),
        ("en", "Farida saw Tom.", "@ sah Tom", "Farida sah Tom."),
        ("en", "Farida saw Tom", "@ sah Tom #", "Farida sah Tom"),
        ("en", "Tom saw a 10-minute dog.", "Tom sah # Hund.", "Tom sah 10-Minuten-Hund."),
        ("en", "Tom saw a 10-minute dog.", "Tom sah # groß.", "Tom sah 10-Minuten groß."),
        ("en", "Tom saw Farida.", "Tom sah @", "Tom sah Farida."),
        ("en", "Tom saw Farida", "Tom sah @", "Tom sah Farida"),
        ("en", "Tom saw Farida", "Tom sah @.", "Tom sah Farida"),
        ("en", "Farida saw Tom", "@ sah Tom .", "Farida sah Tom"),
        ("en", "Farida saw Tom.", "@ sah Tom #.", "Farida sah Tom."),
        ("en", "Tom saw **5** to 7 pm.", "Tom sah #.", "Tom sah **17 bis 19 Uhr**."),
        ("en", '**Farida** saw "Tom":', "@ sah Tom", "**Farida** sah „Tom“:"),
    ]:
        assert write(codecs[language], line, translation) == text, line


def test_an_aside_begins_as_it_was_given_if_its_first_word_is_no_noun(codec):
    for aside, translation, text in [
        ("(the dog sang)", "Der Hund sang", "(der Hund sang)"),
        ("(The dog sang)", "Der Hund sang", "(Der Hund sang)"),
        ("(the dog sang)", "Sie sang", "(Sie sang)"),
        ("(the dog sang)", "Hunde sang", "(Hunde sang)"),
    ]:
        read = codec.reader(CodecOptions()).read(f"Tom saw {aside} Mary.", "line 1")
        [ids] = codec.parts.tokenizers.target.encode([translation])
        assert codec.writer(CodecOptions()).write(read.sentences[1], ids[1:], None) == text


def test_missing_and_doubled_masks_are_noticed_and_put_beside_their_neighbour(codec):
    line, translation = "He saw Farida there.", "Er sah dort."
    target = codec.parts.tokenizers.target
    source_pieces = codec.reader(CodecOptions()).read(line, "").sentences[0].ids
    [ids] = target.encode([translation])
    alignment = np.full((len(ids) - 1, len(source_pieces)), 0.01)
    words = codec.reader(CodecOptions()).read(line, "").sentences[0].words
    target_words = np.cumsum([piece.startswith("▁") for piece in target.pieces(ids[1:])]) - 1
    for t, k in enumerate(target_words):
        alignment[t, [i for i, n in enumerate(words.numbers) if n == (0, 1, 3)[min(k, 2)]]] = 1
    written = write(codec, line, translation, alignment)
    assert written == "Er sah Farida dort."
    read = codec.reader(CodecOptions()).read("Farida saw 25 dogs.", "")
    [sentence] = read.sentences
    writer = codec.writer(CodecOptions())
    encode = codec.parts.tokenizers.target.encode
    word, number = WORD_MASKS[0], NUMBER_MASKS[0]
    for text, lacks in [
        (f"{word} sah {number} Hunde.", False),
        (f"{word} sah Hunde.", True),
        (f"{word} {number}.", True),
        (f"{word} sah {number} {number} Hunde.", True),
        (f"{word} sah {number} {NUMBER_MASKS[3]} Hunde.", True),
        (f"{word}s sah {number}-mal Hunde.", False),
        (f"{word}ht {number} Hunde.", True),
        (f"x{word} sah {number} Hunde.", True),
    ]:
        assert writer.lacks_spans(sentence, encode([text])[0]) == lacks


def test_a_line_with_more_spans_than_masks_is_cut(codec):
    line = "He saw " + ", ".join(f"{n}.5 dogs" for n in range(12)) + "."
    read = codec.reader(CodecOptions()).read(line, "line 1")
    assert len(read.sentences) > 1
    assert len(read.notices) == 1
    assert sum(len(sentence.shown.spans) for sentence in read.sentences) == 12
    line = ", ".join(f"{n}.5" for n in range(10))
    whole = codec.reader(CodecOptions(split=False)).read(line, "line 1")
    assert (len(whole.sentences), len(whole.notices)) == (2, 1)


def test_raw_text_and_given_pairs_are_shown_as_in_training(codec):
    [sentence] = codec.reader(CodecOptions(raw=True)).read("Farida saw 25 dogs.", "").sentences
    assert sentence.shown.spans == ()
    assert sentence.shown.text == "Farida saw 25 dogs."
    assert write(codec, f"Tom {WORD_MASKS[0]} saw.", "Tom @ sah.", raw=True) == "Tom ⟨1⟩ sah."
    [source], [target] = codec.show_pairs(["It’s “25” dogs"], ["Es sind »25« Hunde"])
    assert with_names(source) == 'It\'s "⟨#1⟩" dogs'
    assert with_names(target) == "Es sind „⟨#1⟩“ Hunde"


def test_marks_of_a_prefix_are_not_doubled(codec):
    for line, prefix, text in (
        ("The **dog** saw Tom.", "Der **Hund**", "Der **Hund** sah Tom."),
        ("(The dog saw Tom.)", "(Der Hund", "(Der Hund sah Tom.)"),
        ("# The dog saw Tom.", "# Der Hund", "Der Hund sah Tom."),
    ):
        assert write(codec, line, f"{prefix.strip('# ')} sah Tom.", prefix=prefix) == text


def test_what_the_model_is_shown(codec):
    for line, sentences in (
        ("Saw a.com. Tom saw it.", ["Saw ⟨1⟩.", "Tom saw it."]),  # no end within a span
        ("Farida **Kenji** saw.", ["⟨1⟩ ⟨2⟩ saw."]),  # a mark of format ends a name
        ("Farida Kenji", ["⟨1⟩"]),
    ):
        read = codec.reader(CodecOptions()).read(line, "1").sentences
        assert [with_names(each.shown.text) for each in read] == sentences


def test_marks_of_format_are_taken_out_before_masks_are_put_in(codec):
    line = codec.reader(CodecOptions()).read("I **saw** Farida (in 1,234.5 books) (1,234.5).", "1")
    shown = [with_names(each.shown.text) for each in line.sentences if each.is_spelt]
    assert shown == ["I saw ⟨1⟩.", "In ⟨#1⟩ books"]
    nested = codec.reader(CodecOptions()).read("I saw (the dog (the cat sang)).", "1").sentences
    assert [one.part.text for one in nested][1:] == ["(the dog (the cat sang))", "(the cat sang)"]
    assert [each.carried for each in line.sentences] == [None, None, "(1.234,5)"]
    assert [mark.text.strip() for mark in line.sentences[0].shown.marks] == [
        "**", "**", "(in 1,234.5 books)", "(1,234.5)",
    ]  # fmt: skip


def test_a_line_without_words_for_the_model_is_written_as_the_other_language_does(codec):
    terms = (("office", "Büro"), ("the Hague", "Den Haag"))
    for line, carried in [
        *((line, line) for line in ("-----", ".", "!!!", "☃ ☃", "*** ( )")),
        ("1,234.5 / a.com", "1.234,5 / a.com"),
        ("Fifty-one dollars.", "Einundfünfzig Dollar."),
        ("FIFTY-ONE DOLLARS!", "EINUNDFÜNFZIG DOLLAR!"),
        ("(Half past ten)", "(Halb elf)"),
        ("**Half past ten.**", "**Halb elf.**"),
        ("Half   past ten.", "Halb elf."),
        ("https://A.b/C 1,234.5", "https://A.b/C 1.234,5"),
        ("ABC.de/F, FIFTY-ONE", "ABC.de/F, EINUNDFÜNFZIG"),
        ("Office", "Büro"),
        ("The Hague!", "Den Haag!"),
        ("office", "Büro"),
        ("https://office.com / {office}", "https://office.com / {office}"),  # no terms
    ]:
        for truecases in (False, True):
            made = Codec(codec.parts._replace(truecases=truecases))
            sentences = made.reader(CodecOptions(glossary=terms)).read(line, "1").sentences
            assert "".join(each.passed_on for each in sentences) == carried, line
            assert not any(each.is_spelt for each in sentences), line


def test_terms_are_also_read_as_words_and_the_first_sentence_has_the_prefix(codec):
    options = CodecOptions(glossary=(("dog", "Köter"),), prefix="Ja,")
    first, second = codec.reader(options).read("Tom saw the dog. The dog sang.", "1").sentences
    assert with_names(first.shown.text) == "Tom saw the ⟨1⟩."
    assert first.as_words.shown.text == "Tom saw the dog."
    assert [first.as_words.is_first, second.as_words.is_first] == [True, False]


def test_first_words_are_shown_small_to_a_model_that_truecases(codec):
    made = Codec(codec.parts._replace(truecases=True))
    long = made.reader(CodecOptions()).read("The dog " + "saw Tom, " * 40 + "saw Tom.", "1")
    first, *others = long.sentences
    assert first.part.text.startswith("The dog saw")
    assert first.shown.text.startswith("the dog saw")
    assert [each.part.text[:3] for each in others] == ["saw"] * len(others)
    assert codec.parts.words.source_truecaser is not None
    for line, shown in [
        ("There I saw Tom.", "there I saw Tom."),
        ("I saw Tom.", "I saw Tom."),  # it is at beginnings alone
        ("Tom saw it.", "Tom saw it."), ('"There is Tom."', "there is Tom."),
        ("The dog sang. The dog saw it.", "the dog sang."), ("{Dog} sang.", "⟨1⟩ sang."),
        ("5 The dogs sang.", "the dogs sang."),
        ("[10:15] {Dog}, :dog: The dog sang.", "the dog sang."),
        ("[10:15] <tom> the dog sang.", "the dog sang."), ("{Dog} Mary sang.", "⟨1⟩ Mary sang."),
        ("{Dog} I sang.", "I sang."), ("{Dog}! {Dog} I sang.", "I sang."),
    ]:  # fmt: skip
        sentences = made.reader(CodecOptions()).read(line, "").sentences
        first = next(sentence for sentence in sentences if sentence.carried is None)
        assert with_names(first.shown.text) == shown, line
        [raw] = made.reader(CodecOptions(raw=True, split=False)).read(line, "").sentences
        assert raw.shown.text == line
    sources = ["The dog sang.", "5 The dogs sang."]
    shown, _ = made.show_pairs(sources, ["Der Hund sang.", "5 Hunde sangen."])
    assert list(map(with_names, shown)) == ["the dog sang.", "⟨#1⟩ The dogs sang."]
    [sentence] = made.reader(CodecOptions()).read("{Dog} sang.", "").sentences
    assert sentence.shown.spans[0].translation == "{Dog}"
    assert write(made, "The dog sang", "der Hund sang") == "Der Hund sang"
    assert write(made, "the dog sang", "der Hund sang") == "der Hund sang"
    assert write(made, "(The dog sang)", "der Hund sang") == "(Der Hund sang)"
