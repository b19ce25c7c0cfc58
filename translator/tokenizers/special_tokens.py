"""The special tokens, the names that readers see for them, and opening marks."""

import re

from translator.base.late import late_pattern

START = "<s>"  # begins every sentence
END = "</s>"  # ends every sentence
PADDING = "<pad>"  # fills up short sentences
UNKNOWN = "<unk>"  # stands for characters that the tokenizer has no piece for
NOT_TEXT = (START, END, PADDING)  # tokens that spell nothing

# What may begin a line for a model of several target languages, such as >>deu<<, as in OPUS-MT.
TARGET_TOKEN = late_pattern(r">>([^<>\s]+)<<")

# A piece that is a tag, such as <bt>, if no text stands before it; text begins with WORD_START.
TAG_PIECE = late_pattern(r"<(?!(?:s|unk|pad)>|0x)[A-Za-z0-9][\w-]*>", re.ASCII)

BYTE_PIECE = late_pattern(r"<0x[0-9A-F]{2}>")  # part of a character that no piece has

# Marks that copies of pairs teach, which a corpus of plain sentences hardly has; see `data.marks`.
LEARNT_MARKS = ':;–&+/"„“'

WORD_START = "▁"  # what SentencePiece writes for the space before a word

# Their ids in a model that is trained here, as SentencePiece's options.
TRAINED_IDS = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": 3}
# Their ids in BPEmb's models, which have no padding; the id after the last piece becomes it.
BPEMB_IDS = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": -1}

# A model's pieces know whether a space is before a word: "almost" is one piece after a space, and
# several after "(", as few texts have that. So text is shown to a model as "( almost)".
OPENING_MARKS = '([„“"'
APART = b"opening marks are apart"  # in the file of a model that was trained on such text
_AT_BEGINNING = rf"(?<![^\s{re.escape(OPENING_MARKS)}])([{re.escape(OPENING_MARKS)}])"
_TOGETHER = late_pattern(rf"{_AT_BEGINNING}(?=\S)")
_APART = late_pattern(rf"{_AT_BEGINNING} (?=\S)")


def write_target_token(name: str) -> str:
    """A target token as it stands in text."""
    return f">>{name}<<"


def is_tag(piece: str) -> bool:
    """Whether a piece, which no text stands before, is a tag or a target token."""
    return piece not in NOT_TEXT and bool(
        piece.startswith("<") and TAG_PIECE.fullmatch(piece) or _is_target_token(piece)
    )


def is_text(piece: str) -> bool:
    """Whether a piece is part of a sentence's text, and not a special token."""
    return piece not in NOT_TEXT and not _is_target_token(piece)


def _is_target_token(piece: str) -> bool:
    return piece.startswith(">>") and TARGET_TOKEN.fullmatch(piece) is not None


def set_apart(text: str) -> str:
    """A text with a space behind each mark that opens something."""
    has_marks = any(mark in text for mark in OPENING_MARKS)
    return _TOGETHER.sub(r"\1 ", text) if has_marks else text


def put_together(text: str) -> str:
    """A text without the spaces that `set_apart` writes."""
    return _APART.sub(r"\1", text)
