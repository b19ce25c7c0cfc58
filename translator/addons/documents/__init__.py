"""Files whose texts are translated, and nothing else: web pages, subtitles, documents, tables.

It may import the core alone. A module of a format reads a file into a `Document`, which writes the
file again with other texts.
"""
