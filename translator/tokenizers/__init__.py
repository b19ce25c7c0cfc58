"""Subword tokenizers: text to ids and back, pieces to words, and where tokenizers come from.

It may import `corpora` and the rooms below.
"""
