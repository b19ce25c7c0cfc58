"""Text to translations with a trained run: the translator, its results, streams of lines.

It may know `search` and the rooms below.
"""
