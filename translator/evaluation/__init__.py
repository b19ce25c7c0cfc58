"""Measuring a run: scores, comparison of runs, what its heads do, gold alignments.

It may import `export` and the rooms below.
"""
