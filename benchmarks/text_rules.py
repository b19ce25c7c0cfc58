"""Measures what a run makes of numbers, names, addresses, tags, and text as people type it.

    python benchmarks/text_rules.py --run en-de

The first table has the share of right translations of made sentences, whose patterns are in
sentences.yaml, and of those that are right or marked as doubtful. None of those with numbers is in
the corpus of the run; they are right with the same numbers as the source, each as often, written as
in the other language. Quantities are numbers in words, times, dates and amounts, with what must
stand in the translation. Names are names that training never saw; right is each of them once. Spans
(web addresses, file names, placeholders, numbers, tags, ...) are put into sentences of the test
split; right is what was put in, exactly once and in its order, numbers and dates as the other
language writes them, and no other tag. Single words and fragments of the training split are right
without a loop: what the search takes for one, or any text three times in a row. 5-best lists of the
test split are right without equal texts.

The second table has BLEU of the test split, which ignores case, in five forms, and how many
searches a sentence took. In the last form the references have lost their final mark too. With --try
all sentences are the demo's.
"""

import functools
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import harness
from translating import SENTENCES, References, measure_bleu, precision_of, read_split, translate

import translator
from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.corpora import load_corpus
from translator.corpora.demo import load_demo_corpus
from translator.text.names import core_of
from translator.text.punctuation import plain_word, without_final_mark
from translator.text.repetition import is_loop
from translator.text.truecasing import is_word, split_tokens
from translator.tokenizers.bpemb_languages import language_code
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
HALF_DAY = re.compile(r"\b(\d+):(\d\d) ?([ap])\.?m\b")
REPEATED = re.compile(r"(\w[\w ]{2,}?)(?:\W*\1){2,}", re.IGNORECASE)  # three times in a row
NAMES_AT_ONCE = 3  # at most in a pattern
FRAGMENT_WORDS = (2, 4)
N_BEST = 5


class Case(NamedTuple):
    """A sentence of a kind, and what says whether its translation is right."""

    kind: str
    source: str
    is_right: Callable[[str], bool]


def main() -> None:
    """Makes the sentences, translates them and prints both tables."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path, default=Path("en-de"))
    parser.add_argument("--sentences", type=int, default=200, help="of a kind (default: 200)")
    parser.add_argument("--spans", type=int, default=1000, help="in all (default: 1000)")
    parser.add_argument("--fragments", type=int, default=10_000, help="(default: 10,000)")
    options = parser.parse(sentences=3, spans=16, fragments=10)
    opened = translator.load(options.run)
    language = language_code(opened.config.corpus.languages[0])
    if language not in SENTENCES["name_patterns"]:
        raise InputError(f"{options.run}: expected a run from English or German, found {language}")
    if options.small:
        test = {pair.source: [pair.target] for pair in load_demo_corpus().test[:10]}
        trained: Collection[str] = list(test)
    else:
        test, trained = read_split(opened, "test"), load_corpus(opened.config.corpus).train.sources
    numbers = number_cases(language, options.sentences, set(trained))
    names = list(name_cases(options.run, trained, language, options.sentences))
    rows = [
        *measure(opened, "numbers", list(numbers)),
        *measure(opened, "quantities", list(quantity_cases(language, options.sentences))),
        *measure(opened, "names", names),
        *measure(opened, "spans", list(span_cases(sorted(test), language, options.spans))),
        *measure(opened, "loops", list(fragment_cases(trained, options.fragments))),
        measure_lists(opened, test),
    ]
    run, precision = options.run.name, precision_of(opened)
    title, columns = (
        f"Right translations of {run}",
        ["", "kind", "sentences", "right", "or doubtful"],
    )
    harness.show(options, f"text-rules-{run}", title, columns, rows, precision)
    title, columns = (
        f"Text as people type it, {run}",
        ["", "BLEU, lower case", "searches a sentence"],
    )
    harness.show(options, f"typed-text-{run}", title, columns, measure_forms(opened, test),
                 precision)  # fmt: skip


def measure(opened: Translator, group: str, cases: Sequence[Case]) -> Iterator[harness.Row]:
    """A row of each kind of case, and one of all: how many are right, and right or doubtful."""
    found = opened.translate([case.source for case in cases])
    judged = [(case.is_right(each.text), bool(each.doubts)) for case, each in zip(cases, found)]
    for kind in [*dict.fromkeys(case.kind for case in cases), "in all"]:
        chosen = [each for case, each in zip(cases, judged) if kind in (case.kind, "in all")]
        counts = sum(right for right, _ in chosen), sum(map(any, chosen))
        yield [group, kind, len(chosen), *(harness.share(n, len(chosen)) for n in counts)]


def measure_lists(opened: Translator, test: References) -> harness.Row:
    """The row of lists of the n best translations: how many have no text twice."""
    search = TranslationOptions(beam_size=N_BEST, n_best=N_BEST)
    right = 0
    for found in opened.translate(list(test), search):
        texts = [hypothesis.text for hypothesis in found.hypotheses]
        right += len(texts) == len(set(texts))
    return ["n best", f"{N_BEST}-best lists", len(test), harness.share(right, len(test)), ""]


# Numbers --------------------------------------------------------------------------------------


def exchanged(number: str) -> str:
    """A number with point and comma exchanged."""
    return number.translate(str.maketrans(".,", ",."))


NUMBERS: dict[str, tuple[Callable[[random.Random], str], Callable[[str], str]]] = {
    # draws a number, written as in English, and writes it as in the other language
    "years": (lambda draw: str(draw.randint(1400, 2029)), str),
    "times": (lambda draw: f"{draw.randint(1, 23)}:{draw.randint(1, 59):02}", str),
    "prices": (lambda draw: f"{draw.randint(1, 999)}.{draw.randint(1, 99):02}", exchanged),
    "decimals": (lambda draw: f"{draw.randint(0, 99)}.{draw.randint(1, 9)}", exchanged),
    "thousands": (lambda draw: f"{draw.randint(1, 999)},{draw.randint(0, 999):03}", exchanged),
    "counts": (lambda draw: str(draw.randint(13, 999)), str),
}


def number_cases(language: str, count: int, seen: set[str]) -> Iterator[Case]:
    """Different sentences with numbers that are not in ``seen``, ``count`` of each kind."""
    for kind, (draw_number, convert) in NUMBERS.items():
        patterns = SENTENCES["numbers"][kind][language]
        write = convert if language == "de" else str
        draw, made = random.Random(1), set[str]()
        while len(made) < count:
            source = patterns[len(made) % len(patterns)]
            while "#" in source:
                source = source.replace("#", write(draw_number(draw)), 1)
            if source not in seen and source not in made:
                made.add(source)
                expected = Counter(map(convert, NUMBER.findall(source)))
                yield Case(kind, source, functools.partial(has_numbers, expected))


def has_numbers(expected: Counter[str], translation: str) -> bool:
    """Whether a translation has exactly these numbers; a time may be one of twelve hours."""
    return Counter(NUMBER.findall(HALF_DAY.sub(_in_24_hours, translation))) == expected


def _in_24_hours(time: re.Match[str]) -> str:
    return f"{int(time[1]) % 12 + 12 * (time[3] == 'p')}:{time[2]}"


def quantity_cases(language: str, most: int) -> Iterator[Case]:
    """Sentences with numbers in words, times, dates and amounts, at most so many of each kind."""
    side = ("en", "de").index(language)
    for kind, rows in SENTENCES["quantities"].items():
        for row in rows[:most]:
            yield Case(kind, row[side], functools.partial(has_quantity, row[3 - side]))


def has_quantity(pattern: str, translation: str) -> bool:
    """Whether a translation has what a pattern finds, and no other digit."""
    rest, found = re.subn(
        rf"(?<![\w.,])(?:{pattern})(?!\w)", "", translation, count=1, flags=re.IGNORECASE
    )
    return found == 1 and not re.search(r"\d", rest)


# Names ----------------------------------------------------------------------------------------


def name_cases(run: Path, trained: Collection[str], language: str, count: int) -> Iterator[Case]:
    """Sentences with names that training never saw, ``count`` of each kind."""
    words = {plain_word(core_of(word)) for text in trained for word in text.split()}
    unseen = [name for name in SENTENCES["names"] if plain_word(name) not in words]
    if len(unseen) < NAMES_AT_ONCE:
        raise InputError(
            f"{run}: expected {NAMES_AT_ONCE} of the names in sentences.yaml that its"
            f" training never saw, found {len(unseen)}"
        )
    for kind, expected in SENTENCES["name_patterns"][language].items():
        draw, patterns = random.Random(1), list(expected)
        for i in range(count):
            names, pattern = draw.sample(unseen, NAMES_AT_ONCE), patterns[i % len(patterns)]
            part = filled(expected[pattern], names) if isinstance(expected, dict) else ""
            source = filled(pattern, names)
            yield Case(kind, source, functools.partial(has_names, source, part, unseen))


def filled(pattern: str, names: Sequence[str]) -> str:
    """A pattern with names in the places of #, and the third one in that of #3."""
    rest = iter(names)
    return re.sub(
        r"#(\d?)", lambda found: names[int(found[1]) - 1] if found[1] else next(rest), pattern
    )


def has_names(source: str, part: str, names: Sequence[str], translation: str) -> bool:
    """Whether a translation has exactly the names of its source, and a part of its text."""
    toms = [bool(re.search(r"\bToms?\b", text)) for text in (source, translation)]
    equal = all(source.count(name) == translation.count(name) for name in names)
    return part in translation and toms[0] == toms[1] and equal


# Spans ----------------------------------------------------------------------------------------


def span_cases(sentences: Sequence[str], language: str, count: int) -> Iterator[Case]:
    """Puts something of each kind in turn into sentences without anything of the kind.

    Args:
        sentences: in the source language; one may be used more than once.
        language: of them.
        count: how many are made.
    """
    draw = random.Random(1)
    names, numbers = SENTENCES["spans"], SENTENCES["numbers_from"]
    kinds = [*names, *numbers["en"], *("tags",) * 4, "emoji"]
    fitting = [s for s in sentences if len(s.split()) > 2 and not re.search(r"[\d<>{}%@]", s)]
    draw.shuffle(fitting)
    for number in range(count if fitting else 0):
        kind, words = kinds[number % len(kinds)], fitting[number % len(fitting)].split()
        place = draw.randrange(1, len(words))
        if kind == "tags":
            opening, closing = draw.choice(SENTENCES["tags"])
            words[place] = opening + words[place]
            words[draw.randrange(place, min(place + 3, len(words)))] += closing
            expected = re.findall(r"<[^>]*>", opening + closing)
        else:
            new = draw.choice(numbers[language].get(kind) or names.get(kind, SENTENCES["emoji"]))
            given, written = (new, new) if isinstance(new, str) else new
            words.insert(place, given)
            expected = [written]
        yield Case(kind, " ".join(words), functools.partial(is_whole, expected))


def is_whole(expected: Sequence[str], translation: str) -> bool:
    """Whether a translation has exactly what was put in, in its order."""
    place = 0
    for text in expected:
        if translation.count(text) != expected.count(text):
            return False
        place = translation.find(text, place)
        if place < 0:
            return False
        place += len(text)
    return translation.count("<") == sum(text.count("<") for text in expected)


# Text as people type it -----------------------------------------------------------------------


def fragment_cases(sentences: Collection[str], count: int) -> Iterator[Case]:
    """Draws different words and fragments of sentences, as many of one kind as of the other."""
    draw = random.Random(1)
    words = sorted({token for text in sentences for token in split_tokens(text) if is_word(token)})
    found = dict.fromkeys(draw.sample(words, min(len(words), count // 2)), "words")
    for sentence in draw.sample(list(dict.fromkeys(sentences)), len(set(sentences))):
        parts = sentence.split()
        size = draw.randint(*FRAGMENT_WORDS)
        if len(found) == count:
            break
        if len(parts) > size:
            start = draw.randrange(len(parts) - size)
            found.setdefault(" ".join(parts[start : start + size]), "fragments")
    for source, kind in found.items():
        yield Case(kind, source, functools.partial(has_no_loop, source))


def has_no_loop(source: str, translation: str) -> bool:
    """By the rule of the search and by that of this script."""
    repeats = REPEATED.search(translation) and not REPEATED.search(source)
    return not repeats and not is_loop(source, translation)


def title_case(text: str) -> str:
    """A sentence in which every word begins with a capital."""
    return " ".join(word[:1].upper() + word[1:] for word in text.split(" "))


FORMS: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    # writes a sentence so, and changes a reference likewise
    "as written": (str, str),
    "ALL CAPS": (str.upper, str),
    "Title Case": (title_case, str),
    "lower case": (str.lower, str),
    "without the final mark": (without_final_mark, without_final_mark),
}


def measure_forms(opened: Translator, test: References) -> list[harness.Row]:
    """The row of each form: BLEU, and how many searches a sentence took."""
    rows: list[harness.Row] = []
    for name, (of_source, of_reference) in FORMS.items():
        with mock.patch.object(opened.engine, "search", wraps=opened.engine.search) as search:
            texts = translate(opened, list(map(of_source, test)))
        searches = sum(len(call.args[0]) for call in search.call_args_list) / len(test)
        references = [list(map(of_reference, group)) for group in test.values()]
        bleu = measure_bleu(opened, texts, references, lowercase=True)
        rows.append([name, bleu, f"{searches:.3f}"])
    return rows


if __name__ == "__main__":
    with errors_as_one_line():
        main()
