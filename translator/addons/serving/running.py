"""Runs the server until it is told to end."""

import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from translator.addons.serving.limits import ServerLimits
from translator.base.errors import InputError


def serve(
    runs: Sequence[str | Path],
    host: str = "127.0.0.1",
    port: int = 5000,
    allowed_hosts: Sequence[str] = (),
    allowed_origins: Sequence[str] = (),
    limits: ServerLimits | None = None,
    report: Callable[[str], None] = print,
) -> None:
    """Serves until SIGINT or SIGTERM; requests that are being answered are finished first.

    Args:
        runs: names or paths; the models that come with the program if there are none.
        host: the address to listen on.
        port: likewise; 0 for a free one.
        allowed_hosts: further names that the server may be called by.
        allowed_origins: sites whose pages may call the API.
        limits: of requests and connections.
        report: called with a line for the user.

    Raises:
        InputError: a run cannot be opened, the port cannot be had, or the extra is missing.
        KeyboardInterrupt: it was ended by SIGINT.
    """
    import uvicorn

    from translator.addons.serving.app import LOCAL_NAMES, make_app
    from translator.addons.serving.connections import WAITING_CONNECTIONS, make_config
    from translator.addons.serving.models import Models

    limits = limits or ServerLimits()
    models = Models(runs, limits, report)
    if not host:
        raise InputError("--host: expected an address such as 127.0.0.1, found nothing")
    listener = _listen(host, port, WAITING_CONNECTIONS)
    models.load_all()
    names = {*LOCAL_NAMES, host, *allowed_hosts}
    app = make_app(models, limits, sorted(names), allowed_origins)
    address = listener.getsockname()
    shown = f"[{address[0]}]" if ":" in address[0] else address[0]
    pairs = ", ".join(f"{source} to {target}" for source, target in models.pairs)
    server = uvicorn.Server(make_config(app, limits))
    received: set[int] = set()

    def end(number: int, frame: object) -> None:
        """Ends the server; an exception raised here could be lost in whatever is interrupted."""
        server.should_exit = True
        received.add(number)

    # Uvicorn takes the signals over when it has started, and raises them once more at its end.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    report(f"serving {pairs}: http://{shown}:{address[1]}/ (Ctrl-C ends it)")
    server.run(sockets=[listener])
    if signal.SIGINT in received:
        raise KeyboardInterrupt


def _listen(host: str, port: int, waiting: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(waiting)  # before the address is said: nobody is refused
    except (OSError, OverflowError, TypeError, UnicodeError) as error:  # also of a host's name
        listener.close()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(
            f"{host}:{port}: expected an address to listen on, found that it cannot be had"
            f" ({reason}); choose another with --host and --port"
        ) from None
    return listener
