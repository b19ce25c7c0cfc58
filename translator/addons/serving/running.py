"""Runs the server until it is told to end."""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from translator.addons.serving.limits import ServerLimits
from translator.addons.serving.models import Models
from translator.base.errors import InputError

WAITING_CONNECTIONS = 128
SECONDS_TO_END = 20  # for requests that are being answered when the server is told to end
SECONDS_TO_REFUSE = 5  # for refusing those that are not answered then
BYTES_OF_HEAD = 1 << 19  # of a request, before it is refused unread


def serve(
    runs: Sequence[str | Path],
    host: str = "127.0.0.1",
    port: int = 5000,
    allowed_hosts: Sequence[str] = (),
    allowed_origins: Sequence[str] = (),
    report: Callable[[str], None] = print,
) -> None:
    """Serves until SIGINT or SIGTERM; requests that are being answered are finished first.

    Args:
        runs: names or paths; the models that come with the program if there are none.
        port: 0 for a free one.

    Raises:
        InputError: a run cannot be opened, the port cannot be had, or the extra is missing.
        KeyboardInterrupt: it was ended by SIGINT.
    """
    from translator.addons.serving.app import LOCAL_NAMES, make_app

    limits = ServerLimits()
    models = Models(runs, limits, report)
    if not host:
        raise InputError("--host: expected an address such as 127.0.0.1, found nothing")
    listener = _listen(host, port)
    models.load_all()
    names = {*LOCAL_NAMES, host, *allowed_hosts}
    app = make_app(models, limits, sorted(names), allowed_origins)
    address = listener.getsockname()
    shown = f"[{address[0]}]" if ":" in address[0] else address[0]
    pairs = ", ".join(f"{source} to {target}" for source, target in models.pairs)
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # clients get the error
    config = uvicorn.Config(
        app,
        http=ImpatientProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        timeout_keep_alive=limits.seconds_idle,
        h11_max_incomplete_event_size=BYTES_OF_HEAD,
        timeout_graceful_shutdown=SECONDS_TO_END + SECONDS_TO_REFUSE,
        limit_concurrency=limits.connections,
        server_header=False,
    )
    server = RefusingServer(config)
    server.models = models
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


class RefusingServer(uvicorn.Server):
    """Uvicorn's server, which refuses what it cannot answer before it ends."""

    models: Models

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends the server in order."""
        refusing = asyncio.create_task(self._refuse())
        await super().shutdown(sockets)
        refusing.cancel()

    async def _refuse(self) -> None:
        await asyncio.sleep(SECONDS_TO_END)
        logging.getLogger("uvicorn.error").warning("the server ends before all are answered")
        await self.models.close()


class ImpatientProtocol(H11Protocol):
    """Uvicorn's protocol, where the head of the first request has no more time than later ones.

    Where a new connection would be one too many, the one that has waited longest is closed.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins the time of the first request."""
        waiting = {
            other: other.timeout_keep_alive_task.when()
            for other in self.connections
            if isinstance(other, ImpatientProtocol) and other.timeout_keep_alive_task
        }
        is_full = len(self.connections) + 1 >= (self.limit_concurrency or 0)
        if waiting and is_full:
            longest = min(waiting, key=waiting.__getitem__)
            self.connections.discard(longest)
            longest.transport.abort()
        super().connection_made(transport)
        end = self.transport.abort
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, end)

    def data_received(self, data: bytes) -> None:
        """Takes data; the time goes on until the head of a request is whole."""
        timer = self.timeout_keep_alive_task
        super().data_received(data)
        is_waiting = self.cycle is None or self.cycle.response_complete
        if timer and is_waiting and not self.timeout_keep_alive_task:
            self.timeout_keep_alive_task = self.loop.call_at(timer.when(), self.transport.abort)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(WAITING_CONNECTIONS)  # before the address is said: nobody is refused
    except (OSError, OverflowError, TypeError, UnicodeError) as error:  # also of a host's name
        listener.close()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(
            f"{host}:{port}: expected an address to listen on, found that it cannot be had"
            f" ({reason}); choose another with --host and --port"
        ) from None
    return listener
