"""``translator inspect``."""

from pathlib import Path

import click

from translator.base.errors import InputError
from translator.base.languages import check_language
from translator.base.progress import progress
from translator.base.texts import quoted
from translator.cli.options import PATH
from translator.cli.terminal import report


def _parse_columns(
    context: click.Context, option: click.Parameter, text: str | None
) -> list[int] | list[str] | None:
    """Two numbers or names of columns."""
    names = [] if text is None else [name.strip() for name in text.split(",")]
    if text is None:
        return None
    if len(names) != 2 or not all(names) or names[0] == names[1] or "0" in names:
        raise InputError(
            "--columns: expected two different columns, by name or by number from 1, such as 2,4,"
            f" found {quoted(text)}"
        )
    return list(map(int, names)) if all(map(str.isdecimal, names)) else names


@click.command()
@click.argument("files", metavar="FILES...", nargs=-1, required=True, type=PATH)
@click.option("--from", "source", metavar="LANGUAGE", help="First side's language, such as en.")
@click.option(
    "--to",
    "target",
    metavar="LANGUAGE",
    help="Second side's language. If a language is left out, the program identifies it.",
)
@click.option(
    "--columns",
    metavar="A,B",
    callback=_parse_columns,
    help="Columns of source and target in a table: two numbers from 1, or two names. If left out:"
    " the columns that a header row names, such as en and German; without names, the first two.",
)
@click.option(
    "--run",
    "run_dir",
    type=PATH,
    help="Run that scores the pairs; it may translate in either direction. If left out: the model"
    " that comes with the program, if it has a model for these languages.",
)
@click.option(
    "--without-model", is_flag=True, help="Do not score: faster, but misses misaligned pairs."
)
@click.option("--write", type=PATH, help="TSV file for the good pairs.")
@click.option("--dropped", type=PATH, help="TSV file for the dropped pairs, with line and reason.")
@click.option(
    "--keep",
    multiple=True,
    metavar="REASON",
    help='Do not drop pairs for this reason, such as "unlikely"; repeatable.',
)
def inspect(
    files: tuple[Path, ...],
    source: str | None,
    target: str | None,
    columns: list[int] | list[str] | None,
    run_dir: Path | None,
    without_model: bool,
    write: Path | None,
    dropped: Path | None,
    keep: tuple[str, ...],
) -> None:
    """Look for wrong pairs in a corpus before training on it.

    FILES are a file of pairs (TSV, CSV, JSONL, TMX, Parquet, zip), or a source file and a target
    file, plain or packed. If FILES is a configuration, its training pairs are inspected.

    The report shows lengths, scripts and languages. It lists pairs that are empty, repeated, not
    translated, swapped or misaligned, and pairs with different numbers. No file is changed.
    """
    from translator.addons.inspection.inspector import inspect_pairs
    from translator.addons.inspection.languages import LanguageIdentifier
    from translator.addons.inspection.reading import find_source, open_model, read_source
    from translator.addons.inspection.report import (
        describe,
        parse_reasons,
        write_dropped,
        write_kept,
    )
    from translator.base.files import check_output_path

    if run_dir is not None and without_model:
        raise InputError("expected --run or --without-model, found both")
    outputs = [path for path in (write, dropped) if path is not None]
    resolved = [output.resolve() for output in outputs]
    for output, path in zip(outputs, resolved):
        if resolved.count(path) > 1:
            raise InputError(f"{output}: expected different files for --write and --dropped")
    for option, language in (("--from", source), ("--to", target)):
        if language is not None:
            check_language(language, option)
    origin = find_source(files, (source, target), columns)
    for path in outputs:
        check_output_path(path, inputs=[*files, *origin.paths])
    reasons = parse_reasons(keep)
    identifier = LanguageIdentifier()

    corpus = read_source(origin, identifier)
    translator = None if without_model else open_model(corpus.languages, run_dir)
    if translator is not None:
        report(f"scores: {translator.run.path.name}")
    with progress("inspecting"):
        inspection = inspect_pairs(corpus.pairs, corpus.languages, translator, identifier)
    inspection = inspection._replace(notes=[*corpus.notes, *inspection.notes], lines=corpus.lines)
    for line in describe(inspection):
        click.echo(line)
    if write is not None and corpus.is_unequal and inspection.scores is None:
        raise InputError(
            f"{write}: expected as many target lines as source lines, or a model to match them,"
            " found neither; leave out --write, or name a model with --run"
        )
    count = 0 if write is None else write_kept(inspection, write, reasons)  # first: may raise
    if dropped is not None:
        write_dropped(inspection, dropped, reasons)
        report(f"dropped pairs: {dropped}")
    if write is not None:
        report(f"{count:,} pairs: {write}")
