"""Translates text with a trained run: the translator, its options and results, streams of lines.

It may import `search` and the rooms below.
"""
