"""Makes a new run from the mean of weights: of validations of one run, or of two runs.

It may import the core.
"""
