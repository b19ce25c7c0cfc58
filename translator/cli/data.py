"""Commands about corpora and tokenizers: ``corpora`` and ``tokenize``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from translator.base.errors import InputError
from translator.base.gone import gone_line
from translator.cli.input_lines import standard_input
from translator.cli.options import open_run, run_option
from translator.cli.terminal import TextCommand

if TYPE_CHECKING:
    from translator.tokenizers.subword import Tokenizer


@click.command()
@click.option("--fetch", "fetched", metavar="NAME", help="Download the corpus NAME now.")
def corpora(fetched: str | None) -> None:
    """List the known corpora: pairs, licence, address, and whether they are cached."""
    from translator.corpora.registry import describe_corpora, fetch_corpus, known_corpora

    if fetched is not None:
        if fetched not in (known := known_corpora()):
            raise InputError(
                gone_line(f"name: {fetched}")
                or f"{fetched}: expected one of {', '.join(known)}; a configuration that names"
                " a corpus of OPUS fetches it"
            )
        for path in fetch_corpus(fetched):
            click.echo(path)
        return
    for name, facts in describe_corpora():
        click.echo(name)
        for label, value in facts.items():
            click.echo(f"  {label:<8} {value}")


@click.command(cls=TextCommand)
@click.argument("sentences", nargs=-1)
@run_option
@click.option(
    "--side",
    type=click.Choice(["source", "target"]),
    default="source",
    show_default=True,
    help="Side of the run's tokenizer.",
)
@click.option(
    "--as",
    "form",
    type=click.Choice(["all", "pieces", "ids", "text"]),
    default="all",
    show_default=True,
    help="What to print. text reads ids and prints their text.",
)
def tokenize(sentences: tuple[str, ...], run_dir: Path | None, side: str, form: str) -> None:
    """Show the pieces and ids of SENTENCES, or of the lines of standard input."""
    from translator.corpora.files import decode_lines, iterate_stream

    run = open_run(run_dir)
    tokenizers = run.read_tokenizers(run.read_config())
    tokenizer = tokenizers.target if side == "target" else tokenizers.source
    if sentences:
        encoded = [sentence.encode("utf-8", "surrogateescape") for sentence in sentences]
        lines = decode_lines(encoded, "sentences", "replace")
    else:
        lines = iterate_stream(standard_input(), "standard input", "replace")
    for number, line in enumerate(lines, start=1):
        click.echo(format_tokens(tokenizer, line, form, f"line {number}"))


def format_tokens(tokenizer: "Tokenizer", line: str, form: str, name: str) -> str:
    """Formats the pieces, the ids and the text of a line, or only one of them."""
    from translator.tokenizers.masks import with_names

    if form == "text":
        return with_names(tokenizer.decode(tokenizer.parse_ids(line, name)))
    [ids] = tokenizer.encode([line])
    pieces, numbers = " ".join(tokenizer.pieces(ids)), " ".join(map(str, ids))
    if form == "all":
        return f"pieces  {pieces}\nids     {numbers}\ntext    {tokenizer.decode(ids)}"
    return pieces if form == "pieces" else numbers
