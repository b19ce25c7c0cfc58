"""``translator explain``: every step of one head on one sentence."""

import shutil
from pathlib import Path
from typing import Any

import click

from translator.cli.options import PATH, files_of, from_option, load, report, run_option

FALLBACK_WIDTH = (100, 24)  # columns and lines where there is no terminal


@click.command(short_help="Show every step of a head on one sentence, with its numbers.")
@click.argument("sentence")
@run_option
@from_option
@click.option("--layer", type=int, help="Number of the layer, from 1; the last if left out.")
@click.option(
    "--head",
    type=int,
    help="Number of the head, from 1; the first if left out. Without both, the head of"
    " cross-attention that aligns words best.",
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
    help="Word or piece whose numbers are printed: one that is written with --kind cross, else one"
    " that is read; the first if left out.",
)
@click.option("--target", help="A translation of your own, instead of the run's.")
@click.option("--html", type=PATH, help="Write a page that shows all numbers as pictures.")
def explain(
    sentence: str,
    run_dir: Path | None,
    source_language: str | None,
    html: Path | None,
    **options: Any,
) -> None:
    """Take SENTENCE apart: pieces, embedding, queries, keys, mask, softmax, all that one head and
    its layer compute, and the next word's probabilities.
    """
    from translator.addons.explanation.explain import explain as explain_head
    from translator.addons.explanation.lines import explanation_lines
    from translator.base.files import check_output_path

    if html is not None:
        check_output_path(html, (".html",))
    translator = load(run_dir, None, source_language)
    if html is not None:
        check_output_path(html, inputs=files_of(translator))
    explanation = explain_head(translator, sentence, **options)
    if html is not None:
        from translator.addons.explanation.page.explanation import explanation_html
        from translator.base.files import whole_file

        with whole_file(html) as file:
            file.write(explanation_html(explanation).encode())
        size = html.stat().st_size / 1e6
        report(f"page: {html} ({size:.2f} MB), open it in a browser")
    width = min(shutil.get_terminal_size(FALLBACK_WIDTH).columns, FALLBACK_WIDTH[0])
    for line in explanation_lines(explanation, width):
        click.echo(line)
