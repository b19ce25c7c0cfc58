"""English-German pairs that were written for this program, under the same licence.

Only ``cldr-names.tsv`` is from Unicode's CLDR, as NOTICE says: names of countries, languages,
currencies and units.

Each file has a theme, or frequent words that are rare in Tatoeba. A file is UTF-8 text with a pair
on each line: English, a tab, German. ``validation.tsv`` and ``test.tsv`` are held out.
`tools/check_phrasebook.py` finds mistakes in them.
"""

from collections.abc import Iterator
from pathlib import Path

HELD_OUT = ("validation", "test")
FOLDER = Path(__file__).parent


def phrasebook_files() -> dict[str, list[Path]]:
    """The files of each split, in order."""
    paths = sorted(FOLDER.glob("*.tsv"))
    splits = {split: [path for path in paths if path.stem == split] for split in HELD_OUT}
    return {"train": [path for path in paths if path.stem not in HELD_OUT], **splits}


def read_phrasebook() -> dict[str, Iterator[tuple[str, str]]]:
    """The pairs of each split, English first.

    A line without a pair yields an empty pair, which cleaning drops from a training split.
    """
    return {split: _read(paths) for split, paths in phrasebook_files().items()}


def _read(paths: list[Path]) -> Iterator[tuple[str, str]]:
    for path in paths:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                columns = line.rstrip("\n").split("\t")
                yield (columns[0], columns[1]) if len(columns) == 2 else ("", "")
