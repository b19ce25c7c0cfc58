"""What a training says of its pairs before it begins: cheap looks at the first of them."""

import contextlib
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from translator.addons.inspection.languages import CERTAIN, LanguageIdentifier, is_swapped
from translator.addons.inspection.texts import count_scripts, is_copy
from translator.base.languages import language_facts
from translator.config.schema import CorpusConfig
from translator.corpora.registry import read_corpus

LOOKED_AT = 1000  # pairs
FEWEST = 20  # of them that say anything
IDENTIFIED = 100  # of the longest of these, whose languages are identified
FEWEST_LETTERS = 0.4  # of the characters of a side but spaces
MOST_COPIES = 0.2  # of the pairs
MOST_FOREIGN = 0.1  # of the identified pairs, swapped or in another language; usual ones have none
UNSPACED = frozenset(("Han", "Kana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"))
SIDES = ("source", "target")
PIECES = re.compile(r"\w@@ |(?:^|\s)▁\w")  # as subword-nmt and SentencePiece write them
CUT = 0.1  # of the pairs
TOKENIZED = re.compile(r"\w [.,](?:\s|$)")  # no language is written so
MOST_TOKENIZED = 0.5
SHOWS_WHICH = "; translator inspect shows which"

Pair = tuple[str, str]


def look_at(config: CorpusConfig) -> Iterator[str]:
    """Says what is strange about the first pairs of the user's own files, or of OPUS.

    Args:
        config: names the files and the languages.
    """
    if not config.is_unknown:
        return
    pairs = list(itertools.islice(read_corpus(config)["train"], LOOKED_AT))
    for line in strange_in(pairs, config.languages, config.tokenized):
        yield f"corpus: of the first {len(pairs):,} pairs {line}"


def strange_in(
    pairs: Sequence[Pair], languages: tuple[str, str], tokenized: bool = False
) -> Iterator[str]:
    """What is strange: text that is none or prepared, copies, swapped sides, other scripts.

    Args:
        pairs: any.
        languages: the codes of both sides.
        tokenized: whether they are meant to be.
    """
    if len(pairs) < FEWEST:
        return
    if sides := list(_strange_sides(pairs, languages)):
        yield from sides
    else:
        with contextlib.suppress(ModuleNotFoundError):
            yield from _strange_languages(pairs, languages)
    cut, spaced = (
        sum(any(map(pattern.search, pair)) for pair in pairs) / len(pairs)
        for pattern in (PIECES, TOKENIZED)
    )
    if cut > CUT:
        yield f"{cut:.0%} are cut into pieces (@@, ▁): give the text as it was before that"
    elif spaced > MOST_TOKENIZED and not tokenized:
        yield (
            f"{spaced:.0%} have spaces before commas or full stops: give the text as people write"
            " it, as you will translate it, or set corpus.tokenized"
        )


def _strange_sides(pairs: Sequence[Pair], languages: tuple[str, str]) -> Iterator[str]:
    """What can be seen without a model: no text, another script, copies."""
    for name, texts, language in zip(SIDES, zip(*pairs), languages):
        counts = sum(map(count_scripts, texts), Counter[str]())
        share = counts.total() / max(sum(len("".join(text.split())) for text in texts), 1)
        if share < FEWEST_LETTERS:
            yield f"{share:.0%} of the {name} side's characters are letters (is it text?)"
            continue
        yield from strange_script(name, counts, language)
    copies = sum(is_copy(*pair) for pair in pairs) / len(pairs)
    if copies > MOST_COPIES:
        yield f"{copies:.0%} are the same text on both sides{SHOWS_WHICH}"


def strange_script(name: str, counts: Counter[str], language: str) -> Iterator[str]:
    """Says of a side whose script has no spaces that its language has some, or the other way round.

    Args:
        name: of the side.
        counts: its letters by their scripts.
        language: its code.
    """
    unspaced = sum(counts[script] for script in UNSPACED)
    facts = language_facts(language)
    if counts and facts.has_spaces == (2 * unspaced > counts.total()):
        [(script, _)] = counts.most_common(1)
        usual = "without" if facts.has_spaces else "with"
        yield (
            f"most {name} letters are {script}, written {usual} spaces between words, which"
            f" {facts.name or facts.code} is not (is it the right language?)"
        )


def _strange_languages(pairs: Sequence[Pair], languages: tuple[str, str]) -> Iterator[str]:
    """What is strange about the languages of the longest pairs."""
    identifier = LanguageIdentifier()
    source, target = map(identifier.name, languages)
    if source is None or target is None:
        return
    longest = sorted(pairs, key=lambda pair: -min(map(len, pair)))[:IDENTIFIED]
    sources, targets = zip(*longest)
    found = (
        identifier.identify(sources, source, target),
        identifier.identify(targets, target, source),
    )
    swapped = sum(is_swapped(*each) for each in zip(*found)) / len(longest)
    if swapped > MOST_FOREIGN:
        sides = " and ".join(languages)
        yield f"{swapped:.0%} seem to have {sides} the other way round{SHOWS_WHICH}"
        return
    for side, its, language in zip(SIDES, found, languages):
        others = Counter(each.language for each in its if each.odds > CERTAIN)
        if others.total() > MOST_FOREIGN * len(longest):
            [(other, _)] = others.most_common(1)
            share = others.total() / len(longest)
            yield (
                f"{share:.0%} seem to have a {side} side in another language than"
                f" {language}, mostly {other}{SHOWS_WHICH}"
            )
