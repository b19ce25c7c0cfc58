"""Attention looked at: words, measures, alignments, what heads are worth, pictures, pages, film.

It may import the core and `page`.
"""
