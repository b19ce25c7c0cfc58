"""The file of pairs that comes with the program: its lines, and how it is compressed."""

import json
import lzma
from collections.abc import Iterable
from pathlib import Path

from translator.base.cache import sha256
from translator.corpora.demo import DemoCorpus, DemoPair


def format_line(pair: DemoPair, *further: str) -> str:
    """A line of the file: English, German, alignment, phenomena and further columns."""
    return "\t".join((*pair, *further)) + "\n"


def format_corpus(corpus: DemoCorpus) -> str:
    """The text of the file, as `translator.corpora.demo.pairs` describes it."""
    splits: Iterable[tuple[str, tuple[DemoPair, ...]]] = zip(DemoCorpus._fields, corpus)
    return "".join(format_line(pair, split) for split, pairs in splits for pair in pairs)


def read_text(path: Path) -> str:
    """The text of a file that is there; else an empty text."""
    return lzma.decompress(path.read_bytes()).decode() if path.exists() else ""


def write_corpus(corpus: DemoCorpus, path: Path, identity: Path) -> bool:
    """Writes the file of pairs, and their identity, unless it has the same pairs already.

    Another version of liblzma may compress the same text into other bytes, so the texts are
    compared, and a file with this text stays as it is.

    Args:
        corpus: the pairs.
        path: the file, ``pairs.tsv.xz``.
        identity: the file of the identity, a part of the corpus's fingerprint.

    Returns:
        Whether it was written.
    """
    text = format_corpus(corpus)
    if read_text(path) == text:
        return False
    content = text.encode()
    path.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    identity.write_text(json.dumps({path.stem: sha256(content)}, indent=1) + "\n", "utf-8")
    return True
