"""Which columns of a table are source and target."""

import pytest

from tests.pair_files import separated
from translator.base.errors import InputError
from translator.config.schema import CorpusConfig, FilesConfig
from translator.corpora import fingerprint, load_corpus
from translator.corpora.pair_files import Wanted, read_pairs
from translator.corpora.pair_files.columns import kind_of

LANGUAGES = ("en", "de")
NOUNS = [("dog", "Hund"), ("man", "Mann"), ("cat", "Kater"), ("neighbour", "Nachbar")]
PLACES = [("in the garden", "im Garten"), ("under the old tree", "unter dem alten Baum")]
PAIRS = [
    (f"The {noun} number {n} sleeps {place}.", f"Der {nomen} Nummer {n} schläft {ort}.")
    for n in range(5)
    for noun, nomen in NOUNS
    for place, ort in PLACES
]
FRENCH = [f"Depuis {n} jours, le chien de mon oncle dort ici." for n in range(len(PAIRS))]
IDS = list(range(1000, 1000 + len(PAIRS)))


def read(tmp_path, table, languages=LANGUAGES, header=(), **options):
    """The pairs of a TSV file with these columns, and what is said about them."""
    path = tmp_path / "pairs.tsv"
    rows = [tuple(map(str, row)) for row in zip(*table)]
    path.write_bytes(separated([*[header] * bool(header), *rows], "\t"))
    told: list[str] = []
    wanted = Wanted(languages, tell=told.append, choosing="--columns", **options)
    return list(read_pairs((path,), wanted)), "\n".join(told)


ENGLISH, GERMAN = ([pair[side] for pair in PAIRS] for side in (0, 1))
ATTRIBUTION = [f"CC-BY 2.0 (France) Attribution: tatoeba.org #{n} (CM)" for n in IDS]
ADDRESSES = [f"https://example.org/{n}" for n in IDS]
JUDGED = {
    "tatoeba's own export": ([IDS, ENGLISH, IDS, GERMAN], "2 and 4 of 4"),
    "its sides exchanged": ([IDS, GERMAN, IDS, ENGLISH], "4 and 2 of 4"),
    "attribution": ([ENGLISH, GERMAN, ATTRIBUTION], "1 and 2 of 3"),
    "score": ([[n / 7 for n in IDS], ENGLISH, GERMAN], "2 and 3 of 3"),
    "codes": ([["en"] * len(IDS), ENGLISH, ["de"] * len(IDS), GERMAN], "2 and 4 of 4"),
    "addresses": ([ADDRESSES, ENGLISH, GERMAN, ADDRESSES], "2 and 3 of 4"),
    "another language": ([FRENCH, GERMAN, ENGLISH], "3 and 2 of 3"),
    "labels": ([["news"] * len(IDS), ENGLISH, GERMAN, [""] * len(IDS)], "2 and 3 of 4"),
    "links": ([ENGLISH, GERMAN, ["0-0 1-1 2-3"] * len(IDS)], "1 and 2 of 3"),
}


@pytest.mark.parametrize("name", JUDGED)
def test_columns_are_judged_by_what_they_hold_and_the_choice_is_said(tmp_path, name):
    columns, said = JUDGED[name]
    pairs, told = read(tmp_path, columns)
    assert pairs == PAIRS
    assert f"pairs.tsv: columns {said} are read, '{PAIRS[0][0]}' and '{PAIRS[0][1]}'; " in told
    assert told.endswith("; --columns chooses others")


def test_without_an_identifier_two_columns_of_text_are_read_and_three_are_asked_about(
    tmp_path, monkeypatch
):
    def missing():
        raise ModuleNotFoundError

    monkeypatch.setattr("translator.corpora.pair_files.columns._identifier", missing)
    assert read(tmp_path, [IDS, ENGLISH, IDS, GERMAN])[0] == PAIRS
    with pytest.raises(InputError, match="found a table with 1: text .*, 2: text .*, 3: text "):
        read(tmp_path, [FRENCH, GERMAN, ENGLISH])


def test_later_rows_with_other_fields_are_told(tmp_path):
    rows = [PAIRS[n % len(PAIRS)] for n in range(250)]
    path = tmp_path / "pairs.tsv"
    path.write_bytes(separated([*rows, ("7", *PAIRS[0]), *rows, ("8", *PAIRS[1])], "\t"))
    told: list[str] = []
    pairs = list(read_pairs((path,), Wanted(LANGUAGES, tell=told.append)))
    assert pairs[250] == ("7", PAIRS[0][0])
    assert told == [
        f"{path}: 2 rows, the first in line 251, have more or fewer fields than the first 200 rows,"
        " and are read by the same columns"
    ]
    assert read(tmp_path, [ENGLISH, GERMAN])[1] == ""


def test_columns_that_are_not_clear_are_asked_about_in_one_line(tmp_path):
    with pytest.raises(
        InputError,
        match=r"pairs.tsv: expected one column of each of en and de, found a table with 1: en"
        r" \('The dog .*'\), 2: de \('Der .*'\), 3: en \('The .*'\), 4: numbers \('1000'\);"
        " --columns says which two are meant$",
    ):
        read(tmp_path, [ENGLISH, GERMAN, ENGLISH, IDS])
    with pytest.raises(InputError, match="expected one column of each of two languages, found"):
        read(tmp_path, [ENGLISH, GERMAN, FRENCH], languages=None)


def test_a_language_that_is_only_guessed_is_not_named(tmp_path):
    columns = [["Ah.", "Oh.", "Eh."], ["Go.", "Hi.", "No."], ["Ja.", "Na.", "Oh."]]
    with pytest.raises(InputError, match=r"1: text \('Ah.'\)"):
        read(tmp_path, columns)


def test_two_columns_of_text_in_other_languages_are_asked_about_if_there_is_enough(tmp_path):
    table = [IDS, ENGLISH * 3, FRENCH * 3]
    table[0] = list(range(1000, 1000 + len(table[1])))
    with pytest.raises(InputError, match="expected one column of each of en and de, found a table"):
        read(tmp_path, table)
    assert len(read(tmp_path, [column[:20] for column in table])[0]) == 20
    assert len(read(tmp_path, table, ("en", "xx"))[0]) == len(table[0])


@pytest.mark.parametrize("other", [IDS, ADDRESSES, ["en"] * len(IDS), [n / 7 for n in IDS]])
def test_two_columns_of_which_one_has_no_text_are_refused(tmp_path, other):
    for columns in ([other, ENGLISH], [GERMAN, other]):
        with pytest.raises(InputError, match="expected one column of each of en and de, found a"):
            read(tmp_path, columns)
        assert len(read(tmp_path, columns, columns=[1, 2])[0]) == len(PAIRS)


def test_numbers_on_both_sides_and_short_files_are_read(tmp_path):
    assert len(read(tmp_path, [IDS, IDS])[0]) == len(IDS)
    assert read(tmp_path, [["1", ""], ["one", "two"]])[0] == [("1", "one"), ("", "two")]


def test_columns_are_chosen_by_number_or_name(tmp_path):
    columns = [IDS, ENGLISH, FRENCH, GERMAN]
    header = ("id", "text", "other", "Übersetzung")
    assert read(tmp_path, columns, columns=[2, 4]) == (PAIRS, "")
    for wanted in ([2, 4], ["text", "übersetzung"]):
        pairs, told = read(tmp_path, columns, header=header, columns=wanted)
        assert pairs == PAIRS
        assert "line 1 is a header row, 'text' and 'Übersetzung', and left out" in told
    swapped = [(target, source) for source, target in PAIRS]
    assert read(tmp_path, columns, columns=[4, 2])[0] == swapped


def test_columns_that_are_not_there_are_refused_with_those_that_are(tmp_path):
    columns = [IDS, ENGLISH, GERMAN]
    with pytest.raises(InputError, match="expected a column 5, found a table with 1: numbers"):
        read(tmp_path, columns, columns=[2, 5])
    with pytest.raises(InputError, match="expected a column 'en', found a table with 1: numbers"):
        read(tmp_path, columns, columns=["en", "de"])
    path = tmp_path / "pairs.tsv"
    path.write_bytes(path.read_bytes() + b"2\tOne more.\n")
    with pytest.raises(InputError, match="line 41: expected column 2 and column 3, found 2 fields"):
        list(read_pairs((path,), Wanted(LANGUAGES, [2, 3])))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "2.5", "-3e-5", "12:30", "2020-01-02"], "numbers"),
        (["a1", "b-2", "c_3.txt"], "ids"),
        (["猫が3匹いる。", "犬が2匹いる。", "鳥が1羽いる。"], "text"),
        (["Go.", "Hi.", "Run!"], "text"),
        (["en", "en", "en_GB"], "codes"),
        (["", "", "a b"], "empty"),
    ],
)
def test_kinds_of_columns(values, kind):
    assert kind_of(values) == kind


@pytest.mark.parametrize("columns", [[1], [0, 2], [2, 2], ["a", "a"], [1, 2, 3]])
def test_two_different_columns_are_wanted_in_a_configuration(columns):
    with pytest.raises(ValueError, match="columns: expected two different ones, from 1, found"):
        FilesConfig(tsv="a.tsv", columns=columns)
    with pytest.raises(ValueError, match="expected columns of tsv"):
        FilesConfig(source="a", target="b", columns=[1, 2])


def test_validation_has_the_columns_of_training_or_two_plain_ones(tmp_path):
    rows = [(str(n), *pair) for n, pair in zip(IDS, PAIRS)]
    for name, table in {"train": rows[:30], "test": rows[30:35], "plain": PAIRS[35:]}.items():
        (tmp_path / name).write_bytes(separated(table, "\t"))
    train = {"tsv": str(tmp_path / "train"), "columns": [2, 3]}
    files = {
        "validation": {"tsv": str(tmp_path / "plain")},
        "test": {"tsv": str(tmp_path / "test")},
    }
    corpus = load_corpus(CorpusConfig.model_validate({"train": train, **files}))
    assert list(zip(*corpus.validation)) == PAIRS[35:]
    assert list(zip(*corpus.test)) == PAIRS[30:35]
    assert list(zip(*corpus.train)) == PAIRS[:30]


def test_only_other_columns_than_earlier_versions_read_change_the_key(tmp_path):
    (tmp_path / "a.tsv").write_bytes(separated(zip(ENGLISH, GERMAN, FRENCH), "\t"))
    keys = [
        fingerprint(CorpusConfig(train=FilesConfig(tsv=str(tmp_path / "a.tsv"), columns=columns)))
        for columns in (None, [1, 2], [2, 1], [1, 3])
    ]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_the_key_of_plain_files_is_that_of_earlier_versions(tmp_path, monkeypatch):
    """Runs of earlier versions go on: this key was written by version 0.2.0's code."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.tsv").write_text("One.\tEins.\nTwo.\tZwei.\n", "utf-8")
    (tmp_path / "a.en").write_text("One.\nTwo.\n", "utf-8")
    (tmp_path / "a.de").write_text("Eins.\nZwei.\n", "utf-8")
    tsv = fingerprint(CorpusConfig(train=FilesConfig(tsv="a.tsv")))
    sides = fingerprint(CorpusConfig(train=FilesConfig(source="a.en", target="a.de")))
    assert (tsv, sides) == ("f26bd3ac51fa175e020e35b14864d733", "d99ce5d5ccd707dea1f54419a23e72a9")
