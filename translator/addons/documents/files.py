"""Translates files, each into a file of its own or to standard output."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from translator.addons.documents.formats import BINARY, READERS, Reading, format_of
from translator.addons.documents.translation import translate_document
from translator.base.errors import InputError
from translator.base.files import check_output_path, whole_file
from translator.base.reading import read_file
from translator.cli.given_lines import standard_input
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation
from translator.translation.translator import Translator


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
        translator: a loaded run.
        paths: of the files; ``-`` is standard input.
        out: the folder for files of the same names; None writes one file to standard output.
        format_name: of all files; None goes by their endings.
        columns: of tables, their numbers from 1 or names.
        options: how to translate.
        tell: is given the place and the translation of each text.

    Raises:
        InputError: a file cannot be read, or an output would replace an input.
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
        if out is None:
            sys.stdout.buffer.write(content)
        else:
            with whole_file(out / path.name) as file:
                file.write(content)
