"""Attention of translations: records, words, measures, alignments, pictures and the explorer.

It works on recorded arrays with NumPy, and may import `runs` and the rooms below.
"""
