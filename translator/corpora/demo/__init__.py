"""The bundled English-German corpus, with the alignment and the phenomena of each pair.

`tools/demo_grammar` wrote its pairs, and `tools/build_demo_tokenizers.py` its tokenizers.
"""

from translator.corpora.demo.pairs import (
    DemoCorpus,
    DemoPair,
    iterate_demo_pairs,
    load_demo_corpus,
    read_identity,
    split_tokens,
)

__all__ = [
    "DemoCorpus",
    "DemoPair",
    "iterate_demo_pairs",
    "load_demo_corpus",
    "read_identity",
    "split_tokens",
]
