"""The configuration of a run: its schema, and the YAML file that it is read from.

It may import `base`.
"""
