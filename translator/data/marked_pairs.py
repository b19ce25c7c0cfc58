"""Copies sentence pairs and adds marks that are rare in a corpus of plain sentences.

Each kind puts the same marks at the same places of both sides: around linked words, or within and
between two pairs. Copies of two to five whole pairs in one line teach longer texts. No copy has
marks around a word or a line, or at the beginning of a line, because such marks are taken out
before the model sees a sentence.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from translator.base.languages import language_facts
from translator.corpora.pairs import SentencePairs
from translator.data.augmentation import Kind, Make, Material, Pair, make_copies
from translator.data.linked_pairs import LinkedPair, Phrase, Side
from translator.text.formality import forms_of
from translator.text.punctuation import without_final_mark
from translator.tokenizers.special_tokens import LEARNT_MARKS

LONGEST_SOURCE = 6  # most words of a phrase with marks
LONGEST_TARGET = 8
LONGEST_ASIDE = 40  # most characters of an aside
INNER_END = re.compile(r"[.!?…][^\w\s]* ")  # the end of a sentence before another sentence
FINAL_MARKS = frozenset(".!?")


def _phrase(
    marks_of: Callable[[str], tuple[str, str]], material: Material, pairs: Sequence[Pair]
) -> Pair | None:
    linked = material.linker.link(*pairs[0])
    phrases = list(_sure_phrases(linked))
    if not phrases:
        return None
    lengths = [phrase.last - phrase.first for phrase in phrases]
    weights = [1 / lengths.count(length) for length in lengths]  # each length is equally likely
    first, last, low, high = material.draw.choices(phrases, weights)[0]
    marks, translated = map(marks_of, material.languages)
    source = linked.source.with_marks(first, last, *marks)
    return source, linked.target.with_marks(low, high, *translated)


def _quotation_marks(language: str) -> tuple[str, str]:
    return language_facts(language).quotation_marks or ('"', '"')


def _sure_phrases(linked: LinkedPair) -> Iterator[Phrase]:
    """Yields phrases whose sides surely mean the same. They are shorter than the sentence.

    All their words are linked. The words beside a phrase are linked with words outside of it.
    """
    sources = {word for word, link in enumerate(linked.links) if link >= 0}
    targets = set(linked.links) - {-1}
    for phrase in linked.phrases(LONGEST_SOURCE, LONGEST_TARGET):
        first, last, low, high = phrase
        is_all = last - first + 1 == len(linked.source.places)
        is_sure = _stands_alone(linked.source, first, last, sources) and _stands_alone(
            linked.target, low, high, targets
        )
        if is_sure and not is_all:
            yield phrase


def _stands_alone(side: Side, first: int, last: int, linked: set[int]) -> bool:
    """Whether words and their neighbours are linked, and no word such as "I'm" is cut."""
    words = side.words
    if any("'" in words[word] or "’" in words[word] for word in (first, last)):
        return False
    inner = range(1, len(words))
    begin = first - 1 if side.follows(first) else first
    end = last + 1 if last + 1 in inner and side.follows(last + 1) else last
    is_whole = all(" " in side.gap(word) for word in (first, last + 1) if word in inner)
    return side.is_joined(first, last) and is_whole and linked.issuperset(range(begin, end + 1))


def statement(pair: Pair) -> Pair | None:
    """Removes both full stops of a pair; None if a side is not one sentence with a full stop."""
    source, target = map(without_final_mark, pair)
    is_statement = pair == (f"{source}.", f"{target}.")
    return (source, target) if is_statement and _is_one_sentence(pair) else None


def _is_one_sentence(pair: Pair) -> bool:
    return not any(INNER_END.search(text) for text in pair)


def _aside(material: Material, pair: Pair) -> Pair | None:
    """Spells a short sentence for use in brackets: without a full stop, but with "!" or "?"."""
    is_short = max(map(len, pair)) <= LONGEST_ASIDE and pair[0][-1:] == pair[1][-1:]
    return material.within(statement(pair) or pair) if is_short and _is_one_sentence(pair) else None


def _with_aside(form: str, material: Material, pairs: Sequence[Pair]) -> Pair | None:
    aside = _aside(material, pairs[1])
    linked = material.linker.link(*pairs[0])
    cuts = [cut for cut in _cuts(linked) if _is_after_noun(material, linked, cut)]
    if aside is None or not cuts:
        return None
    i, j = material.draw.choice(cuts)
    inserted = [form.format(text) for text in aside]
    return (
        linked.source.with_marks(i - 1, i - 1, "", inserted[0]),
        linked.target.with_marks(j - 1, j - 1, "", inserted[1]),
    )


def _cuts(linked: LinkedPair) -> Iterator[tuple[int, int]]:
    """Yields words before which both sides can be cut. No cut separates linked words."""
    links = linked.links
    for i in range(1, len(links)):
        before, after = links[:i], [link for link in links[i:] if link >= 0]
        j = max(before) + 1
        is_cut = before[-1] >= 0 and links[i] >= 0 and min(after) == j
        if is_cut and linked.source.follows(i) and linked.target.follows(j):
            yield i, j


def _is_after_noun(material: Material, linked: LinkedPair, cut: tuple[int, int]) -> bool:
    """Whether a cut is after a noun; True if neither language writes nouns with capitals.

    People rarely write an aside after another word, as in "the (it is new) car".
    """
    sides = zip(material.languages, material.capitals, (linked.source, linked.target), cut)
    spellings = [
        capitals.spelling(side.words[word - 1]) or ""
        for language, capitals, side, word in sides
        if language_facts(language).capitalizes_nouns
    ]
    return not spellings or any(spelling[:1].isupper() for spelling in spellings)


def _colon(material: Material, pairs: Sequence[Pair]) -> Pair | None:
    main = statement(pairs[0])
    if main is None:
        return None
    return f"{main[0]}: {pairs[1][0]}", f"{main[1]}: {pairs[1][1]}"


def _sentences(material: Material, pairs: Sequence[Pair]) -> Pair | None:
    """Joins whole sentences; None if the sentences mix forms of address."""
    sides = [(text, language) for pair in pairs for text, language in zip(pair, material.languages)]
    is_whole = all(text[-1:] in FINAL_MARKS for text, _ in sides)
    if not is_whole or len({form for side in sides for form in forms_of(*side)}) > 1:
        return None
    source, target = (" ".join(texts) for texts in zip(*pairs))
    return source, target


def _of_plain(make: Make) -> Make:
    """Makes copies only of pairs that have none of the marks yet."""

    def make_of_plain(material: Material, pairs: Sequence[Pair]) -> Pair | None:
        is_plain = not any(mark in text for pair in pairs for text in pair for mark in LEARNT_MARKS)
        return make(material, pairs) if is_plain else None

    return make_of_plain


def _kinds(*rows: tuple[str, float, int, Make]) -> tuple[Kind, ...]:
    return tuple(Kind(name, weight, parts, _of_plain(make)) for name, weight, parts, make in rows)


KINDS = _kinds(
    ("phrase in quotation marks", 2, 1, partial(_phrase, _quotation_marks)),
    ("aside between dashes", 4, 2, partial(_with_aside, " – {} –")),  # few pairs can be cut
    ("phrase in brackets", 1, 1, partial(_phrase, lambda language: ("(", ")"))),
    ("aside in brackets", 2, 2, partial(_with_aside, " ({})")),
    ("colon", 2, 2, _colon),
) + tuple(
    Kind(f"{count} sentences", weight, count, _sentences)
    for count, weight in ((2, 3), (3, 3), (4, 2), (5, 2))
)


def make_marked_copies(
    pairs: SentencePairs, share: float, material: Material, tags: Sequence[str]
) -> Iterator[Pair]:
    """Copies a share of the pairs, with marks; see `make_copies`."""
    return (pair for _, pair in make_copies(pairs, share, KINDS, material, tags))
