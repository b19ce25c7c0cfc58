"""Puts right in a translation what its tokenizer took away: numbers, names and capitals.

BPEmb's models see lower-cased text whose digits are 0. What a number was, and
how a name is spelt, stands in the source; cross-attention says where.
"""

import itertools
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from translator.attention.heads import AlignmentHeads
from translator.attention.words import Words, word_alignment, words_of
from translator.decoding.truecasing import Truecaser, is_word, split_tokens
from translator.errors import InputError
from translator.writing import whole_file

NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
SHOWN = "00"  # in place of a number with marks in it
UNKNOWN = "<unk>"
SAME_SHAPE, SAME_DIGITS = 0.5, 0.5  # worth as much of a number's attention when numbers are matched
DECIMAL_POINT = {"en", "zh", "ja", "ko", "th", "he", "hi"}
DECIMAL_COMMA = {
    "de", "fr", "es", "it", "nl", "pt", "da", "sv", "nb", "no", "fi", "pl", "cs", "sk", "hu", "ro",
    "ru", "uk", "bg", "el", "tr", "sl", "hr", "sr", "lt", "lv", "et", "id", "vi", "ca", "gl", "is",
}  # fmt: skip
MARKS = ".,!?;:\"'“”„‘’()"  # that may stand around a word
CLOCK = {
    "am",
    "pm",
    "a.m",
    "p.m",
    "o'clock",
    "o’clock",
}  # after a time of day, which keeps its point
NUMBERED = {"version", "chapter", "section", "figure"}  # before a number that keeps its point


class Restoration(NamedTuple):
    """What a run knows for putting translations right, learnt when its training ends.

    Attributes:
        alignment: the heads that point from a word to its source; None where no
            word of the validation split could tell.
        truecaser: of the target language, for text whose tokenizer has no capitals.
        source_words: all words of the training side, lower-cased.
    """

    alignment: AlignmentHeads | None
    truecaser: Truecaser | None
    source_words: frozenset[str]

    def save(self, path: Path) -> None:
        """Writes it as JSON."""
        values = {
            "alignment": self.alignment and self.alignment._asdict(),
            "truecaser": self.truecaser and self.truecaser.to_json(),
            "source_words": sorted(self.source_words),
        }
        with whole_file(path) as file:
            file.write(json.dumps(values, ensure_ascii=False).encode())

    @classmethod
    def load(cls, path: Path) -> "Restoration":
        """Reads what `save` wrote; knows nothing where there is no such file.

        Raises:
            InputError: the file is damaged.
        """
        try:
            values = json.loads(path.read_text("utf-8"))
            alignment, truecaser = values["alignment"], values["truecaser"]
            return cls(
                alignment and AlignmentHeads.from_json(alignment),
                truecaser and Truecaser.from_json(truecaser),
                frozenset(values["source_words"]),
            )
        except FileNotFoundError:
            return cls(None, None, frozenset())
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                f"{path}: expected what a training leaves, found other text; train again, or"
                " remove it and do without"
            ) from None

    @property
    def source_is_known(self) -> bool:
        """Whether an unknown source word can be told from a known one."""
        return bool(self.source_words)


class Piecewise(NamedTuple):
    """A translation with where its pieces come from.

    Attributes:
        source: the sentence as it was given.
        source_pieces: S pieces, start and end included.
        target_pieces: T pieces.
        alignment: (T, S) how much each looked at each.
        prefix: what the translation was made to begin with, as it was given.
        begins: whether it begins a sentence.
    """

    source: str
    source_pieces: Sequence[str]
    target_pieces: Sequence[str]
    alignment: np.ndarray
    prefix: str = ""
    begins: bool = True


def shown(text: str) -> str:
    """What a model is shown of a text whose numbers are restored afterwards.

    A number with marks in it, such as 1,234.5 or 7:30, is shown as a plain one: its
    shape is rare, and models lose what is rare. Its digits are restored all the same.
    """
    return NUMBER.sub(lambda m: m.group() if m.group().isdigit() else SHOWN, text)


def restore_text(
    piecewise: Piecewise,
    restoration: Restoration,
    languages: tuple[str, str],
    digits_and_capitals: bool,
    names: bool,
) -> str:
    """The text of a translation, put right.

    Args:
        piecewise: the translation.
        restoration: what the run knows.
        languages: codes of source and target; they decide how decimals are written.
        digits_and_capitals: whether the tokenizer took them away.
        names: whether words that training never saw are taken from the source.

    Returns:
        The text for a reader.
    """
    source = words_of(piecewise.source_pieces)
    target = words_of(piecewise.target_pieces)
    alignment = word_alignment(piecewise.alignment, target, source)
    originals = _originals(piecewise.source, source)
    words, given = _take_prefix(target.texts, piecewise.prefix)
    if digits_and_capitals:
        restored = _restore_numbers(words, originals, alignment, languages)
        words[given:] = restored[given:]
        if given and _goes_on(restored[given - 1], words[given - 1], piecewise.prefix):
            words[given - 1] = restored[given - 1]
    if names:
        words = _restore_names(words, given, originals, source, alignment, restoration)
    text = " ".join(word for word in words if word)
    if digits_and_capitals and restoration.truecaser is not None:
        fixed = len(" ".join(piecewise.prefix.split())) if given else 0
        text = _restore_capitals(text, fixed, originals, restoration.truecaser, piecewise.begins)
    return text


def _originals(sentence: str, source: Words) -> list[str]:
    """The words as they were given; where they are not as many as the tokenizer's, the numbers."""
    given = sentence.split()
    if len(given) == len(source.texts):
        return given
    numbers = NUMBER.findall(sentence)
    if len(numbers) != sum(len(NUMBER.findall(text)) for text in source.texts):
        return list(source.texts)
    remaining = iter(numbers)
    return [NUMBER.sub(lambda _: next(remaining), text) for text in source.texts]


def _take_prefix(words: Sequence[str], prefix: str) -> tuple[list[str], int]:
    """The words with the prefix as it was given, and how many of them it reaches into."""
    given = prefix.split()
    seen = [re.sub(r"\d", "0", word.lower()) for word in given]
    fits = [word[: len(own)] in (own, as_seen) for word, own, as_seen in zip(words, given, seen)]
    if not (len(fits) == len(given) and all(fits)):
        return list(words), 0
    kept = [own + word[len(own) :] for word, own in zip(words, given)]
    return kept + list(words[len(given) :]), len(given)


def _goes_on(restored: str, word: str, prefix: str) -> bool:
    """Whether a word that a prefix begins can be written otherwise and still begin so."""
    return len(restored) == len(word) and restored.startswith(prefix.split()[-1])


def _restore_numbers(
    words: list[str], originals: list[str], alignment: np.ndarray, languages: tuple[str, str]
) -> list[str]:
    """Gives each number of a translation the digits of the one that it looked at most."""
    given = [(s, m) for s, word in enumerate(originals) for m in NUMBER.finditer(word)]
    wanted = [(t, m) for t, word in enumerate(words) for m in NUMBER.finditer(word)]
    pairs = sorted(
        ((_fit(w, g, alignment), i, j) for i, w in enumerate(wanted) for j, g in enumerate(given)),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    chosen: dict[int, int] = {}
    for _, i, j in pairs:  # each number of the source once
        if i not in chosen and j not in chosen.values():
            chosen[i] = j
    for _, i, j in pairs:  # and again, where there are more in the translation
        chosen.setdefault(i, j)
    restored = list(words)
    for i, (t, match) in reversed(list(enumerate(wanted))):
        if i in chosen:
            s, number = given[chosen[i]]
            before, after = ("".join(originals[max(k, 0) : k + 1]) for k in (s - 1, s + 1))
            is_clock = _is_among(CLOCK, after) or _is_among({"uhr"}, "".join(words[t + 1 : t + 2]))
            text = number.group()
            if not (is_clock or _is_among(NUMBERED, before)):
                text = localized(text, languages)
            restored[t] = restored[t][: match.start()] + text + restored[t][match.end() :]
    return restored


def _fit(
    wanted: tuple[int, re.Match[str]], given: tuple[int, re.Match[str]], alignment: np.ndarray
) -> float:
    """How well a number of the source, or what was shown of it, fits one of the translation."""
    number = given[1].group()
    wanted_shape, *shapes = map(_shape, (wanted[1].group(), number, shown(number)))
    same = SAME_SHAPE * (wanted_shape in shapes)
    same += SAME_DIGITS * (wanted_shape.count("0") in [shape.count("0") for shape in shapes])
    return float(alignment[wanted[0], given[0]]) + same


def _shape(number: str) -> str:
    return re.sub(r"\d", "0", number).replace(",", ".")


def _is_among(words: set[str], word: str) -> bool:
    return word.lower().strip(MARKS) in words


def localized(number: str, languages: tuple[str, str]) -> str:
    """A number as the target language writes it: 1,234.5 is 1.234,5 in German.

    Args:
        number: as the source language writes it.
        languages: codes of source and target.
    """
    source, target = (language.partition("-")[0] for language in languages)
    if source not in DECIMAL_POINT or target not in DECIMAL_COMMA:
        return number
    if re.fullmatch(r"\d+\.\d+|\d{1,3}(,\d{3})+(\.\d+)?", number):
        return number.translate(str.maketrans(".,", ",."))
    return number


def _restore_names(
    words: list[str],
    first: int,
    originals: list[str],
    source: Words,
    alignment: np.ndarray,
    restoration: Restoration,
) -> list[str]:
    """Takes names that training never saw, and what could not be spelt, from the source.

    Words before the ``first`` are left as they are. The pieces of a name that stand
    side by side in the translation are one.
    """
    restored = list(words)
    name, begin = -1, -1  # of the source, and where it was put, while its pieces go on
    for t, word in enumerate(words):
        unknown = UNKNOWN in word
        s = int(alignment[t].argmax()) if alignment.shape[1] else -1
        core = originals[s].strip(MARKS) if s >= 0 else ""
        taken = (
            t >= first
            and s >= 0
            and _is_spelt_anew(word)
            and (unknown or _is_new_name(core, source.texts[s], restoration))
        )
        if not taken:
            name = -1
            continue
        before, after = _marks_around(word)
        if s == name and not unknown:
            restored[t] = ""
            restored[begin] += after
        else:
            restored[t] = before + core + after
            name, begin = s, t
    return restored


def _is_spelt_anew(word: str) -> bool:
    """Whether a word may be a name: it has letters, or something unknown, and no number."""
    return UNKNOWN in word or is_word(word) and not any(map(str.isdigit, word))


def _is_new_name(word: str, as_seen: str, restoration: Restoration) -> bool:
    if not is_word(word):
        return False
    if UNKNOWN in as_seen:
        return True
    new = restoration.source_is_known and _plain(word) not in restoration.source_words
    return new and word[:1].isupper() and not any(map(str.isdigit, word))


def _marks_around(word: str) -> tuple[str, str]:
    """The punctuation before and after a word."""
    core = word.strip(MARKS)
    if not core:
        return "", ""
    before, _, after = word.partition(core)
    return before, after


def _restore_capitals(
    text: str, fixed: int, originals: list[str], truecaser: Truecaser, begins: bool
) -> str:
    """The text with capitals, but for its first characters, which are as they were given."""
    spellings = {token.lower(): token for word in originals for token in split_tokens(word)}
    tokens = split_tokens(text)
    ends = itertools.accumulate(map(len, tokens))
    already = [  # a prefix, and names that were taken whole
        end - len(token) < fixed or token != token.lower() for token, end in zip(tokens, ends)
    ]
    hints = [token if kept else spellings.get(token) for token, kept in zip(tokens, already)]
    cased = truecaser.restore([token.lower() for token in tokens], hints, begins)
    return "".join(token if kept else new for token, new, kept in zip(tokens, cased, already))


def source_vocabulary(sentences: Iterable[str]) -> frozenset[str]:
    """All words of some sentences, lower-cased, without the punctuation around them."""
    found: set[str] = set()
    for sentence in sentences:
        found.update(sentence.split())
    return frozenset(map(_plain, found)) - {""}


def _plain(word: str) -> str:
    return word.lower().replace("’", "'").strip(MARKS)
