"""The results of an inspection."""

import enum
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Reason(enum.StrEnum):
    """The reason why a pair should not be trained on."""

    HEADER = "header row"
    EMPTY = "empty"
    DAMAGED = "damaged"
    MISREAD = "misread encoding"
    CONTROLS = "control characters"
    ENTITIES = "entities"
    WORDLESS = "a side without words"
    DUPLICATE = "duplicate"
    COPY = "untranslated copy"
    SWAPPED = "swapped sides"
    SCRIPT = "another script"
    LANGUAGE = "another language"
    LENGTH = "unequal length"
    MISALIGNED = "misaligned"
    UNLIKELY = "unlikely"
    NUMBERS = "numbers differ"


MEANINGS = {
    Reason.HEADER: "the names of the columns",
    Reason.EMPTY: "a side has no text",
    Reason.DAMAGED: "a side has bytes that are not UTF-8, or U+FFFD for lost characters",
    Reason.CONTROLS: "a side has characters that do not belong in text",
    Reason.MISREAD: "UTF-8 was read in another encoding, so that ü became Ã¼",
    Reason.ENTITIES: "a side has HTML entities, such as &amp;",
    Reason.WORDLESS: "only one side has words; the other is a number, an address or the like",
    Reason.DUPLICATE: "an earlier pair is the same",
    Reason.COPY: "both sides are the same text, or nearly",
    Reason.SWAPPED: "each side is in the language of the other",
    Reason.SCRIPT: "a sentence is in an alphabet that few sentences on the same side use",
    Reason.LANGUAGE: "a side is in a third language, or both are in the same one",
    Reason.LENGTH: "one side is far too long for the other",
    Reason.MISALIGNED: "several lines in a row whose sides do not belong together",
    Reason.UNLIKELY: "by the model's scores, neither side translates the other",
    Reason.NUMBERS: "each side has a number that the other lacks",
}


class Finding(NamedTuple):
    """One pair that should not be trained on.

    Attributes:
        place: the place of the pair, from 0.
        reason: the first reason that applies.
        detail: the evidence, such as ``fr`` or ``3 | 4``; may be empty.
    """

    place: int
    reason: Reason
    detail: str = ""


class Stretch(NamedTuple):
    """Lines whose sides do not belong together.

    Attributes:
        first: the place of the first pair, from 0.
        last: the place of the last.
    """

    first: int
    last: int


class SideFacts(NamedTuple):
    """One side of all pairs.

    Attributes:
        characters: (pairs,) characters of each sentence.
        words: (pairs,) words of each sentence, separated by spaces.
        scripts: how many letters of each script there are.
        languages: how many sentences were identified as each language; empty if py3langid does not
            know the language of the side.
    """

    language: str
    characters: np.ndarray
    words: np.ndarray
    scripts: Counter[str]
    languages: Counter[str]


class Inspection(NamedTuple):
    """All results about a corpus.

    Attributes:
        pairs: (source, target), as they were read.
        findings: the pairs that should not be trained on, in the order of the file.
        sides: facts about the source side and the target side.
        scores: (pairs,) log-odds that the two sides are translations, and were not put together
            by chance. Both count as equally probable beforehand. NaN for pairs that were not
            scored; None without a model.
        notes: other facts that the user should know, a sentence each.
        lines: the number of the line, or record, where each pair begins; None if each has one line.
    """

    pairs: Sequence[tuple[str, str]]
    findings: Sequence[Finding]
    stretches: Sequence[Stretch]
    sides: tuple[SideFacts, SideFacts]
    scores: np.ndarray | None
    notes: Sequence[str]
    lines: Sequence[int] | None = None

    def line_of(self, place: int) -> int:
        """The number of the line of the pair at a place, from 0."""
        return place + 1 if self.lines is None else self.lines[place]

    @property
    def counts(self) -> Counter[Reason]:
        """How many pairs have each reason."""
        return Counter(finding.reason for finding in self.findings)
