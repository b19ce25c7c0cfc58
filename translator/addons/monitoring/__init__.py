"""Watches trainings: warnings before one, advice after it, curves of runs, TensorBoard's scalars.

It may import the core.
"""
