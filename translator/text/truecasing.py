"""Restores the capitals of lower-cased text, as they are in the training data.

The method is from Lita et al. (2003), "tRuEcasIng", https://aclanthology.org/P03-1020, but uses
the neighbours on both sides instead of a trigram on the left.
"""

import functools
import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from translator.base.late import late_pattern
from translator.text.word_table import WordTable
from translator.tokenizers.masks import MASK

RARE_SHARE = 0.01  # share of a word's occurrences; rarer spellings count as errors
SMALL_SHARE = 0.9  # share of a word in lower case that makes it so at a beginning, too
USUAL_SHARE = 0.1  # share of a word's occurrences; rarer spellings are emphasis, as in "NOT"
UNSEEN = 0.1  # is added to how often a neighbour was seen
FEWEST = 2  # a neighbour of a spelling that was seen less often is forgotten
SUFFIXES = (6, 5, 4, 3, 2)  # lengths of endings that decide about an unknown word
SUFFIX_TYPES = 4  # fewest known words with a suffix for it to decide
ABBREVIATION = r"(?<!\w)[^\W\d_](?:\.[^\W\d_])+(?!['’\w])\.?"
TOKEN = late_pattern(rf"{ABBREVIATION}|[^\W_](?:[^\W_]|['’])*|['’](?:[^'’\w]|_)*|(?:[^'’\w]|_)+")


class Truecaser:
    """Writes each word with the capitals that training data has in the middle of sentences."""

    def __init__(self, words: WordTable) -> None:
        self.words = words

    def knows(self, word: str) -> bool:
        """Whether the training data has a word. It is given in lower case."""
        return bool(self.counts_of(word))

    def counts_of(self, word: str) -> Mapping[str, int]:
        """The counts of the spellings of a lower-case word; 1 if there is only one spelling."""
        row = self.words.get(word)
        counts: Mapping[str, int] = {} if row is None else row.get("spelt", {word: 1})
        return counts

    def usual_spelling(self, word: str, spelling: str) -> str | None:
        """The usual spelling of a word in the training data; None if it lacks the word.

        Args:
            spelling: it is returned if it is also usual.
        """
        counts = self.counts_of(word)
        if counts.get(spelling, 0) >= USUAL_SHARE * sum(counts.values()) > 0:
            return spelling
        return max(counts, key=counts.__getitem__, default=None)

    def with_small_beginning(self, text: str) -> str:
        """A text whose first word loses its capital if it has none within sentences.

        So a word has the same pieces at every place; "truecasing" in Lita et al. (2003),
        "tRuEcasIng", and in Moses. A mask is a word, and stays.
        """
        tokens = split_tokens(text)
        place = next((i for i, token in enumerate(tokens) if is_word(token)), None)
        if place is None or tokens[place][1:] != tokens[place][1:].lower():
            return text
        before = "".join(tokens[:place])
        if MASK.search(before):
            return text
        word = tokens[place].lower()
        counts = self.counts_of(word)
        is_small = counts.get(word, 0) >= SMALL_SHARE * sum(counts.values())
        if counts and is_small and "first" not in self.words[word]:
            tokens[place] = word
        return "".join(tokens)

    def restore(
        self, tokens: Sequence[str], hints: Sequence[str | None] = (), begins: bool = True
    ) -> list[str]:
        """Restores the capitals of tokens.

        Args:
            hints: for each token its spelling in the source, if the source has the same word.
                They are used for unknown words.
        """
        restored = []
        for i, (token, hint) in enumerate(itertools.zip_longest(tokens, hints)):
            if is_word(token):
                spelling = self._spell(token, *neighbours(tokens, i), hint)
                restored.append(spelling[:1].upper() + spelling[1:] if begins else spelling)
                begins = False
            else:
                restored.append(token)
                begins = begins or ends_sentence(tokens, i)
        return restored

    def _spell(self, word: str, before: str, after: str, hint: str | None) -> str:
        counts = self.counts_of(word)
        if len(counts) > 1:
            return _likeliest(self.words[word], before, after)
        spelling = next(iter(counts), hint)
        return spelling or (word[:1].upper() + word[1:] if self._looks_capital(word) else word)

    def _looks_capital(self, word: str) -> bool:
        """Whether an unknown word gets a capital, because known words with the same ending have."""
        for length in SUFFIXES:
            small, capital = self._suffixes.get(word[-length:], (0, 0))
            if small + capital >= SUFFIX_TYPES:
                return capital > small
        return False

    @functools.cached_property
    def _suffixes(self) -> dict[str, list[int]]:
        """For each ending, the numbers of known words without and with a capital."""
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for word in self.words:
            spellings = list(self.counts_of(word))
            for length in SUFFIXES:
                if len(word) > length and len(spellings) == 1:
                    counts[word[-length:]][spellings[0][:1].isupper()] += 1
        return counts


def learn_spellings(sentences: Collection[str]) -> dict[str, dict[str, Any]]:
    """The words of text with capitals, with their spellings; see `WordTable`."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)  # counts of each word's spellings
    first: set[str] = set()
    for tokens, i, begins in _iterate_words(sentences):
        if begins:
            first.add(tokens[i])
        else:
            counts[tokens[i].lower()][tokens[i]] += 1
    # Words seen only at the beginning: their first capital says nothing, prefer lower case
    only_first = {token.lower() for token in first} - counts.keys() - first
    for token in sorted(first, reverse=True):
        word = token.lower()
        if word not in counts:
            counts[word][token if token[1:] != word[1:] else word] = 1
    rows: dict[str, dict[str, Any]] = {}
    around: dict[str, tuple[Counter[str], Counter[str]]] = {}  # neighbours of each spelling
    for word, all_spellings in counts.items():
        spellings = _without_errors(all_spellings)
        rows[word] = {"first": True} if word in only_first else {}
        if len(spellings) > 1:
            rows[word].update(spelt=spellings, before={}, after={})
            around.update({spelling: (Counter(), Counter()) for spelling in spellings})
        elif word not in spellings:
            rows[word]["spelt"] = dict.fromkeys(spellings, 1)
    for tokens, i, begins in _iterate_words(sentences):
        if not begins and tokens[i] in around:
            for seen, neighbour in zip(around[tokens[i]], neighbours(tokens, i)):
                seen[neighbour.lower()] += 1
    for spelling, both in around.items():
        for side, seen in zip(("before", "after"), both):
            often = {neighbour: count for neighbour, count in seen.items() if count >= FEWEST}
            rows[spelling.lower()][side][spelling] = often
    return rows


def begin_with_capitals(sentences: Collection[str]) -> bool:
    """Whether most sentences begin with a capital, so that text without one is unusual."""
    return sum(sentence[:1].isupper() for sentence in sentences) > len(sentences) / 2


def restore_capitals(
    text: str, truecaser: Truecaser, originals: Sequence[str], prefix_length: int, begins: bool
) -> str:
    """Writes a translation with its capitals.

    Args:
        originals: the words of the source. Unknown words keep their spelling there.
    """
    spellings = {token.lower(): token for word in originals for token in split_tokens(word)}
    tokens = split_tokens(text)
    ends = itertools.accumulate(map(len, tokens))
    copied = [  # the prefix, and names that were copied
        end - len(token) < prefix_length or token != token.lower()
        for token, end in zip(tokens, ends)
    ]
    hints = [token if stays else spellings.get(token) for token, stays in zip(tokens, copied)]
    cased = truecaser.restore([token.lower() for token in tokens], hints, begins)
    return "".join(token if stays else new for token, new, stays in zip(tokens, cased, copied))


def split_tokens(text: str) -> list[str]:
    """Splits a text into words and the text between them. Joined, they give the text again.

    An abbreviation of single letters, such as "e.g.", is one word.
    """
    return TOKEN.findall(text)


def neighbours(tokens: Sequence[str], i: int) -> tuple[str, str]:
    """The punctuation before and after the word ``tokens[i]``; without any, the next word."""
    sides = []
    for step in (-1, 1):
        places = [place for place in (i + step, i + 2 * step) if 0 <= place < len(tokens)]
        texts = (tokens[place].strip() for place in places)
        sides.append(next((text for text in texts if text), ""))
    return sides[0], sides[1]


def _iterate_words(sentences: Collection[str]) -> Iterator[tuple[list[str], int, bool]]:
    """Yields for every word the tokens of its text, its index, and whether it begins a sentence."""
    for sentence in sentences:
        tokens = split_tokens(sentence)
        begins = True
        for i, token in enumerate(tokens):
            if is_word(token):
                yield tokens, i, begins
                begins = False
            else:
                begins = begins or ends_sentence(tokens, i)


@functools.lru_cache(1 << 16)
def is_word(token: str) -> bool:
    """Whether a token of `split_tokens` is a word."""
    return any(map(str.isalnum, token))


def ends_sentence(tokens: Sequence[str], i: int) -> bool:
    """Whether a token between two words ends a sentence; not after "3." or "z. B."."""
    if tokens[i] == " " or " " not in tokens[i]:
        return False
    if tokens[i].startswith(". ") and i > 0 and (tokens[i - 1].isdigit() or len(tokens[i - 1]) < 2):
        return False
    return any(mark in tokens[i] for mark in ".!?…")


def _without_errors(counts: Counter[str]) -> dict[str, int]:
    total = sum(counts.values())
    return {s: count for s, count in counts.most_common() if count / total > RARE_SHARE}


def _likeliest(row: Mapping[str, Any], before: str, after: str) -> str:
    """The most probable spelling by Bayes' rule, with independent neighbours.

    A neighbour that was never seen is ignored. Otherwise it would favour rare spellings over
    frequent ones.
    """
    counts: Mapping[str, int] = row["spelt"]
    scores = {spelling: math.log(count) for spelling, count in counts.items()}
    for neighbours, neighbour in ((row["before"], before), (row["after"], after)):
        if not any(neighbour in seen for seen in neighbours.values()):
            continue
        kinds = len(set().union(*neighbours.values()))
        for spelling, count in counts.items():
            seen = neighbours[spelling].get(neighbour, 0)
            scores[spelling] += math.log((seen + UNSEEN) / (count + UNSEEN * kinds))
    return max(scores, key=lambda spelling: scores[spelling])
