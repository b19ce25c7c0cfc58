"""Downloads files over HTTPS, checks that they are complete and as expected, and caches them."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from translator.base.cache import home, make_folder, sha256
from translator.base.errors import InputError
from translator.base.files import whole_path

NOT_FOUND = 404  # the status of an HTTP answer
TIMEOUT = 30  # seconds without data
# Some hosts, such as manythings.org, refuse programs that do not name themselves as a browser.
HEADERS = {"User-Agent": "Mozilla/5.0 (compatible; translator)"}


class NotThereError(InputError):
    """The server answered that it has no such file."""


class RemoteFile(NamedTuple):
    """A file on the network and its place in the cache.

    Attributes:
        place: the path below `home`, with ``/``.
        address: the URL of the file.
        sha256: the hash of the published file; None if the file changes over time.
        check: called with the path of a downloaded file before it is cached; raises
            `InputError` if the content is not as expected.
    """

    place: str
    address: str
    sha256: str | None = None
    check: Callable[[Path], None] | None = None

    @property
    def path(self) -> Path:
        """The path of the file after its download; users may also copy the file there."""
        return home() / self.place

    def is_cached(self) -> bool:
        """Whether the file is in the cache, with the expected bytes."""
        return self.path.is_file() and self._problem() is None

    def _problem(self) -> str | None:
        """Describes the problem of the cached file; None if the file is as expected."""
        if self.sha256 is not None and sha256(self.path) != self.sha256:
            return f"expected the file with SHA-256 {self.sha256[:12]}…, found other bytes"
        try:
            if self.check is not None:
                self.check(self.path)
        except InputError as error:
            return str(error)
        return None


def fetch(file: RemoteFile) -> Path:
    """Downloads a file unless it is cached.

    Raises:
        InputError: the download failed. The message says why, and where to copy the file by
            hand. A file that was cached before is untouched. If the server has no such file, the
            error is a `NotThereError`.
    """
    path = file.path
    by_hand = f"or copy the file by hand to {path}"
    if path.is_dir():
        raise InputError(
            f"{path}: expected a file, found a folder; remove it to download the file again"
        )
    if path.is_file():
        problem = file._problem()
        if problem is None:
            return path
        by_hand = f"or replace the unusable file by hand: {path}: {problem}"
    import pooch
    import requests
    from tqdm import tqdm

    make_folder(path.parent)
    pooch.get_logger().setLevel("WARNING")
    # pooch sets the total later. It calls bool(bar), which fails without a total
    bar = tqdm(desc=path.name, total=1, unit="B", unit_scale=True, disable=None, leave=False)
    try:
        with whole_path(path) as partial:
            pooch.retrieve(
                file.address,
                known_hash=file.sha256 and f"sha256:{file.sha256}",
                fname=partial.name,
                path=partial.parent,
                downloader=pooch.HTTPDownloader(
                    bar, chunk_size=1 << 16, timeout=TIMEOUT, headers=HEADERS
                ),
            )
            if file.check is not None:
                file.check(partial)
    except InputError as error:  # the error's advice names the partial file
        problem = str(error).partition("; ")[0].removeprefix(f"{partial}: ")
        problem = problem.replace(str(partial), path.name)
        raise InputError(f"{file.address}: {problem}; try again later, {by_hand}") from None
    except (requests.RequestException, ValueError) as error:
        message = f"{file.address}: {_describe_failure(error, file)}, {by_hand}"
        answer = getattr(error, "response", None)
        is_missing = answer is not None and answer.status_code == NOT_FOUND
        raise (NotThereError if is_missing else InputError)(message) from None
    finally:
        bar.close()
    return path


def _describe_failure(error: Exception, file: RemoteFile) -> str:
    """Says why a download failed, and what the user can do."""
    import requests

    if isinstance(error, requests.HTTPError):
        answer = error.response
        answer.close()
        is_there = answer.status_code != NOT_FOUND
        advice = "try again later" if is_there else "check whether the file has moved"
        return f"expected the file, found the answer {answer.status_code} {answer.reason}; {advice}"
    if not isinstance(error, requests.RequestException):  # pooch's error about the hash
        return (
            f"expected the file with SHA-256 {str(file.sha256)[:12]}…, found other bytes;"
            " try again later"
        )
    reason = type(error).__name__.replace("ConnectionError", "no connection")
    return f"expected to download it, found {reason}; check the network and try again"
