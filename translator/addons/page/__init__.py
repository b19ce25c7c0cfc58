"""What all HTML pages of the program share: the document around them, the theme, small helpers.

It may import `base`.
"""
