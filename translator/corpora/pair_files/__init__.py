"""Files of sentence pairs as they come: what a file is, and its pairs, or what it should be.

It may import `corpora.files`, `config` and the rooms below them.
"""

from translator.corpora.pair_files.columns import is_header
from translator.corpora.pair_files.reading import (
    choice_key,
    read_numbered_pairs,
    read_pairs,
    read_side_by_side,
)
from translator.corpora.pair_files.rows import AS_THEY_ARE, Wanted
from translator.corpora.pair_files.tables import read_tab_separated

__all__ = [
    "AS_THEY_ARE",
    "Wanted",
    "choice_key",
    "is_header",
    "read_numbered_pairs",
    "read_pairs",
    "read_side_by_side",
    "read_tab_separated",
]
