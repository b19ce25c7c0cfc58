"""Sentence pairs: the bundled demo corpus and files of one's own."""

from translator.corpora.corpus import Corpus, SentencePairs, load_corpus, load_split
from translator.corpora.files import read_lines

__all__ = ["Corpus", "SentencePairs", "load_corpus", "load_split", "read_lines"]
