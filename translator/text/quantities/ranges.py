"""Two times or dates with a word or a dash between them, as in "from 5 to 7 pm"."""

import dataclasses

from translator.base.languages import language_table
from translator.text.quantities.quantity import Meaning

JOINS = ("to", "and", "or")  # a range, both, one of them
BOTH = 1  # the place of "and"
DASH = " ?[-–] ?"


def joins_of(language: str) -> tuple[str, ...]:
    """The words of a language for `JOINS`; none where they are not known."""
    table = language_table(language, "conjunctions")
    return tuple(table[join] for join in JOINS) if table else ()


def join_pattern(language: str) -> str:
    """A regular expression without groups for what joins two."""
    return "|".join([DASH, *(f" {word} (?:zum )?" for word in joins_of(language))])


def place_of_join(text: str, language: str) -> int | None:
    """Which of `JOINS` a text is; None for a dash."""
    words, word = joins_of(language), text.split()[0].lower()
    return words.index(word) if word in words else None


@dataclasses.dataclass(frozen=True)
class Range(Meaning):
    """Two times or dates, with what stands between them.

    Attributes:
        parts: the first and the last one.
        join: the place of what joins them in `JOINS`; None for a dash.
        dash: what joins them instead, with its spaces.
    """

    parts: tuple[Meaning, Meaning]
    texts: tuple[str, str]
    join: int | None
    dash: str

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        return f"range {self.parts[0].key} {JOINS[self.join or 0]} {self.parts[1].key}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`; a word that both have, such as a month, is written once."""
        first, last = (part.write(text, languages) for part, text in zip(self.parts, self.texts))
        words = joins_of(languages[1])
        if self.join is not None and not words:
            return given
        *start, end = first.split(" ")
        if start and end in last.split(" ") and not any(map(str.isdigit, end)):
            first = " ".join(start)
        join = self.dash if self.join is None else f" {words[self.join]} "
        return first + join + last
