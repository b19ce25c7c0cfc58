"""The live page and the JSON API of `translator serve`.

It may import `explanation` and the rooms below.
"""
