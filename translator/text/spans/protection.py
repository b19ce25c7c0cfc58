"""Protects text that was put into a translation from all that is done to it afterwards."""

from collections.abc import Iterable

LETTERS = range(0x20000, 0x2A6E0)  # CJK Extension B: no capitals, and they belong to words


class Protected:
    """Text that is represented by single letters until everything else is done.

    Args:
        texts: texts whose letters are not used to represent others.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        used = {ord(letter) for text in texts for letter in text}
        self._free = (letter for letter in LETTERS if letter not in used)
        self._texts: dict[int, str] = {}

    def add(self, text: str) -> str:
        """Returns a letter that stands for a text."""
        letter = next(self._free)
        self._texts[letter] = text
        return chr(letter)

    @property
    def space(self) -> str:
        """A character that stands for a space within a word."""
        self._texts[ord("\u2028")] = " "
        return "\u2028"

    def has(self, text: str) -> bool:
        """Whether any letter of a text stands for another text."""
        return any(ord(letter) in self._texts for letter in text)

    def reveal(self, text: str) -> str:
        """Writes what the letters of a text stand for."""
        return text.translate(self._texts)
