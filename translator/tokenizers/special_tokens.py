"""The special tokens, and the names that pieces, records and pictures show for them."""

import re

START = "<s>"  # begins every sentence
END = "</s>"  # ends every sentence
PADDING = "<pad>"  # fills up short sentences
UNKNOWN = "<unk>"  # stands for characters that the tokenizer has no piece for
NOT_TEXT = (START, END, PADDING)  # tokens that spell nothing

# What may begin a line for a model of several target languages, such as >>deu<<, as in OPUS-MT.
TARGET_TOKEN = re.compile(r">>([^<>\s]+)<<")

# A piece that is a tag, such as <bt>, if no text stands before it; text begins with WORD_START.
TAG_PIECE = re.compile(r"<(?!(?:s|unk|pad)>|0x)[A-Za-z0-9][\w-]*>", re.ASCII)

BYTE_PIECE = re.compile(r"<0x[0-9A-F]{2}>")  # part of a character that no piece has

# Marks that copies of pairs teach, which a corpus of plain sentences hardly has; see `data.marks`.
LEARNT_MARKS = ':;–&+/"„“'

WORD_START = "▁"  # what SentencePiece writes for the space before a word

# Their ids in a model that is trained here, as SentencePiece's options.
TRAINED_IDS = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": 3}
# Their ids in BPEmb's models, which have no padding; the id after the last piece becomes it.
BPEMB_IDS = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": -1}


def write_target_token(name: str) -> str:
    """A target token as it stands in text."""
    return f">>{name}<<"


def is_tag(piece: str) -> bool:
    """Whether a piece, which no text stands before, is a tag or a target token."""
    return bool(TAG_PIECE.fullmatch(piece) or TARGET_TOKEN.fullmatch(piece))


def is_text(piece: str) -> bool:
    """Whether a piece is part of a sentence's text, and not a special token."""
    return piece not in NOT_TEXT and not TARGET_TOKEN.fullmatch(piece)
