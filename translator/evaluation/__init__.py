"""Measuring a run: scores, comparison of runs, gold alignments.

It may import `export` and the rooms below.
"""
