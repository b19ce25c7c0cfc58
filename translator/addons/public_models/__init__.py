"""Public models of other programs, read into runs: OPUS-MT's, in both forms they come in.

It may import the core.
"""
