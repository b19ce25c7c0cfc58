"""How likely translations and their words are right, and why a line is doubtful.

It may import the core and `page`.
"""
