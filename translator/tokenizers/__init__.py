"""Subword tokenizers: text to ids and back, pieces to words, and where tokenizers come from.

It may know `base`, `config` and `corpora`.
"""
