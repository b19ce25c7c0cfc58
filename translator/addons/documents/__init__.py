"""Translates only the texts of files, such as web pages, subtitles, documents and tables.

It may import only the core. Each format has a module that reads a file into a `Document`. This
document can write the file with new texts.
"""
