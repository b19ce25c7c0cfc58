"""Sentence pairs of known corpora and of the user's own files, cleaned and split.

It may import `config` and the rooms below.
"""

from translator.corpora.cleaning import drop_held_out
from translator.corpora.corpus import Corpus, load_corpus, load_held_out, read_synthetic
from translator.corpora.files import read_lines
from translator.corpora.pairs import SentencePairs
from translator.corpora.registry import (
    fetch_corpus,
    fingerprint,
    known_corpora,
    synthetic_fingerprint,
)

__all__ = [
    "Corpus",
    "SentencePairs",
    "drop_held_out",
    "fetch_corpus",
    "fingerprint",
    "known_corpora",
    "load_corpus",
    "load_held_out",
    "read_lines",
    "read_synthetic",
    "synthetic_fingerprint",
]
