"""The demo corpus: sentence pairs drawn from the grammar, and their fixed split."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from translator.corpora.demo import (
    complex_sentences,
    descriptions,
    questions,
    statements,
)
from translator.corpora.demo.chooser import Chooser
from translator.corpora.demo.phrases import Concept, Phrase, Word, pair


@dataclass(frozen=True)
class DemoPair:
    source: str
    target: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...]
    phenomena: frozenset[str]


class DemoCorpus(NamedTuple):
    train: tuple[DemoPair, ...]
    validation: tuple[DemoPair, ...]
    test: tuple[DemoPair, ...]


Construction = Callable[[Chooser], Phrase]
CONSTRUCTIONS: tuple[tuple[float, Construction, str], ...] = (
    (10, statements.past, "."),
    (3, statements.present, "."),
    (7, statements.habit, "."),
    (6, statements.state, "."),
    (6, statements.perfect, "."),
    (3, statements.perfect_of_motion, "."),
    (5, statements.future, "."),
    (6, statements.modal, "."),
    (2, statements.happening, "."),
    (3, statements.opened, "."),
    (2, statements.manner, "."),
    (3, statements.somewhere, "."),
    (1, statements.around_the_house, "."),
    (3, statements.at_rest, "."),
    (3, statements.in_motion, "."),
    (4, statements.something, "."),
    (1, statements.origin, "."),
    (2, statements.with_genitive, "."),
    (5, descriptions.thing_is, "."),
    (2, descriptions.person_is, "."),
    (3, descriptions.comparison, "."),
    (4, descriptions.profession, "."),
    (8, descriptions.admired_as, "."),
    (2, descriptions.age, "."),
    (3, descriptions.price, "."),
    (3, descriptions.genitive, "."),
    (2, descriptions.existence, "."),
    (4, questions.yes_no, "?"),
    (5, questions.w_question, "?"),
    (1, questions.how_is, "?"),
    (4, questions.request, "."),
    (5, questions.question_to_you, "?"),
    (3, questions.statement_to_you, "."),
    (6, complex_sentences.that_clause, "."),
    (1, complex_sentences.indirect_question, "."),
    (3, complex_sentences.because_of_a_state, "."),
    (3, complex_sentences.because_of_a_thing, "."),
    (2, complex_sentences.but, "."),
    (3, complex_sentences.when, "."),
    (2, complex_sentences.glad_when, "."),
    (2, complex_sentences.although, "."),
    (1, complex_sentences.as_a_child, "."),
    (7, complex_sentences.errand, "."),
    (4, complex_sentences.attempt, "."),
    (3, complex_sentences.who_did, "."),
    (3, complex_sentences.that_someone_did, "."),
    (1, complex_sentences.in_which, "."),
    (1, complex_sentences.whose, "."),
)

_TOKEN = re.compile(r"(?:Mr|Mrs)\.|\d+(?:[.,:]\d+)+|\d+\.(?= )|[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")


def split_tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(text))


def _finish(words: tuple[Word, ...]) -> tuple[Word, ...]:
    kept = [w for i, w in enumerate(words) if not (w.text == "," and words[i + 1].text in ",.?!")]
    first = kept[0]
    return (Word(first.text[0].upper() + first.text[1:], first.concepts), *kept[1:])


def _text(tokens) -> str:
    return re.sub(r" (?=[,.?!]( |$))", "", " ".join(tokens))


def to_pair(phrase: Phrase) -> DemoPair:
    source, target = _finish(phrase.english), _finish(phrase.german)
    where: dict = {}
    for index, word in enumerate(target):
        for concept in word.concepts:
            where.setdefault(concept, []).append(index)
    links = {(i, j) for i, w in enumerate(source) for c in w.concepts for j in where.get(c, ())}
    st, tt = tuple(w.text for w in source), tuple(w.text for w in target)
    return DemoPair(_text(st), _text(tt), st, tt, tuple(sorted(links)), frozenset(phrase.labels))


def _repeats(pair: DemoPair) -> bool:
    long = [w for w in pair.target_tokens if len(w) > 3 and w[0].isupper() and w != "Ihnen"]
    return len(long) > len(set(long))


def draw_pairs(seed: int) -> Iterator[DemoPair]:
    draw = Chooser(seed)
    sources, targets = set(), set()
    options = tuple((weight, (construct, mark)) for weight, construct, mark in CONSTRUCTIONS)
    while True:
        construct, mark = draw.weighted(*options)
        result = to_pair(construct(draw) + pair(mark, mark))
        s, t = result.source.casefold(), result.target.casefold()
        if s in sources or t in targets or _repeats(result):
            continue
        sources.add(s)
        targets.add(t)
        yield result


@lru_cache
def load_demo_corpus() -> DemoCorpus:
    pairs = tuple(islice(draw_pairs(1), 32000))
    return DemoCorpus(pairs[2000:], pairs[:500], pairs[500:2000])
