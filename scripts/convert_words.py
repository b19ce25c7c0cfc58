"""Converts what runs of version 0.2.0 know of words: python scripts/convert_words.py RUN...

``source.words`` and ``target.words`` take the place of ``restoration.json`` and ``lexicon.json``,
and ``run.json`` names the heads that align. The export of a run is converted too.
"""

import json
import sys
from pathlib import Path
from typing import Any

from translator.base.cache import crc32
from translator.runs.directory import RunDirectory
from translator.text.learnt_words import LearntWords, merged
from translator.text.punctuation import plain_word
from translator.text.word_table import WordTable

Rows = dict[str, dict[str, Any]]


def read_json(path: Path) -> dict[str, Any]:
    """The values of a file; none if there is no such file."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def rows_of_spellings(values: dict[str, Any]) -> Rows:
    """What a truecaser knew."""
    spelt = {spelling.lower(): {spelling: 1} for spelling in values.get("spellings", ())}
    rows: Rows = {word: {} if word in its else {"spelt": its} for word, its in spelt.items()}
    for word in values.get("only_first", ()):
        rows[word]["first"] = True
    for word, entry in values.get("ambiguous", {}).items():
        rows[word] = dict(zip(("spelt", "before", "after"), entry))
    return rows


def rows_of_names(values: dict[str, Any]) -> Rows:
    """What was known of names."""
    rows: Rows = {word: {} for word in values.get("words", ())}
    for name in values.get("rare", ()):
        rows.setdefault(plain_word(name), {"new": True}).setdefault("rare", []).append(name)
    for name, translation in values.get("translations", {}).items():
        rows.setdefault(plain_word(name), {}).setdefault("name", {})[name] = translation
    return rows


def convert(folder: Path) -> None:
    """Converts a run or an export."""
    old = folder / "restoration.json", folder / "lexicon.json"
    learnt, lexicon = map(read_json, old)
    if not learnt:
        raise SystemExit(f"{folder}: expected a run with {old[0].name}, found none")
    for path in old:
        path.unlink(missing_ok=True)
    run = RunDirectory(folder)
    spellings = rows_of_spellings(learnt.get("source_truecaser") or {})
    confidence = read_json(run.confidence)
    if confidence:
        for word in (confidence["source"] or {}).pop("words", ()):
            spellings.setdefault(word, {"spelt": {}})
        run.confidence.write_text(json.dumps(confidence, ensure_ascii=False), "utf-8")
    source = merged(spellings, rows_of_names(learnt), lexicon)
    LearntWords(source, WordTable.of(rows_of_spellings(learnt["truecaser"] or {}))).save(folder)
    values = read_json(run.record)
    values["alignment"] = learnt["alignment"]
    if values.get("files"):
        own = [*filter(Path.exists, run.learnt)]
        kept = {name: values["files"][name] for name in values["files"] if (folder / name).exists()}
        values["files"] = dict(sorted((kept | {path.name: crc32(path) for path in own}).items()))
    else:
        values.setdefault("finished", True)
    run.record.write_text(f"{json.dumps(values, indent=1)}\n", "utf-8")
    if run.export.is_dir():
        convert(run.export)


if __name__ == "__main__":
    for each in sys.argv[1:]:
        convert(Path(each))
