"""Measures how much of the noise in a corpus `translator inspect` finds, and what it loses.

    python benchmarks/inspection.py --source train.en.gz --target train.de.gz

A seed decides where noise is put into English-German pairs; each kind has the same amount:

- shifted: in stretches of 10 to 60 lines, each line has the target of one to three lines later or
earlier;
- swapped: the source is the target, and the reverse;
- copied: one side is a copy of the other; a third of the copies are in lower case, without marks;
- wrong number: both sides have a number, and the target's number is changed;
- another language: one side is French or Spanish, from the small grammar in sentences.yaml;
- misread: the bytes of the target were read as Windows-1252;
- entities: the target has HTML entities for some of its characters;
- ids: the source is replaced by a number.

The table shows, for each kind, how many of its pairs were found, and the reasons. The last row has
the pairs without noise: pairs that were found there count as lost, even if the corpus has them
wrong.
"""

import html
import itertools
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import harness
from translating import SENTENCES, precision_of

import translator
from translator.addons.inspection.inspector import inspect_pairs
from translator.addons.inspection.languages import LanguageIdentifier
from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.corpora.demo import load_demo_corpus
from translator.corpora.pair_files import read_pairs

Pair = tuple[str, str]
Changes = Iterator[tuple[int, Pair]]
SHARE = 0.2  # of the pairs
STRETCH = (10, 60)  # lines that are shifted together
MOST_SHIFTED = 3  # lines
ENGLISH_OF = {german: english for english, german in SENTENCES["number_words"].items()}
NUMBER = re.compile(rf"\b(?:{'|'.join(ENGLISH_OF)}|\d+)\b", re.IGNORECASE)


def main() -> None:
    """Prints the table."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--source", type=Path, help="English, or a TSV file")
    parser.add_argument("--target", type=Path, help="German")
    parser.add_argument("--run", default="en-de", help="that scores the pairs (default: en-de)")
    parser.add_argument("--first", type=int, default=0, help="pairs that are left out (default: 0)")
    parser.add_argument("--seed", type=int, default=1, help="of the noise (default: 1)")
    options = parser.parse()
    if options.source:
        pairs = list(read_pairs(tuple(filter(None, (options.source, options.target)))))
    elif options.small:
        pairs = [(pair.source, pair.target) for pair in load_demo_corpus().test[:200]]
    else:
        raise InputError("expected pairs, found none; name their files by --source and --target")
    pairs, kinds = add_noise(pairs[options.first :], options.seed)
    begun, begun_cpu = time.perf_counter(), time.process_time()
    opened = translator.load(options.run)
    found = inspect_pairs(pairs, ("en", "de"), opened, LanguageIdentifier())
    seconds, cpu = time.perf_counter() - begun, time.process_time() - begun_cpu
    title = f"Noise in {len(pairs):,} pairs, {seconds:.0f} s, {cpu:.0f} s of processor time"
    rows = make_rows(kinds, {finding.place: str(finding.reason) for finding in found.findings})
    columns = ["kind of noise", "pairs", "found", "share", "reasons"]
    harness.show(options, "inspection", title, columns, rows, precision_of(opened))


def make_rows(kinds: Sequence[str], reasons: dict[int, str]) -> list[harness.Row]:
    """A row for each kind of noise, one for all noise, and one for the good pairs."""
    groups = {**{kind: [kind] for kind in NOISE}, "all noise": [*NOISE], "without noise": [""]}
    rows: list[harness.Row] = []
    for name, members in groups.items():
        places = [place for place, kind in enumerate(kinds) if kind in members]
        found = Counter(reasons[place] for place in places if place in reasons)
        described = ", ".join(f"{count:,} {reason}" for reason, count in found.most_common())
        share = harness.share(found.total(), len(places))
        rows.append([name, len(places), found.total(), share, described])
    return rows


def add_noise(pairs: Sequence[Pair], seed: int) -> tuple[list[Pair], list[str]]:
    """Puts noise into some pairs.

    Args:
        pairs: English and German.
        seed: of the choice.

    Returns:
        The pairs, and the kind of noise of each; empty for none.
    """
    draw = random.Random(seed)
    noisy, kinds = list(pairs), [""] * len(pairs)
    wanted = round(SHARE * len(pairs) / len(NOISE))
    for kind, change in NOISE.items():
        if kind == "shifted":
            changes = shift(pairs, kinds, draw)
        else:
            changes = change_some(pairs, kinds, draw, change)
        for place, pair in itertools.islice(changes, wanted):
            noisy[place], kinds[place] = pair, kind
    return noisy, kinds


def change_some(
    pairs: Sequence[Pair],
    kinds: Sequence[str],
    draw: random.Random,
    change: Callable[[Pair, random.Random], Pair | None],
) -> Changes:
    """Changes pairs that have no noise, in random order; if the result is None, a pair stays."""
    places = list(range(len(kinds)))
    draw.shuffle(places)
    for place in places:
        if not kinds[place] and (changed := change(pairs[place], draw)):
            yield place, changed


def shift(pairs: Sequence[Pair], kinds: Sequence[str], draw: random.Random) -> Changes:
    """Stretches in which the target side is some lines ahead or behind."""
    while True:
        length = draw.randint(*STRETCH)
        lines = draw.choice([-1, 1]) * draw.randint(1, MOST_SHIFTED)
        first = draw.randrange(MOST_SHIFTED, len(pairs) - length - MOST_SHIFTED)
        if not any(kinds[first - 1 : first + length + 1]):
            for place in range(first, first + length):
                yield place, (pairs[place][0], pairs[place + lines][1])


def swap(pair: Pair, draw: random.Random) -> Pair:
    """A pair whose sides are exchanged."""
    return pair[1], pair[0]


def copy(pair: Pair, draw: random.Random) -> Pair:
    """A pair with a side that is a copy of the other side."""
    text = draw.choice(pair)
    both = [text, draw.choice([text, text, re.sub(r"[^\w\s]", "", text.lower())])]
    draw.shuffle(both)
    return both[0], both[1]


def change_number(pair: Pair, draw: random.Random) -> Pair | None:
    """A pair with a changed number in the target; None without a number."""
    source, target = pair
    words = set(re.findall(r"\w+", source.lower()))
    equal = [
        found
        for found in NUMBER.finditer(target)
        if {found.group(), ENGLISH_OF.get(found.group().lower())} & words
    ]
    if not equal:
        return None
    found = draw.choice(equal)
    number = found.group()
    if number.isdigit():
        other = draw.choice([str(n) for n in range(2, 100) if n != int(number)])
    else:
        other = draw.choice([german for german in ENGLISH_OF if german != number.lower()])
        other = other.capitalize() if number[0].isupper() else other
    return source, target[: found.start()] + other + target[found.end() :]


def change_language(pair: Pair, draw: random.Random) -> Pair:
    """A pair with a French or Spanish side."""
    parts = draw.choice([*SENTENCES["foreign"].values()])
    foreign = " ".join(map(draw.choice, parts)) + "."
    return draw.choice([(foreign, pair[1]), (pair[0], foreign)])


def misread(pair: Pair, draw: random.Random) -> Pair | None:
    """A pair whose target's bytes were read as another encoding; None if that changes nothing."""
    read = pair[1].encode().decode("cp1252", "replace")
    return (pair[0], read) if read != pair[1] and "\ufffd" not in read else None


def with_entities(pair: Pair, draw: random.Random) -> Pair | None:
    """A pair whose target has entities for signs and letters; None if it has no such sign."""
    text = html.escape(pair[1]).encode("ascii", "xmlcharrefreplace").decode()
    return (pair[0], text) if text != pair[1] else None


def with_id(pair: Pair, draw: random.Random) -> Pair:
    """A pair with a number in place of its source."""
    return str(draw.randrange(1, 10**7)), pair[1]


NOISE: dict[str, Callable[[Pair, random.Random], Pair | None]] = {
    "shifted": swap,
    "swapped": swap,
    "copied": copy,
    "wrong number": change_number,
    "another language": change_language,
    "misread": misread,
    "entities": with_entities,
    "ids": with_id,
}

if __name__ == "__main__":
    with errors_as_one_line():
        main()
