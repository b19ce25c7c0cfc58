"""Measures how much of the noise in a corpus `translator inspect` finds, and what it loses.

    python benchmarks/inspection.py --source train.en.gz --target train.de.gz

Noise is put into English-German pairs by a seed, a fifth of the noise of each kind:

- shifted: in stretches of 10 to 60 lines, each target is that of up to three lines further;
- swapped: the source is the target, and the reverse;
- copied: one side is a copy of the other; a third of the copies are in lower case, without marks;
- wrong number: both sides have a number, and that of the target became another one;
- another language: one side is French or Spanish, from a small grammar in this file.

The table has, for each kind, how many of its pairs were found, and the reasons. The last row is of
the pairs without noise: what was found there counts as lost, also where it is wrong in the corpus.
With --share 0 only that row is left, so that any corpus can be measured.
"""

import argparse
import functools
import itertools
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import translator
from translator.addons.inspection.inspector import inspect_pairs
from translator.addons.inspection.languages import LanguageIdentifier
from translator.cli import errors_as_one_line
from translator.corpora.files import read_pairs

Pair = tuple[str, str]
STRETCH = (10, 60)  # lines
MOST_SHIFTED = 3  # lines
NUMBERS = (
    ("two", "zwei"), ("three", "drei"), ("four", "vier"), ("five", "fünf"), ("six", "sechs"),
    ("seven", "sieben"), ("eight", "acht"), ("nine", "neun"), ("ten", "zehn"), ("eleven", "elf"),
    ("twelve", "zwölf"),
)  # fmt: skip
NUMBER = re.compile(rf"\b(?:{'|'.join(german for _, german in NUMBERS)}|\d+)\b", re.IGNORECASE)
ENGLISH_OF = {german: english for english, german in NUMBERS}

FRENCH = (
    ("Un homme", "Une femme âgée", "Un petit garçon", "La jeune fille", "Un cycliste",
     "Le vieil homme", "Un chien noir", "Une fillette en robe rouge", "Mon voisin",
     "L'enfant blond"),
    ("se repose", "regarde les passants", "joue avec un ballon", "mange une glace",
     "attend le bus", "court très vite", "lit un journal", "saute par-dessus un tronc"),
    ("sur la plage", "dans la rue", "devant un magasin", "au bord de la rivière",
     "près d'une fontaine", "sous un grand arbre", "pendant que le soleil se couche",
     "à côté de ses amis"),
)  # fmt: skip
SPANISH = (
    ("Un hombre", "Una mujer mayor", "Un niño pequeño", "La chica joven", "Un ciclista",
     "El anciano", "Un perro negro", "Una niña con vestido rojo", "Mi vecino",
     "El muchacho rubio"),
    ("descansa", "mira a la gente", "juega con una pelota", "come un helado", "espera el autobús",
     "corre muy rápido", "lee el periódico", "salta por encima de un tronco"),
    ("en la playa", "en la calle", "delante de una tienda", "a orillas del río",
     "cerca de una fuente", "debajo de un árbol grande", "mientras se pone el sol",
     "al lado de sus amigos"),
)  # fmt: skip


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--source", type=Path, required=True, help="English, or a TSV file")
    parser.add_argument("--target", type=Path, help="German")
    parser.add_argument("--run", default="en-de", help="that scores the pairs (default: en-de)")
    parser.add_argument("--first", type=int, default=0, help="pairs that are left out (default: 0)")
    parser.add_argument("--pairs", type=int, help="that are taken (default: all that follow)")
    parser.add_argument("--drawn", action="store_true", help="at random instead of in order")
    parser.add_argument("--share", type=float, default=0.2, help="of noise (default: 0.2)")
    parser.add_argument(
        "--stretch", type=int, nargs=2, default=STRETCH, metavar=("LEAST", "MOST"),
        help="lines of the stretches that are shifted (default: 10 to 60)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="of the noise (default: 1)")
    options = parser.parse_args()
    paths = [path for path in (options.source, options.target) if path is not None]
    pairs = list(read_pairs(tuple(paths)))[options.first :]
    if options.drawn:
        pairs = random.Random(options.seed).sample(pairs, options.pairs)
    pairs, kinds = add_noise(pairs[: options.pairs], options.share, options.seed, options.stretch)
    begun, begun_cpu = time.perf_counter(), time.process_time()
    opened = translator.load(options.run)
    found = inspect_pairs(pairs, ("en", "de"), opened, LanguageIdentifier())
    seconds, cpu = time.perf_counter() - begun, time.process_time() - begun_cpu
    reasons = {finding.place: finding.reason for finding in found.findings}
    print_table(kinds, reasons)
    print(f"{len(pairs):,} pairs in {seconds:.0f} s, {cpu:.0f} s of processor time")


def print_table(kinds: Sequence[str], reasons: dict[int, str]) -> None:
    """Prints a row for each kind of noise, one for all noise, and one for the good pairs."""
    noise = [kind for kind in NOISE if kind in kinds]
    rows = [(kind, [kind]) for kind in noise] + [("all noise", noise)] * bool(noise)
    print(f"{'':<18} {'pairs':>7} {'found':>7} {'share':>7}  reasons")
    for name, members in [*rows, ("without noise", [""])]:
        places = [place for place, kind in enumerate(kinds) if kind in members]
        found = Counter(reasons[place] for place in places if place in reasons)
        share = found.total() / max(len(places), 1)
        described = ", ".join(f"{count:,} {reason}" for reason, count in found.most_common())
        print(f"{name:<18} {len(places):>7,} {found.total():>7,} {share:>7.2%}  {described}")


def add_noise(
    pairs: Sequence[Pair], share: float, seed: int, stretch: Sequence[int] = STRETCH
) -> tuple[list[Pair], list[str]]:
    """Puts noise into some pairs.

    Args:
        pairs: English and German.
        share: of the pairs that get noise.
        seed: of the choice.
        stretch: the fewest and the most lines that are shifted together.

    Returns:
        The pairs, and the kind of noise of each; empty for none.
    """
    draw = random.Random(seed)
    noisy, kinds = list(pairs), [""] * len(pairs)
    wanted = round(share * len(pairs) / len(NOISE))
    for kind, change in {**NOISE, "shifted": functools.partial(shift, stretch=stretch)}.items():
        for place, pair in itertools.islice(change(pairs, kinds, draw), wanted):
            noisy[place], kinds[place] = pair, kind
    return noisy, kinds


Changes = Iterator[tuple[int, Pair]]


def shift(
    pairs: Sequence[Pair],
    kinds: Sequence[str],
    draw: random.Random,
    stretch: Sequence[int] = STRETCH,
) -> Changes:
    """Stretches in which the target side is some lines ahead or behind."""
    while True:
        length = draw.randint(*stretch)
        lines = draw.choice([-1, 1]) * draw.randint(1, MOST_SHIFTED)
        first = draw.randrange(MOST_SHIFTED, len(pairs) - length - MOST_SHIFTED)
        if not any(kinds[first - 1 : first + length + 1]):
            for place in range(first, first + length):
                yield place, (pairs[place][0], pairs[place + lines][1])


def swap(pairs: Sequence[Pair], kinds: Sequence[str], draw: random.Random) -> Changes:
    """Pairs whose sides are exchanged."""
    for place in free_places(kinds, draw):
        yield place, (pairs[place][1], pairs[place][0])


def copy(pairs: Sequence[Pair], kinds: Sequence[str], draw: random.Random) -> Changes:
    """Pairs of which one side is a copy of the other."""
    for place in free_places(kinds, draw):
        text = draw.choice(pairs[place])
        copied = [text, text, re.sub(r"[^\w\s]", "", text.lower())]
        both = [text, draw.choice(copied)]
        draw.shuffle(both)
        yield place, (both[0], both[1])


def change_number(pairs: Sequence[Pair], kinds: Sequence[str], draw: random.Random) -> Changes:
    """Pairs in which the number of the target became another one."""
    for place in free_places(kinds, draw):
        source, target = pairs[place]
        words = set(re.findall(r"\w+", source.lower()))
        equal = [
            found
            for found in NUMBER.finditer(target)
            if {found.group(), ENGLISH_OF.get(found.group().lower())} & words
        ]
        if equal:
            number = draw.choice(equal)
            other = another_number(number.group(), draw)
            yield place, (source, target[: number.start()] + other + target[number.end() :])


def another_number(number: str, draw: random.Random) -> str:
    """A number that differs from the given one, in digits or as a word with the same capitals."""
    if number.isdigit():
        return draw.choice([str(n) for n in range(2, 100) if n != int(number)])
    other = draw.choice([german for _, german in NUMBERS if german != number.lower()])
    return other.capitalize() if number[0].isupper() else other


def change_language(pairs: Sequence[Pair], kinds: Sequence[str], draw: random.Random) -> Changes:
    """Pairs of which one side is French or Spanish."""
    for place in free_places(kinds, draw):
        parts = draw.choice([FRENCH, SPANISH])
        foreign = " ".join(map(draw.choice, parts)) + "."
        source, target = pairs[place]
        yield place, draw.choice([(foreign, target), (source, foreign)])


def free_places(kinds: Sequence[str], draw: random.Random) -> Iterator[int]:
    """The places of pairs that have no noise, in random order."""
    places = list(range(len(kinds)))
    draw.shuffle(places)
    return (place for place in places if not kinds[place])


NOISE: dict[str, Callable[[Sequence[Pair], Sequence[str], random.Random], Changes]] = {
    "shifted": shift,
    "swapped": swap,
    "copied": copy,
    "wrong number": change_number,
    "another language": change_language,
}

if __name__ == "__main__":
    with errors_as_one_line():
        main()
