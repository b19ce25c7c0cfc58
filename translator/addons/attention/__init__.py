"""Attention: measures, alignments, the worth of heads, pictures, pages and films.

It may import the core and `page`.
"""
