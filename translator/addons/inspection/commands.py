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
            "--columns: expected two different ones, by names or numbers from 1, such as 2,4,"
            f" found {quoted(text)}"
        )
    return list(map(int, names)) if all(map(str.isdecimal, names)) else names


@click.command()
@click.argument("files", metavar="FILES...", nargs=-1, required=True, type=PATH)
@click.option("--from", "source", metavar="LANGUAGE", help="Language of the first side, as en.")
@click.option(
    "--to",
    "target",
    metavar="LANGUAGE",
    help="Language of the second side. Languages that are left out are identified.",
)
@click.option(
    "--columns",
    metavar="A,B",
    callback=_parse_columns,
    help="Source and target of a table: two numbers from 1, or two names of columns. If left out:"
    " those of a header row, such as en and German, or else the first two.",
)
@click.option(
    "--run",
    "run_dir",
    type=PATH,
    help="Run between these languages, in either direction, that scores the pairs. If left out: the"
    " model that comes with the program, where there is one.",
)
@click.option(
    "--without-model", is_flag=True, help="Do not score: faster, but finds nothing misaligned."
)
@click.option("--write", type=PATH, help="TSV file to write the pairs to that are kept.")
@click.option("--dropped", type=PATH, help="TSV file to write the others to, with line and reason.")
@click.option(
    "--keep",
    multiple=True,
    metavar="REASON",
    help='A reason, such as "unlikely", for which no pair is dropped; repeatable.',
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

    FILES are one file of pairs (TSV, CSV, JSONL, TMX, Parquet, zip), or a source file and a target
    file, plain or packed; or a configuration, whose training pairs are read.

    Reported are lengths, scripts and languages, and pairs that are empty, repeated, not translated,
    swapped, misaligned, or have other numbers. The files are not changed.
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
    places = [output.resolve() for output in outputs]
    for output, place in zip(outputs, places):
        if places.count(place) > 1:
            raise InputError(f"{output}: expected different files for --write and --dropped")
    for option, language in (("--from", source), ("--to", target)):
        if language is not None:
            check_language(language, option)
    chosen = find_source(files, (source, target), columns)
    for path in outputs:
        check_output_path(path, inputs=[*files, *chosen.paths])
    kept = parse_reasons(keep)
    identifier = LanguageIdentifier()

    read = read_source(chosen, identifier)
    opened = None if without_model else open_model(read.languages, run_dir)
    if opened is not None:
        report(f"scores: {opened.run.path.name}")
    with progress("inspecting"):
        found = inspect_pairs(read.pairs, read.languages, opened, identifier)
    found = found._replace(notes=[*read.notes, *found.notes], lines=read.lines)
    for line in describe(found):
        click.echo(line)
    if write is not None and read.is_unequal and found.scores is None:
        raise InputError(
            f"{write}: expected as many lines on both sides, or scores of a model that tell which"
            " belong together, found neither; leave out --write, or name a model with --run"
        )
    count = 0 if write is None else write_kept(found, write, kept)  # first: it may refuse
    if dropped is not None:
        write_dropped(found, dropped, kept)
        report(f"dropped pairs: {dropped}")
    if write is not None:
        report(f"{count:,} pairs: {write}")
