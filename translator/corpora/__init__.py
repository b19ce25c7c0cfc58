"""Sentence pairs of known corpora and of the user's own files, cleaned and split.

It may import `config` and the rooms below.
"""
