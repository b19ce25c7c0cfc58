"""Watches trainings: warnings before, advice after, curves of runs, TensorBoard's scalars.

It may import the core.
"""
