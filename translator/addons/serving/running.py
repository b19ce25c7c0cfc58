"""Runs the server until a signal ends it."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from translator.addons.serving.limits import ServerLimits
from translator.addons.serving.models import Models
from translator.base.errors import InputError
from translator.base.signals import INTERRUPTED

WAITING_CONNECTIONS = 128
SECONDS_TO_END = 20  # for requests that are being answered when a signal comes
SECONDS_TO_REFUSE = 5  # to refuse requests that are not answered by then
BYTES_OF_HEAD = 1 << 19  # of a request; a request with more is refused unread


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
        InputError: a run cannot be opened, the port cannot be used, or the extra is missing.
        KeyboardInterrupt: SIGINT ended the server.
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
    url_host = f"[{address[0]}]" if ":" in address[0] else address[0]
    pairs = ", ".join(f"{source} to {target}" for source, target in models.pairs)
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # the clients get its errors
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
    signals: set[int] = set()

    def end(number: int, frame: object) -> None:
        """Ends the server without an exception: the interrupted code could catch it."""
        server.should_exit = True
        signals.add(number)

    # Uvicorn handles the signals once it has started, and raises them again when it ends.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    report(f"serving {pairs}: http://{url_host}:{address[1]}/ (Ctrl-C ends it)")
    server.run(sockets=[listener])
    if signal.SIGINT in signals:
        raise KeyboardInterrupt


class RefusingServer(uvicorn.Server):
    """Uvicorn's server. Before it stops, it refuses requests that it cannot answer."""

    models: Models

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ends the server in order; a second Ctrl-C ends the process at once."""
        if self.should_exit and sig == signal.SIGINT:
            os.write(2, b"translator: interrupted\n")
            os._exit(INTERRUPTED)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends the server in order."""
        refusing = asyncio.create_task(self._refuse())
        await super().shutdown(sockets)
        refusing.cancel()

    async def _refuse(self) -> None:
        await asyncio.sleep(SECONDS_TO_END)
        logging.getLogger("uvicorn.error").warning(
            "the server stops before all requests are answered"
        )
        await self.models.close()


class ImpatientProtocol(H11Protocol):
    """Uvicorn's protocol. The head of a first request gets no more time than later heads.

    If there are too many connections, a new one closes the connection that waited longest.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the time of the first request."""
        deadlines = {
            connection: connection.timeout_keep_alive_task.when()
            for connection in self.connections
            if isinstance(connection, ImpatientProtocol) and connection.timeout_keep_alive_task
        }
        is_full = len(self.connections) + 1 >= (self.limit_concurrency or 0)
        if deadlines and is_full:
            oldest = min(deadlines, key=deadlines.__getitem__)
            self.connections.discard(oldest)
            oldest.transport.abort()
        super().connection_made(transport)
        end = self.transport.abort
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, end)

    def data_received(self, data: bytes) -> None:
        """Receives data. The time of a request stops when its head is complete."""
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
        listener.listen(
            WAITING_CONNECTIONS
        )  # before the address is printed, so that nobody is refused
    except (OSError, OverflowError, TypeError, UnicodeError) as error:  # also from a host's name
        listener.close()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(
            f"{host}:{port}: expected an address to listen on, found one that cannot be used"
            f" ({reason}); choose another with --host and --port"
        ) from None
    return listener
