"""Builds files, and translates them without a model: words are changed, or markup is lost."""

import io
import re
import zipfile
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

from translator.addons.documents.document import Document
from translator.addons.documents.files import translate_document
from translator.addons.documents.open_document import read_open_document
from translator.addons.documents.table import read_table
from translator.addons.documents.word import read_word
from translator.translation.options import TranslationOptions
from translator.translation.results import Doubt, Hypothesis, Translation

KEPT = re.compile(r"(<[^>]*>|&\w+;|\{\{?[^}]*\}\}?|%\w|`[^`]*`|\]\([^)]*\)|!?\[|\*+|~~|\|)")
SPACE = re.compile(r"[ \n]")
HEADER = 'msgid ""\nmsgstr ""\n"X-Own: 1\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SIGN = r"<w:(?:br|noBreakHyphen|softHyphen|sym|tab)\b[^>]*/>"
RUN = re.compile(rf"(<w:r>.*?</w:r>)|(?:(?<=>)|^)(?<!delText>)([^<>]+)|({SIGN})")
PLAIN = re.compile(rf"<w:r>((?:</?w:t/?>|[^<]|{SIGN})*)</w:r>")
OPEN = (
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    ' xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
    ' xmlns:o="http://openoffice.org/2009/office"'
)
STYLES = """<automatic-styles>
<style:style style:name="P1" style:parent-style-name="Preformatted_20_Text"/>
<style:style style:name="T1"><p o:rsid="1" weight="bold"/></style:style>
<style:style style:name="T2"><p o:rsid="1" o:paragraph-rsid="2"/></style:style>
<style:style style:name="T3"><style:text-properties style:text-position="sub 58%"/></style:style>
<style:style style:name="T4"><style:text-properties style:text-position="33% 58%"/></style:style>
</automatic-styles>"""
OPEN_TYPE = "application/vnd.oasis.opendocument.text"
Read = Callable[[bytes, str], Document]


def louder(text: str) -> str:
    """A text in capitals, but for its markup."""
    parts = KEPT.split(text)
    return "".join(part if i % 2 else part.upper() for i, part in enumerate(parts))


def without_markup(text: str) -> str:
    """A text in capitals that has lost its markup."""
    return KEPT.sub("", text).upper()


def translator_with(change=louder, doubts: tuple[Doubt, ...] = ()) -> SimpleNamespace:
    """A translator from English into German whose translations a function makes."""

    def translate(texts, options):
        return [
            Translation(text, (Hypothesis(change(text), (1,), 0.0, 0.0),), doubts) for text in texts
        ]

    tokenizers = tuple(SimpleNamespace(language=language, tags=()) for language in ("en", "de"))
    return SimpleNamespace(translate=translate, tokenizers=tokenizers)


def translated(document: Document, change=louder, doubts: tuple[Doubt, ...] = ()) -> bytes:
    """The content of a document whose texts are changed by a function."""
    translator = translator_with(change, doubts)
    return translate_document(translator, document, TranslationOptions())[0]


def sources(read: Read, page: str) -> list[str]:
    return [text.source for text in read(page.encode(), "a").texts]


def read_column(content: bytes, name: str) -> Document:
    """A table of which one column is translated."""
    return read_table(content, name, ("text",))


def made(read: Read, page: str, change=louder) -> str:
    """A file whose texts are changed by a function."""
    return translated(read(page.encode(), "a"), change).decode()


def check(read: Read, rows: Iterable[tuple[Any, ...]]) -> None:
    """Checks files: each row is a page, its texts, and the page with these in capitals.

    Where the last is left out, the page may differ from the first one in capitals and in the
    places of its line ends alone.
    """
    for page, texts, *expected in rows:
        assert sources(read, page) == texts, page
        page_in_capitals = made(read, page)
        if expected:
            assert page_in_capitals == expected[0]
        else:
            pages = (page_in_capitals, page)
            assert len({SPACE.sub(" ", text.lower()) for text in pages}) == 1, pages


def film(*texts: str) -> str:
    """Subtitles with some texts, each shown for a second."""
    return "".join(
        f"{i}\n00:00:{i:02},000 --> 00:00:{i:02},900\n{text}\n\n" for i, text in enumerate(texts, 1)
    )


def packed(parts: dict[str, str]) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in parts.items():
            archive.writestr(path, text)
    return output.getvalue()


def unpacked(content: bytes, path: str) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return archive.read(path).decode()


def word(body: str, path: str = "word/document.xml", **parts: str) -> bytes:
    page = f"<w:document {WORD}><w:body>{body}</w:body></w:document>"
    return packed({path: page, **{f"word/{name}.xml": part for name, part in parts.items()}})


def read_paragraph(text: bytes, name: str) -> Document:
    """A paragraph of Word as a file of its own.

    Each text and each tab or the like is a run whose tags are not written; those of others are.
    """
    document = read_word(word(f"<w:p>{as_runs(text.decode())}</w:p>"), name)

    def write(written) -> bytes:
        page = unpacked(document.write(written), "word/document.xml")
        paragraph = page.partition("<w:body><w:p>")[2].partition("</w:p></w:body>")[0]
        paragraph = paragraph.replace(' xml:space="preserve"', "")
        return PLAIN.sub(lambda run: re.sub(r"</?w:t/?>", "", run[1]), paragraph).encode()

    return document._replace(write=write)


def as_runs(text: str) -> str:
    def as_run(found: re.Match[str]) -> str:
        whole, words, sign = found.groups()
        return whole or f"<w:r>{sign or f'<w:t>{words}</w:t>'}</w:r>"

    return RUN.sub(as_run, text)


def open_document(text: str) -> bytes:
    return packed({"mimetype": OPEN_TYPE, "content.xml": f"<d {OPEN}>{STYLES}{text}</d>"})


def read_open_paragraph(text: bytes, name: str) -> Document:
    """A paragraph of OpenDocument as a file of its own."""
    document = read_open_document(open_document(f"<text:p>{text.decode()}</text:p>"), name)

    def write(written) -> bytes:
        page = unpacked(document.write(written), "content.xml")
        return page.partition("<text:p>")[2].removesuffix("</text:p></d>").encode()

    return document._replace(write=write)
