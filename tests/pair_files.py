"""Writes the same sentence pairs in each form that is read."""

import bz2
import csv
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

import polib

Pairs = Sequence[tuple[str, str]]


def separated(rows: Sequence[Sequence[str]], mark: str = ",", **options) -> bytes:
    """A table as spreadsheets write it."""
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=mark, **options).writerows(rows)
    return file.getvalue().encode()


def tsv(pairs: Pairs) -> bytes:
    return "".join(f"{source}\t{target}\n" for source, target in pairs).encode()


def side(pairs: Pairs, number: int) -> bytes:
    return "".join(f"{pair[number]}\n" for pair in pairs).encode()


def records(pairs: Pairs) -> bytes:
    found = ({"id": n, "en": pair[0], "de": pair[1]} for n, pair in enumerate(pairs))
    return "".join(f"{json.dumps(record)}\n" for record in found).encode()


def translations(pairs: Pairs) -> bytes:
    found = ({"translation": {"de": target, "en": source}} for source, target in pairs)
    return "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in found).encode()


def tmx(pairs: Pairs, more: str = "") -> bytes:
    units = "".join(
        f'<tu><note>no text</note><tuv xml:lang="de-DE"><seg>{escape(target)}</seg></tuv>'
        f'<tuv xml:lang="en"><seg><bpt i="1">&lt;b&gt;</bpt>{escape(source)}</seg></tuv>'
        f"{more}</tu>\n"
        for source, target in pairs
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'
        f'<tmx version="1.4"><header srclang="en"/><body>\n{units}</body></tmx>\n'
    ).encode()


def xliff(pairs: Pairs) -> bytes:
    units = "".join(
        f'<trans-unit id="{n}"><source>{escape(source)}</source><target><g id="1">'
        f"{escape(target)}</g></target><alt-trans><source>A</source><target>B</target></alt-trans>"
        "</trans-unit>\n"
        for n, (source, target) in enumerate(pairs)
    )
    return (
        '<xliff version="1.2"><file source-language="en-GB" target-language="de"><body>\n'
        f'{units}<trans-unit id="x"><source>New.</source></trans-unit></body></file></xliff>\n'
    ).encode()


def xliff_2(pairs: Pairs) -> bytes:
    units = "".join(
        f'<unit id="{n}"><segment><source>{escape(source)}</source><target>{escape(target)}'
        "</target></segment></unit>\n"
        for n, (source, target) in enumerate(pairs)
    )
    return f'<xliff version="2.0" srcLang="en" trgLang="de"><file>{units}</file></xliff>'.encode()


def catalogue(pairs: Pairs, language: str = "de") -> bytes:
    made = polib.POFile()
    made.metadata = {"Content-Type": "text/plain; charset=utf-8", "Language": language}
    for number, (source, target) in enumerate(pairs):
        made.append(polib.POEntry(msgid=source, msgstr=target, msgctxt=str(number)))
    made.append(polib.POEntry(msgid="New."))
    made.append(polib.POEntry(msgid="Doubtful.", msgstr="Zweifelhaft.", flags=["fuzzy"]))
    return str(made).encode()


def archive(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return file.getvalue()


def opus(pairs: Pairs) -> bytes:
    sides = {"News.de-en.de": side(pairs, 1), "News.de-en.en": side(pairs, 0)}
    return archive({"README": b"x", "LICENSE": b"", **sides, "News.de-en.xml": b"<cesAlign/>"})


FORMS: dict[str, Callable[[Pairs], bytes]] = {
    "plain.tsv": tsv,
    "bom.tsv": lambda pairs: b"\xef\xbb\xbf" + tsv(pairs),
    "comma.csv": separated,
    "semicolon.csv": lambda pairs: separated(pairs, ";"),
    "all-quoted.csv": lambda pairs: separated(pairs, quoting=csv.QUOTE_ALL),
    "header.csv": lambda pairs: separated([("id", "de", "en"), *_numbered(pairs)], ";"),
    "unicode.txt": lambda pairs: separated(pairs, "\t").decode().encode("utf-16"),
    "flat.jsonl": records,
    "hugging-face.jsonl": translations,
    "memory.tmx": tmx,
    "memory-utf-16.tmx": lambda pairs: tmx(pairs).decode().encode("utf-16"),
    "texts.xlf": xliff,
    "texts-2.xlf": xliff_2,
    "catalogue.po": catalogue,
    "packed.tsv.gz": lambda pairs: gzip.compress(tsv(pairs)),
    "packed.tmx.xz": lambda pairs: lzma.compress(tmx(pairs)),
    "packed.csv.bz2": lambda pairs: bz2.compress(separated(pairs)),
    "one.zip": lambda pairs: archive({"deu.txt": tsv(pairs), "_about.txt": b"Read me."}),
    "opus.zip": opus,
}


def _numbered(pairs: Pairs) -> list[tuple[str, str, str]]:
    return [(str(n), target, source) for n, (source, target) in enumerate(pairs)]
