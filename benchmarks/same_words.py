"""Measures whether a translation has the same words with marks in its source and without them.

    python benchmarks/same_words.py --run en-de

Sentences of the test split are translated as they are and with a mark: a word in brackets, in
quotation marks or emphasised (the first word, the last one, or any), the whole line likewise, a
clause or an aside in brackets, what opens a line, what ends it, cells of a table, and characters
that another system writes otherwise. Right are the same words, with the mark once and whole,
quotation marks as the other language writes them. Unmarked is what is not right without any doubt
of the run, of all. Kinds that few sentences can have are left out. With --try the sentences are the
demo's.
"""

import itertools
import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import harness
from translating import precision_of, read_split

import translator
from translator.base.languages import language_facts
from translator.cli import errors_as_one_line
from translator.corpora.demo import load_demo_corpus
from translator.text.punctuation import split_marks, without_final_mark
from translator.text.spans.brackets import name_of_clause
from translator.translation.translator import Translator

PAIRS = (("(", ")"), ("[", "]"), ("**", "**"), ("*", "*"), ("_", "_"), ('"', '"'))
AROUND_LINES = (("(", ")"), ('"', '"'), ("**", "**"))
BEFORE = ("- ", "# ", "* ", "1) ")
AFTER = (";", ":")
ASIDES = {"en": " (as always)", "de": " (wie immer)"}
LIGATURES = {"ffi": "ﬃ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ"}
APOSTROPHES = "’‘ʼ´`′"
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
CLAUSE = re.compile(r"(?<=\w),? (?=(?P<clause>[^,.!?]+)[,.])")
FEWEST_WORDS = 3
FEWEST_SENTENCES = 10


class Case(NamedTuple):
    """A sentence with a mark.

    Attributes:
        kind: of mark.
        source: what is translated.
        plain: the same without the mark; several if each is a sentence of its own.
        opening: what stands in the translation before what is marked.
        closing: what stands after it.
        is_line: whether all of the line is marked.
        is_aside: whether what is marked is not in ``plain``.
    """

    kind: str
    source: str
    plain: tuple[str, ...]
    opening: str = ""
    closing: str = ""
    is_line: bool = False
    is_aside: bool = False


def main() -> None:
    """Makes the sentences, translates them and prints the table."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path, default=Path("en-de"))
    parser.add_argument("--sentences", type=int, default=60, help="of a kind (default: 60)")
    parser.add_argument("--show", action="store_true", help="print each that is wrong")
    options = parser.parse(sentences=2)
    opened = translator.load(options.run)
    if options.small:
        sentences = [pair.source for pair in load_demo_corpus().test[:20]]
    else:
        sentences = sorted(read_split(opened, "test"))
    languages = [each.language for each in opened.tokenizers]
    made = list(cases(sentences, languages, options.sentences))
    harness.show(
        options,
        f"same-words-{options.run.name}",
        f"The same words with and without marks, {options.run.name}",
        ["", "sentences", "same words", "mark there", "right", "wrong unmarked"],
        measure(opened, made, options.show),
        precision_of(opened),
    )


def measure(opened: Translator, made: Sequence[Case], shows: bool) -> list[harness.Row]:
    """The row of each kind of case."""
    plain = list(dict.fromkeys(itertools.chain.from_iterable(case.plain for case in made)))
    expected = {text: words_of(found.text) for text, found in zip(plain, opened.translate(plain))}
    counts: dict[str, list[int]] = {}
    for case, found in zip(made, opened.translate([case.source for case in made])):
        wanted = list(itertools.chain.from_iterable(expected[text] for text in case.plain))
        are_same = words_of(without_mark(case, found.text)) == wanted
        is_right = are_same and is_there(case, found.text)
        if shows and not is_right:
            print(f"{case.kind}: {case.source} => {found.text}", *found.doubts)
        signs = (True, are_same, is_there(case, found.text), is_right)
        unmarked = not is_right and not found.doubts
        row = counts.setdefault(case.kind, [0] * 5)
        row[:] = [count + sign for count, sign in zip(row, (*signs, unmarked))]
    return [[kind, *row[:4], harness.share(row[4], row[0])] for kind, row in counts.items()]


def words_of(text: str) -> list[str]:
    """The words of a text, without any marks."""
    return WORD.findall(text)


def without_mark(case: Case, text: str) -> str:
    """A translation without what its source has more than the plain text."""
    if case.is_aside:
        return re.sub(r"\s?\([^()]*\)", "", text, count=1)
    return text.removeprefix(case.opening) if case.is_line else text


def is_there(case: Case, text: str) -> bool:
    """Whether a translation has the mark once, around one word or more, or around all of it."""
    opening, closing = re.escape(case.opening), re.escape(case.closing)
    if case.is_line:
        return re.fullmatch(rf"{opening}\S(?:.*\S)?{closing}[.!?]?", text) is not None
    count = text.count(case.opening) + text.count(case.closing) if case.opening else 0
    wanted = 2 * (1 + (case.opening == case.closing)) if case.opening else 0
    return count == wanted and re.search(rf"{opening}\S(?:.*?\S)?{closing}", text) is not None


# Cases ----------------------------------------------------------------------------------------


def cases(sentences: Sequence[str], languages: Sequence[str], count: int) -> Iterator[Case]:
    """Sentences with each kind of mark, ``count`` of each.

    Args:
        sentences: of the source language.
        languages: codes of source and target.
        count: how many of a kind, if as many sentences have what the kind needs.
    """
    draw = random.Random(1)
    fitting = [s for s in sentences if len(s.split()) >= FEWEST_WORDS and is_plain(s)]
    draw.shuffle(fitting)
    chosen = fitting[:count]
    quotes = language_facts(languages[1]).quotation_marks or ('"', '"')
    for opening, closing in PAIRS:
        written = quotes if opening == '"' else (opening, closing)
        for number, text in enumerate(chosen):
            source = around_word(text, opening, closing, number, draw)
            yield Case(f"`{opening}word{closing}`", source, (text,), *written)
    for opening, closing in AROUND_LINES:
        written = quotes if opening == '"' else (opening, closing)
        for text in chosen:
            source = f"{opening}{text}{closing}"
            yield Case(f"`{opening}line{closing}`", source, (text,), *written, is_line=True)
    clauses = [(text, clause) for text in fitting if (clause := in_brackets(text, languages[0]))]
    for text, source in clauses[:count] if len(clauses) >= FEWEST_SENTENCES else ():
        yield Case("`(clause)`", source, (text,), "(", ")")
    for text in chosen:
        aside = ASIDES.get(languages[0], " (123)")
        words = text.split()
        place = draw.randrange(1, len(words))
        source = " ".join(words[:place]) + aside + " " + " ".join(words[place:])
        yield Case("an aside", source, (text,), "(", ")", is_aside=True)
    for mark in BEFORE:
        for text in chosen:
            yield Case(f"`{mark}line`", mark + text, (text,), mark, is_line=True)
    for mark in AFTER:
        for text in map(without_final_mark, chosen):
            yield Case(f"`line{mark}`", text + mark, (text,), closing=mark, is_line=True)
    for pair in itertools.pairwise([*chosen, *chosen[:1]]):
        yield Case("`| a | b |`", f"| {' | '.join(pair)} |", pair, "| ", " |", is_line=True)
    for kind, write in CHARACTERS.items():
        pairs = [(text, write(text, number)) for number, text in enumerate(fitting)]
        changed = [(text, source) for text, source in pairs if source != text][:count]
        for text, source in changed if len(changed) >= min(count, FEWEST_SENTENCES) else ():
            yield Case(kind, source, (text,))


def is_plain(text: str) -> bool:
    """Whether a sentence has no mark of its own, and no number."""
    return not re.search(r"[\d\"„“”«»()\[\]*_:;–…]", text)


def around_word(text: str, opening: str, closing: str, number: int, draw: random.Random) -> str:
    """A sentence with marks around its first word, its last one, or any, in turns."""
    words = text.split()
    place = (0, len(words) - 1, draw.randrange(len(words)))[number % 3]
    before, core, after = split_marks(words[place])
    words[place] = f"{before}{opening}{core}{closing}{after}"
    return " ".join(words)


def in_brackets(text: str, language: str) -> str | None:
    """A sentence with its first dependent clause in brackets; None if it has none."""
    for found in CLAUSE.finditer(text):
        has_comma = found[0].startswith(",") or language == "en"
        after = text[found.end() + len(found["clause"]) :].removeprefix(",")
        if has_comma and name_of_clause(text[: found.start()], found["clause"], after, language):
            return f"{text[: found.start()]} ({found['clause']}){after}"
    return None


def with_ligatures(text: str, number: int) -> str:
    """A text with a ligature for each group of letters that has one."""
    for letters, ligature in LIGATURES.items():
        text = text.replace(letters, ligature)
    return text


CHARACTERS: dict[str, Callable[[str, int], str]] = {
    "decomposed": lambda text, number: unicodedata.normalize("NFD", text),
    "ligatures": with_ligatures,
    "apostrophes": lambda text, number: text.replace("'", APOSTROPHES[number % len(APOSTROPHES)]),
}


if __name__ == "__main__":
    with errors_as_one_line():
        main()
