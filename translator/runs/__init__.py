"""The run directory: everything that a training writes and that others use.

It may import `data` and the rooms below.
"""
