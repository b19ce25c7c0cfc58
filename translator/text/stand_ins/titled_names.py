"""Names with a title: "Mr. Smith" is "Herr Smith" or "Herrn Smith" in German."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from translator.base.languages import language_facts

SHORT_FORM = r"(?:(?:Dr|Prof)\.? )*"
INITIALS = r"(?:[^\W\d_]\. ?)*"
NAME = r"[^\W\d_](?:[^\W\d_]|[-'’](?=[^\W\d_]{2}))+"
NEXT_NAME = re.compile(rf" ({INITIALS}{NAME})")
MORE_NAMES = 2  # at most, after the first one
GENITIVE = re.compile(r"[^\W\d_esßxz]s\Z")  # without an apostrophe, as in German
LONGEST_BEFORE = 16  # characters of a word that says that a title is a common noun
OPENS_CLAUSE = re.compile(r"[^\w\s]$")  # a mark before a title


class TitleWords(NamedTuple):
    """The titles of a language.

    Attributes:
        titles: those of men and those of women, the usual spelling first.
        of_objects: how these are written where a person is the object of a sentence; empty where
            it makes no difference.
        joins: what stands between the titles of a couple.
        no_names_after: words with a capital that stand after titles and are no names.
        no_titles_after: recognises the words before which a title is a common noun, as in "meine
            Frau"; this one never.
        before_subjects: where the order of words tells subjects from objects, the words that a
            subject follows.
    """

    titles: tuple[tuple[str, ...], ...]
    of_objects: tuple[str, ...] = ()
    joins: str = ""
    no_names_after: tuple[str, ...] = ()
    no_titles_after: str = "(?!)"
    before_subjects: frozenset[str] = frozenset()


TITLES = {
    "en": TitleWords(
        (("Mr.", "Mr"), ("Ms.", "Ms", "Mrs.", "Mrs", "Miss")),
        joins="and",
        no_names_after=(
            "Chairman", "President", "Right", "Secretary", "Speaker", "Universe", "Vice", "World",
        ),
        before_subjects=frozenset((
            "although", "and", "are", "because", "before", "but", "can", "could", "dear", "did",
            "do", "does", "had", "has", "have", "how", "if", "is", "may", "might", "must", "or",
            "said", "says", "should", "since", "than", "that", "think", "though", "until", "was",
            "were", "what", "when", "where", "whether", "which", "while", "who", "why", "will",
            "would",
        )),
    ),
    "de": TitleWords(
        (("Herr", "Herrn"), ("Frau",)),
        of_objects=("Herrn", "Frau"),
        joins="und",
        no_names_after=(
            "Bundeskanzler", "Bundeskanzlerin", "Direktor", "Direktorin", "Doktor", "Gott",
            "Kanzler", "Kanzlerin", "Kollege", "Kollegin", "Lehrer", "Lehrerin", "Minister",
            "Ministerin", "Mutter", "Nachbar", "Nachbarin", "Ober", "Pfarrer", "Präsident",
            "Präsidentin", "Professor", "Professorin", "Richter", "Richterin", "Vater", "Wirt",
        ),
        no_titles_after=r"(?:[mdsk]?ein|ihr|unser|eue?r|dies|jed|jen|welch)(?:e[rnms]?)?|"
        r"d(?:ie|er|as|em|en)|alte[rn]?|junge[rn]?|schöne[rn]?|als",
    ),
}  # fmt: skip
SPELLINGS = frozenset(title for words in TITLES.values() for kind in words.titles for title in kind)


class Titles:
    """The titles before names in a language, and what they are in another.

    Args:
        source: those of the one.
        target: those of the other.
        capitalizes_nouns: whether every noun of the one has a capital.
    """

    def __init__(self, source: TitleWords, target: TitleWords, capitalizes_nouns: bool) -> None:
        self.source = source
        self.target = target
        self.capitalizes_nouns = capitalizes_nouns
        spellings = [title for titles in source.titles for title in titles]
        one = "|".join(map(re.escape, sorted(spellings, key=len, reverse=True)))
        excluded = "|".join(map(re.escape, sorted(source.no_names_after)))
        self._title = rf"(?:({one}) (?:{re.escape(source.joins)}|&) )?({one})"
        self._named = re.compile(
            rf"(?<![\w.]){self._title} (?!(?:{excluded})\b){SHORT_FORM}{INITIALS}{NAME}"
        )
        self._no_title_after = re.compile(rf"(?:^|\W)(?:{source.no_titles_after}) $", re.IGNORECASE)
        self._opening = re.compile(rf"{self._title} ")

    @classmethod
    def of_languages(cls, source: str, target: str) -> "Titles | None":
        """Those of two languages by their codes; None where those of one are not known."""
        facts = language_facts(source)
        own, other = TITLES.get(facts.code), TITLES.get(language_facts(target).code)
        return cls(own, other, facts.capitalizes_nouns) if own and other else None

    def find(
        self, text: str, is_name: Callable[[Sequence[str], int], bool]
    ) -> Iterator[tuple[int, int]]:
        """Finds names with a title: where the title begins, and where the name ends.

        Args:
            text: a sentence, with one space between its words.
            is_name: whether a word is a name, from the words and its number; where nouns have
                capitals too, it decides how far a name goes.
        """
        words = text.split(" ")
        for found in self._named.finditer(text):
            name = found.group()[len(self.title_of(found.group())) :]
            before = text[max(found.start() - LONGEST_BEFORE, 0) : found.start()]
            if not name[:1].isupper() or self._no_title_after.search(before):
                continue
            end = found.end()
            for _ in range(MORE_NAMES):
                more = NEXT_NAME.match(text, end)
                if more is None or not more[1][0].isupper():
                    break
                if found[2] in self.source.of_objects and GENITIVE.match(text, end - 2, end):
                    end -= 1
                    break
                place = text.count(" ", 0, end) + 1
                if self.capitalizes_nouns and not is_name(words, place):
                    break
                end = more.end()
            yield found.start(), end

    def title_of(self, given: str) -> str:
        """The title that a name begins with, and the space after it; empty if there is none."""
        found = self._opening.match(given)
        return found.group() if found else ""

    def translate(self, given: str, word_before: str, is_genitive: bool) -> str:
        """Writes a title in the target language, and the name as it is.

        Args:
            given: a name, with its title or without one.
            word_before: the word before it in the source; empty if there is none.
            is_genitive: whether it has the ending of a genitive.
        """
        found = self._opening.match(given)
        if found is None:
            return given
        is_object = is_genitive or not self._is_subject(word_before)
        titles = [self._translated(title, is_object) for title in found.groups() if title]
        return " ".join([f" {self.target.joins} ".join(titles), given[found.end() :]])

    def _is_subject(self, word_before: str) -> bool:
        if not word_before or OPENS_CLAUSE.search(word_before):
            return True
        return word_before.lower() in self.source.before_subjects

    def _translated(self, title: str, is_object: bool) -> str:
        kind = next(i for i, titles in enumerate(self.source.titles) if title in titles)
        if is_object and self.target.of_objects:
            return self.target.of_objects[kind]
        return self.target.titles[kind][0]


def without_title(name: str) -> str:
    """A name without what stands before it up to its title, in any language that has titles."""
    words = name.split(" ")
    last = max((i for i, word in enumerate(words[:-1]) if word in SPELLINGS), default=-1)
    return " ".join(words[last + 1 :])
