"""Patterns of what is copied as it is, for any rule that must not change it."""

import re

# Before a span that is not the end of a word; in Markdown, _ and __ may stand there
OUTSIDE_WORD = r"(?<![^\W_])(?<![^\W_]_)(?<!\w__)"
# Entities of markup's own characters, which stay entities
MARKUP = r"&(?i:amp|lt|gt|#0*(?:38|60|62)|#x0*(?:26|3c|3e));"
SYMBOL = r"(?:[A-Z][a-z]?|[Α-Ωα-ω]|\d+|[a-z]{1,2}(?![a-z]))"
ORDINAL = r"(?:st|nd|rd|th)<"
NUMBER = r"(?<![^\s<>(\"“”„«»~±−–-])(?<!\w[-–])\d[\d.,]{0,9} "  # not the end of a web address
FORMULA = re.compile(
    rf"(?<![^\W_])(?:{NUMBER})?+(?:{SYMBOL}++<(su[bp])>(?!{ORDINAL})[^<>\s]{{1,20}}</\1>)"
    rf"(?:{SYMBOL}*+<(su[bp])>[^<>\s]{{1,20}}</\2>)*+{SYMBOL}*+(?![^\W_])"
)
SCHEME = r"(?:https?|ftps?|sftp|file|ssh|git|wss?|s3)://"
# Bare domains end in one of these; "it" or "at" is more often a word after a full stop without
# a space.
DOMAINS = "com|org|net|edu|gov|info|io|de|ch|eu|uk|fr|nl|pl|ru|cn|jp|ca|au|dev|app|ai|tv|biz"
INSIDE = r"[^\s<>\"“”„«»]"
WEB_ADDRESS = re.compile(
    rf"<{SCHEME}[^\s<>]+>"
    rf"|{OUTSIDE_WORD}(?<![.@-])(?:{SCHEME}|www\.){INSIDE}+"
    rf"|{OUTSIDE_WORD}(?<![.@/-])(?:[^\W_][\w-]*\.)+(?:{DOMAINS})"
    rf"(?!_*[^\W_]|[@-])(?!\.\w)(?:[/?#:]{INSIDE}*)?",
    re.IGNORECASE,
)
