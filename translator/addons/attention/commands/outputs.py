"""What ``translator attention`` and ``draw`` write: pictures, the explorer, files of records."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from translator.base.errors import InputError
from translator.cli.options import PATH, PICTURE_HELP, files_of, is_given, report

if TYPE_CHECKING:
    from translator.addons.attention.picture_content import PictureOptions
    from translator.translation.records import AttentionRecord
    from translator.translation.translator import Translator

_picture_options = (
    click.option("--out", type=PATH, help=PICTURE_HELP),
    click.option(
        "--html",
        type=PATH,
        help="Write the explorer: an HTML page that needs no network.",
    ),
    click.option(
        "--kind",
        default="cross",
        show_default=True,
        help="Kind of attention: encoder, decoder or cross.",
    ),
    click.option("--layer", type=int, help="Number of the layer, from 1; all layers if left out."),
    click.option(
        "--head", help="Number of the head, from 1, or average or maximum; all heads if left out."
    ),
    click.option(
        "--words/--pieces",
        default=True,
        help="Show words, or pieces as the model sees them; words if left out.",
    ),
    click.option(
        "--hide-ends", is_flag=True, help="Leave out start and end, and scale the rest to sum to 1."
    ),
    click.option("--dark", is_flag=True, help="Draw light on dark."),
)


class Outputs(NamedTuple):
    """What a command makes of attention.

    Attributes:
        out: a picture of the first record; None for none.
        html: an explorer of all records; None for none.
        save: a file of all records; None for none.
        json: the same as JSON; None for none.
        half: whether that file has half precision.
    """

    out: Path | None
    html: Path | None
    save: Path | None
    json: Path | None
    half: bool
    picture: "PictureOptions"


def picture_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options for a picture and an explorer."""
    for option in reversed(_picture_options):
        command = option(command)
    return command


def take_outputs(options: dict[str, Any], inputs: Sequence[Path]) -> Outputs:
    """Takes out of a command's options what it is to write.

    Raises:
        InputError: nothing is to be written, an output cannot be written, or an option would
            have no effect.
    """
    from translator.addons.attention.picture_content import PictureOptions
    from translator.addons.attention.record_files import RECORD_ENDINGS
    from translator.base.figures import FILE_ENDINGS
    from translator.base.files import check_output_path

    third = "--save FILE.npz" if "save" in options else "--json FILE.json"
    out, html = options.pop("out"), options.pop("html")
    paths = out, html, options.pop("save", None), options.pop("json", None)
    outputs = Outputs(*paths, options.pop("half", False), _take_picture_options(options))
    if not any(paths):
        raise InputError(f"expected --out PICTURE, --html FILE.html or {third}, found none of them")
    if outputs.out is None and any(map(is_given, PictureOptions._fields)):
        raise InputError(
            "expected --out PICTURE with --kind, --layer, --head, --pieces, --hide-ends or --dark,"
            " found none; the explorer has switches instead"
        )
    if outputs.half and outputs.save is None:
        raise InputError("--half: expected --save FILE.npz with it, found none")
    for path, endings in (
        (outputs.out, FILE_ENDINGS),
        (outputs.html, (".html",)),
        (outputs.save, RECORD_ENDINGS),
        (outputs.json, (".json",)),
    ):
        if path is not None:
            check_output_path(path, endings, inputs)
    return outputs


def _take_picture_options(options: dict[str, Any]) -> "PictureOptions":
    """Takes out of a command's options those that say what a picture shows."""
    from translator.addons.attention.picture_content import REDUCTIONS, PictureOptions

    picture = PictureOptions(**{name: options.pop(name) for name in PictureOptions._fields})
    if picture.head is None or picture.head in REDUCTIONS:
        return picture
    try:
        return picture._replace(head=int(picture.head))
    except ValueError:
        raise InputError(
            f"head: expected a number, average or maximum, found {picture.head}"
        ) from None


def check_outputs_of_run(outputs: Outputs, translator: "Translator") -> None:
    """Refuses heads that the model does not have and an output that is a file of the run."""
    from translator.addons.attention.picture_content import check_picture_options
    from translator.base.files import check_output_path

    for path in filter(None, (outputs.out, outputs.html, outputs.save)):
        check_output_path(path, inputs=files_of(translator))
    if outputs.out is not None:
        sizes = translator.config.model
        kind = outputs.picture.kind
        check_picture_options(outputs.picture, sizes.layers_of(kind), sizes.heads_of(kind))


def show_records(records: list["AttentionRecord"], outputs: Outputs) -> None:
    """Draws the first record, and writes the explorer of all, and all as JSON."""
    if outputs.out is not None:
        from translator.addons.attention.drawing.plot_attention import plot_attention
        from translator.base.figures import save_figure

        missing = save_figure(plot_attention(records[0], **outputs.picture._asdict()), outputs.out)
        if missing:
            report(_font_advice(missing))
        report(f"picture: {outputs.out}")
    if outputs.html is not None:
        from translator.addons.attention.page.explorer import explorer_html

        write_explorer(outputs.html, explorer_html(records))
    if outputs.json is not None:
        from translator.base.files import whole_file

        with whole_file(outputs.json) as file:
            for number, record in enumerate(records):
                file.write(b",\n" if number else b"[")
                file.write(json.dumps(record.to_dict(), ensure_ascii=False).encode())
            file.write(b"]\n")
        report(f"JSON: {outputs.json}")


def write_explorer(path: Path, page: str) -> None:
    """Writes the page of the explorer, and says so."""
    from translator.base.files import whole_file

    with whole_file(path) as file:
        file.write(page.encode())
    report(f"explorer: {path} ({path.stat().st_size / 1e6:.2f} MB), open it in a browser")


def _font_advice(missing: str) -> str:
    """One line of advice on characters that no font has."""
    import matplotlib

    shown = missing[:8] + "…" * (len(missing) > 8)
    return (
        f"no font has {shown}, they are drawn as boxes; install one that has them, such as Noto"
        f" Sans CJK, and remove matplotlib's list of fonts in {matplotlib.get_cachedir()}"
    )
