"""Connections over the loopback address: how long they may wait, how many there are, and the log.

The application is a small one; the server around it is that of `translator serve`.
"""

import contextlib
import logging
import socket
import subprocess
import sys
import threading
import time

import pytest

uvicorn = pytest.importorskip("uvicorn")

from translator.addons.serving.limits import ServerLimits  # noqa: E402
from translator.addons.serving.running import OncePerMinute, make_config  # noqa: E402

HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
LARGE = 20_000_000
FEW_FILES = """
import resource, sys, threading, uvicorn
from tests.unit.addons.serving.test_connections import listen, make_config, ServerLimits, small_app
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), 4096))
listener = listen()
print(listener.getsockname()[1], flush=True)
uvicorn.Server(make_config(small_app, ServerLimits(seconds_idle=3))).run(sockets=[listener])
"""


async def small_app(scope, receive, send):
    size = LARGE if scope["path"] == "/large" else 2
    await send({"type": "http.response.start", "status": 200,
                "headers": [(b"content-length", str(size).encode())]})  # fmt: skip
    await send({"type": "http.response.body", "body": b"x" * size})


def listen():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    return listener


@contextlib.contextmanager
def serving(**limits):
    """A running server: what connects to it, and its connections."""
    listener = listen()
    server = uvicorn.Server(make_config(small_app, ServerLimits()._replace(**limits)))
    server.config.lifespan = "off"
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    address = listener.getsockname()
    try:
        with contextlib.ExitStack() as clients:

            def connect(sent=b""):
                client = clients.enter_context(socket.create_connection(address, 20))
                client.sendall(sent)
                return client

            yield connect, server.server_state.connections
    finally:
        server.should_exit = True
        thread.join(30)


def is_open(client):
    client.setblocking(False)
    try:
        return client.recv(1000) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        client.settimeout(20)


def wait(condition, seconds=15.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def test_connections_that_only_wait_are_closed():
    """Those without a request, with a part of one, with one that never ends, and after one."""
    with serving(seconds_idle=1) as (connect, _):
        waiting = {name: connect(sent) for name, sent in {
            "nothing": b"",
            "part of a head": HEAD,
            "answered": HEAD + b"\r\n",
            "answered, body to come": HEAD + b"Content-Length: 9999\r\n\r\n",
        }.items()}  # fmt: skip
        began = time.monotonic()
        while time.monotonic() - began < 10 and any(map(is_open, waiting.values())):
            for name in ("part of a head", "answered, body to come"):  # a byte now and then
                with contextlib.suppress(OSError):
                    waiting[name].send(b"x")
            time.sleep(0.2)
        assert {name: is_open(client) for name, client in waiting.items()} == dict.fromkeys(
            waiting, False
        )
        client = connect(HEAD)  # one that is slow, but in time
        time.sleep(0.3)
        client.sendall(b"\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 200")


def test_a_client_that_does_not_take_its_answer_is_closed():
    with serving(seconds_idle=1) as (connect, connections):
        connect(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert wait(lambda: connections)
        assert wait(lambda: not connections)
        patient, size = connect(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"), 0
        while size < LARGE and (part := patient.recv(1_000_000)):
            size += len(part)
            time.sleep(0.01)
        assert size >= LARGE


def test_the_connection_that_has_waited_longest_makes_room():
    with serving(connections=5) as (connect, connections):
        clients = []
        for _ in range(12):
            clients.append(connect(HEAD))
            assert wait(lambda: len(connections) == min(5, len(clients)))
            time.sleep(0.02)
        assert wait(lambda: [is_open(each) for each in clients] == [False] * 7 + [True] * 5)
        assert connect(HEAD + b"\r\n").recv(100).startswith(b"HTTP/1.1 200")


def test_few_files_neither_stop_the_server_nor_fill_the_log():
    process = subprocess.Popen([sys.executable, "-c", FEW_FILES, "40"], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    try:
        address = "127.0.0.1", int(process.stdout.readline())
        with contextlib.ExitStack() as clients:
            for _ in range(100):
                clients.enter_context(socket.create_connection(address, 20))
            with socket.create_connection(address, 20) as client:
                client.sendall(HEAD + b"\r\n")
                assert client.recv(100).startswith(b"HTTP/1.1 200")
            time.sleep(2)  # asyncio accepts again after a second, and fails if that is the end
    finally:
        process.terminate()
        said = process.communicate(timeout=30)[1]
    assert said.count("\n") <= 1
    assert said in ("", "socket.accept() out of system resource: [Errno 24] Too many open files\n")


def test_the_same_error_is_logged_once_a_minute(monkeypatch):
    now, said = [0.0], []
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    logger = logging.Logger("small")
    logger.addFilter(OncePerMinute())
    handler = logging.Handler()
    handler.emit = lambda record: said.append((record.getMessage(), bool(record.exc_info)))
    logger.addHandler(handler)

    def log(error):
        try:
            raise error
        except type(error):
            logger.exception("it failed\nat length %s", 3)

    for now[0] in (1.0, 2.0, 60.0, 62.0):
        log(OSError("full"))
    assert said == [("it failed: full", False)] * 2
    log(ValueError("a bug"))
    log(ValueError("a bug"))
    assert said[2:] == [("it failed\nat length 3", True)]
