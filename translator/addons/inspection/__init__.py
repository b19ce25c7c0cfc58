"""Looks at sentence pairs before a model is trained on them: what is wrong with which pair.

It may import the core and `confidence`.
"""
