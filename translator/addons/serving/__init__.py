"""The live page and the JSON API of `translator serve`.

It may import the core and every other add-on.
"""
