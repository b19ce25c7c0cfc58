"""Attention between words as lines of text. NumPy only."""

from translator.addons.attention.word_maps import hide_ends, merge_words
from translator.text.word_alignment import PointingHeads
from translator.translation.records import AttentionRecord

LEAST_SHARE = 0.1  # of a word's attention, for a source word to be named
MOST_WORDS = 3  # source words that are named for a target word
BLOCKS = " ▏▎▍▌▋▊▉█"  # eighths of a bar of one character
WIDTH = 8  # characters of a whole bar


def strongest_words(record: AttentionRecord, heads: PointingHeads) -> list[str]:
    """A line for each word of a translation, with the source words that it looked at most.

    Args:
        record: of a sentence and its translation.
        heads: the mean of their cross-attention is shown, without start and end.

    Returns:
        Lines such as ``Hund  ███████▍ dog 93 %``, with the bars below one another.
    """
    maps = merge_words(hide_ends(record.maps("cross")))
    weights = maps.scores[heads.layer, list(heads.heads)].mean(axis=0)
    width = max(map(len, maps.queries), default=0)
    rows = []
    for word, row in zip(maps.queries, weights):
        order = [i for i in row.argsort()[::-1][:MOST_WORDS] if row[i] >= LEAST_SHARE]
        named = [f"{maps.keys[i]} {row[i]:.0%}" for i in order]
        drawn = bar(float(row[order[0]])) if order else ""
        rows.append(f"{word:<{width}}  {drawn:<{WIDTH}} {', '.join(named)}".rstrip())
    return rows


def bar(share: float) -> str:
    """A bar of at most `WIDTH` characters for a share from 0 to 1."""
    whole, eighths = divmod(round(share * WIDTH * 8), 8)
    return "█" * whole + BLOCKS[eighths].strip()
