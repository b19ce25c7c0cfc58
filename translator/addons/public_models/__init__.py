"""Reads public models of other programs into runs: those of OPUS-MT.

It may import the core.
"""
