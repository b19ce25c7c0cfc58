"""Measures whether web addresses, placeholders, tags and the like come through a translation.

    python benchmarks/spans.py --run en-de

The sentences are those of the run's own test split. After one of their words stands a web address,
an e-mail address, a file name, a placeholder, a version, a number or an emoji, or words are put
between tags. A sentence is whole if its translation has what was put in exactly once, numbers and
dates as the other language writes them, tags in their order, and nothing else of the kind.
"""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import harness
from translating import SENTENCES, precision_of, read_split

import translator
from translator.cli import errors_as_one_line
from translator.corpora.demo import load_demo_corpus
from translator.translation.translator import Translator

NAMES: dict[str, list[str]] = SENTENCES["spans"]
NUMBERS: dict[str, dict[str, list[list[str]]]] = SENTENCES["numbers_from"]
KINDS = [*NAMES, *NUMBERS["en"], *("tags",) * 4, "emoji"]


class Case(NamedTuple):
    """A sentence with something put in.

    Attributes:
        kind: what was put in.
        source: the sentence.
        expected: what its translation has exactly once, in this order.
    """

    kind: str
    source: str
    expected: tuple[str, ...]


def main() -> None:
    """Makes the sentences, translates them and prints how many are right."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path, default=Path("en-de"))
    parser.add_argument("--sentences", type=int, default=1000, help="in all (default: 1000)")
    options = parser.parse(sentences=16)
    opened = translator.load(options.run)
    if options.small:
        sentences = [pair.source for pair in load_demo_corpus().test]
    else:
        sentences = sorted(read_split(opened, "test"))
    numbers = NUMBERS.get(str(opened.config.corpus.source_language), NUMBERS["en"])
    cases = list(make_cases(sentences, options.sentences, numbers))
    rows = measure(opened, cases)
    title, columns = (
        f"Spans put into test sentences, {options.run.name}",
        ["", "sentences", "whole"],
    )
    harness.show(options, f"spans-{options.run.name}", title, columns, rows, precision_of(opened))


def measure(opened: Translator, cases: Sequence[Case]) -> list[harness.Row]:
    """A row of each kind of span, and one of all: how many are whole."""
    found = opened.translate([case.source for case in cases])
    whole = [is_whole(case, each.text) for case, each in zip(cases, found)]
    rows: list[harness.Row] = []
    for kind in [*dict.fromkeys(case.kind for case in cases), "in all"]:
        chosen = [right for case, right in zip(cases, whole) if kind in (case.kind, "in all")]
        rows.append([kind, len(chosen), harness.share(sum(chosen), len(chosen))])
    return rows


def make_cases(
    sentences: Sequence[str], count: int, numbers: dict[str, list[list[str]]]
) -> Iterator[Case]:
    """Puts something of each kind in turn into sentences without anything of the kind.

    Args:
        sentences: in the source language.
        count: how many are made; a sentence may be used more than once.
        numbers: of each kind, with how they are written in the target language.
    """
    draw = random.Random(1)
    fitting = [s for s in sentences if len(s.split()) > 2 and not re.search(r"[\d<>{}%@]", s)]
    draw.shuffle(fitting)
    for number in range(count if fitting else 0):
        kind, words = KINDS[number % len(KINDS)], fitting[number % len(fitting)].split()
        place = draw.randrange(1, len(words))
        if kind == "tags":
            opening, closing = draw.choice(SENTENCES["tags"])
            words[place] = opening + words[place]
            words[draw.randrange(place, min(place + 3, len(words)))] += closing
            yield Case(kind, " ".join(words), tags_of(opening + closing))
        else:
            new = draw.choice(numbers.get(kind) or NAMES.get(kind, SENTENCES["emoji"]))
            given, written = (new, new) if isinstance(new, str) else new
            words.insert(place, given)
            yield Case(kind, " ".join(words), (written,))


def tags_of(text: str) -> tuple[str, ...]:
    """The tags in a text."""
    return tuple(re.findall(r"<[^>]*>", text))


def is_whole(case: Case, translation: str) -> bool:
    """Whether a translation has exactly what was put in, in its order."""
    place = 0
    for text in case.expected:
        if translation.count(text) != case.expected.count(text):
            return False
        place = translation.find(text, place)
        if place < 0:
            return False
        place += len(text)
    return translation.count("<") == sum(text.count("<") for text in case.expected)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
