"""Files of word processors, which are ZIP archives with XML files in them."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from translator.addons.documents.document import Document, Written
from translator.addons.documents.paragraphs import without_parts
from translator.addons.documents.xml_texts import InlineText, write_xml
from translator.base.errors import InputError

MOST_BYTES = 1 << 29  # of all files of a document, unpacked
MOST_BYTES_READ = 1 << 26  # of those with texts; a thousand pages have a quarter of it
DAMAGE = (  # what zipfile raises of it
    zipfile.BadZipFile, EOFError, NotImplementedError, OSError, RuntimeError, ValueError,
    struct.error, zlib.error,
)  # fmt: skip


def unpack(content: bytes, name: str, is_read: Callable[[str], object]) -> dict[str, bytes]:
    """Those files of a document that are read, by their paths.

    Raises:
        InputError: it is no document, damaged, or too large.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = archive.infolist()
            found = [info for info in infos if is_read(info.filename)]
            sizes = [sum(info.file_size for info in each) for each in (infos, found)]
            if sizes[0] <= MOST_BYTES and sizes[1] <= MOST_BYTES_READ:
                if archive.testzip() or len(set(archive.namelist())) < len(infos):
                    raise zipfile.BadZipFile
                return {info.filename: archive.read(info) for info in found}
    except DAMAGE:
        raise InputError(
            f"{name}: expected a whole document, found a damaged file; save it anew, without a"
            " password"
        ) from None
    raise InputError(
        f"{name}: expected at most {MOST_BYTES >> 20} MiB unpacked, of which"
        f" {MOST_BYTES_READ >> 20} MiB are text, found more; divide it"
    )


def _packed(content: bytes, changed: dict[str, bytes]) -> bytes:
    """A document with other files, in the order and the compression of the old one."""
    output = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(output, "w") as new,
    ):
        for info in old.infolist():
            part = changed.get(info.filename)
            new.writestr(info, old.read(info) if part is None else part, info.compress_type)
    return output.getvalue()


def document_of(
    content: bytes,
    trees: dict[str, Any],
    paragraphs: Iterable[Sequence[InlineText]],
) -> Document:
    numbered = enumerate(paragraphs, start=1)
    found = [(i, each) for i, texts in numbered for each in texts if each.has_words]

    def write(written: Sequence[Written]) -> bytes:
        changed = set()
        for (_, each), translated in zip(found, written):
            if translated.is_translated and translated.text != each.source:
                each.put(translated.text)
                changed.add(each.element.getroottree().getroot())
        for tree in trees.values():
            without_parts(tree)
        made = {path: write_xml(tree) for path, tree in trees.items() if tree.getroot() in changed}
        return _packed(content, made) if made else content

    return Document([each.text(f"paragraph {i}") for i, each in found], write)
