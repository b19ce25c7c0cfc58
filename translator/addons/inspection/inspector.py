"""Inspects pairs, and finds for each bad pair the first reason not to train on it."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from translator.addons.inspection.findings import (
    Finding,
    Inspection,
    Reason,
    SideFacts,
    Stretch,
)
from translator.addons.inspection.languages import (
    CERTAIN,
    Identification,
    LanguageIdentifier,
    count_scripts,
    foreign_script,
    is_swapped,
    usual_scripts,
)
from translator.addons.inspection.pair_scores import (
    Pair,
    PairScorer,
    find_stretches,
    judge,
    misalignment,
    put_together_by_chance,
)
from translator.base.languages import language_facts
from translator.corpora.cleaning import digests_of, first_occurrences, normalized_key
from translator.corpora.pair_files import is_header
from translator.corpora.pairs import PairBlock, in_chunks
from translator.text.characters import REPLACED
from translator.text.copied_spans import find_copied
from translator.text.quantities import QuantityReader
from translator.translation.translator import Translator

MOST_UNEQUAL = 4.0  # how many times the usual ratio of lengths is allowed
FEWEST_CHARACTERS = 30  # of the longer side of a pair of unequal lengths
UNLIKELY = -3.0  # a pair with lower log-odds is dropped, whatever its neighbours are
TAG = re.compile(r"</?\w[^<>]*>|>>\w+<<|__\w+__")  # other programs write the last two forms
SEED = 1  # of the random pairs
FEWEST_WORDS = 3  # of a copy; two words may be a name that both languages have
FEWEST_LETTERS = 6  # of a copy that has no spaces
NEARLY = 0.75  # share of the longer side's words that both sides of a near copy have
WORDS_OF_NEARLY = 5  # fewest words of its longer side
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
ENTITY = re.compile(r"&(?:#\d{2,6}|#[xX][\da-fA-F]{2,6}|[a-zA-Z][a-zA-Z\d]{1,9});")
DIGITS = re.compile(r"\d+")
VALUE = re.compile(r"\d+(?:\.\d+)?")
MOST_SHOWN = 40  # characters


def inspect_pairs(
    pairs: Sequence[Pair],
    languages: tuple[str, str],
    translator: Translator | None,
    identifier: LanguageIdentifier,
) -> Inspection:
    """Looks for pairs that should not be trained on.

    Args:
        pairs: of a corpus, in the order of its files.
        translator: between these languages, in either direction; None if nothing is scored.
    """
    reasons = _Reasons(len(pairs))
    notes: list[str] = []
    if pairs and is_header(pairs[0], languages):
        reasons.add(0, Reason.HEADER)
    _find_empty_and_repeated(pairs, reasons)
    identifications = _identify(pairs, languages, identifier, notes)
    sides = _side_facts(pairs, languages, identifications)
    _find_by_text(pairs, identifications, sides, reasons)
    _find_unequal(sides, reasons)
    scores: np.ndarray | None = None
    stretches: list[Stretch] = []
    if translator is not None:
        scores, stretches = _find_misaligned(pairs, languages, translator, reasons)
        if scores is None:
            notes.append("too few pairs to find misaligned lines by their scores")
    else:
        notes.append("without a model, misaligned lines cannot be found; name one with --run")
    _find_numbers(pairs, languages, reasons)
    return Inspection(pairs, reasons.list(), stretches, sides, scores, notes)


class _Reasons:
    """The first reason of each pair."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.findings: dict[int, Finding] = {}

    def add(self, place: int, reason: Reason, detail: str = "") -> None:
        self.findings.setdefault(place, Finding(place, reason, detail))

    def remaining(self) -> Iterator[int]:
        """The places of pairs without a reason."""
        return (place for place in range(self.count) if place not in self.findings)

    def list(self) -> list[Finding]:
        return [self.findings[place] for place in sorted(self.findings)]


def _find_empty_and_repeated(pairs: Sequence[Pair], reasons: _Reasons) -> None:
    for place, pair in enumerate(pairs):
        if not all(map(str.strip, pair)):
            reasons.add(place, Reason.EMPTY)
        elif damage := find_damage(pair):
            reasons.add(place, *damage)
    spaced = ((" ".join(source.split()), " ".join(target.split())) for source, target in pairs)
    digests = map(digests_of, map(PairBlock.of, in_chunks(spaced)))
    for place in np.flatnonzero(~first_occurrences(digests, len(pairs))).tolist():
        reasons.add(place, Reason.DUPLICATE)


def _identify(
    pairs: Sequence[Pair],
    languages: tuple[str, str],
    identifier: LanguageIdentifier,
    notes: list[str],
) -> tuple[list[Identification] | None, list[Identification] | None]:
    """The languages of both sides' sentences; None for a side if py3langid lacks its language."""
    names = [identifier.name(language) for language in languages]
    identifications: list[list[Identification] | None] = []
    for side, name in enumerate(names):
        if name is None:
            notes.append(f"py3langid does not know the language {languages[side]}")
            identifications.append(None)
        else:
            sentences = (pair[side] for pair in pairs)
            identifications.append(identifier.identify(sentences, name, names[1 - side]))
    return identifications[0], identifications[1]


def _side_facts(
    pairs: Sequence[Pair],
    languages: tuple[str, str],
    identifications: tuple[list[Identification] | None, list[Identification] | None],
) -> tuple[SideFacts, SideFacts]:
    facts = []
    for side, (language, sentences) in enumerate(zip(languages, identifications)):
        texts = [pair[side] for pair in pairs]
        scripts: Counter[str] = Counter()
        for text in texts:
            scripts.update(count_scripts(text))
        identified = Counter(
            sentence.language if sentence.odds > CERTAIN else language
            for sentence in sentences or ()
        )
        characters = np.fromiter(map(len, texts), np.int64, len(texts))
        words = np.fromiter((len(text.split()) for text in texts), np.int64, len(texts))
        facts.append(SideFacts(language, characters, words, scripts, identified))
    return facts[0], facts[1]


def _find_by_text(
    pairs: Sequence[Pair],
    identifications: tuple[list[Identification] | None, list[Identification] | None],
    sides: tuple[SideFacts, SideFacts],
    reasons: _Reasons,
) -> None:
    """Finds copies, swapped sides, other scripts and other languages."""
    usual = [usual_scripts(side.scripts) for side in sides]
    for place in list(reasons.remaining()):
        source, target = (side[place] if side else None for side in identifications)
        scripts = (foreign_script(count_scripts(text), u) for text, u in zip(pairs[place], usual))
        foreign = [side.language for side in (source, target) if side and side.odds > CERTAIN]
        if is_copy(*pairs[place]):
            reasons.add(place, Reason.COPY)
        elif source and target and is_swapped(source, target):
            reasons.add(place, Reason.SWAPPED)
        elif script := "".join(list(filter(None, scripts))[:1]):
            reasons.add(place, Reason.SCRIPT, script)
        elif foreign:
            reasons.add(place, Reason.LANGUAGE, foreign[0])


def _find_unequal(sides: tuple[SideFacts, SideFacts], reasons: _Reasons) -> None:
    remaining = list(reasons.remaining())
    lengths = np.array([side.characters[remaining] for side in sides])
    if not lengths.size:
        return
    ratios = np.log(lengths[0] / lengths[1])
    unequal = np.abs(ratios - np.median(ratios)) > math.log(MOST_UNEQUAL)
    is_long = lengths.max(axis=0) >= FEWEST_CHARACTERS
    for i in np.flatnonzero(unequal & is_long).tolist():
        detail = f"{lengths[0, i]:,} and {lengths[1, i]:,} characters"
        reasons.add(remaining[i], Reason.LENGTH, detail)


def _find_misaligned(
    pairs: Sequence[Pair],
    languages: tuple[str, str],
    translator: Translator,
    reasons: _Reasons,
) -> tuple[np.ndarray | None, list[Stretch]]:
    """Finds misaligned stretches and unlikely pairs by scores."""
    remaining = list(reasons.remaining())
    remaining_pairs = [pairs[place] for place in remaining]
    is_reversed = translates_in_reverse(translator, languages)
    scorer = PairScorer(translator, is_reversed, remaining_pairs)
    chance_pairs = put_together_by_chance(remaining_pairs, np.random.default_rng(SEED))
    scores = judge(scorer.features(remaining_pairs), scorer.features(chance_pairs))
    if scores is None:
        return None, []
    log_odds = np.full(len(pairs), math.nan)
    log_odds[remaining] = scores
    is_misaligned = misalignment(log_odds) > 0.5
    stretches = find_stretches(is_misaligned)
    for stretch in stretches:
        for place in range(stretch.first, stretch.last + 1):
            reasons.add(place, Reason.MISALIGNED)
    for place in np.flatnonzero(log_odds < UNLIKELY).tolist():
        reasons.add(place, Reason.UNLIKELY, f"log-odds {log_odds[place]:.1f}")
    return log_odds, stretches


def translates_in_reverse(translator: Translator, languages: tuple[str, str]) -> bool:
    """Whether a model translates from the second of the languages."""
    codes = [language_facts(language).code for language in languages]
    return language_facts(translator.config.corpus.source_language).code == codes[1]


def _find_numbers(pairs: Sequence[Pair], languages: tuple[str, str], reasons: _Reasons) -> None:
    readers = [NumberReader(language) for language in languages]
    for place in list(reasons.remaining()):
        source, target = (
            reader.find(TAG.sub(" ", text)) for reader, text in zip(readers, pairs[place])
        )
        only = [source - target, target - source]
        if all(only):
            reasons.add(place, Reason.NUMBERS, " | ".join(", ".join(sorted(n)) for n in only))


class NumberReader:
    """Finds the numbers in sentences of a language.

    Numbers are compared by value: "25", "twenty-five" and "fünfundzwanzig" are the same. A time
    counts as the numbers of a 12-hour clock; a date counts as its day, month and year. Minus signs
    are left out, because a minus may be a word. 1 is left out, because "a" and "ein" may mean 1.

    Args:
        language: its code. If its number words are not known, only digits are found.
    """

    def __init__(self, language: str) -> None:
        self._reader = QuantityReader(language)

    def find(self, sentence: str) -> Counter[str]:
        """The values of all numbers, with how often each occurs."""
        values: list[str] = []
        end = 0
        for quantity in self._reader.find(sentence):
            values += DIGITS.findall(sentence[end : quantity.start])  # of a word, such as B2
            values += (DIGITS if quantity.kind == "code" else VALUE).findall(quantity.key)
            end = quantity.end
        values += DIGITS.findall(sentence[end:])
        plain = [value if value == "0" else value.lstrip("0") for value in values]
        return Counter(value for value in plain if value not in ("", "1"))


def is_copy(source: str, target: str) -> bool:
    """Whether both sides are the same, except for case, punctuation and a few words.

    Short texts, such as names and numbers, may be equal in two languages and are no copies.
    """
    sides = [normalized_key(text).split() for text in (source, target)]
    longest = max(map(len, sides))
    if sides[0] == sides[1]:
        is_wide = any(ord(character) > 0x2E80 for character in source)  # a script without spaces
        letters = sum(map(str.isalpha, "".join(sides[0])))
        return longest >= FEWEST_WORDS or longest == 1 and is_wide and letters >= FEWEST_LETTERS
    if longest < WORDS_OF_NEARLY:
        return False
    common = Counter(sides[0]) & Counter(sides[1])
    return common.total() >= NEARLY * longest


def find_damage(pair: tuple[str, str]) -> tuple[Reason, str] | None:
    """Finds why the text of a pair is damaged, and the evidence; None if it is not damaged.

    ftfy finds misread text (Speer, 2019), https://doi.org/10.5281/zenodo.2591652

    Args:
        pair: neither side is empty.
    """
    text = "\n".join(pair)
    if REPLACED in text:
        return Reason.DAMAGED, ""
    if not text.isascii() and (meant := _misread(pair)):
        return Reason.MISREAD, meant
    if control := CONTROLS.search(text):
        return Reason.CONTROLS, f"U+{ord(control[0]):04X}"
    if entity := ENTITY.search(text):
        return Reason.ENTITIES, entity[0]
    wordless = [not _has_words(text) for text in pair]
    return (Reason.WORDLESS, "") if any(wordless) and not all(wordless) else None


def _misread(pair: tuple[str, str]) -> str:
    """The text as it was before its bytes were misread; empty if they were not misread."""
    from ftfy import fix_encoding
    from ftfy.badness import is_bad

    meant = (fix_encoding(text) for text in pair if is_bad(text) and fix_encoding(text) != text)
    return next(meant, "")[:MOST_SHOWN]


def _has_words(text: str) -> bool:
    """Whether a text says something besides numbers, addresses and the like."""
    for start, end in reversed(find_copied(text)):
        text = text[:start] + text[end:]
    return any(map(str.isalpha, text))
