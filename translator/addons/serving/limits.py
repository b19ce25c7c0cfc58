"""The limits of a server, its check of requests, and its answers to errors."""

from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

PAGE_HEADERS = {"x-frame-options": "SAMEORIGIN", "x-content-type-options": "nosniff"}
DECIDING = (b"host", b"origin", b"sec-fetch-site")  # headers that decide if a request is allowed
MOST_HEADERS, BYTES_OF_HEADERS = 100, 32_000  # of a request
PAGES = ("/", "/health")  # other sites may link to them


class RequestError(Exception):
    """An error of one request."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def error_answer(status: int, message: str) -> Response:
    """An error in the form of LibreTranslate."""
    return JSONResponse({"error": message}, status)


class ServerLimits(NamedTuple):
    """The limits of a server, for one request unless a comment says otherwise."""

    characters: int = 10_000
    texts: int = 200
    terms: int = 1_000  # of the glossary
    sentences: int = 500
    line: int = 2_000  # characters
    weights: int = 4_000_000  # of attention in an answer
    body: int = 200_000  # bytes
    file: int = 5_000_000  # bytes of a body with a file
    files: int = 20  # translated files that are kept at once
    waiting: int = 500  # requests
    connections: int = 500
    seconds: float = 60.0  # until a request is answered
    seconds_of_body: float = 10.0  # until the body has arrived
    seconds_of_file: float = 600.0  # for which a translated file is kept
    seconds_idle: int = 15  # for which a connection may wait for its next request

    def check_lines(self, lines: Sequence[str]) -> None:
        """Refuses lines that are too long, or too many."""
        longest = max(map(len, lines), default=0)
        if longest > self.line:
            raise RequestError(
                400,
                f"expected lines of at most {self.line:,} characters, found a line of"
                f" {longest:,}; break it into paragraphs",
            )
        self.check_sentences(sum(not line.isspace() for line in lines if line))

    def check_sentences(self, count: int) -> None:
        """Refuses a request with too many sentences."""
        if count > self.sentences:
            raise RequestError(
                400, f"expected at most {self.sentences} sentences, found {count:,} or more"
            )


class Guard:
    """Checks requests before they reach the application.

    Args:
        hosts: names that requests may call the server.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str], origins: tuple[str, ...]) -> None:
        self.app = app
        self.hosts = {name.strip("[]").lower() for name in hosts}
        self.origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it with an error."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        host, origin = headers.get("host", ""), headers.get("origin")
        is_foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        names = [name for name, _ in scope["headers"]]
        size = sum(len(name) + len(value) for name, value in scope["headers"])
        answer = None
        if len(names) > MOST_HEADERS or size > BYTES_OF_HEADERS:
            answer = error_answer(431, f"expected at most {MOST_HEADERS} short headers, found more")
        elif any(names.count(name) > 1 for name in DECIDING):
            answer = error_answer(400, "expected one Host and one Origin, found several")
        elif _name_of(host) not in self.hosts:
            answer = error_answer(
                400, f"expected the server's own name, found {host:.60}; use --allow-host"
            )
        elif origin is not None and not self._is_allowed(origin, host):
            answer = error_answer(
                403, f"expected a page of this server, found {origin:.60}; use --allow-origin"
            )
        elif origin is None and is_foreign and scope["path"] not in PAGES and not self.origins:
            answer = error_answer(403, "expected a page of this server, found a page elsewhere")
        await (answer or self.app)(scope, receive, send)

    def _is_allowed(self, origin: str, host: str) -> bool:
        return origin.partition("://")[2] == host or bool({origin, "*"} & set(self.origins))


def _name_of(host: str) -> str:
    """The name in a Host header, in small letters, without the port and without brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
