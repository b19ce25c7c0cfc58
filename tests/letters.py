"""Tokenizers whose tokens are single letters."""

from translator.corpora import split_tags


class Letters:
    """Spells lower-case letters and punctuation, one token each."""

    language, masks_digits, lowercases, has_start = "en", False, False, True

    def encode(self, texts, reads_tags=True):
        return [
            [0, *(ord(c) if c.islower() else 2 for c in t if not c.isspace()), 1] for t in texts
        ]

    def spells(self, ids):
        return any(i > 2 for i in ids)

    def split_tags(self, line):
        return [], line

    def ids_of_tags(self, names):
        return []


class TaggedLetters(Letters):
    """The same with tags, 1000 and 1001."""

    tags = ("bt", "news")

    def pieces(self, ids):
        return [{0: "<s>", 1: "</s>"}.get(i, f"▁{chr(i)}") for i in ids]

    def split_tags(self, line):
        names, text = split_tags(line, self.tags)
        return self.ids_of_tags(names), text

    def ids_of_tags(self, names):
        return [1000 + self.tags.index(name) for name in names]
