"""Tokenizers whose tokens are single letters, and readers with them."""

from collections.abc import Mapping

from translator.corpora.tags import split_tags
from translator.text.casing import CaseReader
from translator.text.marks import LineMarks
from translator.text.masking import Masker
from translator.text.names import NameModel
from translator.text.preprocessing import Preprocessor
from translator.text.read_lines import CodecOptions
from translator.text.reading import LineReader
from translator.text.stages import Capitals, Marks
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

    def pieces(self, ids):
        tags = {1000 + number: f"<{tag}>" for number, tag in enumerate(self.tags)}
        return [tags.get(i, piece) for i, piece in zip(ids, super().pieces(ids))]

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
    preprocessor, chosen = Preprocessor(masker, bool(tokenizer.masks)), CodecOptions(**options)
    masks = preprocessor.masks(chosen.prefix, chosen.glossary)
    marks = LineMarks(masks.find_fixed)
    stages = (
        Marks(marks, other, WordTable(), chosen.prefix),
        Capitals(case_reader, None, masks),
        *preprocessor.stages(masks),
    )
    shown_by = () if chosen.raw else stages
    return LineReader(tokenizer, max_length, shown_by, masks, marks, chosen, tag_counts)
