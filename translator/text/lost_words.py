"""Names and members of lists that a translation lacks, by a lexicon.

The table ``agreement`` of a language has the words before the last member of a list (joins). A list
has lost a member if its translation has fewer, and no translation of the member is anywhere in it.
Names are words with a capital within a sentence that the lexicon does not have, or has as their own
translation; a noun of a language that writes all with a capital is one only behind another name. Of
267,000 pairs of people 3 in 1,000 seem to lack something, from German 1 in 2,000; of members that
were taken away from translations 8 in 10 are missed.
"""

import re
from collections.abc import Callable, Iterator

from translator.base.languages import language_facts, language_table
from translator.text.lexicon import Lexicon
from translator.text.punctuation import plain_word
from translator.text.quantities.quantity import any_of

WORD = r"[^\W\d_][\w'’-]+"
NAME = re.compile(r"(?<![\w'’.&/-])([^\W\d_a-zß-ÿ][\w’'-]*[^\W\d_])(?![\w@/-]|\.\w)")
BEFORE_SENTENCE = re.compile(r"(?:^|[.!?:;…–—|>•])[\s\"'“”„’‘»«(\[*_-]*$")
FEWEST = 3  # members of a list that has a join; one more without
SURE = 0.3  # the least association of a word whose translation would be known
ENDING = 2  # letters of a word that inflection may change
SHORTEST_STEM = 4


class LostWords:
    """Finds what translations between two languages lack."""

    def __init__(self, source: str, target: str, lexicon: Callable[[], Lexicon]) -> None:
        joins = [language_table(each, "agreement").get("joins", ()) for each in (source, target)]
        self._lists = [_Lists(any_of(each)) if each else None for each in joins]
        self._nouns_are_capital = language_facts(source).capitalizes_nouns
        self._lexicon = lexicon

    def find(self, source: str, text: str) -> list[str]:
        """The names and members of lists of a sentence that its translation lacks, each once."""
        words: set[str] = set()
        found: dict[str, None] = {}
        for word, is_name in (*self._members(source, text), *self._names(source)):
            words = words or set(_words_of(text))
            plain = _bare(word.split()[-1])
            translations = self._lexicon().translations.get(plain, {})
            is_sure = is_name or max(translations.values(), default=0.0) >= SURE
            if is_sure and not _has_any(words, [plain, *translations]):
                found[word] = None
        return list(found)

    def _members(self, source: str, text: str) -> Iterator[tuple[str, bool]]:
        """The members of the lists that have fewer in a translation."""
        ours, theirs = self._lists
        if ours is None or theirs is None or "," not in source:
            return
        most = max((len({*members}) for members in theirs.find(text)), default=0)
        for members in ours.find(source):
            if most < len({*members}):
                yield from ((member, False) for member in members)

    def _names(self, source: str) -> Iterator[tuple[str, bool]]:
        if source.istitle() or not self._lexicon().translations:
            return
        is_after_name = False
        end = 0
        for name in NAME.finditer(source):
            plain = _bare(name[0])
            translations = self._lexicon().translations.get(plain)
            is_name = (
                translations is None or max(translations, key=translations.__getitem__) == plain
            )
            is_first = BEFORE_SENTENCE.search(source, 0, name.start()) is not None
            follows = is_after_name and not source[end : name.start()].strip()
            may_be_noun = self._nouns_are_capital and not follows
            if is_name and not (is_first or may_be_noun or name[0].isupper()):
                yield name[0], True
            is_known = translations is not None and len(plain) > len("in")
            is_after_name = is_name and (is_known or follows)
            end = name.end()


class _Lists:
    """Finds lists in a language, whose first member is one word, as any text may be before it.

    Args:
        join: a regular expression of the words before the last member.
    """

    def __init__(self, join: str) -> None:
        word = rf"(?!{join}\b){WORD}"
        member = rf"{word}(?: {word})?"
        self._pattern = re.compile(
            rf"(?<![\w-]){WORD}(?:, {member})+(?:(?P<last>,? {join} {WORD})|(?<=[^,]))(?![\w-])"
        )
        self._between = re.compile(rf",? {join} |, ")

    def find(self, text: str) -> Iterator[list[str]]:
        """The members of each list; three at least, or four without a join."""
        for found in self._pattern.finditer(text):
            members = self._between.split(found[0])
            if len(members) >= FEWEST + (found["last"] is None):
                yield members


def _words_of(text: str) -> Iterator[str]:
    for word in text.split():
        yield from map(_bare, (word, *word.split("-")))


def _bare(word: str) -> str:
    """A word in lower case, without marks, and without the ending of a genitive."""
    return plain_word(word).removesuffix("'s").removesuffix("'")


def _has_any(words: set[str], wanted: list[str]) -> bool:
    """Whether a text has one of some words, with another ending or in a compound, too."""
    if not words.isdisjoint(wanted):
        return True
    stems = [word[: max(SHORTEST_STEM, len(word) - ENDING)] for word in wanted]
    stems = [stem for stem in stems if len(stem) >= SHORTEST_STEM - 1]
    return any(stem in word for stem in stems for word in words)
