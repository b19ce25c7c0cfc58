"""Measures how many numbers a run translates correctly (years, times, prices, ...), and names.

    python benchmarks/restoration.py --run checkpoints/tatoeba

The sentences are English, or German for a run from German. They are made from the patterns of
sentences.yaml and random numbers, and none of them is in the corpus of the run. A sentence is
correct if its translation has the same numbers as the source, each as often, written as in the
other language: 1.5 is 1,5 in German and 1,250 is 1.250. The names are names that training never
saw, translated with --replace-unknown and without; a sentence is correct if its translation has
each of them once, and "Tom" only if the source has.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import harness
from translating import SENTENCES, precision_of

import translator
from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.corpora import load_corpus
from translator.tokenizers.bpemb_languages import language_code
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
NAMES_AT_ONCE = 3  # at most in a pattern


def exchanged(number: str) -> str:
    """A number with point and comma exchanged."""
    return number.translate(str.maketrans(".,", ",."))


KINDS: dict[str, tuple[Callable[[random.Random], str], Callable[[str], str]]] = {
    # draws a number, written as in English, and writes it as in the other language
    "years": (lambda draw: str(draw.randint(1400, 2029)), str),
    "times": (lambda draw: f"{draw.randint(1, 23)}:{draw.randint(1, 59):02}", str),
    "prices": (lambda draw: f"{draw.randint(1, 999)}.{draw.randint(1, 99):02}", exchanged),
    "decimals": (lambda draw: f"{draw.randint(0, 99)}.{draw.randint(1, 9)}", exchanged),
    "thousands": (lambda draw: f"{draw.randint(1, 999)},{draw.randint(0, 999):03}", exchanged),
    "counts": (lambda draw: str(draw.randint(13, 999)), str),
}


def main() -> None:
    """Makes the sentences, translates them and prints how many are correct."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path, default=Path("en-de"))
    parser.add_argument("--sentences", type=int, default=200, help="of each kind (default: 200)")
    options = parser.parse(sentences=3)
    opened = translator.load(options.run)
    language = language_code(opened.config.corpus.languages[0])
    if language not in SENTENCES["name_patterns"]:
        raise InputError(f"{options.run}: expected a run from English or German, found {language}")
    seen = set() if options.small else set(load_corpus(opened.config.corpus).train.sources)
    precision, run = precision_of(opened), options.run.name
    rows = measure_numbers(opened, language, options.sentences, seen)
    title, columns = f"Sentences whose numbers are right, {run}", ["", "sentences", "right", "raw"]
    harness.show(options, f"numbers-{run}", title, columns, rows, precision)
    rows = measure_names(opened, language, options.sentences)
    title, columns = f"Sentences whose names are right, {run}", [*columns[:3], "without replacing"]
    harness.show(options, f"names-{run}", title, columns, rows, precision)


def measure_numbers(
    opened: Translator, language: str, count: int, seen: set[str]
) -> list[harness.Row]:
    """The row of each kind of number, and one of all."""
    rows: list[harness.Row] = []
    totals = [0, 0, 0]
    for name, (draw, convert) in KINDS.items():
        write = convert if language == "de" else str
        sentences = make_sentences(SENTENCES["numbers"][name][language], draw, write, count, seen)
        counts = [len(sentences)]
        for raw in (False, True):
            found = opened.translate(sentences, TranslationOptions(raw=raw))
            matches = (
                numbers_match(source, each.text, convert) for source, each in zip(sentences, found)
            )
            counts.append(sum(matches))
        totals = [a + b for a, b in zip(totals, counts)]
        rows.append([name, *row_of(counts)])
    return [*rows, ["in all", *row_of(totals)]]


def row_of(counts: Sequence[int]) -> list[harness.Cell]:
    """How many there are, and the shares of the other counts."""
    return [counts[0], *(harness.share(count, counts[0]) for count in counts[1:])]


def measure_names(opened: Translator, language: str, count: int) -> list[harness.Row]:
    """The row of each kind of sentence with names that training never saw."""
    unseen = [name for name in SENTENCES["names"] if opened.restoration.names.is_new(name)]
    if len(unseen) < NAMES_AT_ONCE:
        raise InputError(
            f"{opened.run.path}: expected {NAMES_AT_ONCE} of the names in sentences.yaml that its"
            f" training never saw, found {len(unseen)}"
        )
    kinds: dict[str, dict[str, str]] = {
        kind: dict.fromkeys(patterns, "")
        for kind, patterns in SENTENCES["name_patterns"][language].items()
    }
    rows: list[harness.Row] = []
    for kind, expected in {**kinds, **SENTENCES["expected_parts"][language]}.items():
        draw, patterns, cases = random.Random(1), list(expected), []
        for i in range(count):
            names, pattern = draw.sample(unseen, NAMES_AT_ONCE), patterns[i % len(patterns)]
            cases.append((filled(pattern, names), filled(expected[pattern], names)))
        counts = [count]
        for replacing in (True, False):
            search = TranslationOptions(replace_unknown=replacing)
            found = opened.translate([source for source, _ in cases], search)
            matches = (
                part in each.text and names_match(source, each.text, unseen)
                for (source, part), each in zip(cases, found)
            )
            counts.append(sum(matches))
        rows.append([kind, *row_of(counts)])
    return rows


def filled(pattern: str, names: list[str]) -> str:
    """A pattern with names in the places of #, and the third one in that of #3."""
    rest = iter(names)
    return re.sub(
        r"#(\d?)", lambda found: names[int(found[1]) - 1] if found[1] else next(rest), pattern
    )


def names_match(source: str, translation: str, names: list[str]) -> bool:
    """Whether a translation has exactly the names of its source."""
    toms = [bool(re.search(r"\bToms?\b", text)) for text in (source, translation)]
    return toms[0] == toms[1] and all(source.count(n) == translation.count(n) for n in names)


def make_sentences(
    patterns: Sequence[str],
    draw_number: Callable[[random.Random], str],
    write: Callable[[str], str],
    count: int,
    seen: set[str],
) -> list[str]:
    """Makes different sentences of a kind that are not in ``seen``."""
    draw = random.Random(1)
    made: dict[str, None] = {}
    while len(made) < count:
        pattern = patterns[len(made) % len(patterns)]
        sentence = re.sub("#", lambda _: write(draw_number(draw)), pattern)
        if sentence not in seen:
            made[sentence] = None
    return list(made)


def numbers_match(source: str, translation: str, convert: Callable[[str], str]) -> bool:
    """Whether a translation has exactly the numbers of its source."""
    expected = Counter(map(convert, NUMBER.findall(source)))
    return Counter(NUMBER.findall(translation)) == expected


if __name__ == "__main__":
    with errors_as_one_line():
        main()
