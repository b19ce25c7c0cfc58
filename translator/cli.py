"""The command line: parses, calls one function, prints."""

import contextlib
import errno
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import translator
from translator.errors import InputError

if TYPE_CHECKING:
    from translator.decoding.translate import Translator
    from translator.evaluation import Evaluation

run_option = click.option(
    "--run",
    "run_dir",
    type=click.Path(path_type=Path),
    help="Run directory; the newest if left out.",
)
beam_option = click.option(
    "--beam-size", type=int, help="Hypotheses kept at each step; 1 is greedy."
)
penalty_option = click.option(
    "--length-penalty",
    type=float,
    help="Rank by log probability / length^P; 1 is the mean a token.",
)
max_length_option = click.option("--max-length", type=int, help="Most tokens of a translation.")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(translator.__version__, prog_name="translator")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cli(debug: bool) -> None:
    """Train an English-German Transformer, translate with it, look into it."""


@cli.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--run",
    "run_dir",
    type=click.Path(path_type=Path),
    help="Where the run goes; checkpoints/ and the config's name if left out.",
)
@click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Override a key of the config, such as training.epochs=5; repeatable.",
)
@click.option("--resume", is_flag=True, help="Go on with the run that is there.")
def train(config: Path, run_dir: Path | None, overrides: tuple[str, ...], resume: bool) -> None:
    """Train a model as the YAML file CONFIG says."""
    from translator.config import read_config

    settings = read_config(config, overrides)
    run_dir = run_dir or Path("checkpoints") / config.stem
    start_keras()
    from translator.training.trainer import train as train_run

    result = train_run(settings, run_dir, resume, report=report)
    if not result.finished:
        position = result.position
        report(
            f"stopped after batch {position.batch} of epoch {position.epoch + 1}; --resume goes on"
        )
        sys.exit(130)
    report(f"done: {run_dir}, validation perplexity {result.best_perplexity:.2f} a token")


@cli.command()
@click.argument("sentences", nargs=-1)
@run_option
@beam_option
@penalty_option
@click.option(
    "--n-best", type=int, default=1, help="Hypotheses to print: line, score and text each."
)
@max_length_option
def translate(
    sentences: tuple[str, ...], run_dir: Path | None, n_best: int, **options: Any
) -> None:
    """Translate SENTENCES, or the lines of standard input."""
    from translator.corpora.files import decode_lines
    from translator.decoding.translate import translate_lines

    lines = sentences or decode_lines(sys.stdin.buffer, "standard input")
    loaded = load(run_dir)
    for number, translation in enumerate(
        translate_lines(loaded, lines, n_best=n_best, **options), start=1
    ):
        if n_best == 1:
            click.echo(translation.text)
        for hypothesis in translation.hypotheses if n_best > 1 else ():
            click.echo(f"{number}\t{hypothesis.score:.4f}\t{hypothesis.text}")


@cli.command()
@click.argument("sentence")
@run_option
@click.option("--kind", default="cross", show_default=True, help="encoder, decoder or cross.")
@click.option("--layer", type=int, default=1, show_default=True, help="Which layer, from 1.")
@click.option("--out", type=click.Path(path_type=Path), help="Picture: .png, .svg or .pdf.")
@click.option("--save", type=click.Path(path_type=Path), help="All scores as a NumPy .npz file.")
@beam_option
@penalty_option
@max_length_option
def attention(
    sentence: str,
    run_dir: Path | None,
    kind: str,
    layer: int,
    out: Path | None,
    save: Path | None,
    **options: Any,
) -> None:
    """Translate SENTENCE and draw, or save, what every head looked at."""
    from translator.attention import plots, records
    from translator.writing import check_output_path

    if out is None and save is None:
        raise InputError("expected --out PICTURE or --save FILE.npz, found neither")
    if out is not None:
        check_output_path(out, plots.FILE_ENDINGS)
    if save is not None:
        check_output_path(save, records.FILE_ENDINGS)
    loaded = load(run_dir)
    [translation] = loaded.translate([sentence], **options)
    if not translation.hypotheses:
        raise InputError("expected a sentence, found nothing in it")
    record = loaded.attention(sentence, translation.hypotheses[0])
    if out is not None:
        plots.save_figure(plots.plot_heads(record, kind, layer), out)
        report(f"heat maps: {out}")
    if save is not None:
        records.save_record(save, record)
        report(f"scores: {save}")
    click.echo(translation.text)


@cli.command()
@run_option
@click.option(
    "--split",
    type=click.Choice(["test", "validation"]),
    default="test",
    show_default=True,
    help="Which split of the run's own corpus.",
)
@click.option("--source", type=click.Path(path_type=Path), help="A file of sentences instead.")
@click.option(
    "--reference", type=click.Path(path_type=Path), help="Their translations, line by line."
)
@click.option("--out", type=click.Path(path_type=Path), help="Write the translations there.")
@beam_option
@penalty_option
def evaluate(
    run_dir: Path | None,
    split: str,
    source: Path | None,
    reference: Path | None,
    out: Path | None,
    **options: Any,
) -> None:
    """Measure a run: BLEU, chrF, perplexity, speed, and each phenomenon of the demo corpus."""
    from translator.writing import check_output_path

    if out is not None:
        check_output_path(out)
    loaded = load(run_dir)
    from translator.evaluation import evaluate_files, evaluate_split, write_translations

    if source or reference:
        result = evaluate_files(loaded, source, reference, **options)
    else:
        result = evaluate_split(loaded, split, **options)
    print_evaluation(result)
    if out is not None:
        write_translations(out, result.translations)


@cli.command("demo-pairs")
@click.option("--count", type=click.IntRange(min=1), default=20, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--alignment", is_flag=True, help="Also the word alignment, as 0-0 1-2.")
@click.option("--phenomena", is_flag=True, help="Also what each pair is an example of.")
def demo_pairs(count: int, seed: int, alignment: bool, phenomena: bool) -> None:
    """Print sentence pairs of the demo corpus's grammar, drawn by a seed."""
    from itertools import islice

    from translator.corpora.demo import draw_pairs

    for pair in islice(draw_pairs(seed), count):
        columns = [pair.source, pair.target]
        if alignment:
            columns.append(" ".join(f"{i}-{j}" for i, j in pair.alignment))
        if phenomena:
            columns.append(" ".join(sorted(pair.phenomena)))
        click.echo("\t".join(columns))


def print_evaluation(result: "Evaluation") -> None:
    """Prints an evaluation for a reader: phenomena first, the whole last."""
    if result.phenomena:
        width = max(map(len, result.phenomena))
        click.echo(f"{'phenomenon':<{width}}  pairs   BLEU   chrF")
        for name, scores in result.phenomena.items():
            click.echo(
                f"{name:<{width}}  {scores.sentences:>5}  {scores.bleu:>5.1f}  {scores.chrf:>5.1f}"
            )
        click.echo()
    print_scores(result)


def print_scores(result: "Evaluation") -> None:
    """Prints the scores of the whole, with signatures, perplexity and speed."""
    scores = result.scores
    click.echo(f"BLEU {scores.bleu:.2f}  {scores.bleu_signature}")
    click.echo(f"chrF {scores.chrf:.2f}  {scores.chrf_signature}")
    left_out = scores.sentences - result.perplexity_pairs
    note = f", {left_out:,} pairs left out: too long or empty" if left_out else ""
    click.echo(f"perplexity {result.perplexity:.3f} a target token{note}")
    sentences, tokens = (count / result.seconds for count in (scores.sentences, result.tokens))
    click.echo(
        f"{scores.sentences:,} sentences in {result.seconds:.1f} s:"
        f" {sentences:,.0f} sentences/s, {tokens:,.0f} tokens/s"
    )


def load(run_dir: Path | None) -> "Translator":
    """Opens a run; the newest one, named on standard error, where none is given."""
    from translator.run import newest_run

    if run_dir is None:
        run_dir = newest_run()
        report(f"run: {run_dir}")
    return translator.load(run_dir)


def report(message: str) -> None:
    """Prints a line on standard error."""
    click.echo(message, err=True)


def start_keras() -> None:
    """Imports Keras quietly."""
    from translator.startup import start_keras as start

    start()


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line."""
    arguments = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    with errors_as_one_line(debug):
        cli.main(arguments, prog_name="translator", standalone_mode=False)


@contextlib.contextmanager
def errors_as_one_line(debug: bool = False) -> Iterator[None]:
    """Ends the program with one line and exit code 2 at what the user can mend."""
    try:
        yield
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except (click.Abort, KeyboardInterrupt):
        report("translator: interrupted")
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(2)
    except (click.ClickException, InputError, OSError) as error:
        if debug:
            raise
        sys.stdout.flush()
        report(f"translator: {_one_line(error)}")
        sys.exit(2)


def _one_line(error: Exception) -> str:
    if isinstance(error, click.ClickException):
        return error.format_message().replace("\n", " ")
    if isinstance(error, OSError):
        advice = {
            errno.ENOSPC: "; free some space and try again",
            errno.EACCES: "; choose a folder that you may write to",
            errno.EROFS: "; choose a folder that you may write to",
        }.get(error.errno, "")
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{(error.strerror or str(error)).lower()}{advice}"
    return str(error)


if __name__ == "__main__":
    main()
