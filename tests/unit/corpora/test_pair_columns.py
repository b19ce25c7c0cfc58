"""Which columns of a table are source and target."""

import pytest

from tests.pair_files import separated
from translator.base.errors import InputError
from translator.config.corpus import CorpusConfig, FilesConfig
from translator.corpora.corpus import load_corpus
from translator.corpora.pair_files import ReadOptions, read_pairs
from translator.corpora.registry import fingerprint

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
    read_options = ReadOptions(languages, report=told.append, advice="name --columns", **options)
    return list(read_pairs((path,), read_options)), "\n".join(told)


ENGLISH, GERMAN = ([pair[side] for pair in PAIRS] for side in (0, 1))
ATTRIBUTION = [f"CC-BY 2.0 (France) Attribution: tatoeba.org #{n} (CM)" for n in IDS]
ADDRESSES = [f"https://example.org/{n}" for n in IDS]
ODD = {
    "tatoeba's own export": [IDS, ENGLISH, IDS, GERMAN],
    "score": [[n / 7 for n in IDS], ENGLISH, GERMAN],
    "codes": [["en"] * len(IDS), ENGLISH, ["de"] * len(IDS), GERMAN],
    "addresses": [ADDRESSES, ADDRESSES, ENGLISH, GERMAN],
    "labels": [["the news"] * len(IDS), ENGLISH, GERMAN, [""] * len(IDS)],
}


def test_the_first_two_columns_of_text_are_read_and_that_is_said(tmp_path):
    for third in (ATTRIBUTION, ["0-0 1-1 2-3"] * len(IDS), FRENCH):
        pairs, told = read(tmp_path, [ENGLISH, GERMAN, third])
        assert pairs == PAIRS
        pair = f"'{PAIRS[0][0]}' and '{PAIRS[0][1]}'"
        assert f"pairs.tsv: columns 1 and 2 of 3 are read, {pair}; if these are wrong" in told
        assert told.endswith(", name --columns")


@pytest.mark.parametrize("name", ODD)
def test_other_columns_are_asked_about_in_one_line_with_an_example_of_each(tmp_path, name):
    columns = ODD[name]
    with pytest.raises(InputError) as caught:
        read(tmp_path, columns)
    shown = ", ".join(f"{n}: {str(column[0])[:30]!r}" for n, column in enumerate(columns, start=1))
    assert str(caught.value) == (
        f"{tmp_path}/pairs.tsv: expected one column for each of en and de, found a table with"
        f" {shown}; name --columns"
    )


@pytest.mark.parametrize("other", [IDS, ADDRESSES, [n / 7 for n in IDS]])
def test_two_columns_of_which_one_has_no_text_are_refused(tmp_path, other):
    for columns in ([other, ENGLISH], [GERMAN, other]):
        with pytest.raises(InputError, match="expected one column for each of en and de, found a"):
            read(tmp_path, columns)
        assert len(read(tmp_path, columns, columns=[1, 2])[0]) == len(PAIRS)


def test_numbers_on_both_sides_and_short_files_are_read(tmp_path):
    assert len(read(tmp_path, [IDS, IDS])[0]) == len(IDS)
    assert read(tmp_path, [["1", ""], ["one", "two"]])[0] == [("1", "one"), ("", "two")]


def test_columns_are_chosen_by_number_or_name(tmp_path):
    columns = [IDS, ENGLISH, FRENCH, GERMAN]
    assert read(tmp_path, columns, columns=[2, 4]) == (PAIRS, "")
    for header, wanted in {
        ("id", "en", "other", "German"): [2, 4],
        ("id", "text", "other", "Übersetzung"): ["text", "übersetzung"],
    }.items():
        pairs, told = read(tmp_path, columns, header=header, columns=wanted)
        assert pairs == PAIRS
        assert f"line 1 is a header row, '{header[1]}' and '{header[3]}', and is left out" in told
    swapped = [(target, source) for source, target in PAIRS]
    assert read(tmp_path, columns, columns=[4, 2])[0] == swapped


def test_columns_that_are_not_there_are_refused_with_those_that_are(tmp_path):
    columns = [IDS, ENGLISH, GERMAN]
    with pytest.raises(
        InputError, match="expected columns 2, 5, found a table with 1: '1000', 2: "
    ):
        read(tmp_path, columns, columns=[2, 5])
    with pytest.raises(InputError, match="expected columns 'en', 'de', found a table with 1: "):
        read(tmp_path, columns, columns=["en", "de"])
    path = tmp_path / "pairs.tsv"
    path.write_bytes(path.read_bytes() + b"2\tOne more.\n")
    with pytest.raises(InputError, match="line 41: expected column 2 and column 3, found 2 fields"):
        list(read_pairs((path,), ReadOptions(LANGUAGES, [2, 3])))


@pytest.mark.parametrize("columns", [[1], [0, 2], [2, 2], ["a", "a"], [1, 2, 3]])
def test_two_different_columns_are_wanted_in_a_configuration(columns):
    with pytest.raises(ValueError, match="columns: expected two different columns from 1, found"):
        FilesConfig(tsv="a.tsv", columns=columns)
    with pytest.raises(ValueError, match="columns: expected tsv, found"):
        FilesConfig(source="a", target="b", columns=[1, 2])


def test_a_file_alone_and_one_named_csv_are_files_of_pairs():
    expected = FilesConfig(tsv="pairs.csv")
    for train in ("pairs.csv", {"csv": "pairs.csv"}):
        corpus = CorpusConfig.model_validate({"train": train, "validation": train})
        assert corpus.train == expected
        assert corpus.split_paths["validation"] == expected.paths


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
