"""The run directory: everything that a training writes and that other rooms use.

It may import `data` and the rooms below.
"""
