"""Every form of files of pairs that is read, and those that are named instead."""

import random
import re

import pytest

from tests.pair_files import FORMS, NAMED, archive, separated, side, tmx, tsv
from translator.base.errors import InputError
from translator.corpora.pair_files import ReadOptions, read_numbered_pairs, read_pairs

LANGUAGES = ("en", "de")
PAIRS = [
    ('He said, "Well; hello."', "Er sagte: „Na; hallo.“"),
    ("Tom & Mary <3 it.", "Tom & Maria <3 es, oder?"),
    ("A line separator\u2028stays.", "Auch ein \u00a0 Leerzeichen."),
    ("1,000; 2,000", "1.000; 2.000"),
    ("😀 smiles, too.", "😀 lächelt; auch."),
    ("'Tis a back\\slash.", "\\n ist kein Zeilenende."),
    *((f"The dog number {n} barks.", f"Der Hund Nummer {n} bellt.") for n in range(9)),
]


def read(path, content: bytes, languages=LANGUAGES, **options):
    """The pairs of a file, and what is said about them."""
    path.write_bytes(content)
    told: list[str] = []
    pairs = list(read_pairs((path,), ReadOptions(languages, report=told.append, **options)))
    return pairs, "\n".join(told)


@pytest.mark.parametrize("name", FORMS)
def test_the_same_pairs_are_read_from_each_form(tmp_path, name):
    assert read(tmp_path / name, FORMS[name](PAIRS))[0] == PAIRS


@pytest.mark.parametrize("name", FORMS)
def test_any_pairs_are_read_from_each_form(tmp_path, name):
    """Property: what characters a pair has does not matter, if it is one line."""
    draw = random.Random(name)
    signs = "ab cdé\"'„“,;:.!?<>&{}[]\\/|#@%$=+-0123456789\u2028\u00a0猫😀"
    pairs = []
    for _ in range(300):
        texts = ["".join(draw.choices(signs, k=draw.randint(1, 30))).strip(" ") for _ in "ab"]
        pairs.append((f"the {texts[0]} end", f"der {texts[1]} Schluss"))
    if name.endswith(".tsv") or name.startswith(("one", "packed.tsv")):  # marks are as they are
        pairs.insert(0, ('the "cat" end', "die Katze"))
    assert read(tmp_path / name, FORMS[name](pairs))[0] == pairs


@pytest.mark.parametrize("name", ["comma.csv", "unicode.txt", "flat.jsonl", "memory.tmx"])
def test_line_ends_within_a_text_become_spaces(tmp_path, name):
    pairs = [*PAIRS, ("Two\r\nlines.", "Zwei\n  Zeilen.\n")]
    expected = [*PAIRS, ("Two lines.", "Zwei Zeilen.")]
    assert read(tmp_path / name, FORMS[name](pairs))[0] == expected


def test_what_is_assumed_is_said_once(tmp_path):
    for name, said in {
        "plain.tsv": "",
        "comma.csv": "",
        "header.csv": "is a header row, 'en' and 'de', and is left out; columns 3 and 2 of 3",
        "unicode.txt": "read as UTF-16",
        "flat.jsonl": "columns 2 and 3 of 3 are read, 'en' and 'de'; if these are wrong, name",
        "memory.tmx": "",
        "one.zip": "read from the archive: deu.txt",
        "opus.zip": "read from the archive: News.de-en.en and News.de-en.de",
    }.items():
        told = read(tmp_path / name, FORMS[name](PAIRS))[1]
        assert said in told
        assert bool(said) == bool(told)
        assert told.count(str(tmp_path)) == told.count("\n") + bool(told)


def test_what_is_no_side_is_named_before_two_files_are_read(tmp_path):
    for form, said in {"a.sgm": "SGML, as WMT uses", "cr.tsv": "lines that end in CR"}.items():
        for name in ("a", "b"):
            (tmp_path / name).write_bytes(NAMED[form][0])
        with pytest.raises(InputError, match=f"a: expected sentence pairs, found {said}"):
            list(read_pairs((tmp_path / "a", tmp_path / "b")))


def test_records_without_texts_and_units_without_translations_are_no_pairs(tmp_path):
    none = b'{"translation": {"language": ["en"], "translation": ["One."]}}\n'
    with pytest.raises(InputError, match="of en and de, found JSONL with none; name a file tha"):
        read(tmp_path / "a", none)
    new = b'<tu><tuv xml:lang="en"><seg>New.</seg></tuv></tu></body>'
    with pytest.raises(InputError, match="of en and de, found TMX with en: 'New.'; name a file th"):
        read(tmp_path / "a", tmx([]).replace(b"</body>", new))
    pairs, said = read(tmp_path / "a", tmx(PAIRS).replace(b"</body>", new))
    assert pairs == PAIRS
    assert said.endswith("1 units have no translation and are left out")


@pytest.mark.parametrize("encoding", ["latin1", "cp850", "mac_roman"])
def test_text_in_an_older_encoding_is_named_also_where_damage_is_passed_over(tmp_path, encoding):
    pairs = [(f"Number {n}.", f"Für Nummer {n}.") for n in range(50)]
    for pair in (pairs, [*pairs[:1] * 40, *pairs]):
        with pytest.raises(InputError, match="line 1: expected UTF-8, found the byte 0x"):
            read(tmp_path / "a.tsv", tsv(pair).decode().encode(encoding), errors="replace")
    damaged = tsv(pairs).replace("ü".encode(), b"\xfc", 3)
    assert len(read(tmp_path / "a.tsv", damaged, errors="replace")[0]) == len(pairs)
    english = tsv([("A naive idea.", "Eine Idee.")] * 200) + b"A na\xefve idea.\tEine Idee.\n"
    assert len(read(tmp_path / "a.tsv", english, errors="replace")[0]) == 201


def test_lines_are_those_of_the_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'en,de\n"One\ntwo.",Eins.\n\nThree.,Drei.\n')
    found = list(read_numbered_pairs((path,), ReadOptions(LANGUAGES)))
    assert found == [(2, ("One two.", "Eins.")), (5, ("Three.", "Drei."))]


def test_two_files_are_read_from_any_packing(tmp_path):
    sides = {
        "a.gz": FORMS["packed.tsv.gz"]([("x", "y")] and PAIRS),
        "a.zip": archive({"a.en": side(PAIRS, 0)}),
        "b.txt": side(PAIRS, 1).decode().encode("utf-16"),
    }
    for name, content in sides.items():
        (tmp_path / name).write_bytes(content)
    told: list[str] = []
    paths = (tmp_path / "a.zip", tmp_path / "b.txt")
    assert list(read_pairs(paths, ReadOptions(LANGUAGES, report=told.append))) == PAIRS
    assert [line.rpartition("/")[2] for line in told] == [
        "a.zip: read from the archive: a.en",
        "b.txt: read as UTF-16",
    ]


def test_pairs_are_read_in_either_direction(tmp_path):
    swapped = [(target, source) for source, target in PAIRS]
    for name in ("memory.tmx", "opus.zip", "header.csv"):
        assert read(tmp_path / name, FORMS[name](PAIRS), ("de", "en"))[0] == swapped


def test_lone_halves_of_characters_in_json_become_u_fffd(tmp_path):
    content = b'{"en": "a \\ud83d b", "de": "\\u00e4"}\n'
    assert read(tmp_path / "a.jsonl", content)[0] == [("a \ufffd b", "ä")]


def test_text_that_looks_like_markup_is_read_as_a_table(tmp_path):
    for first in ("<b>Hi.</b>", "<bt> Hi.", "{name} is here.", "[Music]", '{"a": 1}', "<html>"):
        pairs = [(first, first), *PAIRS[3:]]
        assert read(tmp_path / "a.tsv", tsv(pairs))[0] == pairs


@pytest.mark.parametrize("name", NAMED)
def test_other_forms_are_named_with_what_to_do(tmp_path, name):
    content, found = NAMED[name]
    with pytest.raises(InputError, match=f"expected sentence pairs, found .*{re.escape(found)}"):
        read(tmp_path / name, content)


@pytest.mark.parametrize("name", ["memory.tmx", "hugging-face.jsonl"])
def test_a_file_of_pairs_is_no_side(tmp_path, name):
    (tmp_path / name).write_bytes(FORMS[name](PAIRS))
    (tmp_path / "a.de").write_bytes(side(PAIRS, 1))
    with pytest.raises(InputError, match="as one side; name only this file"):
        list(read_pairs((tmp_path / name, tmp_path / "a.de")))


def test_parquet_is_read_by_groups_of_rows(tmp_path):
    pyarrow = pytest.importorskip("pyarrow", reason="the extra pairs is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    nested = [{"de": target, "en": source} for source, target in PAIRS]
    for columns in (
        {"translation": nested, "id": list(range(len(PAIRS)))},
        {"en": [pair[0] for pair in PAIRS], "de": [pair[1] for pair in PAIRS]},
    ):
        path = tmp_path / "a.parquet"
        parquet.write_table(pyarrow.table(columns), path, row_group_size=4)
        assert list(read_pairs((path,), ReadOptions(LANGUAGES))) == PAIRS
    content = path.read_bytes()
    with pytest.raises(InputError, match="expected a whole Parquet file, found a damaged one"):
        read(tmp_path / "a.parquet", content[:-9])
    parquet.write_table(pyarrow.table({"id": [1, 2], "score": [0.5, 0.25]}), path)
    with pytest.raises(InputError, match=r"found id \(int64\), score \(double\); name another"):
        list(read_pairs((path,)))


def test_a_csv_file_with_unequal_rows_is_refused_with_the_line(tmp_path):
    content = separated(PAIRS) + b"One, two,Eins\n"
    with pytest.raises(InputError, match="line 16: expected 2 fields as in the rows before, found"):
        read(tmp_path / "a.csv", content)


def test_prose_with_a_comma_a_line_is_no_csv(tmp_path):
    with pytest.raises(InputError, match="expected source TAB target, found no tab in 'Yes, sir"):
        read(tmp_path / "a.txt", b"Yes, sir.\nNo, sir.\nWell, sir.\n")


def test_a_memory_is_read_without_codes_and_with_text_within_marks(tmp_path):
    content = tmx([("One.", "Eins.")]).replace(
        b"Eins.", b'Eins <hi>und</hi> <ph x="1">&lt;br/&gt;</ph>zwei.'
    )
    assert read(tmp_path / "a.tmx", content)[0] == [("One.", "Eins und zwei.")]
