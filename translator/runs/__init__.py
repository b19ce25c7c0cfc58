"""The run directory and the weights in it: all that a training leaves for others to use.

It may know `data` and the rooms below.
"""
