"""Finds stand-ins in a translation by alignment, and puts the spans of the source back."""

from collections.abc import Sequence

import numpy as np

from translator.text.spans.kind import Place, ShownWord, SpanKind


def restore_spans(
    kind: SpanKind, words: Sequence[str], source: Sequence[ShownWord], alignment: np.ndarray
) -> list[str]:
    """Replaces the stand-ins of a translation by the spans that they stand for.

    Each stand-in gets the span that fits it best, by the attention between their words
    and by what the kind says of the two.

    Args:
        kind: of the spans.
        words: of the translation.
        source: the words of the source.
        alignment: (words, source) how much each word attended to each source word.

    Returns:
        The words of the translation with the spans in them.
    """
    given = [(s, text) for s, word in enumerate(source) for text in kind.find_given(word)]
    stand_ins = [(t, span) for t, word in enumerate(words) for span in kind.find_stand_ins(word)]
    fits = [
        [float(alignment[t, s]) + kind.fit(stand_in.text, text) for s, text in given]
        for t, stand_in in stand_ins
    ]
    chosen = match(fits)
    originals = [word.given for word in source]
    restored = list(words)
    for i, (t, stand_in) in reversed(list(enumerate(stand_ins))):
        if i in chosen:
            s, text = given[chosen[i]]
            new = kind.write(Place(stand_in.text, text, originals, s, words, t))
            restored[t] = restored[t][: stand_in.start] + new + restored[t][stand_in.end :]
    return restored


def match(fits: Sequence[Sequence[float]]) -> dict[int, int]:
    """Assigns columns to rows greedily, the best fits first.

    Args:
        fits: how well each column fits each row.

    Returns:
        Column by row. Each column is used once, and again only if there are more rows.
    """
    pairs = sorted((-fit, i, j) for i, row in enumerate(fits) for j, fit in enumerate(row))
    chosen: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in pairs:
        if i not in chosen and j not in used:
            chosen[i] = j
            used.add(j)
    for _, i, j in pairs:
        chosen.setdefault(i, j)
    return chosen


def align_source(
    text: str, shown: Sequence[ShownWord], seen: Sequence[str], kinds: Sequence[SpanKind]
) -> list[ShownWord]:
    """The source words as they were given, one for each word that the tokenizer has.

    Args:
        text: the sentence as it was given.
        shown: its words as the model was shown them.
        seen: its words as the tokenizer has them; unusual spaces may divide them differently.
        kinds: the kinds that are carried over.
    """
    if len(shown) == len(seen):
        return list(shown)
    for kind in kinds:
        words = kind.realign(text, seen)
        if words is not None:
            return [ShownWord(word, word) for word in words]
    return [ShownWord(word, word) for word in seen]
