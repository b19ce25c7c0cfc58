"""Takes a sentence apart: every step of a head with its numbers, as text and as a page.

It may import the core, `attention` and `page`.
"""
