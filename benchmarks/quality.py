"""Counts correct translations in both directions, with a row for each kind of text.

    python benchmarks/quality.py
    python benchmarks/quality.py --run checkpoints/tatoeba --show

sentences.yaml has texts with numbers, names, terms and copied spans, and the text that each
translation must have. All other texts are held-out sentences of the phrasebook. They are translated
unchanged, and then with a mark, in other characters, or as people type them. This must not change
the words of the translation. The mark must appear once and complete, and quotation marks in the
form of the target language.
"""

import functools
import itertools
import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import harness
from translating import SENTENCES, precision_of

import translator
from translator.cli import errors_as_one_line
from translator.config.schema import CorpusConfig
from translator.corpora.corpus import load_held_out
from translator.text.punctuation import split_marks, without_final_mark
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
NUMBER = r"\d+(?:[.,:]\d+)*"
TAG = r"<[^>]*>"
HALF_DAY = re.compile(r"\b(\d+):(\d\d) ?([ap])\.?m\b")
REPEATED = re.compile(r"(\w[\w ]{2,}?)(?:\W*\1){2,}", re.IGNORECASE)  # three times in a row
OWN_MARKS = re.compile(r"[\d\"„“”«»()\[\]*_:;–…]")  # and numbers
LIGATURES = {"ffi": "ﬃ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ"}
Holds = Callable[[str, Sequence[str]], bool]


class Case(NamedTuple):
    """A text and its check.

    Attributes:
        source: the text to translate.
        holds: checks a translation and the translations of ``plain``.
        plain: texts that are translated as well.
        glossary: a term in the text and its translation.
    """

    source: str
    holds: Holds
    plain: tuple[str, ...] = ()
    glossary: tuple[tuple[str, str], ...] = ()


Cases = Iterator[Case]


class Texts(NamedTuple):
    """The material of cases: two languages, and plain sentences of the first language."""

    source: str
    target: str
    sentences: list[str]
    draw: random.Random

    def sides(self, row: Sequence[str]) -> Sequence[str]:
        """English and German as source and target."""
        return row[:2] if self.source == "en" else row[1::-1]


def main() -> None:
    """Translates the texts of each kind with each model and prints the table."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path, nargs="+", default=[Path("en-de"), Path("de-en")])
    parser.add_argument("--sentences", type=int, default=200, help="of a kind (default: 200)")
    parser.add_argument("--show", action="store_true", help="print each wrong translation")
    options = parser.parse(sentences=2)
    rows: dict[str, list[harness.Cell]] = {kind: [kind] for kind in KINDS}
    for run in options.run:
        opened = translator.load(run)
        texts = read_texts(*(each.language for each in opened.tokenizers))
        for kind, make in KINDS.items():
            cases = list(itertools.islice(make(texts), options.sentences))
            wrong = find_wrong(opened, cases)
            rows[kind].append(f"{len(cases) - len(wrong)} of {len(cases)}" if cases else "")
            for source, text in wrong if options.show else ():
                print(f"{kind}: {source} => {text}")
    title, columns = "Translations that have what they must have", ["", *map(str, options.run)]
    harness.show(options, "quality", title, columns, [*rows.values()], precision_of(opened))


def read_texts(source: str, target: str) -> Texts:
    """The held-out sentences of the phrasebook, in random order."""
    config = CorpusConfig(name="phrasebook", source_language=source, target_language=target)
    held_out, _ = load_held_out(config, "test")
    sentences = list(dict.fromkeys(held_out.sources if held_out else ()))
    random.Random(1).shuffle(sentences)
    plain = [text for text in sentences if len(text.split()) > 2 and not OWN_MARKS.search(text)]
    return Texts(source, target, plain, random.Random(1))


def find_wrong(opened: Translator, cases: Sequence[Case]) -> list[tuple[str, str]]:
    """The texts with wrong translations, and these translations."""
    options = TranslationOptions(glossary=tuple(term for case in cases for term in case.glossary))
    plain = list(dict.fromkeys(text for case in cases for text in case.plain))
    of_plain = {text: found.text for text, found in zip(plain, opened.translate(plain))}
    translations = opened.translate([case.source for case in cases], options)
    return [
        (case.source, found.text)
        for case, found in zip(cases, translations)
        if not case.holds(found.text, [of_plain[text] for text in case.plain])
    ]


def has(pattern: str, expected: Sequence[str], part: str = "") -> Holds:
    """Checks that a pattern finds only the expected texts, and that a part of the text is there."""
    return lambda text, _: part in text and sorted(re.findall(pattern, text)) == sorted(expected)


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


def with_numbers(texts: Texts) -> Cases:
    """Numbers of all kinds, one after the other; times may be of 12 hours."""
    for turn, (kind, (draw_number, convert)) in enumerate(itertools.cycle(NUMBERS.items())):
        patterns = SENTENCES["numbers"][kind][texts.source]
        source = patterns[turn // len(NUMBERS) % len(patterns)]
        while "#" in source:
            number = draw_number(texts.draw)
            source = source.replace("#", convert(number) if texts.source == "de" else number, 1)
        holds = has(NUMBER, list(map(convert, re.findall(NUMBER, source))))

        def holds_in_24_hours(text: str, plain: Sequence[str], holds: Holds = holds) -> bool:
            return holds(in_24_hours(text), plain)

        yield Case(source, holds_in_24_hours)


def in_24_hours(text: str) -> str:
    """A text with its times of 12 hours as times of 24 hours."""
    return HALF_DAY.sub(lambda at: f"{int(at[1]) % 12 + 12 * (at[3] == 'p')}:{at[2]}", text)


def with_quantities(texts: Texts) -> Cases:
    """Quantities, which a pattern must find in the translation."""
    for row in itertools.chain.from_iterable(SENTENCES["quantities"].values()):
        holds = functools.partial(has_quantity, texts.sides(row[2:])[1])
        yield Case(texts.sides(row)[0], holds)


def has_quantity(pattern: str, text: str, _: Sequence[str] = ()) -> bool:
    """Whether a pattern matches a translation, which has no other digits."""
    rest, count = re.subn(rf"(?i)(?<![\w.,])(?:{pattern})(?!\w)", "", text, count=1)
    return count == 1 and not re.search(r"\d", rest)


def with_names(kind: str, texts: Texts) -> Cases:
    """Names, some with a title or a place."""
    patterns = SENTENCES["name_patterns"][texts.source][kind]
    for pattern in itertools.cycle(patterns):
        names = texts.draw.sample(SENTENCES["names"], 3)
        part = filled(patterns[pattern], names) if isinstance(patterns, dict) else ""
        source, any_name = filled(pattern, names), "|".join([*names, r"\bToms?\b"])
        yield Case(source, has(any_name, re.findall(any_name, source), part))


def filled(pattern: str, names: Sequence[str]) -> str:
    """A pattern with names in place of #, and the third name in place of #3."""
    rest = iter(names)
    return re.sub(r"#(\d?)", lambda at: names[int(at[1]) - 1] if at[1] else next(rest), pattern)


def with_terms(texts: Texts) -> Cases:
    """Terms of the glossary."""
    for row in SENTENCES["glossary"]:
        source, term, new = texts.sides(row)[0], texts.sides(row[2:])[0], texts.sides(row[4:])[1]
        yield Case(source, has(new, [new]), glossary=((term, new),))


def with_spans(texts: Texts) -> Cases:
    """An address, a number, a placeholder or the like within a sentence."""
    kinds = [*SENTENCES["spans"].values(), *SENTENCES["numbers_from"][texts.source].values()]
    for spans, sentence in zip(itertools.cycle([*kinds, SENTENCES["emoji"]]), texts.sentences):
        span = texts.draw.choice(spans)
        given, expected = (span, span) if isinstance(span, str) else span
        yield Case(put_in(sentence, given, texts), has(re.escape(expected), [expected]))


def put_in(sentence: str, part: str, texts: Texts) -> str:
    """A sentence with something between two of its words."""
    words = sentence.split()
    words.insert(texts.draw.randrange(1, len(words)), part)
    return " ".join(words)


def with_tags(texts: Texts) -> Cases:
    """Tags around words."""
    for sentence in texts.sentences:
        opening, closing = texts.draw.choice(SENTENCES["tags"])
        words = sentence.split()
        place = texts.draw.randrange(len(words))
        words[place] = opening + words[place]
        words[texts.draw.randrange(place, min(place + 3, len(words)))] += closing
        tags = re.findall(TAG, opening + closing)

        def has_tags(text: str, plain: Sequence[str], tags: list[str] = tags) -> bool:
            return re.findall(TAG, text) == tags

        yield Case(" ".join(words), has_tags)


def parts(texts: Texts) -> Cases:
    """Words and parts of sentences; their translations must not repeat text."""
    for words in map(str.split, texts.sentences):
        first = texts.draw.randrange(len(words))
        part = words[first : first + texts.draw.randint(1, 4)]
        yield Case(" ".join(part), lambda text, _: not REPEATED.search(text))


def same_words(pattern: str, text: str, plain: Sequence[str]) -> bool:
    """Whether a pattern matches a translation that has the words of the plain ones."""
    words, expected = (re.findall(WORD, each.casefold()) for each in (text, " ".join(plain)))
    return words == expected and re.fullmatch(pattern, text) is not None


def with_marked_words(texts: Texts) -> Cases:
    """A word in brackets, in quotation marks or emphasised: the first one, the last one, or any."""
    for text, marks in zip(texts.sentences, itertools.cycle(SENTENCES["around"])):
        words = text.split()
        place = texts.draw.choice((0, len(words) - 1, texts.draw.randrange(len(words))))
        before, core, after = split_marks(words[place])
        words[place] = f"{before}{marks[0]}{core}{marks[1]}{after}"
        opening, closing = in_target(texts, marks)
        rest = f"[^{opening}{closing}]"
        holds = functools.partial(same_words, f"{rest}*{opening}{rest}+{closing}{rest}*")
        yield Case(" ".join(words), holds, (text,))


def in_target(texts: Texts, marks: Sequence[str]) -> list[str]:
    """Patterns of two marks as the target language writes them."""
    return list(map(re.escape, SENTENCES["quotes"][texts.target] if '"' in marks else marks))


def with_marked_lines(texts: Texts) -> Cases:
    """A line in brackets, in quotation marks or emphasised, and marks that open or end a line."""
    for text, marks in zip(texts.sentences, itertools.cycle(SENTENCES["of lines"])):
        plain = text if marks[0] else without_final_mark(text)
        holds = functools.partial(same_words, r"\S.*".join(in_target(texts, marks)) + "[.!?]?")
        yield Case(f"{marks[0]}{plain}{marks[1]}", holds, (plain,))


def with_clauses(texts: Texts) -> Cases:
    """The last clause of a sentence in brackets."""
    for text in texts.sentences:
        source = re.sub(SENTENCES["last clause"][texts.source], r" (\1)", text)
        if source != text:
            yield Case(source, functools.partial(same_words, r"[^()]+\([^()]+\)[.!?]"), (text,))


def with_asides(texts: Texts) -> Cases:
    """An aside in brackets, which must not change the words around it."""

    def holds(text: str, plain: Sequence[str]) -> bool:
        rest, count = re.subn(r"\s?\([^()]*\)", "", text)
        return count == 1 and same_words(".*", rest, plain)

    for text in texts.sentences:
        yield Case(put_in(text, SENTENCES["aside"][texts.source], texts), holds, (text,))


def in_cells(texts: Texts) -> Cases:
    """Two sentences in a row of a table."""
    for pair in itertools.pairwise(texts.sentences):
        yield Case(f"| {' | '.join(pair)} |", functools.partial(same_words, r"\|( .+ \|){2}"), pair)


def written(write: Callable[[str], str], texts: Texts) -> Cases:
    """Sentences in other spellings."""
    for text in texts.sentences:
        if (source := write(text)) != text:
            yield Case(source, functools.partial(same_words, ".*"), (text,))


WRITTEN: dict[str, Callable[[str], str]] = {
    "letters and accents apart": functools.partial(unicodedata.normalize, "NFD"),
    "ligatures": lambda text: re.sub("ffi|ff|fi|fl", lambda at: LIGATURES[at[0]], text),
    "other apostrophes": lambda text: text.replace("'", "’"),
    "in capitals": str.upper,
    "in lower case": str.lower,
    "each word with a capital": lambda text: re.sub(r"(?<!\S)\w", lambda at: at[0].upper(), text),
    "without the final mark": without_final_mark,
}
KINDS: dict[str, Callable[[Texts], Cases]] = {
    "numbers in digits": with_numbers,
    "numbers in words, times, dates, amounts": with_quantities,
    **{kind: functools.partial(with_names, kind) for kind in SENTENCES["name_patterns"]["en"]},
    "terms of a glossary": with_terms,
    "addresses, placeholders, numbers, emoji": with_spans,
    "tags": with_tags,
    "words and parts of sentences": parts,
    "a word in brackets, quoted, emphasised": with_marked_words,
    "a line likewise; what opens or ends it": with_marked_lines,
    "a clause in brackets": with_clauses,
    "an aside in brackets": with_asides,
    "cells of a table": in_cells,
    **{kind: functools.partial(written, write) for kind, write in WRITTEN.items()},
}


if __name__ == "__main__":
    with errors_as_one_line():
        main()
