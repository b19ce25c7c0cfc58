"""What a server takes at most, and the errors that it answers with."""

from collections.abc import Sequence
from typing import NamedTuple


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


class ServerLimits(NamedTuple):
    """The limits of a server.

    Attributes:
        characters: of the text of one request.
        texts: in one request.
        terms: of the glossary of a request.
        sentences: in one request; a line has at least one.
        line: characters of a line.
        weights: of attention in one answer.
        body: bytes of a request.
        file: bytes of one with a file.
        files: translated ones that are kept until they are fetched.
        seconds_of_file: that a translated file is kept.
        waiting: requests that wait for a translation.
        connections: open at the same time.
        seconds: until a request is answered.
        seconds_of_body: until its body has arrived.
        seconds_idle: that a connection may wait for a request, or for its client to take an answer.
    """

    characters: int = 10_000
    texts: int = 200
    terms: int = 1_000
    sentences: int = 500
    line: int = 2_000
    weights: int = 4_000_000
    body: int = 200_000
    file: int = 5_000_000
    files: int = 20
    waiting: int = 500
    connections: int = 1_000
    seconds: float = 60.0
    seconds_of_body: float = 10.0
    seconds_of_file: float = 600.0
    seconds_idle: int = 15

    def check_lines(self, lines: Sequence[str]) -> None:
        """Refuses lines that are too long, or too many.

        Raises:
            RequestError: they are.
        """
        longest = max(map(len, lines), default=0)
        if longest > self.line:
            raise RequestError(
                400,
                f"expected lines of at most {self.line:,} characters, found one of"
                f" {longest:,}; break it into paragraphs",
            )
        self.check_sentences(sum(not line.isspace() for line in lines if line))

    def check_sentences(self, count: int) -> None:
        """Refuses a request with too many sentences.

        Raises:
            RequestError: it has.
        """
        if count > self.sentences:
            raise RequestError(
                400, f"expected at most {self.sentences} sentences, found {count:,} or more"
            )
