"""The bundled English-German corpus, with the alignment and the phenomena of each pair.

A grammar in the history of this repository wrote its pairs. After ``git checkout 72ee366b``,
``python -m tools.demo_grammar`` writes the pairs again. ``python tools/build_demo_tokenizers.py``
trains the tokenizers on these pairs and writes them.

``pairs.tsv.xz`` is UTF-8 text, compressed by xz. Each line is a pair in five columns, separated by
tabs: English, German, the alignment of their tokens (``0-0 1-2``, as in the Pharaoh format), the
phenomena of the pair (sorted, separated by spaces), and the split of the pair.
"""

import json
import lzma
import re
from pathlib import Path
from typing import NamedTuple

PAIRS = Path(__file__).with_name("pairs.tsv.xz")
IDENTITY = Path(__file__).with_name("identity.json")
_TOKEN = re.compile(
    r"(?:Mr|Mrs)\."  # abbreviations keep their point
    r"|\d+(?:[.,:]\d+)+"  # 7:30, 1.5, 12,500
    r"|\d+\.(?= )"  # the German ordinal in "am 3. Mai"
    r"|[^\W_]+(?:['’-][^\W_]+)*"  # o'clock, hard-working
    r"|[^\w\s]"
)


class DemoPair(NamedTuple):
    """A sentence and its translation.

    Attributes:
        links: its alignment in the Pharaoh format.
        labels: its phenomena, sorted and separated by spaces.
    """

    source: str
    target: str
    links: str
    labels: str

    @property
    def source_tokens(self) -> tuple[str, ...]:
        """Words and punctuation marks of the English sentence."""
        return split_tokens(self.source)

    @property
    def target_tokens(self) -> tuple[str, ...]:
        """Words and punctuation marks of the German sentence."""
        return split_tokens(self.target)

    @property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """Sorted links (source token, target token) between words that translate each other."""
        ends = (link.split("-") for link in self.links.split())
        return tuple((int(source), int(target)) for source, target in ends)

    @property
    def phenomena(self) -> frozenset[str]:
        """Names of the grammatical phenomena that the pair shows, such as ``dative``."""
        return frozenset(self.labels.split())


class DemoCorpus(NamedTuple):
    """The demo corpus, split so that no sentence of one part is in another."""

    train: tuple[DemoPair, ...]
    validation: tuple[DemoPair, ...]
    test: tuple[DemoPair, ...]


def split_tokens(text: str) -> tuple[str, ...]:
    """Splits a sentence of the demo corpus into words and punctuation marks.

    Returns:
        The tokens; "7:30", "1.5", "Mr.", "o'clock" and the "3." of a date are one token each.
    """
    return tuple(_TOKEN.findall(text))


def load_demo_corpus() -> DemoCorpus:
    """Reads the whole corpus, in a tenth of a second."""
    splits: dict[str, list[DemoPair]] = {split: [] for split in DemoCorpus._fields}
    with lzma.open(PAIRS, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            source, target, links, labels, split = line.removesuffix("\n").split("\t")
            splits[split].append(DemoPair(source, target, links, labels))
    return DemoCorpus(*map(tuple, splits.values()))


def read_identity() -> dict[str, str]:
    """Reads the identity of these pairs. It is part of the corpus's fingerprint.

    Returns:
        The SHA-256 of each file of the grammar that wrote these pairs, by its name. The
        fingerprints of stored runs include them. Changed pairs have the SHA-256 of their own text.
    """
    return dict(json.loads(IDENTITY.read_text("utf-8")))
