"""Measuring a run: scores, and comparison of runs.

It may import `export` and the rooms below.
"""
