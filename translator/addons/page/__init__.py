"""The document and the theme that all HTML pages and pictures of the program share.

It may import `base`.
"""
