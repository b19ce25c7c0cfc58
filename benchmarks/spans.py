"""Measures whether web addresses, placeholders, tags and the like come through a translation.

    python benchmarks/spans.py --run checkpoints/demo
    python benchmarks/spans.py --run en-de --own

The sentences are those of the demo corpus's test split. In each, a name is replaced by a web
address, an e-mail address, a file name, a placeholder or a version, a number by another one,
words are put between tags, or an emoji follows a word. A sentence is whole if its translation
has what was put in exactly once, numbers and dates in German form, tags in their order, and
nothing else of the kind. It is in its place if it stands where the corpus's own alignment has
the word that was replaced or marked. This is known only where a model translates the sentence
as the corpus does, which a run of another corpus seldom does.

With --own the sentences are those of the run's own test split. What is put in stands after one of
their words, and only whether a translation is whole is known.
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
from translator.corpora.demo import DemoPair, load_demo_corpus, split_tokens
from translator.translation.translator import Translator

NAMES: dict[str, list[str]] = SENTENCES["spans"]
NUMBERS: dict[str, dict[str, list[list[str]]]] = SENTENCES["numbers_from"]
KINDS = [*NAMES, *NUMBERS["en"], *("tags",) * 4, "emoji"]
MARK = "\u2603"  # stands for what was put in when tokens are compared


class Place(NamedTuple):
    """Where something was put into a pair, by the target tokens there."""

    pair: DemoPair
    first: int
    last: int


class Case(NamedTuple):
    """A sentence with something put in.

    Attributes:
        kind: what was put in.
        source: the sentence.
        expected: what its translation has exactly once, in this order.
        place: where, if that is known.
    """

    kind: str
    source: str
    expected: tuple[str, ...]
    place: Place | None = None


def main() -> None:
    """Makes the sentences, translates them and prints how many are right."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path, default=Path("en-de"))
    parser.add_argument("--engine", choices=("keras", "ctranslate2"))
    parser.add_argument("--sentences", type=int, default=1000, help="in all (default: 1000)")
    parser.add_argument("--mistakes", type=int, default=2, help="to show of each kind")
    parser.add_argument("--own", action="store_true", help="sentences of the run's own test split")
    options = parser.parse(sentences=16)
    opened = translator.load(options.run, options.engine)
    if options.own:
        numbers = NUMBERS.get(str(opened.config.corpus.source_language), NUMBERS["en"])
        cases = list(make_own_cases(sorted(read_split(opened, "test")), options.sentences, numbers))
    else:
        cases = make_cases(options.sentences)
    rows = measure(opened, cases, options.mistakes)
    columns = ["span", "sentences", "whole", "comparable", "in place", "plain"]
    harness.show(
        options,
        f"spans-{options.run.name}",
        f"Spans put into test sentences, {options.run.name}",
        columns[: 3 if options.own else None],
        rows,
        precision_of(opened),
    )


def measure(opened: Translator, cases: Sequence[Case], mistakes: int) -> list[harness.Row]:
    """A row of each kind of span, and one of all: how many are whole, and in their place.

    Of sentences with a place, the row also has the share of those that come out as in the
    reference where nothing was put in.
    """
    texts = [each.text for each in opened.translate([case.source for case in cases])]
    pairs = [case.place.pair for case in cases if case.place]
    plain = [each.text for each in opened.translate([pair.source for pair in pairs])]
    rows: list[harness.Row] = []
    for kind in [*dict.fromkeys(case.kind for case in cases), "in all"]:
        chosen = [i for i, case in enumerate(cases) if kind in (case.kind, "in all")]
        whole = [i for i in chosen if is_whole(cases[i], texts[i])]
        row: list[harness.Cell] = [kind, len(chosen), harness.share(len(whole), len(chosen))]
        wrong = [i for i in chosen if i not in whole][: mistakes if kind != "in all" else 0]
        if pairs:
            placed = {i: is_in_place(cases[i], texts[i]) for i in whole}
            right = [i for i in whole if placed[i]]
            comparable = sum(found is not None for found in placed.values())
            as_reference = sum(plain[i] == pairs[i].target for i in chosen)
            row += [harness.share(comparable, len(chosen)), harness.share(len(right), comparable)]
            row += [harness.share(as_reference, len(chosen))]
        rows.append(row)
        for i in wrong:
            print(f"    {cases[i].source}  →  {texts[i]}")
    return rows


def make_own_cases(
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


def make_cases(count: int) -> list[Case]:
    """Puts something of each kind in turn into different sentences of the demo corpus."""
    draw = random.Random(1)
    pairs = list(load_demo_corpus().test)
    draw.shuffle(pairs)
    unused = [list(pairs) for _ in KINDS]
    cases: list[Case] = []
    turn = 0
    while len(cases) < count and any(unused):
        place, found = turn % len(KINDS), None
        while found is None and unused[place]:
            found = make_case(KINDS[place], unused[place].pop(), draw)
        cases += [found] if found else []
        turn += 1
    return cases


def make_case(kind: str, pair: DemoPair, draw: random.Random) -> Case | None:
    """Puts something into a sentence; None if it has no place for it."""
    source, target = pair.source_tokens, pair.target_tokens
    if kind == "tags":
        return put_tags(pair, draw)
    places = linked_alone(pair)
    if kind == "emoji":
        places = [(s, t) for s, t in places if source[s][0].isalpha() and s < len(source) - 2]
    elif kind in NAMES:
        given = written = draw.choice(NAMES[kind])
        names = [word.isalpha() and word[0].isupper() and len(word) > 2 for word in source]
        places = [(s, t) for s, t in places if names[s] and target[t] == source[s]]
    else:
        given, written = draw.choice(NUMBERS["en"][kind])
        places = [(s, t) for s, t in places if source[s].isdigit() and target[t] == source[s]]
    if not places:
        return None
    s, t = draw.choice(places)
    if kind == "emoji":
        written = draw.choice(SENTENCES["emoji"])
        given = f"{source[s]} {written}"
    words = [*source[:s], given, *source[s + 1 :]]
    return Case(kind, detokenize(words), (written,), Place(pair, t, t))


def put_tags(pair: DemoPair, draw: random.Random) -> Case | None:
    """Puts tags around words whose translations stand together; None where there are none."""
    ranges = list(linked_ranges(pair))
    if not ranges:
        return None
    (a, b), (first, last) = draw.choice(ranges)
    opening, closing = draw.choice(SENTENCES["tags"])
    words = list(pair.source_tokens)
    words[a] = opening + words[a]
    words[b] += closing
    return Case("tags", detokenize(words), tags_of(opening + closing), Place(pair, first, last))


def tags_of(text: str) -> tuple[str, ...]:
    """The tags in a text."""
    return tuple(re.findall(r"<[^>]*>", text))


def linked_alone(pair: DemoPair) -> list[tuple[int, int]]:
    """The source and target words that are linked with each other and with no others."""
    sources, targets = ([link[side] for link in pair.alignment] for side in (0, 1))
    return [(s, t) for s, t in pair.alignment if sources.count(s) == targets.count(t) == 1]


def linked_ranges(pair: DemoPair) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Up to three source words in a row that translate to words in a row, and to no others."""
    count = len(pair.source_tokens) - 1  # without the final mark
    for a in range(count):
        for b in range(a, min(a + 3, count)):
            inside = {t for s, t in pair.alignment if a <= s <= b}
            outside = {t for s, t in pair.alignment if not a <= s <= b}
            ends = {s for s, _ in pair.alignment} >= {a, b}
            words = pair.source_tokens[a : b + 1]
            if ends and inside and not inside & outside and all(w[:1].isalnum() for w in words):
                first, last = min(inside), max(inside)
                if set(range(first, last + 1)) == inside:
                    yield (a, b), (first, last)


def detokenize(words: Sequence[str]) -> str:
    """Joins tokens to a sentence."""
    return re.sub(r" (?=[,.?!](?: |$))", "", " ".join(words))


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


def is_in_place(case: Case, translation: str) -> bool | None:
    """Whether what was put in stands at its place; None if the words around it are others."""
    if case.place is None:
        return None
    target, first, last = list(case.place.pair.target_tokens), case.place.first, case.place.last
    if case.kind == "tags":
        half = len(case.expected) // 2
        before, _, rest = translation.partition("".join(case.expected[:half]))
        inside, _, after = rest.partition("".join(case.expected[half:]))
        found = [split_tokens(part) for part in (before, inside, after)]
        if [token for part in found for token in part] != target:
            return None
        return (len(found[0]), len(found[0]) + len(found[1]) - 1) == (first, last)
    marked = list(split_tokens(translation.replace(case.expected[0], f" {MARK} ")))
    others = [token for token in marked if token != MARK]
    if case.kind == "emoji":
        return None if others != target else marked.index(MARK) == last + 1
    expected = [*target[:first], MARK, *target[first + 1 :]]
    if marked == expected:
        return True
    return False if others == [token for token in expected if token != MARK] else None


if __name__ == "__main__":
    with errors_as_one_line():
        main()
