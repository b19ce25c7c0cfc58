"""Measures how many numbers a run translates correctly (years, times, prices, ...), and names.

    python benchmarks/restoration.py --run checkpoints/tatoeba

The sentences are English, or German for a run from German. They are made from patterns and
random numbers, and none of them is in the run's corpus. A sentence is correct if its translation
has the same numbers as the source, each as often, written as in the other language: 1.5 is 1,5 in
German and 1,250 is 1.250. The names are names that training never saw, translated with
--replace-unknown and without; a sentence is correct if its translation has each of them once, and
"Tom" only if the source has.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import translator
from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.corpora import load_corpus
from translator.tokenizers.bpemb_languages import language_code
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


class Kind(NamedTuple):
    """A kind of number.

    Attributes:
        draw: draws one, written as in English.
        convert: writes it as in German, or one of German as in English.
        patterns: sentences by language; each # is a number.
    """

    draw: Callable[[random.Random], str]
    convert: Callable[[str], str]
    patterns: dict[str, tuple[str, ...]]


def exchanged(number: str) -> str:
    """A number with point and comma exchanged."""
    return number.translate(str.maketrans(".,", ",."))


KINDS = {
    "years": Kind(
        lambda draw: str(draw.randint(1400, 2029)),
        str,
        {
            "en": (
                "He was born in #.",
                "The war ended in #.",
                "She moved to Berlin in # and died in #.",
                "This house was built in #.",
                "In # there was a big fire in this city.",
                "Tom came to Boston in #.",
                "I have been living here since #.",
            ),
            "de": (
                "Er wurde # geboren.",
                "Der Krieg endete #.",
                "Sie zog # nach Berlin und starb #.",
                "Dieses Haus wurde # gebaut.",
                "Im Jahre # gab es in dieser Stadt ein großes Feuer.",
                "Tom kam # nach Boston.",
                "Ich wohne seit # hier.",
            ),
        },
    ),
    "times": Kind(
        lambda draw: f"{draw.randint(1, 23)}:{draw.randint(1, 59):02}",
        str,
        {
            "en": (
                "The train leaves at #.",
                "I got up at # this morning.",
                "The meeting begins at # and ends at #.",
                "Tom came home at #.",
                "It is #.",
                "We will meet at # in front of the station.",
                "The shop closes at #.",
            ),
            "de": (
                "Der Zug fährt um # Uhr ab.",
                "Ich bin heute Morgen um # Uhr aufgestanden.",
                "Die Sitzung beginnt um # Uhr und endet um # Uhr.",
                "Tom kam um # Uhr nach Hause.",
                "Es ist # Uhr.",
                "Wir treffen uns um # Uhr vor dem Bahnhof.",
                "Das Geschäft schließt um # Uhr.",
            ),
        },
    ),
    "prices": Kind(
        lambda draw: f"{draw.randint(1, 999)}.{draw.randint(1, 99):02}",
        exchanged,
        {
            "en": (
                "The book costs # euros.",
                "I paid # dollars for this shirt.",
                "That will be # euros.",
                "The red one costs # dollars and the blue one # dollars.",
                "He owes me # euros.",
                "The ticket was # euros.",
            ),
            "de": (
                "Das Buch kostet # Euro.",
                "Ich habe für dieses Hemd # Dollar bezahlt.",
                "Das macht # Euro.",
                "Das rote kostet # Dollar und das blaue # Dollar.",
                "Er schuldet mir # Euro.",
                "Die Karte hat # Euro gekostet.",
            ),
        },
    ),
    "decimals": Kind(
        lambda draw: f"{draw.randint(0, 99)}.{draw.randint(1, 9)}",
        exchanged,
        {
            "en": (
                "The box weighs # kilos.",
                "The river is # kilometers long.",
                "I ran # miles today.",
                "The temperature is # degrees.",
                "The table is # meters long and # meters wide.",
                "He drinks # liters of water every day.",
            ),
            "de": (
                "Die Kiste wiegt # Kilo.",
                "Der Fluss ist # Kilometer lang.",
                "Ich bin heute # Meilen gelaufen.",
                "Die Temperatur beträgt # Grad.",
                "Der Tisch ist # Meter lang und # Meter breit.",
                "Er trinkt jeden Tag # Liter Wasser.",
            ),
        },
    ),
    "thousands": Kind(
        lambda draw: f"{draw.randint(1, 999)},{draw.randint(0, 999):03}",
        exchanged,
        {
            "en": (
                "The car costs # dollars.",
                "More than # people live in this town.",
                "There are # books in the library.",
                "The mountain is # meters high.",
                "He earns # euros a month.",
            ),
            "de": (
                "Das Auto kostet # Dollar.",
                "Mehr als # Leute leben in dieser Stadt.",
                "In der Bibliothek gibt es # Bücher.",
                "Der Berg ist # Meter hoch.",
                "Er verdient # Euro im Monat.",
            ),
        },
    ),
    "counts": Kind(
        lambda draw: str(draw.randint(13, 999)),
        str,
        {
            "en": (
                "She is # years old.",
                "There are # students in our school.",
                "I have # stamps and my brother has #.",
                "Please open your books to page #.",
                "Tom lives in room #.",
                "We need # chairs.",
                "It took me # minutes to get there.",
            ),
            "de": (
                "Sie ist # Jahre alt.",
                "In unserer Schule gibt es # Schüler.",
                "Ich habe # Briefmarken und mein Bruder hat #.",
                "Schlagt bitte Seite # auf.",
                "Tom wohnt in Zimmer #.",
                "Wir brauchen # Stühle.",
                "Ich habe # Minuten gebraucht, um dorthin zu kommen.",
            ),
        },
    ),
}


NAMES = [
    "Xaver", "Ludmilla", "Keanu", "Thusnelda", "Oyelaran", "Bronisława", "Siobhán",
    "Quetzalli", "Dagobert", "Ezekiel", "Fujimori", "Giacomo", "Hrothgar", "Ingeborg",
    "Jadranka", "Kunigunde", "Leocadia", "Mbeki", "Nausicaa", "Ottokar", "Pforzheim",
    "Radovan", "Swarovski", "Tchaikovsky", "Ulrike", "Vercingetorix", "Wroblewski",
    "Yggdrasil", "Zebulon", "Agrippina",
]  # fmt: skip
NAMES_AT_ONCE = 3  # at most in a pattern
NAME_PATTERNS = {
    "en": {
        "names": (
            "# came home late.",
            "I saw # yesterday.",
            "# and # are friends.",
            "Did you know that # is ill?",
            "I gave the book to #.",
            "# is older than #.",
            "My name is #.",
            "Why did # say that?",
            "This is #'s book.",
            "Tom knows #.",
            "Tomorrow # comes.",
            "#'s car is red.",
        ),
        "three names": (
            "# met # in #.",
            "# and # live in #.",
            "I saw # and # with #.",
            "# told # about #.",
            "#, # and # are coming.",
            "Did # go to # with #?",
        ),
    },
    "de": {
        "names": (
            "# kam spät nach Hause.",
            "Ich habe # gestern gesehen.",
            "# und # sind Freunde.",
            "Weißt du, dass # krank ist?",
            "Ich gab # das Buch.",
            "# ist älter als #.",
            "Ich heiße #.",
            "Warum hat # das gesagt?",
            "Das ist #s Buch.",
            "Tom kennt #.",
            "Morgen kommt #.",
            "#s Auto ist rot.",
        ),
        "three names": (
            "# traf # in #.",
            "# und # wohnen in #.",
            "Ich habe # und # mit # gesehen.",
            "# hat # von # erzählt.",
            "#, # und # kommen.",
            "Ist # mit # nach # gefahren?",
        ),
    },
}
EXPECTED_PARTS = {  # patterns with what must be in the translation; #3 is the third name
    "en": {
        "places": {
            "# and # live in #.": "in #3",
            "# met # in #.": "in #3",
            "I saw # with # in #.": "in #3",
            "Did # live in # with #?": "in #2",
            "# lives in #.": "in #2",
            "Is # in # now?": "in #2",
        },
        "titles": {
            "Mr. # came home late.": "Herr #",
            "I saw Mr. # yesterday.": "Herrn #",
            "Where is Mrs. #?": "Frau #",
            "I gave the book to Miss #.": "Frau #",
            "Do you know Mr. #?": "Herrn #",
            "Mr. # and Ms. # live in Boston.": "Herr # und Frau #",
            "Good morning, Mr. #!": "Herr #",
        },
    },
    "de": {
        "places": {
            "# und # wohnen in #.": "in #3",
            "# traf # in #.": "in #3",
            "# fuhr mit # nach #.": "to #3",
            "# und # fuhren nach #.": "to #3",
            "# wohnt in #.": "in #2",
            "Ist # jetzt in #?": "in #2",
        },
        "titles": {
            "Herr # kam spät nach Hause.": "Mr. #",
            "Ich habe Herrn # gestern gesehen.": "Mr. #",
            "Wo ist Frau #?": "Ms. #",
            "Ich gab Frau # das Buch.": "Ms. #",
            "Kennen Sie Herrn #?": "Mr. #",
            "Herr # und Frau # wohnen in Boston.": "Mr. # and Ms. #",
            "Guten Morgen, Herr #!": "Mr. #",
        },
    },
}


def main() -> None:
    """Makes the sentences, translates them and prints how many are correct."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=200, help="of each kind (default: 200)")
    parser.add_argument("--mistakes", type=int, default=3, help="to show of each kind")
    options = parser.parse_args()
    opened = translator.load(options.run)
    language = language_code(opened.config.corpus.languages[0])
    if language not in NAME_PATTERNS:
        raise InputError(f"{options.run}: expected a run from English or German, found {language}")
    seen = set(load_corpus(opened.config.corpus).train.sources)
    right_in_all, raw_in_all, count_in_all = 0, 0, 0
    print(f"{'':<10} {'sentences':>9} {'right':>7} {'--raw':>7}")
    for name, kind in KINDS.items():
        sentences = make_sentences(kind, language, options.sentences, seen)
        translations = [each.text for each in opened.translate(sentences)]
        raw = [each.text for each in opened.translate(sentences, TranslationOptions(raw=True))]
        wrong = [
            pair for pair in zip(sentences, translations) if not numbers_match(*pair, kind.convert)
        ]
        right = len(sentences) - len(wrong)
        raw_right = sum(numbers_match(*pair, kind.convert) for pair in zip(sentences, raw))
        right_in_all, raw_in_all = right_in_all + right, raw_in_all + raw_right
        count_in_all += len(sentences)
        print_row(name, len(sentences), right, raw_right)
        for source, translation in wrong[: options.mistakes]:
            print(f"    {source}  →  {translation}")
    print_row("in all", count_in_all, right_in_all, raw_in_all)
    measure_names(opened, language, options)


def measure_names(opened: Translator, language: str, options: argparse.Namespace) -> None:
    """Prints how often names that training never saw are translated correctly."""
    unseen = [name for name in NAMES if opened.restoration.names.is_new(name)]
    if len(unseen) < NAMES_AT_ONCE:
        raise InputError(
            f"{options.run}: expected {NAMES_AT_ONCE} of the names in this script that its training"
            f" never saw, found {len(unseen)}"
        )
    print(f"\n{'':<11} {'sentences':>8} {'right':>7} {'without --replace-unknown':>26}")
    rows: dict[str, dict[str, str]] = {
        **{row: dict.fromkeys(patterns, "") for row, patterns in NAME_PATTERNS[language].items()},
        **EXPECTED_PARTS[language],
    }
    for row, expected in rows.items():
        patterns = tuple(expected)
        draw = random.Random(1)
        sentences, parts = [], []
        for i in range(options.sentences):
            names = draw.sample(unseen, NAMES_AT_ONCE)
            pattern = patterns[i % len(patterns)]
            sentences.append(filled(pattern, names))
            parts.append(filled(expected[pattern], names))
        wrong, without = (
            [
                (source, translation.text)
                for source, part, translation in zip(
                    sentences,
                    parts,
                    opened.translate(sentences, TranslationOptions(replace_unknown=each)),
                )
                if part not in translation.text or not names_match(source, translation.text, unseen)
            ]
            for each in (True, False)
        )
        right, right_without = (
            f"{1 - len(each) / len(sentences):.1%}" for each in (wrong, without)
        )
        print(f"{row:<11} {len(sentences):>8,} {right:>7} {right_without:>26}")
        for source, translation in wrong[: options.mistakes]:
            print(f"    {source}  →  {translation}")


def filled(pattern: str, names: list[str]) -> str:
    """A pattern with names in the places of #, and the third one in that of #3."""
    rest = iter(names)
    return re.sub(
        r"#(\d?)", lambda found: names[int(found[1]) - 1] if found[1] else next(rest), pattern
    )


def names_match(source: str, translation: str, names: list[str]) -> bool:
    """Whether a translation has exactly the names of its source."""
    same = all(source.count(name) == translation.count(name) for name in names)
    return same and bool(re.search(r"\bToms?\b", source)) == bool(
        re.search(r"\bToms?\b", translation)
    )


def make_sentences(kind: Kind, language: str, count: int, seen: set[str]) -> list[str]:
    """Makes different sentences of a kind that are not in ``seen``."""
    draw = random.Random(1)
    made: dict[str, None] = {}
    patterns = kind.patterns[language]
    write = kind.convert if language == "de" else str
    while len(made) < count:
        pattern = patterns[len(made) % len(patterns)]
        sentence = re.sub("#", lambda _: write(kind.draw(draw)), pattern)
        if sentence not in seen:
            made[sentence] = None
    return list(made)


def numbers_match(source: str, translation: str, convert: Callable[[str], str]) -> bool:
    """Whether a translation has exactly the numbers of its source."""
    expected = Counter(map(convert, NUMBER.findall(source)))
    return Counter(NUMBER.findall(translation)) == expected


def print_row(name: str, count: int, right: int, raw: int) -> None:
    """Prints a line of the table."""
    print(f"{name:<10} {count:>9,} {right / count:>7.1%} {raw / count:>7.1%}")


if __name__ == "__main__":
    with errors_as_one_line():
        main()
