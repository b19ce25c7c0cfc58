"""Writes a run for another engine.

It may import `translation` and the rooms below.
"""
