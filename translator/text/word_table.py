"""The facts that training learns about words, in the files ``source.words``, ``target.words``.

The first line of a file is the checksum of the other lines. Each of them is a word in lower
case, and if there are facts about the word, a tab and an object of JSON:

spelt           its spellings within sentences with their counts; a word without this entry is
                written in lower case
before, after   the neighbours of each spelling with counts, if there are several spellings
first           true for words that are only at the beginnings of sentences
new             true for words that are between spaces only as rare names, or never
rare            its spellings that are rare names
name            for each spelling that is a frequent name, its usual translation
to              its translations, each with its association in percent
"""

import bisect
import functools
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from translator.base.errors import InputError
from translator.base.files import read_file, whole_file
from translator.base.late import np
from translator.text.punctuation import plain_word

WORD_TABLES = "source.words", "target.words"  # the names of the files
PERCENT = 100  # associations are whole percentages


class WordTable(Mapping[str, Mapping[str, Any]]):
    """The words of a language with their entries. An entry is parsed when it is first used.

    Args:
        lines: the lines of a file, in the order of their bytes.
    """

    def __init__(self, lines: Sequence[bytes] = ()) -> None:
        self._lines = lines
        self._rows: dict[str, Mapping[str, Any]] = {}

    @classmethod
    def of(cls, rows: Mapping[str, Mapping[str, Any]]) -> "WordTable":
        """Makes a table of words with their entries. Most entries are empty."""
        lines = (f"{word}\t{_json(row)}" if row else word for word, row in rows.items())
        return cls(sorted(line.encode() for line in lines))

    @classmethod
    def load(cls, path: Path) -> "WordTable":
        """Reads a file that `save` wrote; returns an empty table if there is none."""
        try:
            checksum, _, content = read_file(path).partition(b"\n")
        except FileNotFoundError:
            return cls()
        if checksum != _checksum(content):
            raise InputError(
                f"{path}: expected words that training wrote, found other text; train again, or"
                " remove the file to translate without it"
            )
        return cls(content.split(b"\n"))

    def save(self, path: Path) -> None:
        """Writes the table to a file. A table without words needs no file."""
        if self:
            content = b"\n".join(self._lines)
            with whole_file(path) as file:
                file.write(_checksum(content) + b"\n" + content)

    def joined_with(self, earlier: "WordTable") -> "WordTable":
        """A table with the words of both; earlier entries count, except of rare or new words."""
        entries = {line.partition(b"\t")[0]: line for line in self._lines}
        for line in earlier._lines:
            word, _, facts = line.partition(b"\t")
            if word not in entries or not (b'"new":' in facts or b'"rare":' in facts):
                entries[word] = line
        return WordTable(sorted(entries.values()))

    def __getitem__(self, word: str) -> Mapping[str, Any]:
        """Returns the entry of a word, which is given in lower case."""
        if word not in self._rows:
            encoded = word.encode(errors="surrogatepass")
            place = bisect.bisect_left(self._lines, encoded)
            line = self._lines[place] if place < len(self._lines) else b"\n"  # no word
            known_word, _, facts = line.partition(b"\t")
            if known_word != encoded:
                raise KeyError(word)
            self._rows[word] = json.loads(facts) if facts else {}
        return self._rows[word]

    def __iter__(self) -> Iterator[str]:
        """The words, in the order of their bytes."""
        return (line.partition(b"\t")[0].decode() for line in self._lines)

    def __len__(self) -> int:
        """The number of words."""
        return len(self._lines)

    def stands_alone(self, word: str) -> bool:
        """Whether a word was seen between spaces, and not only as a part of other words."""
        row = self.get(word, {"new": True})
        return "new" not in row or "rare" in row

    @functools.cached_property
    def has_spellings(self) -> bool:
        """Whether spellings were counted."""
        return any(b'"spelt":{}' not in line for line in self._lines)

    def translations(self, word: str) -> dict[str, float]:
        """The words associated with a word, from 0 (not at all) to 1; the word itself has 1."""
        if not word:
            return {}
        shares = self.get(word, {}).get("to", {})
        return {**{target: percent / PERCENT for target, percent in shares.items()}, word: 1.0}

    def associations(self, targets: Sequence[str], sources: Sequence[str]) -> "np.ndarray":
        """The associations between the words of a translation and the words of its source.

        Returns:
            (T, S), from 0 (none) to 1; equal words, such as names, have 1.
        """
        associations = np.zeros((len(targets), len(sources)))
        plain = [plain_word(word) for word in targets]
        for s, source in enumerate(map(plain_word, sources)):
            translations = self.translations(source)
            associations[:, s] = [translations.get(target, 0.0) for target in plain]
        return associations

    def best(
        self, targets: Sequence[str], sources: Sequence[str]
    ) -> tuple[list[float], list[float]]:
        """The highest association of each word with a word of the other side, in linear time.

        Returns:
            (T,) the maxima of the rows of `associations`, and (S,) the maxima of its columns.
        """
        plain = [plain_word(word) for word in targets], [plain_word(word) for word in sources]
        of_targets, of_sources = (dict.fromkeys(words, 0.0) for words in plain)
        for source in of_sources:
            for target, share in self.translations(source).items():
                if target in of_targets:
                    of_targets[target] = max(of_targets[target], share)
                    of_sources[source] = max(of_sources[source], share)
        return [of_targets[word] for word in plain[0]], [of_sources[word] for word in plain[1]]


def _json(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def _checksum(content: bytes) -> bytes:
    return b"%08x" % zlib.crc32(content)
