"""What all HTML pages and pictures of the program share: the document around them, the theme.

It may import `base`.
"""
