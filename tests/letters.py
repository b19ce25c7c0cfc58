"""Tokenizers whose tokens are single letters, and readers with them."""

from collections.abc import Mapping

from translator.corpora import split_tags
from translator.text.casing import CaseReader
from translator.text.masking import Masker
from translator.text.names import NameModel
from translator.text.preprocessing import Preprocessor
from translator.text.read_lines import CodecOptions
from translator.text.reading import LineReader
from translator.text.word_table import WordTable


class Letters:
    """Spells lower-case letters and punctuation, one token each."""

    language, masks_digits, lowercases, has_start = "en", False, False, True
    masks: dict[str, int] = {}

    def encode(self, texts, reads_tags=True):
        return [
            [0, *(ord(c) if c.islower() else 2 for c in t if not c.isspace()), 1] for t in texts
        ]

    def pieces(self, ids):
        return [{0: "<s>", 1: "</s>"}.get(i, f"▁{chr(i)}") for i in ids]

    def spells(self, ids):
        return any(i > 2 for i in ids)

    def split_tags(self, line):
        return [], line

    def ids_of_tags(self, names):
        return []


class TaggedLetters(Letters):
    """The same with tags, 1000 and 1001."""

    tags = ("bt", "news")

    def split_tags(self, line):
        names, text = split_tags(line, self.tags)
        return self.ids_of_tags(names), text

    def ids_of_tags(self, names):
        return [1000 + self.tags.index(name) for name in names]


def reader_of(
    tokenizer,
    max_length: int = 64,
    case_reader: CaseReader | None = None,
    tag_counts: Mapping[str, int] = {},  # noqa: B006
    **options,
) -> LineReader:
    """A reader of lines that knows no words, with some options."""
    other = "en" if tokenizer.language == "de" else "de"
    masker = Masker((tokenizer.language, other), NameModel(WordTable()))
    shower = Preprocessor(masker, bool(tokenizer.masks))
    chosen = CodecOptions(**options)
    return LineReader(tokenizer, max_length, shower, case_reader, chosen, tag_counts=tag_counts)
