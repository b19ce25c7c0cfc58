"""Translates files of many formats, each into a new file or to standard output."""

import importlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from translator.addons.documents.document import UNPRINTABLE, Document, Text, WrittenText
from translator.addons.documents.markup import decode_entities
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
KEPT_AS_IT_IS = Doubt("markup", "not translated, because its translation would break the file")


class Reading(NamedTuple):
    """Values that readers of formats may need besides a file.

    Attributes:
        languages: the codes of source and target.
        columns: the columns of a table to translate, as numbers from 1 or as names.
    """

    languages: Sequence[str]
    columns: Sequence[str] = ()


def _reader(module: str, function: str, *fields: str) -> Callable[[bytes, str, Reading], Document]:
    """Returns a reader that gets fields of `Reading`; its module is imported when first needed."""

    def read(content: bytes, name: str, reading: Reading) -> Document:
        read_format = getattr(importlib.import_module(f"{__package__}.{module}"), function)
        values = (getattr(reading, field) for field in fields)
        document: Document = read_format(content, name, *values)
        return document._replace(texts=[*map(decode_entities, document.texts)])

    return read


READERS = {
    "text": _reader("plain_text", "read_plain_text"),
    "markdown": _reader("markdown", "read_markdown"),
    "html": _reader("web_page", "read_web_page", "languages"),
    "subtitles": _reader("subtitles", "read_subtitles", "languages"),
    "gettext": _reader("catalogue", "read_catalogue", "languages"),
    "json": _reader("values", "read_json", "languages"),
    "yaml": _reader("values", "read_yaml", "languages"),
    "table": _reader("table", "read_table", "columns"),
    "word": _reader("word", "read_word"),
    "opendocument": _reader("open_document", "read_open_document"),
}
ADVICE = f"name its format with --format ({listed([*FORMATS])}), or translate its lines with --file"
FORMER = {".xlf": "xliff", ".xml": "android"}  # removed formats that are not named as the ending
BINARY = ("word", "opendocument")


def find_format(path: Path, format_name: str | None, advice: str = ADVICE) -> str:
    """The format of a file.

    Args:
        format_name: the name that the user gave; None to decide by the ending.
    """
    if format_name is not None:
        return format_name
    for known_format, endings in FORMATS.items():
        if path.suffix.lower() in endings:
            return known_format
    ending = path.suffix.lower()
    line = gone_line(f"translate --format {FORMER.get(ending, ending.removeprefix('.'))}")
    expected = f"expected a file with a known ending, found {path.suffix or 'none'}; {advice}"
    raise InputError(f"{path}: {line or expected}")


def translate_document(
    translator: Translator, document: Document, options: TranslationOptions
) -> tuple[bytes, list[tuple[str, Translation]]]:
    """Translates the texts of a file; returns the result of `write_translated`."""
    translations = translator.translate([text.source for text in document.texts], options)
    return write_translated(document, TextForm(translator, options).keep(translations))


def write_translated(
    document: Document, translations: Sequence[Translation]
) -> tuple[bytes, list[tuple[str, Translation]]]:
    """Writes a file with translations of its texts.

    Returns:
        The new content, and the place and the translation of each text.
    """
    written_texts = []
    placed_translations = []
    for text, translation in zip(document.texts, translations):
        fitted = fit_translation(text, translation.text)
        new_text = text.source if fitted is None else fitted
        written_texts.append(WrittenText(new_text, fitted is not None, bool(translation.doubts)))
        if fitted is None:
            doubts = (*translation.doubts, KEPT_AS_IT_IS)
            translation = translation._replace(doubts=doubts)
        placed_translations.append((text.place, translation))
    return document.write(written_texts), placed_translations


def fit_translation(text: Text, translation: str) -> str | None:
    """Fits a translation to the file; None if markup or placeholders differ from the source."""
    translation = UNPRINTABLE.sub(" ", translation).strip()
    adds_empty_elements = len(EMPTY.findall(translation)) > len(EMPTY.findall(text.source))
    before, after = map(_find_placeholders, (text.source, translation))
    if not translation or adds_empty_elements or before != after:
        return None
    return text.fit(text.source, translation)


def _find_placeholders(text: str) -> tuple[Counter[str], list[str]]:
    """Counts the placeholders of a text, and lists placeholders that are filled by position."""
    names = [match[0] for match in re.finditer(PLACEHOLDER, text) if set(match[0]) & set("{%")]
    positional = [name for name in names if name[0] == "%" and not set(name) & set("${(")]
    return Counter(names), [name for name in positional if name[-1] != "%"]


def translate_files(
    translator: Translator,
    paths: Sequence[Path],
    out: Path | None,
    format_name: str | None,
    columns: Sequence[str],
    options: TranslationOptions,
    report_translation: Callable[[str, Translation], object],
) -> None:
    """Translates the texts of files; an output file is written whole or not at all.

    Args:
        paths: the files; ``-`` is standard input.
        out: the folder for files of the same names; None writes one file to standard output.
        format_name: the format of all files; None decides by their endings.
        columns: the columns of tables to translate, as numbers from 1 or as names.
        report_translation: called with the place and the translation of each text.
    """
    formats = [find_format(path, format_name) for path in paths]
    if out is None and len(paths) > 1:
        raise InputError("expected --out FOLDER with several files, found none")
    if out is None and formats[0] in BINARY and sys.stdout.isatty():
        raise InputError(f"{paths[0]}: expected --out FOLDER: a terminal cannot show this file")
    if out is not None:
        if not out.is_dir():
            problem = "a file; name another one" if out.exists() else "none; create it"
            raise InputError(f"{out}: expected an existing folder, found {problem}")
        for path in paths:
            check_output_path(out / path.name, inputs=paths)
        if len({path.name for path in paths}) < len(paths):
            raise InputError("expected files with different names, found equal names; rename one")
    source, target = translator.tokenizers
    reading = Reading((source.language, target.language), columns)
    names = ["standard input" if path == Path("-") else str(path) for path in paths]
    contents = (standard_input().read() if path == Path("-") else read_file(path) for path in paths)
    documents = [  # reads all first: if one is damaged, nothing is written
        READERS[form](content, name, reading)
        for form, content, name in zip(formats, contents, names)
    ]
    for path, name, document in zip(paths, names, documents):
        content, translations = translate_document(translator, document, options)
        for place, translation in translations:
            report_translation(f"{name}, {place}", translation)
        if document.skipped:
            count = f"{document.skipped:,}"
            report(f"{name}: values that do not look like texts were not translated: {count}")
        if out is None:
            sys.stdout.buffer.write(content)
        else:
            with whole_file(out / path.name) as file:
                file.write(content)
