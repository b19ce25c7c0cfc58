"""``translator explain``, ``model`` and ``neighbours``: a sentence, a model, its vocabulary."""

import json
import shutil
from pathlib import Path
from typing import Any

import click

from translator.base.languages import Direction
from translator.base.progress import progress
from translator.cli.options import PATH, direction_options, files_of, load, open_run, run_option
from translator.cli.terminal import TextCommand, report

FALLBACK_WIDTH = (100, 24)  # columns and lines where there is no terminal


@click.command(cls=TextCommand)
@click.argument("sentence")
@run_option
@direction_options
@click.option("--layer", type=int, help="Number of the layer, from 1; the last if left out.")
@click.option(
    "--head",
    type=int,
    help="Number of the head, from 1; the first if left out. Without --layer and --head: the"
    " cross-attention head that aligns this sentence best.",
)
@click.option(
    "--kind",
    default="cross",
    show_default=True,
    help="Kind of attention: encoder, decoder or cross.",
)
@click.option(
    "--at",
    metavar="WORD",
    help="Word or piece whose numbers are printed. With --kind cross the decoder writes it;"
    " otherwise it is read. If left out: the first one.",
)
@click.option("--target", help="Your own translation, instead of the run's.")
@click.option("--html", type=PATH, help="Write a page with all numbers as pictures.")
def explain(
    sentence: str,
    run_dir: Path | None,
    direction: Direction,
    html: Path | None,
    **options: Any,
) -> None:
    """Show every number that one head and its layer compute for SENTENCE: pieces, embedding,
    queries, keys, mask, softmax, and the next word's probabilities.
    """
    from translator.addons.explanation.explain import explain as explain_head
    from translator.addons.explanation.lines import explanation_lines
    from translator.base.files import check_output_path

    if html is not None:
        check_output_path(html, (".html",))
    translator = load(run_dir, None, direction)
    if html is not None:
        check_output_path(html, inputs=files_of(translator))
    with progress("explaining"):
        explanation = explain_head(translator, sentence, **options)
    if html is not None:
        from translator.addons.explanation.page import explanation_html
        from translator.base.files import whole_file

        with whole_file(html) as file:
            file.write(explanation_html(explanation).encode())
        size = html.stat().st_size / 1e6
        report(f"page: {html} ({size:.2f} MB), open it in a browser")
        return
    width = min(shutil.get_terminal_size(FALLBACK_WIDTH).columns, FALLBACK_WIDTH[0])
    for line in explanation_lines(explanation, width):
        click.echo(line)


@click.command()
@click.argument("words", nargs=-1, required=True)
@run_option
@direction_options
@click.option(
    "--side",
    default=None,
    help="Vocabulary to search: source or target. If left out: the one that needs fewer pieces for"
    " the word.",
)
@click.option(
    "--count",
    type=click.IntRange(min=1, max=1000),
    default=10,
    show_default=True,
    help="Number of neighbours of each word.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@click.option(
    "--projector",
    type=PATH,
    metavar="FOLDER",
    help="Also write the vectors of --side (or of the target) as vectors.tsv and metadata.tsv."
    " TensorBoard's projector draws them as points.",
)
def neighbours(
    words: tuple[str, ...],
    run_dir: Path | None,
    direction: Direction,
    side: str | None,
    count: int,
    as_json: bool,
    projector: Path | None,
) -> None:
    """Print the pieces whose vectors are most similar to the vectors of WORDS, by cosine."""
    from translator.addons.explanation.embeddings import (
        load_embeddings,
        pieces_of,
        write_projector_files,
    )
    from translator.addons.explanation.embeddings import neighbours as find_neighbours
    from translator.base.files import check_output_path

    if projector is not None:
        check_output_path(projector / "vectors.tsv")
    run = open_run(run_dir, direction)
    tables = [load_embeddings(run, name) for name in ((side,) if side else ("source", "target"))]
    results = {}
    for word in words:
        table = min(tables, key=lambda table: len(pieces_of(table, word)))
        pieces = [table.pieces[i] for i in pieces_of(table, word)]
        results[word] = (pieces, find_neighbours(table, word, count))
    if projector is not None:
        write_projector_files(tables[-1], projector)
        report(f"vectors.tsv and metadata.tsv: in {projector}")
    if as_json:
        values = {
            word: {"pieces": pieces, "neighbours": [neighbour._asdict() for neighbour in near]}
            for word, (pieces, near) in results.items()
        }
        click.echo(json.dumps({"run": str(run.path), "words": values}, ensure_ascii=False))
        return
    for number, (word, (pieces, near)) in enumerate(results.items()):
        click.echo("\n" * bool(number) + f"{word}  ({' '.join(pieces)})")
        longest = max(len(neighbour.piece) for neighbour in near)
        for neighbour in near:
            click.echo(f"  {neighbour.piece:<{longest}}  {neighbour.cosine:z.3f}")


@click.command()
@click.argument("run_dir", metavar="[RUN]", required=False, type=PATH)
@click.option("--svg", type=PATH, help="Write a drawing.")
def model(run_dir: Path | None, svg: Path | None) -> None:
    """Print the parts of RUN's Transformer. Each has the shape of its output for one sentence, and
    its number of parameters.
    """
    from translator.addons.explanation.architecture import make_architecture
    from translator.addons.explanation.diagram import architecture_lines, diagram_svg
    from translator.base.files import check_output_path, whole_file

    if svg is not None:
        check_output_path(svg, (".svg",))
    run = open_run(run_dir)
    config = run.read_config()
    tokenizers = run.read_tokenizers(config)
    parts = make_architecture(config.model, tokenizers.source.size, tokenizers.target.size)
    source, target = config.corpus.source_language, config.corpus.target_language
    title = f"{run.path.resolve().name}, {source} to {target}: {parts.parameters:,} parameters"
    if svg is not None:
        with whole_file(svg) as file:
            file.write(diagram_svg(parts, title, (source, target)).encode())
        report(f"drawing: {svg}")
    click.echo(title)
    click.echo("S: number of source pieces; T: number of pieces of the translation so far")
    for line in architecture_lines(parts):
        click.echo(line)
