"""A run written for other engines, one module for each format.

It may know `evaluation` and the rooms below.
"""
