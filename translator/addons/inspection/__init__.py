"""Finds wrong sentence pairs before a model is trained on them.

It may import the core and `confidence`.
"""
