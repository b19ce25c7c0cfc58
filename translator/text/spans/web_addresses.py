"""Web addresses and e-mail addresses."""

import re

from translator.text.spans.verbatim import OUTSIDE_WORD, VerbatimKind

SCHEME = r"(?:https?|ftps?|sftp|file|ssh|git|wss?|s3)://"
# Bare domains end in one of these; "it" or "at" is more often a word after a full stop without
# a space.
DOMAINS = (
    "com|org|net|edu|gov|info|io|de|ch|eu|uk|fr|nl|pl|ru|cn|jp|ca|au|dev|app|ai|tv|biz"
)  # fmt: skip
INSIDE = r"[^\s<>\"“”„«»]"
OPENING = {")": "(", "]": "[", "}": "{"}
FINAL_MARKS = ".,;:!?…'’"


class WebAddressKind(VerbatimKind):
    """Web addresses: with a scheme, with www., or a domain that ends as many do."""

    pattern = re.compile(
        rf"<{SCHEME}[^\s<>]+>"
        rf"|{OUTSIDE_WORD}(?<![.@-])(?:{SCHEME}|www\.){INSIDE}+"
        rf"|{OUTSIDE_WORD}(?<![.@/-])(?:[^\W_][\w-]*\.)+(?:{DOMAINS})"
        rf"(?!_*[^\W_]|[@-])(?!\.\w)(?:[/?#:]{INSIDE}*)?",
        re.IGNORECASE,
    )

    def end_of(self, text: str, start: int, end: int) -> int:
        """Leaves out punctuation after it, and a bracket that was opened before it."""
        unopened = {
            closing: text.count(closing, start, end) - text.count(opening, start, end)
            for closing, opening in OPENING.items()
        }
        while end > start:
            last = text[end - 1]
            if unopened.get(last, 0) > 0:
                unopened[last] -= 1
            elif last not in FINAL_MARKS:
                break
            end -= 1
        return end


class EmailKind(VerbatimKind):
    """E-mail addresses, with the angle brackets around them."""

    address = r"(?:mailto:)?\w[\w.+%-]*@(?:[^\W_][\w-]*\.)+[^\W\d_]{2,}"
    pattern = re.compile(rf"<{address}>|(?<![\w.+%@-]){address}")
