"""The special tokens, the names that readers see for them, and opening marks."""

import re

from translator.base.late import late_pattern

START = "<s>"  # begins every sentence
END = "</s>"  # ends every sentence
PADDING = "<pad>"  # fills up short sentences
UNKNOWN = "<unk>"  # replaces characters that the tokenizer has no piece for
NOT_TEXT = (START, END, PADDING)  # tokens that spell nothing

# The first token of a line for a model of several target languages, such as >>deu<< in OPUS-MT.
TARGET_TOKEN = late_pattern(r">>([^<>\s]+)<<")

# A tag, such as <bt>. It is a tag only before any text, which begins with WORD_START.
TAG_PIECE = late_pattern(r"<(?!(?:s|unk|pad)>|0x)[A-Za-z0-9][\w-]*>", re.ASCII)

BYTE_PIECE = late_pattern(r"<0x[0-9A-F]{2}>")  # a byte of a character that has no piece

# Marks that a corpus of plain sentences hardly has. Copies of pairs teach them; see `data.marks`.
LEARNT_MARKS = ':;–&+/"„“'

WORD_START = "▁"  # what SentencePiece writes for the space before a word

# The ids of special tokens in a model that is trained here, as SentencePiece's options.
TRAINED_IDS = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": 3}
# Their ids in BPEmb's models, which have no padding. Padding gets the id after the last piece.
BPEMB_IDS = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": -1}

# A model's pieces depend on the space before a word: "almost" is one piece after a space, but
# several pieces after "(", which is rare. So a model is shown "( almost)".
OPENING_MARKS = '([„“"'
APART = b"opening marks are apart"  # in the file of a model that was trained on such text
_AT_BEGINNING = rf"(?<![^\s{re.escape(OPENING_MARKS)}])([{re.escape(OPENING_MARKS)}])"
_TOGETHER = late_pattern(rf"{_AT_BEGINNING}(?=\S)")
_APART = late_pattern(rf"{_AT_BEGINNING} (?=\S)")


def write_target_token(name: str) -> str:
    """The target token of a name, in the form for text."""
    return f">>{name}<<"


def is_tag(piece: str) -> bool:
    """Whether a piece is a tag or a target token. No text may be before it."""
    return piece not in NOT_TEXT and bool(
        piece.startswith("<") and TAG_PIECE.fullmatch(piece) or _is_target_token(piece)
    )


def is_text(piece: str) -> bool:
    """Whether a piece is part of a sentence's text, and not a special token."""
    return piece not in NOT_TEXT and not _is_target_token(piece)


def _is_target_token(piece: str) -> bool:
    return piece.startswith(">>") and TARGET_TOKEN.fullmatch(piece) is not None


def set_apart(text: str) -> str:
    """A text with a space after each opening mark."""
    has_marks = any(mark in text for mark in OPENING_MARKS)
    return _TOGETHER.sub(r"\1 ", text) if has_marks else text


def put_together(text: str) -> str:
    """A text without the spaces that `set_apart` added."""
    return _APART.sub(r"\1", text)
