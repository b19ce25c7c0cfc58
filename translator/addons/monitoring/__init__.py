"""Watches trainings: gives warnings and advice, draws curves, and writes TensorBoard's scalars.

It may import the core.
"""
