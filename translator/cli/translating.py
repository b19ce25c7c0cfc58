"""``translator translate`` and ``translator attention``."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from translator.cli.options import (
    engine_option,
    load,
    progress_bar,
    report,
    run_option,
    search_options,
)
from translator.errors import InputError

if TYPE_CHECKING:
    from translator.decoding.results import Translation
    from translator.decoding.translate import Translator


@click.command()
@click.argument("sentences", nargs=-1)
@run_option
@engine_option
@click.option(
    "--file",
    "files",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Translate its lines, plain or .gz; repeatable.",
)
@search_options
@click.option(
    "--n-best", type=int, default=1, help="Hypotheses to print: line, score and text each."
)
@click.option("--scores", is_flag=True, help="Print the log probability before each text.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each line.")
@click.option(
    "--errors",
    type=click.Choice(["strict", "replace"]),
    default="strict",
    help="Whether bytes that are not UTF-8, or a line of characters never seen, end the program;"
    " replace makes the bytes U+FFFD and passes such a line on.",
)
def translate(
    sentences: tuple[str, ...],
    run_dir: Path | None,
    engine: str | None,
    files: tuple[Path, ...],
    n_best: int,
    scores: bool,
    as_json: bool,
    errors: str,
    **options: Any,
) -> None:
    """Translate SENTENCES, the lines of files, or the lines of standard input."""
    from translator.corpora.files import decode_lines, iterate_lines
    from translator.decoding.streaming import translate_lines

    if sentences and files:
        raise InputError("expected sentences or --file, found both")
    inputs: list[tuple[str, Iterable[str]]]
    if sentences:
        given = [sentence.encode("utf-8", "surrogateescape") for sentence in sentences]
        inputs = [("", decode_lines(given, "sentences", errors))]
    elif files:
        inputs = [(str(file), iterate_lines(file, errors)) for file in files]
    else:
        inputs = [("standard input", decode_lines(_standard_input(), "standard input", errors))]
    loaded = load(run_dir, engine)
    options |= {"n_best": n_best, "errors": errors}
    if options["replace_unknown"] and not loaded.restoration.names.words:
        report(
            f"{loaded.run.restoration}: expected the words of the training side, found none; only"
            " what the tokenizer cannot spell is replaced"
        )
    with progress_bar() as bar:
        count = 0
        for name, lines in inputs:
            for translations in translate_lines(loaded, lines, file=name, **options):
                for translation in translations:
                    count += 1
                    for line in _lines(loaded, count, translation, n_best, scores, as_json):
                        sys.stdout.write(line + "\n")
                sys.stdout.flush()
                bar.update(len(translations))


def _standard_input() -> IO[bytes]:
    """Standard input, apart from Python's own.

    A thread reads it and may still wait for a line when all else has ended;
    Python, which closes its own at the end, would then abort.
    """
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
    except OSError:  # no file, as where somebody calls `main` with a stream of their own
        return sys.stdin.buffer
    except AttributeError:
        raise InputError("standard input: expected sentences, found it closed") from None


def _lines(
    loaded: "Translator",
    number: int,
    translation: "Translation",
    n_best: int,
    scores: bool,
    as_json: bool,
) -> Iterator[str]:
    """How a translation is printed."""
    if as_json:
        hypotheses = [
            {
                "text": hypothesis.text,
                "score": hypothesis.score,
                "log_probability": hypothesis.log_probability,
                "tokens": loaded.tokenizers.target.pieces(hypothesis.ids),
            }
            for hypothesis in translation.hypotheses
        ]
        line = {"line": number, "source": translation.source, "hypotheses": hypotheses}
        yield json.dumps(line, ensure_ascii=False)
    elif n_best == 1:
        [best] = translation.hypotheses or [None]
        log_probability = f"{best.log_probability:.4f}\t" if best and scores else "\t" * scores
        yield log_probability + translation.text
    else:
        for hypothesis in translation.hypotheses:
            log_probability = f"{hypothesis.log_probability:.4f}\t" * scores
            yield f"{number}\t{hypothesis.score:.4f}\t{log_probability}{hypothesis.text}"


@click.command()
@click.argument("sentence")
@run_option
@engine_option
@click.option("--kind", default="cross", show_default=True, help="encoder, decoder or cross.")
@click.option("--layer", type=int, default=1, show_default=True, help="Which layer, from 1.")
@click.option("--out", type=click.Path(path_type=Path), help="Picture: .png, .svg or .pdf.")
@click.option("--save", type=click.Path(path_type=Path), help="All scores as a NumPy .npz file.")
@click.option("--font", help="Font of the labels: a family's name, or a .ttf or .otf file.")
@search_options
def attention(
    sentence: str,
    run_dir: Path | None,
    engine: str | None,
    kind: str,
    layer: int,
    out: Path | None,
    save: Path | None,
    font: str | None,
    **options: Any,
) -> None:
    """Translate SENTENCE and draw, or save, what every head looked at."""
    from translator.attention import fonts, plots, records
    from translator.decoding.sentences import sentences_of
    from translator.pictures import FILE_ENDINGS, save_figure
    from translator.writing import check_output_path

    if out is None and save is None:
        raise InputError("expected --out PICTURE or --save FILE.npz, found neither")
    if font is not None:
        fonts.named_family(font)
    if out is not None:
        check_output_path(out, FILE_ENDINGS)
    if save is not None:
        check_output_path(save, records.FILE_ENDINGS)
    loaded = load(run_dir, engine)
    if (
        options["split"]
        and len(parts := sentences_of(sentence, loaded.tokenizers.source.language)) > 1
    ):
        raise InputError(
            f"expected one sentence, found {len(parts)}; draw them one by one, or --no-split"
        )
    [translation] = loaded.translate([sentence], **{**options, "split": False})
    if not translation.hypotheses:
        raise InputError("expected a sentence, found nothing in it")
    record = next(loaded.attention([translation]))
    if out is not None:
        save_figure(plots.plot_heads(record, kind, layer, font), out)
        if missing := plots.missing_characters(record, font):
            report(fonts.advice(missing))
        report(f"heat maps: {out}")
    if save is not None:
        records.save_records(save, [record])
        report(f"scores: {save}")
    click.echo(translation.text)
