"""Writes a run for other engines: one module per format, and `formats`, their registry.

It may know `evaluation` and the rooms below.
"""
