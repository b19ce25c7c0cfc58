"""Recognises the form of files of sentence pairs and reads them, or says what is wrong.

It may import `corpora.files`, `config` and the rooms below them.
"""

from translator.corpora.pair_files.columns import is_header
from translator.corpora.pair_files.reading import (
    choice_key,
    read_numbered_pairs,
    read_pairs,
    read_side_by_side,
)
from translator.corpora.pair_files.rows import AS_THEY_ARE, ReadOptions
from translator.corpora.pair_files.tables import read_tab_separated

__all__ = [
    "AS_THEY_ARE",
    "ReadOptions",
    "choice_key",
    "is_header",
    "read_numbered_pairs",
    "read_pairs",
    "read_side_by_side",
    "read_tab_separated",
]
