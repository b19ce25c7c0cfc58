"""Translates files of many formats, each into a file of its own or to standard output."""

import importlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from translator.addons.documents.document import UNPRINTABLE, Document, Text, Written
from translator.addons.documents.markup import with_characters
from translator.base.errors import InputError
from translator.base.files import check_output_path, read_file, whole_file
from translator.base.gone import gone_line
from translator.base.texts import listed
from translator.cli.input_lines import standard_input
from translator.cli.terminal import report
from translator.text.copied_spans import PLACEHOLDER
from translator.translation.options import TranslationOptions
from translator.translation.results import Doubt, Translation
from translator.translation.streaming import TextForm
from translator.translation.translator import Translator
from translator.translation.whole_files import FORMATS

# Elements and links without a text
EMPTY = re.compile(r"<([\w.:-]++)[^<>]*+>\s*+</\1\s*>|\[\s*\][(\[]", re.IGNORECASE)
KEPT_AS_IT_IS = Doubt("markup", "left as it is, as its translation would break the file")


class Reading(NamedTuple):
    """What a file is read for.

    Attributes:
        languages: the codes of source and target.
        columns: of a table, their numbers from 1 or names.
    """

    languages: Sequence[str]
    columns: Sequence[str] = ()


def _reader(module: str, function: str, *more: str) -> Callable[[bytes, str, Reading], Document]:
    """A function of a module of this package, which is imported when it is first needed."""

    def read(content: bytes, name: str, reading: Reading) -> Document:
        found = getattr(importlib.import_module(f"{__package__}.{module}"), function)
        document: Document = found(content, name, *(getattr(reading, each) for each in more))
        return document._replace(texts=[*map(with_characters, document.texts)])

    return read


READERS = {
    "text": _reader("plain_text", "read_plain_text"),
    "markdown": _reader("markdown", "read_markdown"),
    "html": _reader("web_page", "read_web_page", "languages"),
    "subtitles": _reader("subtitles", "read_subtitles"),
    "gettext": _reader("catalogue", "read_catalogue", "languages"),
    "json": _reader("values", "read_json", "languages"),
    "yaml": _reader("values", "read_yaml", "languages"),
    "table": _reader("table", "read_table", "columns"),
    "word": _reader("word", "read_word"),
    "opendocument": _reader("open_document", "read_open_document"),
}
ADVICE = (
    f"--format says what it is ({listed([*FORMATS])}), and --file translates the lines of any text"
)
FORMER = {".xlf": "xliff", ".xml": "android"}  # formats that went, where endings differ
BINARY = ("word", "opendocument")  # what no terminal can show


def format_of(path: Path, name: str | None, advice: str = ADVICE) -> str:
    """The format of a file.

    Args:
        name: of the format; None to go by the ending.
    """
    if name is not None:
        return name
    for each, endings in FORMATS.items():
        if path.suffix.lower() in endings:
            return each
    ending = path.suffix.lower()
    line = gone_line(f"translate --format {FORMER.get(ending, ending.removeprefix('.'))}")
    expected = f"expected a file of a known ending, found {path.suffix or 'none'}; {advice}"
    raise InputError(f"{path}: {line or expected}")


def translate_document(
    translator: Translator, document: Document, options: TranslationOptions
) -> tuple[bytes, list[tuple[str, Translation]]]:
    """Translates the texts of a file."""
    translations = translator.translate([text.source for text in document.texts], options)
    return write_translated(document, TextForm(translator, options).keep(translations))


def write_translated(
    document: Document, translations: Sequence[Translation]
) -> tuple[bytes, list[tuple[str, Translation]]]:
    """Writes a file with translations of its texts.

    Returns:
        Its content then, and the place and the translation of each text.
    """
    found = [fitting(text, each.text) for text, each in zip(document.texts, translations)]
    written = [
        Written(text.source if new is None else new, new is not None, bool(each.doubts))
        for text, each, new in zip(document.texts, translations, found)
    ]
    told = [
        (
            text.place,
            each if new.is_translated else each._replace(doubts=(*each.doubts, KEPT_AS_IT_IS)),
        )
        for text, each, new in zip(document.texts, translations, written)
    ]
    return document.write(written), told


def fitting(text: Text, translation: str) -> str | None:
    """A translation as the file has it; None if it has not just what must be kept."""
    translation = UNPRINTABLE.sub(" ", translation).strip()
    empty, was_empty = (len(EMPTY.findall(each)) for each in (translation, text.source))
    if not translation or empty > was_empty or _arguments(text.source) != _arguments(translation):
        return None
    return text.fit(text.source, translation)


def _arguments(text: str) -> tuple[Counter[str], list[str]]:
    """The placeholders of a text, and the order of those that a program fills in their order."""
    found = [match[0] for match in re.finditer(PLACEHOLDER, text) if set(match[0]) & set("{%")]
    in_order = [each for each in found if each[0] == "%" and not set(each) & set("${(")]
    return Counter(found), [each for each in in_order if each[-1] != "%"]


def translate_files(
    translator: Translator,
    paths: Sequence[Path],
    out: Path | None,
    format_name: str | None,
    columns: Sequence[str],
    options: TranslationOptions,
    tell: Callable[[str, Translation], object],
) -> None:
    """Translates the texts of files; each output is there whole, or not at all.

    Args:
        paths: of the files; ``-`` is standard input.
        out: the folder for files of the same names; None writes one file to standard output.
        format_name: of all files; None goes by their endings.
        columns: of tables, their numbers from 1 or names.
        tell: is given the place and the translation of each text.
    """
    formats = [format_of(path, format_name) for path in paths]
    if out is None and len(paths) > 1:
        raise InputError("expected --out with a folder for several files, found none")
    if out is None and formats[0] in BINARY and sys.stdout.isatty():
        raise InputError(f"{paths[0]}: expected --out with a folder, as no terminal can show it")
    if out is not None:
        if not out.is_dir():
            found = "a file; name another one" if out.exists() else "none; create it"
            raise InputError(f"{out}: expected an existing folder, found {found}")
        for path in paths:
            check_output_path(out / path.name, inputs=paths)
        if len({path.name for path in paths}) < len(paths):
            raise InputError("expected files of different names, found one twice; name them apart")
    source, target = translator.tokenizers
    reading = Reading((source.language, target.language), columns)
    names = ["standard input" if path == Path("-") else str(path) for path in paths]
    contents = (standard_input().read() if path == Path("-") else read_file(path) for path in paths)
    documents = [  # all, so that a damaged one is told before anything is written
        READERS[form](content, name, reading)
        for form, content, name in zip(formats, contents, names)
    ]
    for path, name, document in zip(paths, names, documents):
        content, told = translate_document(translator, document, options)
        for place, translation in told:
            tell(f"{name}, {place}", translation)
        if document.left:
            report(f"{name}: values left, as they do not read as texts: {document.left:,}")
        if out is None:
            sys.stdout.buffer.write(content)
        else:
            with whole_file(out / path.name) as file:
                file.write(content)
