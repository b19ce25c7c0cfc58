"""Shows every step of a head on one sentence with its numbers, as text and as a page.

It may import the core, `attention` and `page`.
"""
