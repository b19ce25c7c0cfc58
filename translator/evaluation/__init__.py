"""Measuring a run: scores, comparison of runs, what its heads do, gold alignments.

It may import `translation` and the rooms below.
"""
