"""Recorded attention, with NumPy: words, measures, alignments, pictures and the explorer.

It may import `runs` and the rooms below.
"""
