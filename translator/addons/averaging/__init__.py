"""Makes a new run from a mean of weights, from several validations of a run or from two runs.

It may import the core.
"""
