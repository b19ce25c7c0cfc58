"""Reports what is wrong in the phrasebook: a line for each fault, and warnings about spelling.

    python tools/check_phrasebook.py [FILE.tsv ...]

It checks all files of `translator.corpora.phrasebook`, and the files that are named. It ends with
exit code 1 if there is a fault. Hunspell checks the spelling of the named files, if it is installed
with its dictionaries en_US, en_GB and de_DE (on Debian: hunspell, hunspell-en-us, hunspell-en-gb,
hunspell-de-de). Unknown words are warnings, because compounds and names may be right.
"""

import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from translator.cli import errors_as_one_line
from translator.corpora.cleaning import normalized_key
from translator.corpora.phrasebook import HELD_OUT, phrasebook_files

LANGUAGES = ("English", "German")
MOST_WORDS = 48
LONG_TEXT = Path("benchmarks/long_text.tsv")  # held out, too
SHORT = 2  # words of a label; a label may be in a held-out pair and in another pair
WRONG_MARKS = {"English": re.compile("[„“”«»‹›‚‘’`´]"), "German": re.compile('["”«»‹›’`´]|--')}
DICTIONARIES = {"English": ("en_US", "en_GB"), "German": ("de_DE",)}
WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


class Row(NamedTuple):
    """A line of a file.

    Attributes:
        place: the file's name and the line's number.
        split: ``train``, ``validation`` or ``test``.
        columns: the texts between its tabs.
    """

    place: str
    split: str
    columns: list[str]


def main(paths: Sequence[Path]) -> int:
    """Prints all faults, and warnings about the spelling of these files; returns the exit code."""
    every = [path for its in phrasebook_files().values() for path in its]
    others = [path for path in paths if path.resolve() not in every]
    rows = read_rows([*every, *others])
    faults = list(find_faults([*rows, *read_rows([LONG_TEXT])]))
    for fault in faults:
        print(fault)
    for warning in spelling_warnings(read_rows(paths)):
        print(warning)
    print(f"{len(rows):,} pairs, {len(faults):,} faults")
    return int(bool(faults))


def read_rows(paths: Iterable[Path]) -> list[Row]:
    """The lines of files."""
    return [
        Row(
            f"{path.name}, line {number}",
            "test" if path == LONG_TEXT else path.stem if path.stem in HELD_OUT else "train",
            line.split("\t"),
        )
        for path in paths
        for number, line in enumerate(path.read_text("utf-8").removesuffix("\n").split("\n"), 1)
    ]


def find_faults(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each fault: columns, spaces, marks, repeated pairs, and held-out sentences."""
    pairs: dict[tuple[str, ...], str] = {}
    held_out: dict[tuple[int, str], str] = {}
    for place, split, columns in sorted(rows, key=lambda row: row.split == "train"):
        if len(columns) != 2:
            yield f"{place}: expected English and German with a tab between them, found" + (
                f" {len(columns)} columns"
            )
            continue
        for language, text in zip(LANGUAGES, columns):
            yield from (f"{place}: {fault}: {text}" for fault in _faults_of(language, text))
        key = tuple(map(normalized_key, columns))
        if key in pairs:
            yield f"{place}: the same pair as {pairs[key]}: {columns[0]}"
        pairs.setdefault(key, place)
        for side, text in enumerate(key):
            if len(text.split()) <= SHORT:
                continue
            if split != "train":
                held_out.setdefault((side, text), place)
            elif (side, text) in held_out:
                yield f"{place}: held out in {held_out[side, text]}: {columns[side]}"


def _faults_of(language: str, text: str) -> Iterator[str]:
    if not text or text != " ".join(text.split()):
        yield f"{language} is empty or has an extra space"
    if text != unicodedata.normalize("NFC", text):
        yield f"{language} is not composed (NFC)"
    if wrong := WRONG_MARKS[language].search(text):
        usual = "\" and '" if language == "English" else "„ and “"
        yield f"{language} has {usual} for quotation marks and apostrophes, found {wrong[0]}"
    if text.count('"') % 2 or (language == "German" and text.count("„") != text.count("“")):
        yield f"{language} lacks one of two quotation marks"
    if len(text.split()) > MOST_WORDS:
        yield f"{language} has more than {MOST_WORDS} words"


def spelling_warnings(rows: Iterable[Row]) -> Iterator[str]:
    """A line for each language with the words that hunspell does not know."""
    if not has_dictionaries():
        yield "hunspell or one of its dictionaries is not installed: spelling is not checked"
        return
    whole = [row.columns for row in rows if len(row.columns) == 2]
    for side, language in enumerate(LANGUAGES):
        words = {word for columns in whole for word in WORD.findall(columns[side])}
        for dictionary in DICTIONARIES[language]:
            words &= unknown_words(words, dictionary)
        if words:
            yield f"{language} words to look at: {', '.join(sorted(words))}"


def has_dictionaries() -> bool:
    """Whether hunspell is installed with all dictionaries."""
    if shutil.which("hunspell") is None:
        return False
    commands = (["hunspell", "-d", name, "-l"] for names in DICTIONARIES.values() for name in names)
    tried = (subprocess.run(each, input=b"", capture_output=True, check=False) for each in commands)
    return all(each.returncode == 0 for each in tried)


def unknown_words(words: Iterable[str], dictionary: str) -> set[str]:
    """The words that a dictionary of hunspell does not know."""
    done = subprocess.run(
        ["hunspell", "-i", "utf-8", "-d", dictionary, "-l"],
        input="\n".join(sorted(words)),
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


if __name__ == "__main__":
    with errors_as_one_line():
        sys.exit(main([Path(name) for name in sys.argv[1:]]))
