"""``translator serve``: the live page and the API."""

from pathlib import Path

import click

from translator.cli.options import PATH
from translator.cli.terminal import report


@click.command()
@click.argument("runs", metavar="[RUN]...", nargs=-1, type=PATH)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=5000,
    show_default=True,
    help="Port to listen on; 0 for any free port.",
)
@click.option(
    "--allow-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Another name by which clients may call the server; repeatable.",
)
@click.option(
    "--allow-origin",
    "allowed_origins",
    multiple=True,
    metavar="ORIGIN",
    help="Site whose pages may call the API, such as https://example.org, or *; repeatable.",
)
def serve(
    runs: tuple[Path, ...],
    host: str,
    port: int,
    allowed_hosts: tuple[str, ...],
    allowed_origins: tuple[str, ...],
) -> None:
    """Serve a page that translates text while you type and shows the attention of every head, and a
    JSON API with the paths of LibreTranslate.

    Without RUN it serves the models that come with the program. If there are several runs, a text's
    languages decide which run translates it. Needs the extra `serve`.
    """
    from translator.addons.serving.running import serve as run_server

    run_server(runs, host, port, allowed_hosts, allowed_origins, report=report)
