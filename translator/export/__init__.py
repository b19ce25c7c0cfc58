"""Writes a run for other engines: one module per format, and `formats`, their registry.

It may import `translation` and the rooms below.
"""
