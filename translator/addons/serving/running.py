"""Runs the server until it is told to end; its connections may wait for so long."""

import asyncio
import contextlib
import logging
import signal
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from translator.addons.serving.limits import ServerLimits
from translator.base.errors import InputError

# As many are accepted at once, and as many errors are raised where that cannot be done.
WAITING_CONNECTIONS = 128
SECONDS_BETWEEN_EQUAL_ERRORS = 60.0
SECONDS_TO_END = 20  # for requests that are being answered when the server is told to end


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
        port: likewise; 0 for a free one.
        allowed_hosts: further names that the server may be called by.
        report: called with a line for the user.

    Raises:
        InputError: a run cannot be opened, the port cannot be had, or the extra is missing.
        KeyboardInterrupt: it was ended by SIGINT.
    """
    from translator.addons.serving.app import LOCAL_NAMES, make_app
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


def make_config(app: ASGIApp, limits: ServerLimits) -> uvicorn.Config:
    """Configures uvicorn for an application, and the log."""
    for name in ("asyncio", "uvicorn.error"):
        logging.getLogger(name).addFilter(_FILTER)
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # clients get the error
    return uvicorn.Config(
        app,
        http=BoundedProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        backlog=WAITING_CONNECTIONS,
        timeout_keep_alive=limits.seconds_idle,
        timeout_graceful_shutdown=SECONDS_TO_END,
        limit_concurrency=_most_connections(limits.connections) + 1,  # where all are refused
        server_header=False,
    )


def _most_connections(most: int) -> int:
    """How many there may be: at most half of the files that the process may open."""
    with contextlib.suppress(ImportError):  # Windows has no such limit
        import resource

        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return most if files == resource.RLIM_INFINITY else min(most, files // 2)
    return most


class BoundedProtocol(H11Protocol):
    """Uvicorn's protocol, with an end for connections that only wait.

    The time that uvicorn gives a connection from one request to the next, `timeout_keep_alive`,
    holds for the first request, too, and until its head has arrived whole; a client has as long to
    take what is sent. Where a new one would reach `limit_concurrency`, the one that has waited
    longest for a request is closed.
    """

    _sending: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins the time of the first request."""
        if self.limit_concurrency and len(self.connections) + 1 >= self.limit_concurrency:
            self._close_longest_waiting()
        super().connection_made(transport)
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )

    def _close_longest_waiting(self) -> None:
        waiting = {
            connection: connection.timeout_keep_alive_task.when()
            for connection in self.connections
            if isinstance(connection, H11Protocol) and connection.timeout_keep_alive_task
        }
        if waiting:
            longest = min(waiting, key=waiting.__getitem__)
            self.connections.discard(longest)
            longest.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Takes data; the time goes on if no request has begun with it."""
        timer = self.timeout_keep_alive_task
        super().data_received(data)
        is_waiting = self.cycle is None or self.cycle.response_complete
        if timer is not None and is_waiting and self.timeout_keep_alive_task is None:
            self.timeout_keep_alive_task = self.loop.call_at(
                timer.when(), self.timeout_keep_alive_handler
            )

    def timeout_keep_alive_handler(self) -> None:
        """Closes the connection, also if the client does not take what was sent."""
        self.transport.abort()

    def pause_writing(self) -> None:
        """The client takes less than is sent."""
        super().pause_writing()
        self._sending = self.loop.call_later(self.timeout_keep_alive, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has taken most of it."""
        super().resume_writing()
        if self._sending is not None:
            self._sending.cancel()


class OncePerMinute(logging.Filter):
    """Passes an error on once a minute; those of the machine, such as a full table, in one line."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[tuple[object, ...], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is passed on."""
        error = record.exc_info[1] if record.exc_info else None
        now, kind = time.monotonic(), (record.pathname, record.lineno, type(error), _place(error))
        if now - self._said.get(kind, -SECONDS_BETWEEN_EQUAL_ERRORS) < SECONDS_BETWEEN_EQUAL_ERRORS:
            return False
        self._said[kind] = now
        if isinstance(error, OSError):
            record.msg = f"{record.getMessage().partition(chr(10))[0]}: {error}"
            record.args, record.exc_info = (), None
        return True


def _place(error: BaseException | None) -> object:
    """Where an error was raised."""
    trace = error.__traceback__ if error else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace and (trace.tb_frame.f_code, trace.tb_lineno)


_FILTER = OncePerMinute()  # of this process
