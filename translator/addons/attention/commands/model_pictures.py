"""``translator masks`` and ``positions``: pictures that need no trained model."""

from pathlib import Path

import click

from translator.base.errors import InputError
from translator.base.progress import progress
from translator.cli.options import PATH, PICTURE_HELP, font_option, report

PADDING_TOKENS = 2  # at the end of each sentence
MAX_TOKENS = 300  # per sentence, padding included; the labels of more could not be read

out_option = click.option("--out", type=PATH, required=True, help=PICTURE_HELP)


@click.command(short_help="Draw which tokens may attend to which.")
@click.argument("source", default="I like green tea .")
@click.argument("target", default="Ich mag grünen Tee .")
@out_option
@font_option
def masks(source: str, target: str, out: Path, font: str | None) -> None:
    """Draw which tokens may attend to which: padding mask, look-ahead mask and both combined,
    for the words of a SOURCE and a TARGET sentence.
    """
    from translator.base.figures import FILE_ENDINGS, save_figure
    from translator.base.files import check_output_path

    check_output_path(out, FILE_ENDINGS)
    from translator.addons.attention.drawing import fonts
    from translator.addons.attention.drawing.mask_maps import plot_masks
    from translator.addons.attention.picture_content import clean_labels
    from translator.base.keras_startup import start_keras
    from translator.tokenizers.special_tokens import END, PADDING, START

    source_tokens = (START, *clean_labels(source.split()), END, *[PADDING] * PADDING_TOKENS)
    target_tokens = (START, *clean_labels(target.split()), *[PADDING] * PADDING_TOKENS)
    longest = max(len(source_tokens), len(target_tokens))
    if longest > MAX_TOKENS:
        raise InputError(
            f"masks: expected at most {MAX_TOKENS} tokens per sentence, start, end and padding"
            f" included, found {longest:,}; shorten the sentence"
        )
    _, missing = fonts.choose_families((*source_tokens, *target_tokens), font)
    start_keras()
    from translator.model.masks import masks_of

    found = masks_of(
        *([token == PADDING for token in tokens] for tokens in (source_tokens, target_tokens))
    )
    save_figure(plot_masks(*found, source_tokens, target_tokens, font), out)
    if missing:
        report(fonts.advice(missing))
    report(f"masks: {out}")


@click.command(short_help="Draw the positional encoding.")
@click.option(
    "--out",
    type=PATH,
    required=True,
    help="Heat map to write: .png, .svg or .pdf; or an animation of points on rings: .gif.",
)
def positions(out: Path) -> None:
    """Draw the positional encoding of 50 positions in 256 dimensions, or pairs of dimensions as
    points that turn on rings.
    """
    from translator.addons.attention.drawing.position_maps import plot_positions
    from translator.addons.attention.drawing.position_rings import draw_rings
    from translator.base.figures import FILE_ENDINGS, save_figure
    from translator.base.files import check_output_path

    check_output_path(out, (*FILE_ENDINGS, ".gif"))
    if out.suffix.lower() == ".gif":
        with progress("drawing"):
            draw_rings(out)
        report(f"rings: {out}")
    else:
        save_figure(plot_positions(), out)
        report(f"positional encoding: {out}")
