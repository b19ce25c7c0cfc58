"""Writes a run for other engines: a module for the format, and `formats` for the folder.

It may import `translation` and the rooms below.
"""
