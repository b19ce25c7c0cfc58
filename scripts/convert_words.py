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


def rows_of_spellings(values: dict[str, Any] | None) -> Rows:
    """What a truecaser knew."""
    values = values or {"spellings": (), "ambiguous": {}}
    rows: Rows = {
        spelling.lower(): {} if spelling == spelling.lower() else {"spelt": {spelling: 1}}
        for spelling in values["spellings"]
    }
    for word, entry in values["ambiguous"].items():
        rows[word] = dict(zip(("spelt", "before", "after"), entry))
    for word in values.get("only_first", ()):
        rows[word]["first"] = True
    return rows


def rows_of_names(values: dict[str, Any]) -> Rows:
    """What was known of names."""
    rows: Rows = {word: {} for word in values.get("words", ())}
    for name in values.get("rare", ()):
        rows.setdefault(plain_word(name), {"new": True}).setdefault("rare", []).append(name)
    for name, translation in values.get("translations", {}).items():
        rows[plain_word(name)].setdefault("name", {})[name] = translation
    return rows


def convert(folder: Path) -> None:
    """Converts a run or an export."""
    run, old = RunDirectory(folder), (folder / "restoration.json", folder / "lexicon.json")
    paths = (*old, run.confidence, run.record)
    learnt, lexicon, confidence, record = (
        json.loads(path.read_text("utf-8")) if path.exists() else {} for path in paths
    )
    if not learnt:
        raise SystemExit(f"{folder}: expected a run with {old[0].name}, found none")
    spellings = rows_of_spellings(learnt.get("source_truecaser"))
    if confidence and confidence["source"]:
        for word in confidence["source"].pop("words"):
            spellings.setdefault(word, {"spelt": {}})
        run.confidence.write_text(json.dumps(confidence, ensure_ascii=False), "utf-8")
    source = merged(spellings, rows_of_names(learnt), lexicon)
    LearntWords(source, WordTable.of(rows_of_spellings(learnt["truecaser"]))).save(folder)
    for path in old:
        path.unlink(missing_ok=True)
    if files := record.get("files"):
        kept = {name: files[name] for name in files if (folder / name).exists()}
        own = {path.name: crc32(path) for path in run.learnt if path.exists()}
        record["files"] = dict(sorted((kept | own).items()))
    else:
        record.setdefault("finished", True)
    record["alignment"] = learnt["alignment"]
    run.record.write_text(f"{json.dumps(record, indent=1)}\n", "utf-8")
    if run.export.is_dir():
        convert(run.export)


if __name__ == "__main__":
    for each in sys.argv[1:]:
        convert(Path(each))
