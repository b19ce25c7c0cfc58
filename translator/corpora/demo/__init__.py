"""A bundled English-German corpus, drawn from a grammar: the program's demo."""

from translator.corpora.demo.corpus import (
    DemoCorpus,
    DemoPair,
    draw_pairs,
    load_demo_corpus,
    split_tokens,
)

__all__ = ["DemoCorpus", "DemoPair", "draw_pairs", "load_demo_corpus", "split_tokens"]
