"""Attention: its measures, alignments, what heads are worth, pictures, pages and films.

It may import the core and `page`.
"""
