"""An explanation as lines of text for a terminal. NumPy only."""

import textwrap
from collections.abc import Iterator, Sequence

import numpy as np

from translator.addons.explanation.explain import Explanation
from translator.addons.explanation.next_tokens import (
    EXPLAINED,
    NextTokens,
    small_percent,
    tree_lines,
)
from translator.addons.explanation.steps import Step
from translator.translation.records import KINDS

INDENT = 4
SHOWN_NUMBERS = 6  # of a vector
SHOWN_TOKENS = 5  # that may follow
UNBROKEN = "\u00a0"  # a space at which no line breaks
BLOCKS = " ▏▎▍▌▋▊▉█"  # from 0 to 8 eighths of a character
LETTERS_OF_BAR = 8


def explanation_lines(explanation: Explanation, width: int = 100) -> Iterator[str]:
    """Every step with the numbers of one row."""
    labels, row = explanation.labels, explanation.row
    kind = KINDS[explanation.kind]
    yield from textwrap.wrap(f"{explanation.source}  →  {explanation.target}", width)
    yield f"layer {explanation.layer}, head {explanation.head}, {kind}"
    yield ""
    yield from _pieces("source", labels.source, explanation.source_ids, width)
    yield from _pieces("target", labels.reads, explanation.target_ids, width)
    yield ""
    if explanation.kind == "encoder":
        yield f"Row {row + 1} of {len(labels.source)}: {labels.source[row]}"
    else:
        yield (
            f"Row {row + 1} of {len(labels.reads)}: the decoder reads {labels.reads[row]} and"
            f" writes {labels.writes[row]}"
        )
    group = ""
    for number, step in enumerate(explanation.steps, start=1):
        if step.group != group:
            group = step.group
            yield from ("", group.upper())
        yield ""
        yield from _step(number, step, explanation, width)
    if explanation.kind != "encoder":
        yield ""
        yield from _next_token(len(explanation.steps) + 1, explanation, width)
    yield ""
    yield "At each position: the piece that was written, and the most probable pieces"
    yield from _along(explanation.labels.writes, explanation.following, width)
    yield ""
    yield "The same without this head"
    yield from _along(explanation.labels.writes, explanation.without, width)
    if explanation.branches:
        yield ""
        yield "Hypotheses that the search kept: each part with the share of its first piece"
        yield from tree_lines(explanation.branches)


def _pieces(side: str, pieces: Sequence[str], ids: Sequence[int], width: int) -> Iterator[str]:
    text = "  ".join(f"{piece} {number}" for piece, number in zip(pieces, ids))
    yield from textwrap.wrap(
        f"{side}: {text}", width, subsequent_indent=" " * (len(side) + 2), break_on_hyphens=False
    )


def _step(number: int, step: Step, explanation: Explanation, width: int) -> Iterator[str]:
    yield _title(number, step.name, step.formula, step.shape, width)
    yield from _indented(step.text, width)
    row = explanation.strongest_key if step.is_of_keys else explanation.row
    if step.columns is None:
        yield _vector(step.rows[row], step.numbers[row])
    else:
        yield from _named(step.columns, step.numbers[row], step.kind, width)


def _title(number: int, name: str, formula: str, shape: str, width: int) -> str:
    left = f"{number:>2}  {name}:  {formula}"
    return f"{left}{shape:>{max(2, width - len(left))}}"


def _indented(text: str, width: int) -> list[str]:
    pad = " " * INDENT
    return textwrap.wrap(text, width, initial_indent=pad, subsequent_indent=pad)


def _vector(label: str, numbers: np.ndarray) -> str:
    text = "  ".join(f"{number:.3f}" for number in numbers[:SHOWN_NUMBERS])
    length = float(np.linalg.norm(numbers))
    return f"{' ' * INDENT}{label}:  {text}  …  (length {length:.3f})"


def _named(columns: Sequence[str], numbers: np.ndarray, kind: str, width: int) -> Iterator[str]:
    """The numbers of a row, each with the label of its column."""
    if kind == "share":
        longest = max(map(len, columns))
        for label, number in zip(columns, numbers):
            yield f"{' ' * INDENT}{label:<{longest}}  {number:7.2%}  {_bar(float(number))}".rstrip()
        return
    written = [
        ("yes" if number else "hidden") if kind == "mask" else f"{number:.3f}" for number in numbers
    ]
    texts = (f"{label} {text}".replace(" ", UNBROKEN) for label, text in zip(columns, written))
    yield from (line.replace(UNBROKEN, " ") for line in _indented("   ".join(texts), width))


def _next_token(number: int, explanation: Explanation, width: int) -> Iterator[str]:
    following = explanation.following[explanation.row]
    yield _title(
        number,
        "next token",
        explanation.output_formula,
        f"{len(explanation.following)} x vocabulary",
        width,
    )
    yield from _indented(EXPLAINED, width)
    tokens = following.tokens[:SHOWN_TOKENS]
    longest = max(map(len, tokens))
    for token, share in zip(tokens, following.probabilities):
        yield f"{' ' * INDENT}{token:<{longest}}  {share:7.2%}  {_bar(share)}".rstrip()


def _along(written: Sequence[str], following: Sequence[NextTokens], width: int) -> Iterator[str]:
    """A line for each position: the written piece, and the pieces that were probable there."""
    longest = max(map(len, written))
    for piece, probable in zip(written, following):
        line = f"{' ' * INDENT}{piece:<{longest}} "
        for token, share in zip(probable.tokens[:SHOWN_TOKENS], probable.probabilities):
            addition = f"  {token} {small_percent(share)}"
            if len(line) + len(addition) > width:
                break
            line += addition
        yield line


def _bar(share: float) -> str:
    whole, eighths = divmod(round(share * LETTERS_OF_BAR * 8), 8)
    return "█" * whole + BLOCKS[eighths].strip()
