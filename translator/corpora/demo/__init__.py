"""The bundled English-German corpus, with the alignment and the phenomena of each pair.

The history of this repository has the grammar that wrote its pairs: after ``git checkout
72ee366b``, ``python -m tools.demo_grammar`` writes them, and ``python
tools/build_demo_tokenizers.py`` the tokenizers that are trained on them.
"""

from translator.corpora.demo.pairs import (
    DemoCorpus,
    DemoPair,
    load_demo_corpus,
    read_identity,
    split_tokens,
)

__all__ = [
    "DemoCorpus",
    "DemoPair",
    "load_demo_corpus",
    "read_identity",
    "split_tokens",
]
