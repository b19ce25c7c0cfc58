"""``translator masks`` and ``positions``: pictures that need no trained model."""

from pathlib import Path

import click

from translator.base.errors import InputError
from translator.cli.options import PATH, PICTURE_HELP, font_option, report

MAX_TOKENS = 300  # per sentence, padding included; the labels of more could not be read

out_option = click.option("--out", type=PATH, required=True, help=PICTURE_HELP)
dark_option = click.option("--dark", is_flag=True, help="Draw light on dark.")


@click.command(short_help="Draw which tokens may attend to which.")
@click.argument("source", default="I like green tea .")
@click.argument("target", default="Ich mag grünen Tee .")
@click.option(
    "--padding",
    type=click.IntRange(min=0, max=MAX_TOKENS),
    default=2,
    show_default=True,
    help="Padding tokens at the end of each sentence.",
)
@out_option
@dark_option
@font_option
def masks(source: str, target: str, padding: int, out: Path, dark: bool, font: str | None) -> None:
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

    source_tokens = (START, *clean_labels(source.split()), END, *[PADDING] * padding)
    target_tokens = (START, *clean_labels(target.split()), *[PADDING] * padding)
    longest = max(len(source_tokens), len(target_tokens))
    if longest > MAX_TOKENS:
        raise InputError(
            f"masks: expected at most {MAX_TOKENS} tokens per sentence, start, end and padding"
            f" included, found {longest:,}; shorten the sentence or the padding"
        )
    _, missing = fonts.choose_families((*source_tokens, *target_tokens), font)
    start_keras()
    from translator.model.masks import masks_of

    found = masks_of(
        *([token == PADDING for token in tokens] for tokens in (source_tokens, target_tokens))
    )
    save_figure(plot_masks(*found, source_tokens, target_tokens, dark, font), out)
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
@click.option(
    "--length",
    type=click.IntRange(min=2),
    default=50,
    show_default=True,
    help="Number of positions.",
)
@click.option(
    "--d-model",
    type=click.IntRange(min=2),
    default=256,
    show_default=True,
    help="Number of dimensions, even.",
)
@click.option(
    "--rings",
    type=click.IntRange(min=1),
    help="Rings of the animation, or of --step: six if left out, d_model / 2 at most.",
)
@click.option(
    "--products", is_flag=True, help="Draw the product of each position with each other one."
)
@click.option(
    "--step",
    type=int,
    metavar="K",
    help="Draw the rotation that a step of K positions is in each pair of dimensions.",
)
@dark_option
def positions(
    out: Path,
    length: int,
    d_model: int,
    rings: int | None,
    products: bool,
    step: int | None,
    dark: bool,
) -> None:
    """Draw the positional encoding: positions by dimensions, or each pair of dimensions as a
    point that turns on a ring; the products of positions; a step as a rotation.
    """
    from translator.addons.attention.drawing.position_maps import plot_positions
    from translator.addons.attention.drawing.position_products import (
        plot_position_products,
        plot_rotation,
    )
    from translator.addons.attention.drawing.position_rings import draw_rings
    from translator.base.figures import FILE_ENDINGS, save_figure
    from translator.base.files import check_output_path

    check_output_path(out, (*FILE_ENDINGS, ".gif"))
    is_animated = out.suffix.lower() == ".gif"
    if products and step is not None:
        raise InputError("expected --products or --step, found both; name one of them")
    if is_animated and (products or step is not None):
        raise InputError(
            f"{out}: expected a picture with --products or --step, found .gif; name a .png"
        )
    if rings is not None and not is_animated and step is None:
        raise InputError("--rings: expected a .gif, or --step with it, found neither")
    count = min(6, d_model // 2) if rings is None else rings
    if not 1 <= count <= d_model // 2:
        raise InputError(f"--rings: expected 1 to {d_model // 2}, half of --d-model, found {count}")
    if is_animated:
        draw_rings(out, length, d_model, count, dark)
        report(f"rings: {out}")
    elif products:
        save_figure(plot_position_products(length, d_model, dark), out)
        report(f"products of positions: {out}")
    elif step is not None:
        save_figure(plot_rotation(step, length, d_model, count, dark), out)
        report(f"rotation: {out}")
    else:
        save_figure(plot_positions(length, d_model, dark), out)
        report(f"positional encoding: {out}")
