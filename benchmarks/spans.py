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

import argparse
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import translator
from translator.cli import errors_as_one_line
from translator.corpora.demo import DemoPair, load_demo_corpus, split_tokens
from translator.evaluation.run_evaluation import load_split
from translator.translation.translator import Translator

NAMES = {
    "web address": (
        "https://example.com/a?b=1&c=(d)",
        "www.example.org",
        "http://x.de/~a/b.html#c",
    ),
    "e-mail": ("tom.smith@example.com", "info+news@my-firm.co.uk"),
    "file name": ("report.pdf", "archive.tar.gz", "src/main.py", "my_file-2.txt"),
    "placeholder": ("{0}", "%s", "{{name}}", "${user}", "%(name)s", "%1$s"),
    "version": ("v2.10.3", "2.10.3"),
    "identifier": ("A4", "BA123", "COVID-19", "#123", "foo_bar"),
}
NUMBERS = {  # in English and in German
    "signed": (("-5.5", "-5,5"), ("-12", "-12"), ("+3.25", "+3,25")),
    "range": (("9:00-17:30", "9:00-17:30"), ("10-12", "10-12"), ("1.5-2.5", "1,5-2,5")),
    "grouped": (("10 000", "10.000"), ("1 234 567", "1.234.567"), ("12 500.5", "12.500,5")),
    "fraction": (("3/4", "3/4"), ("1/2", "1/2")),
    "date": (("2024-03-05", "05.03.2024"), ("12/31/2024", "31.12.2024")),
}
NUMBERS_FROM_GERMAN = {  # in German and in English
    "signed": (("-5,5", "-5.5"), ("-12", "-12")),
    "range": (("9:00-17:30", "9:00-17:30"), ("1,5-2,5", "1.5-2.5")),
    "grouped": (("10.000", "10,000"), ("1.234.567", "1,234,567"), ("12.500,5", "12,500.5")),
    "fraction": (("3/4", "3/4"), ("1/2", "1/2")),
    "date": (("2024-03-05", "2024-03-05"),),
}
TAGS = (
    ("<b>", "</b>"),
    ('<a href="https://example.com/?a=1">', "</a>"),
    ("<b><i>", "</i></b>"),
    ("<span class='x y'>", "</span>"),
)
EMOJI = ("🎉", "👍🏽", "👩‍👩‍👧", "🇩🇪", "❤️")  # fmt: skip
MARK = "\u2603"  # stands for what was put in when tokens are compared


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


class AlignedCase(NamedTuple):
    """The same with its alignment.

    Attributes:
        kind: what was put in.
        source: the sentence.
        expected: what its translation has exactly once, in this order.
        pair: the sentence pair without it.
        first: the first target token at its place.
        last: the last one.
    """

    kind: str
    source: str
    expected: tuple[str, ...]
    pair: DemoPair
    first: int
    last: int


def main() -> None:
    """Makes the sentences, translates them and prints how many are right."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--engine", choices=("keras", "ctranslate2"))
    parser.add_argument("--sentences", type=int, default=1000, help="in all (default: 1000)")
    parser.add_argument("--mistakes", type=int, default=2, help="to show of each kind")
    parser.add_argument("--own", action="store_true", help="sentences of the run's own test split")
    options = parser.parse_args()
    opened = translator.load(options.run, options.engine)
    if options.own:
        pairs, _ = load_split(opened, "test")
        numbers = NUMBERS if opened.config.corpus.source_language == "en" else NUMBERS_FROM_GERMAN
        cases = make_own_cases(sorted(set(pairs.sources)), options.sentences, numbers)
        print_own(cases, translated(opened, [case.source for case in cases]), options.mistakes)
    else:
        cases = make_cases(options.sentences)
        texts = translated(opened, [case.source for case in cases])
        plain = translated(opened, [case.pair.source for case in cases])
        print_in_place(cases, texts, plain, options.mistakes)


def translated(opened: Translator, sentences: list[str]) -> list[str]:
    """Translations of sentences."""
    return [each.text for each in opened.translate(sentences)]


def print_own(cases: list[Case], texts: list[str], mistakes: int) -> None:
    """Prints how many sentences of each kind are whole."""
    print(f"{'':<12} {'sentences':>9} {'whole':>9}")
    for kind in [*dict.fromkeys(case.kind for case in cases), "in all"]:
        chosen = [pair for pair in zip(cases, texts) if kind in (pair[0].kind, "in all")]
        wrong = [(case, text) for case, text in chosen if not is_whole(case, text)]
        print(f"{kind:<12} {len(chosen):>9,} {len(chosen) - len(wrong):>9,}")
        for case, text in wrong[:mistakes]:
            print(f"    {case.source}  →  {text}")


def print_in_place(
    cases: list[AlignedCase], texts: list[str], plain: list[str], mistakes: int
) -> None:
    """Prints how many sentences of each kind are whole, and how many in their place."""
    print(f"{'':<12} {'sentences':>9} {'whole':>7} {'comparable':>10} {'in place':>8} {'plain':>7}")
    totals = [0] * 5
    for kind in dict.fromkeys(case.kind for case in cases):
        chosen = [i for i, case in enumerate(cases) if case.kind == kind]
        whole = [i for i in chosen if is_whole(cases[i], texts[i])]
        places = {i: is_in_place(cases[i], texts[i]) for i in whole}
        comparable = [i for i in whole if places[i] is not None]
        right = [i for i in comparable if places[i]]
        as_reference = sum(plain[i] == cases[i].pair.target for i in chosen)
        counts = [len(chosen), len(whole), len(comparable), len(right), as_reference]
        print_row(kind, counts)
        totals = [a + b for a, b in zip(totals, counts)]
        wrong = [i for i in chosen if i not in whole], [i for i in comparable if i not in right]
        for i in [*wrong[0][:mistakes], *wrong[1][:mistakes]]:
            print(f"    {cases[i].source}  →  {texts[i]}")
    print_row("in all", totals)


def make_own_cases(
    sentences: list[str], count: int, numbers: dict[str, tuple[tuple[str, str], ...]]
) -> list[Case]:
    """Puts something of each kind in turn into sentences without anything of the kind.

    Args:
        sentences: in the source language.
        count: how many are made; a sentence may be used more than once.
        numbers: of each kind, with how they are written in the target language.
    """
    draw = random.Random(1)
    fitting = [s for s in sentences if len(s.split()) > 2 and not re.search(r"[\d<>{}%@]", s)]
    draw.shuffle(fitting)
    kinds = [*NAMES, *numbers, *("tags",) * 4, "emoji"]
    cases = []
    for number in range(count if fitting else 0):
        kind, words = kinds[number % len(kinds)], fitting[number % len(fitting)].split()
        place = draw.randrange(1, len(words))
        if kind == "tags":
            opening, closing = draw.choice(TAGS)
            words[place] = opening + words[place]
            words[draw.randrange(place, min(place + 3, len(words)))] += closing
            expected = tuple(re.findall(r"<[^>]*>", opening + closing))
        else:
            texts = numbers[kind] if kind in numbers else NAMES.get(kind, EMOJI)
            new = draw.choice(texts)
            given, written = (new, new) if isinstance(new, str) else new
            words.insert(place, given)
            expected = (written,)
        cases.append(Case(kind, " ".join(words), expected))
    return cases


def make_cases(count: int) -> list[AlignedCase]:
    """Puts something of each kind in turn into different sentences."""
    draw = random.Random(1)
    pairs = [pair for pair in load_demo_corpus().test]
    draw.shuffle(pairs)
    makers = [
        *((kind, "name") for kind in NAMES),
        *((kind, "number") for kind in NUMBERS),
        *(("tags", "tags"),) * 4,
        ("emoji", "emoji"),
    ]
    unused = [list(pairs) for _ in makers]
    cases: list[AlignedCase] = []
    turn = 0
    while len(cases) < count and any(unused):
        kind, sort = makers[turn % len(makers)]
        found = None
        while found is None and unused[turn % len(makers)]:
            found = make_case(kind, sort, unused[turn % len(makers)].pop(), draw)
        cases += [found] if found else []
        turn += 1
    return cases


def make_case(kind: str, sort: str, pair: DemoPair, draw: random.Random) -> AlignedCase | None:
    """Puts something into a sentence; None if it has no place for it."""
    source, target = pair.source_tokens, pair.target_tokens
    single = [
        (s, t)
        for s, t in pair.alignment
        if sum(t == each for _, each in pair.alignment) == 1
        and sum(s == each for each, _ in pair.alignment) == 1
    ]
    if sort == "tags":
        ranges = list(_ranges(pair))
        if not ranges:
            return None
        (a, b), (first, last) = draw.choice(ranges)
        opening, closing = draw.choice(TAGS)
        words = list(source)
        words[a], words[b] = opening + words[a], words[b] + closing
        if a == b:
            words[a] = opening + source[a] + closing
        tags = tuple(re.findall(r"<[^>]*>", opening + closing))
        return AlignedCase(kind, detokenize(words), tags, pair, first, last)
    if sort == "emoji":
        inside = [(s, t) for s, t in single if source[s][:1].isalpha() and s < len(source) - 2]
        if not inside:
            return None
        s, t = draw.choice(inside)
        emoji = draw.choice(EMOJI)
        words = [*source[: s + 1], emoji, *source[s + 1 :]]
        return AlignedCase(kind, detokenize(words), (emoji,), pair, t, t)
    if sort == "name":
        places = [(s, t) for s, t in single if _is_name(source[s], target[t])]
        new = (draw.choice(NAMES[kind]),) * 2
    else:
        places = [(s, t) for s, t in single if source[s].isdigit() and target[t] == source[s]]
        new = draw.choice(NUMBERS[kind])
    if not places:
        return None
    s, t = draw.choice(places)
    words = [*source[:s], new[0], *source[s + 1 :]]
    return AlignedCase(kind, detokenize(words), (new[1],), pair, t, t)


def _is_name(source: str, target: str) -> bool:
    return source == target and source.isalpha() and source[:1].isupper() and len(source) > 2


def _ranges(pair: DemoPair) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
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


def detokenize(words: list[str]) -> str:
    """Joins tokens to a sentence."""
    return re.sub(r" (?=[,.?!](?: |$))", "", " ".join(words))


def is_whole(case: Case | AlignedCase, translation: str) -> bool:
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


def is_in_place(case: AlignedCase, translation: str) -> bool | None:
    """Whether what was put in stands at its place; None if the words around it are others."""
    target = list(case.pair.target_tokens)
    if case.kind == "tags":
        half = len(case.expected) // 2
        opening, closing = "".join(case.expected[:half]), "".join(case.expected[half:])
        before, _, rest = translation.partition(opening)
        inside, _, after = rest.partition(closing)
        found = [split_tokens(part) for part in (before, inside, after)]
        if [*found[0], *found[1], *found[2]] != target:
            return None
        first = len(found[0])
        return (first, first + len(found[1]) - 1) == (case.first, case.last)
    marked = split_tokens(translation.replace(case.expected[0], f" {MARK} "))
    if case.kind == "emoji":
        rest = [token for token in marked if token != MARK]
        return None if rest != target else marked.index(MARK) == case.last + 1
    expected = [*target[: case.first], MARK, *target[case.first + 1 :]]
    if list(marked) == expected:
        return True
    words = [token for token in expected if token != MARK]
    return False if [token for token in marked if token != MARK] == words else None


def print_row(name: str, counts: list[int]) -> None:
    """Prints a line of the table."""
    total, whole, comparable, right, plain = counts
    shares = f"{comparable / max(total, 1):>10.1%} {right / max(comparable, 1):>8.1%}"
    ends = f"{whole / max(total, 1):>7.1%}", f"{plain / max(total, 1):>7.1%}"
    print(f"{name:<12} {total:>9,} {ends[0]} {shares} {ends[1]}")


if __name__ == "__main__":
    with errors_as_one_line():
        main()
