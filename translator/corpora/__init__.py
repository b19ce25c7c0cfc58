"""Sentence pairs of known corpora and of the user's own files, cleaned and split.

It may import `config` and the rooms below.
"""

from translator.corpora.cleaning import drop_held_out
from translator.corpora.corpus import (
    Corpus,
    HeldOutPairs,
    load_corpus,
    load_held_out,
    read_mixed,
    with_set_aside,
)
from translator.corpora.files import read_lines
from translator.corpora.pairs import SentencePairs
from translator.corpora.registry import (
    describe_corpora,
    fetch_corpus,
    fingerprint,
    is_at_hand,
    known_corpora,
    known_corpus,
    mixed_fingerprint,
)
from translator.corpora.sizes import CorpusSize, measure_corpus
from translator.corpora.tags import first_tag, split_tags, untagged, write_tag

__all__ = [
    "Corpus",
    "CorpusSize",
    "HeldOutPairs",
    "SentencePairs",
    "describe_corpora",
    "drop_held_out",
    "fetch_corpus",
    "fingerprint",
    "first_tag",
    "is_at_hand",
    "known_corpora",
    "known_corpus",
    "load_corpus",
    "load_held_out",
    "measure_corpus",
    "mixed_fingerprint",
    "read_lines",
    "read_mixed",
    "split_tags",
    "untagged",
    "write_tag",
    "with_set_aside",
]
