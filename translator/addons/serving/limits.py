"""What a server takes at most, and the errors that it answers with."""

from typing import NamedTuple


class ServerLimits(NamedTuple):
    """The limits of a server.

    Attributes:
        characters: of the text of one request.
        texts: in one request.
        body: bytes of a request.
        waiting: requests that wait for a translation.
        seconds: until a request is answered.
        seconds_of_body: until its body has arrived.
    """

    characters: int = 10_000
    texts: int = 200
    body: int = 1_000_000
    waiting: int = 500
    seconds: float = 60.0
    seconds_of_body: float = 10.0


class RequestError(Exception):
    """An error of one request.

    Args:
        status: of HTTP.
        message: for the client.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
