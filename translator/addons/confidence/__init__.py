"""Estimates how likely translations and their words are right; explains why a line is doubtful.

It may import the core and `page`.
"""
