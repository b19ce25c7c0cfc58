"""Turns the public models of OPUS-MT into runs.

It may import the core.
"""
