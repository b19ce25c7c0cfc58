"""The demo corpus: sentence pairs drawn from the grammar, and their fixed split.

The held-out pairs are new combinations of known words: no sentence of theirs is in the training
set on either side, but every word is, often enough to be learnt.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, islice

from tools.demo_grammar import (
    complex_sentences,
    descriptions,
    questions,
    relative_clauses,
    statements,
)
from tools.demo_grammar.chooser import Chooser
from tools.demo_grammar.clauses import Clause, main_clause
from tools.demo_grammar.lexicon import lexicon
from tools.demo_grammar.noun_phrases import NounPhrase, name, pronoun
from tools.demo_grammar.pairs import write_pair
from tools.demo_grammar.phenomena import PHENOMENA
from tools.demo_grammar.phrases import Phrase, pair
from translator.corpora.demo import DemoCorpus, DemoPair

Construction = Callable[[Chooser], Phrase]

# The kinds of sentences, with their final mark and the weight that they are drawn with.
CONSTRUCTIONS: tuple[tuple[Construction, str, float], ...] = (
    (statements.past, ".", 9),
    (statements.present, ".", 3),
    (statements.habit, ".", 8),
    (statements.state, ".", 5),
    (statements.perfect, ".", 5),
    (statements.perfect_of_motion, ".", 3),
    (statements.future, ".", 5),
    (statements.modal, ".", 5),
    (statements.happening, ".", 3),
    (statements.timetable, ".", 3),
    (statements.abstention, ".", 3),
    (statements.everyone, ".", 1),
    (statements.opened, ".", 3),
    (statements.manner, ".", 4),
    (statements.somewhere, ".", 3),
    (statements.around_the_house, ".", 3),
    (statements.at_rest, ".", 3),
    (statements.in_motion, ".", 3),
    (statements.something, ".", 4),
    (statements.origin, ".", 3),
    (statements.with_genitive, ".", 3),
    (descriptions.thing_is, ".", 10),
    (descriptions.person_is, ".", 2),
    (descriptions.comparison, ".", 5),
    (descriptions.profession, ".", 4),
    (descriptions.admired_as, ".", 11),
    (descriptions.age, ".", 2),
    (descriptions.price, ".", 3),
    (descriptions.genitive, ".", 5),
    (descriptions.existence, ".", 2),
    (questions.yes_no, "?", 5),
    (questions.w_question, "?", 5),
    (questions.how_is, "?", 1),
    (questions.request, ".", 6),
    (questions.question_to_you, "?", 5),
    (questions.statement_to_you, ".", 3),
    (complex_sentences.that_clause, ".", 7),
    (complex_sentences.indirect_question, ".", 1),
    (complex_sentences.because_of_a_state, ".", 3),
    (complex_sentences.because_of_a_thing, ".", 3),
    (complex_sentences.but, ".", 3),
    (complex_sentences.when, ".", 4),
    (complex_sentences.glad_when, ".", 2),
    (complex_sentences.although, ".", 2),
    (complex_sentences.as_a_child, ".", 1),
    (complex_sentences.errand, ".", 8),
    (complex_sentences.attempt, ".", 5),
    (relative_clauses.who_did, ".", 3),
    (relative_clauses.that_someone_did, ".", 3),
    (relative_clauses.in_which, ".", 1),
    (relative_clauses.whose, ".", 1),
)
TRAIN_SIZE, VALIDATION_SIZE, TEST_SIZE = 30_000, 500, 1_600
# Each word of a held-out pair occurs at least this often in the training set.
SEEN_OFTEN = 10
# At least this many pairs of the test set show each phenomenon.
PAIRS_PER_PHENOMENON = 80
_CANDIDATES = 7_000
_SEED = 7


def draw_pairs(seed: int) -> Iterator[DemoPair]:
    """Draws sentence pairs without end.

    Args:
        seed: Equal seeds give equal pairs, on every platform and Python version.

    Yields:
        Pairs that differ from all before, on both sides.
    """
    draw = Chooser(seed)
    options = tuple((weight, (construct, mark)) for construct, mark, weight in CONSTRUCTIONS)
    seen: set[str] = set()
    while True:
        construct, mark = draw.weighted(*options)
        result = write_pair(construct(draw) + pair(mark, mark))
        source, target = f"en {result.source.casefold()}", f"de {result.target.casefold()}"
        if source not in seen and target not in seen and not _repeats_itself(result):
            seen.update((source, target))
            yield result


def _repeats_itself(drawn: DemoPair) -> bool:
    """Whether a noun, name or adjective occurs twice, as in "The dog followed the dog"."""
    qualities = lexicon().qualities()
    telling = [word for word in drawn.target_tokens if word[0].isupper() and len(word) > 3]
    telling += [word for word in drawn.source_tokens if word in qualities]
    return len(telling) > len(set(telling))


def fixed_test_pairs() -> tuple[DemoPair, ...]:
    """Returns the three sentences that every test set contains."""
    draw = Chooser(0)
    director = draw.lexicon.noun("director")
    great = (draw.lexicon.adjective("great"),)

    def admired(subject: NounPhrase, seen: NounPhrase) -> Clause:
        return descriptions.as_clause(draw, subject, "admire", seen, director, great)

    def full_name(first: str, family: str) -> NounPhrase:
        return name(draw.lexicon.name(first), draw.lexicon.name(family))

    anthony, michael = full_name("Anthony", "Hopkins"), full_name("Michael", "Bay")
    clauses = (
        main_clause(admired(pronoun("3sg.m"), pronoun("3sg.f"))),
        complex_sentences.going(draw, pronoun("1sg"), "go", "shop", "buy+drink"),
        main_clause(admired(anthony, michael)),
    )
    return tuple(write_pair(phrase + pair(".", ".")) for phrase in clauses)


def draw_corpus() -> DemoCorpus:
    """Draws the demo corpus.

    Returns:
        The same split on every call and every machine.
    """
    fixed = fixed_test_pairs()
    taken = {drawn.source for drawn in fixed} | {drawn.target for drawn in fixed}
    stream = (
        drawn for drawn in draw_pairs(_SEED) if taken.isdisjoint((drawn.source, drawn.target))
    )
    train = tuple(islice(stream, TRAIN_SIZE))
    counts = Counter(chain.from_iterable(map(_words, train)))
    held_out = [
        drawn
        for drawn in islice(stream, _CANDIDATES)
        if all(counts[word] >= SEEN_OFTEN for word in _words(drawn))
    ]
    test = _select(list(fixed), held_out, TEST_SIZE)
    chosen = {drawn.source for drawn in test}
    rest = [drawn for drawn in held_out if drawn.source not in chosen]
    return DemoCorpus(train, tuple(rest[:VALIDATION_SIZE]), tuple(test))


def _words(drawn: DemoPair) -> Iterator[str]:
    yield from (f"en {word}" for word in drawn.source_tokens)
    yield from (f"de {word}" for word in drawn.target_tokens)


def _select(chosen: list[DemoPair], candidates: list[DemoPair], size: int) -> list[DemoPair]:
    """Adds candidates to the chosen pairs: first for each phenomenon, from the rarest on."""
    frequency = Counter(chain.from_iterable(drawn.phenomena for drawn in candidates))
    shown = Counter(chain.from_iterable(drawn.phenomena for drawn in chosen))
    left = dict.fromkeys(candidates)
    for key in sorted(PHENOMENA, key=frequency.__getitem__):
        missing = max(PAIRS_PER_PHENOMENON - shown[key], 0)
        for drawn in [drawn for drawn in left if key in drawn.phenomena][:missing]:
            del left[drawn]
            chosen.append(drawn)
            shown.update(drawn.phenomena)
    return chosen + list(left)[: max(size - len(chosen), 0)]
