"""Measuring a run: scores, comparison of runs, what heads do, gold alignments.

It may know `translation` and the rooms below.
"""
