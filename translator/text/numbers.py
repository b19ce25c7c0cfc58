"""Numbers: what a model that knows no digits is shown of them, and how they come back."""

import re
from collections.abc import Sequence

import numpy as np

from translator.base.languages import language_facts

NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
SHOWN = "00"  # in place of a number with marks in it
MARKS = ".,!?;:\"'“”„‘’()"  # that may stand around a word
SAME_SHAPE, SAME_DIGITS = 0.5, 0.5  # worth as much of a number's attention when numbers are matched
CLOCK = {"am", "pm", "a.m", "p.m", "o'clock", "o’clock"}  # a time before these keeps its point
NUMBERED = {"version", "chapter", "section", "figure"}  # before a number that keeps its point


def show_numbers(text: str) -> str:
    """What a model is shown of a text whose numbers are restored afterwards.

    A number with marks in it, such as 1,234.5 or 7:30, is shown as a plain one: its
    shape is rare, and models lose what is rare. Its digits are restored all the same.
    Beside a hyphen, as in 9:00-17:30, it is left as it is.
    """
    return re.sub(rf"(?<![-–−\d.,:/]){NUMBER.pattern}(?![-–\d])", _show_number, text)


def _show_number(found: re.Match[str]) -> str:
    return found.group() if found.group().isdigit() else SHOWN


def restore_numbers(
    words: list[str], originals: list[str], alignment: np.ndarray, languages: tuple[str, str]
) -> list[str]:
    """Gives each number of a translation the digits of the one that it looked at most."""
    given = [(s, m) for s, word in enumerate(originals) for m in NUMBER.finditer(word)]
    wanted = [(t, m) for t, word in enumerate(words) for m in NUMBER.finditer(word) if is_hidden(m)]
    chosen = match([[_fit(w, g, alignment) for g in given] for w in wanted])
    restored = list(words)
    for i, (t, place) in reversed(list(enumerate(wanted))):
        if i in chosen:
            s, number = given[chosen[i]]
            before, after = ("".join(originals[max(k, 0) : k + 1]) for k in (s - 1, s + 1))
            is_clock = _is_among(CLOCK, after) or _is_among({"uhr"}, "".join(words[t + 1 : t + 2]))
            text = re.sub(r"\d", lambda digit: str(int(digit.group())), number.group())
            is_clock = is_clock and bool(re.fullmatch(r"\d{1,2}\.\d\d", text))
            if not (is_clock or _is_among(NUMBERED, before)):
                text = localized(text, languages)
            restored[t] = restored[t][: place.start()] + text + restored[t][place.end() :]
    return restored


def is_hidden(found: re.Match[str]) -> bool:
    """Whether a number's digits were hidden: what a tokenizer makes of "²" itself is no 0."""
    return set(found.group()) <= set("0.,:/")


def _fit(
    wanted: tuple[int, re.Match[str]], given: tuple[int, re.Match[str]], alignment: np.ndarray
) -> float:
    """How well a number of the source, or what was shown of it, fits one of the translation."""
    number = given[1].group()
    wanted_shape, *shapes = map(_shape, (wanted[1].group(), number, show_numbers(number)))
    same = SAME_SHAPE * (wanted_shape in shapes)
    same += SAME_DIGITS * (wanted_shape.count("0") in [shape.count("0") for shape in shapes])
    return float(alignment[wanted[0], given[0]]) + same


def _shape(number: str) -> str:
    return re.sub(r"\d", "0", number).replace(",", ".")


def _is_among(words: set[str], word: str) -> bool:
    return word.lower().strip(MARKS) in words


def localized(number: str, languages: tuple[str, str]) -> str:
    """A number as the target language writes it: 1,234.5 is 1.234,5 in German, and the reverse.

    Args:
        number: as the source language writes it.
        languages: codes of source and target.
    """
    source, target = (language_facts(language).decimal_mark for language in languages)
    if source is None or target is None or source == target:
        return number
    exchanged = number.translate(str.maketrans(".,", ",."))
    with_points = number if source == "." else exchanged
    is_decimal = re.fullmatch(r"\d+\.\d+|\d{1,3}(,\d{3})+(\.\d+)?", with_points)
    return exchanged if is_decimal else number


def match(fits: Sequence[Sequence[float]]) -> dict[int, int]:
    """Gives each of what is wanted the best that is given.

    Args:
        fits: how well each one given (columns) fits each one wanted (rows).

    Returns:
        Column by row; each column once, and again only where there are more rows.
    """
    pairs = sorted((-fit, i, j) for i, row in enumerate(fits) for j, fit in enumerate(row))
    chosen: dict[int, int] = {}
    for _, i, j in pairs:
        if i not in chosen and j not in chosen.values():
            chosen[i] = j
    for _, i, j in pairs:
        chosen.setdefault(i, j)
    return chosen
