"""The phrasebook: nothing is wrong in it, and the check names what would be."""

import pytest

from tools import check_phrasebook
from tools.check_phrasebook import find_faults, read_rows
from translator.base.texts import Counts
from translator.config.schema import CorpusConfig, MixedCorpusConfig
from translator.corpora import phrasebook
from translator.corpora.corpus import Corpus, load_corpus, read_mixed
from translator.corpora.phrasebook import phrasebook_files
from translator.corpora.registry import known_corpora

PAIR = "The lamp is new.\tDie Lampe ist neu."
HELD_OUT = "The moon shines.\tDer Mond scheint."


@pytest.fixture
def small_phrasebook(tmp_path, monkeypatch):
    """A folder in the place of the phrasebook's, with one file for each split."""
    for name, line in (("home", PAIR), ("validation", HELD_OUT), ("test", "Rain again.\tRegen.")):
        (tmp_path / f"{name}.tsv").write_text(line + "\n", "utf-8")
    monkeypatch.setattr(phrasebook, "FOLDER", tmp_path)
    return tmp_path


def faults_of(folder):
    """Those of all files of a folder."""
    return list(find_faults(read_rows(sorted(folder.glob("*.tsv")))))


def test_nothing_is_wrong_in_it():
    files = phrasebook_files()
    assert faults_of(phrasebook.FOLDER) == []
    corpus = load_corpus(CorpusConfig(name="phrasebook"))
    assert not any(corpus.dropped.values())
    assert [len(corpus.validation), len(corpus.test)] == [
        len(read_rows(files[split])) for split in ("validation", "test")
    ]
    said = f"{len(read_rows(sum(files.values(), []))):,} ({len(corpus.train):,} to train on)"
    assert known_corpora()["phrasebook"].pairs == said


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("The lamp.", "expected English and German with a tab between them, found 1 columns"),
        ("The lamp.\tDie\tLampe.", "expected English and German with a tab between them, found 3"),
        ("The  lamp.\tDie Lampe.", "English is empty or has an extra space"),
        ("\tDie Lampe.", "English is empty or has an extra space"),
        ("The door.\tDie Tu\u0308r.", "German is not composed"),
        ("The “lamp”.\tDie „Lampe“.", "English has \" and ' for quotation marks"),
        ('The "lamp".\tDie "Lampe".', "German has „ and “ for quotation marks"),
        ('The "lamp.\tDie Lampe.', "English lacks one of two quotation marks"),
        ("the lamp is new!\tdie Lampe ist neu!", "the same pair as home.tsv, line 1"),
        ("The moon shines!\tDer Mond leuchtet.", "held out in validation.tsv, line 1"),
        ("The moon glows.\tDer Mond scheint.", "held out in validation.tsv, line 1"),
        ("a " * 60 + "b\tA.", "English has more than"),
    ],
)
def test_a_fault_is_named_with_its_line(small_phrasebook, line, fault):
    assert faults_of(small_phrasebook) == []
    with (small_phrasebook / "home.tsv").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    [found] = faults_of(small_phrasebook)
    assert found.startswith(f"home.tsv, line 2: {fault}")


def test_the_command_ends_with_1_at_a_fault(small_phrasebook, tmp_path, capsys, monkeypatch):
    assert check_phrasebook.main([]) == 0
    assert capsys.readouterr().out.endswith("3 pairs, 0 faults\n")
    (small_phrasebook / "test.tsv").write_text("Rain.\n", "utf-8")
    assert check_phrasebook.main([]) == 1
    assert "test.tsv, line 1: " in capsys.readouterr().out
    monkeypatch.setattr(check_phrasebook, "LONG_TEXT", tmp_path / "long_text.txt")
    check_phrasebook.LONG_TEXT.write_text("The lamp is new.\tDie Leuchte ist neu.\n", "utf-8")
    assert check_phrasebook.main([]) == 1
    assert "home.tsv, line 1: held out in long_text.txt, line 1" in capsys.readouterr().out


def test_a_named_file_is_compared_with_all_and_its_spelling_looked_at(
    small_phrasebook, tmp_path_factory, capsys, monkeypatch
):
    new = tmp_path_factory.mktemp("new") / "garden.tsv"
    new.write_text(HELD_OUT + "\n", "utf-8")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert check_phrasebook.main([new]) == 1
    fault, *others = capsys.readouterr().out.splitlines()
    assert fault.startswith("garden.tsv, line 1: the same pair as validation.tsv, line 1")
    assert others[-2].endswith("is not installed: spelling is not checked")


def test_training_goes_on_without_lines_that_are_wrong(small_phrasebook):
    lines = [PAIR, PAIR, "The lamp.", "a\tb\tc", HELD_OUT.lower()]
    (small_phrasebook / "home.tsv").write_text("\n".join(lines), "utf-8")
    alone = load_corpus(CorpusConfig(name="phrasebook"))
    first = Corpus(alone.test, alone.validation, None, {}, {})
    mixed, dropped = MixedCorpusConfig(name="phrasebook", weight=1.0), Counts()
    pairs = read_mixed(CorpusConfig(name="demo"), mixed, first, dropped)
    for train in (alone.train, pairs):
        assert list(zip(*train)) == [tuple(PAIR.split("\t"))]
    assert alone.dropped == dropped == {"empty": 2, "duplicates": 1, "held out": 1}
