"""Translated files that wait to be fetched, each under an address that nobody guesses."""

import secrets
import time
from collections.abc import Callable

from translator.addons.serving.bodies import FilePart
from translator.addons.serving.limits import RequestError, ServerLimits


class TranslatedFiles:
    """Keeps translated files in memory for some minutes.

    Args:
        limits: of the server.
        clock: tells the time in seconds.
    """

    def __init__(self, limits: ServerLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self.clock = clock
        self._files: dict[str, tuple[float, FilePart]] = {}

    def keep(self, file: FilePart) -> str:
        """Keeps a file; returns its key."""
        self._forget()
        while len(self._files) >= self.limits.files:  # the oldest one goes
            del self._files[next(iter(self._files))]
        key = secrets.token_urlsafe(16)
        self._files[key] = self.clock(), file
        return key

    def find(self, key: str) -> FilePart:
        """The file of a key.

        Raises:
            RequestError: there is none, or it was kept for too long.
        """
        self._forget()
        if key not in self._files:
            raise RequestError(404, "expected the address of a translated file, found none there")
        return self._files[key][1]

    def _forget(self) -> None:
        oldest = self.clock() - self.limits.seconds_of_file
        self._files = {key: kept for key, kept in self._files.items() if kept[0] >= oldest}
