"""A bundled English-German corpus, drawn from a grammar, with its true word alignments."""

from translator.corpora.demo.corpus import (
    DemoCorpus,
    draw_pairs,
    load_demo_corpus,
    read_identity,
)
from translator.corpora.demo.pairs import DemoPair, split_tokens
from translator.corpora.demo.phenomena import PHENOMENA

__all__ = [
    "PHENOMENA",
    "DemoCorpus",
    "DemoPair",
    "draw_pairs",
    "load_demo_corpus",
    "read_identity",
    "split_tokens",
]
