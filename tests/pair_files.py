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
    "bars.csv": lambda pairs: separated(pairs, "|"),
    "fast_align.txt": lambda pairs: tsv(pairs).replace(b"\t", b" ||| "),
    "header.csv": lambda pairs: separated([("id", "de", "en"), *_numbered(pairs)], ";"),
    "unicode.txt": lambda pairs: separated(pairs, "\t").decode().encode("utf-16"),
    "flat.jsonl": records,
    "hugging-face.jsonl": translations,
    "memory.tmx": tmx,
    "memory-utf-16.tmx": lambda pairs: tmx(pairs).decode().encode("utf-16"),
    "packed.tsv.gz": lambda pairs: gzip.compress(tsv(pairs)),
    "packed.tmx.xz": lambda pairs: lzma.compress(tmx(pairs)),
    "packed.csv.bz2": lambda pairs: bz2.compress(separated(pairs)),
    "one.zip": lambda pairs: archive({"deu.txt": tsv(pairs), "_about.txt": b"Read me."}),
    "opus.zip": opus,
}


def _numbered(pairs: Pairs) -> list[tuple[str, str, str]]:
    return [(str(n), target, source) for n, (source, target) in enumerate(pairs)]


RECORD = '{"en": "One.", "de": "Eins."}'
NAMED: dict[str, tuple[bytes, str]] = {  # what is not read: its content, and what is said
    "a.xlsx": (archive({"[Content_Types].xml": b"x"}), "an Office document; save its table as CSV"),
    "a.ods": (archive({"mimetype": b"x", "content.xml": b""}), "an Office document; save its"),
    "a.xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), "an old Office file; save it as"),
    "a.pdf": (b"%PDF-1.7\n\x00\x01", "a PDF; write its text with pdftotext"),
    "a.html": (b"<!DOCTYPE html>\n<html></html>", "a web page"),
    "b.html": (
        b'<table border="1">\n<tr><td>One.</td></tr>\n',
        "a web page; download the file that it links to, or save",
    ),
    "a.sgm": (b'<srcset setid="a" srclang="any">\n<seg id="1">One.</seg>\n', "SGML, as WMT uses"),
    "a.xml": (b'<?xml version="1.0"?>\n<corpus/>', "XML; write its pairs as TMX or CSV"),
    "a.json": (f"[\n {RECORD}\n]\n".encode(), "JSON, but not a record on each line; write it"),
    "b.json": (b'{\n "en": "a"\n}\n', "JSON, but not a record on each line; write it as JSONL"),
    "c.json": (b'["a", "b"]\n["c", "d"]\n', "record on each line; write it as JSONL, for"),
    "d.json": (b'{"en": "a",\n "de": "b"}', "JSON, but not a record on each line"),
    "a.tar": (bytes(257).replace(b"\0", b"a") + b"ustar" + bytes(99), "an archive; unpack it, and"),
    "a.tar.gz": (
        gzip.compress(bytes(257).replace(b"\0", b"a") + b"ustar" + bytes(99)),
        "an archive; unpack it, and name its files",
    ),
    "a.7z": (b"7z\xbc\xaf\x27\x1c" + bytes(99), "an archive; unpack it, and name its files"),
    "a.zst": (b"\x28\xb5\x2f\xfd" + bytes(99), "a zstd file; unpack it with zstd -d"),
    "a.xlf": (b'<?xml version="1.0"?>\n<xliff version="1.2">', "XML; write its pairs as TMX"),
    "b.xlf": ('<xliff version="2.0">'.encode("utf-16"), "XML; write its pairs as TMX"),
    "cr.tsv": (b"One.\tEins.\rTwo.\tZwei.\r", r"CR alone; convert them, for example with tr "),
    "a.po": (b'# A.\n\nmsgctxt "b"\r\nmsgid ""\nmsgstr ""\n', "a catalogue of gettext; write its"),
    "a.bin": (bytes(range(256)) * 9, "a binary file"),
    "hole.tsv": (b"One.\tEins.\n" + bytes(999), "a binary file, or UTF-16 without a BOM"),
    "b.utf16": (
        "One.\tEins.\n".encode("utf-16-le"),
        "a BOM; name a file of text, or convert it with iconv -f UTF-16LE",
    ),
}
