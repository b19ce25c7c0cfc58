"""Checked downloads: encrypted, whole, with the bytes that were meant, and only once."""

import os
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from translator.cache import home, make_folder, sha256
from translator.errors import InputError

TIMEOUT = 30  # seconds without a byte
# Some hosts, manythings.org among them, turn away what does not name itself like a browser.
HEADERS = {"User-Agent": "Mozilla/5.0 (compatible; translator)"}


class RemoteFile(NamedTuple):
    """A file on the network and its place in the cache.

    Attributes:
        place: the path below `home`, with ``/``.
        address: where it is fetched from.
        sha256: of the file as published; None where it changes over time.
        check: is given the path of a download before it gets its name, and
            raises `InputError` where it is not what it should be.
    """

    place: str
    address: str
    sha256: str | None = None
    check: Callable[[Path], None] | None = None

    @property
    def path(self) -> Path:
        """Where it lies once it is fetched, or put there by hand."""
        return home() / self.place

    def is_cached(self) -> bool:
        """Whether it is there, with the bytes that it should have."""
        path = self.path
        return path.is_file() and (self.sha256 is None or sha256(path) == self.sha256)


def fetch(file: RemoteFile) -> Path:
    """Downloads a file unless it is cached.

    Args:
        file: which.

    Returns:
        Its path in the cache.

    Raises:
        InputError: it cannot be had; the message says what was tried, and where
            the file may be put by hand. What was cached before is untouched.
    """
    if file.is_cached():
        return file.path
    import pooch
    import requests
    from tqdm import tqdm

    path = file.path
    by_hand = f"or put the file there by hand: {path}"
    make_folder(path.parent)
    pooch.get_logger().setLevel("WARNING")
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    # pooch sets the total; a bar without one has no truth value, which pooch asks for
    bar = tqdm(desc=path.name, total=1, unit="B", unit_scale=True, disable=None, leave=False)
    try:
        pooch.retrieve(
            file.address,
            known_hash=file.sha256 and f"sha256:{file.sha256}",
            fname=partial.name,
            path=path.parent,
            downloader=pooch.HTTPDownloader(
                bar, chunk_size=1 << 16, timeout=TIMEOUT, headers=HEADERS
            ),
        )
        if file.check is not None:
            file.check(partial)
        os.replace(partial, path)
    except requests.HTTPError as error:
        error.response.close()
        raise InputError(
            f"{file.address}: expected the file, found the answer"
            f" {error.response.status_code} {error.response.reason}; try again later, {by_hand}"
        ) from None
    except requests.exceptions.SSLError:
        raise InputError(
            f"{file.address}: expected a certificate that this machine trusts, found another;"
            f" mend the machine's certificates or clock, {by_hand}"
        ) from None
    except requests.RequestException as error:
        raise InputError(
            f"{file.address}: expected to download it, found {_trouble(error)};"
            f" check the network and try again, {by_hand}"
        ) from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise InputError(f"{file.address}: {error}; try again later, {by_hand}") from None
        raise InputError(
            f"{file.address}: expected the file with SHA-256 {file.sha256[:12]}…, found other"
            f" bytes; try again later, {by_hand}"
        ) from None
    finally:
        bar.close()
        partial.unlink(missing_ok=True)
    return path


def _trouble(error: Exception) -> str:
    import requests

    if isinstance(error, requests.Timeout):
        return f"no answer within {TIMEOUT} seconds"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "an answer that broke off"
    return "no connection"


def check_member_names(names: list[str], archive: str) -> None:
    """Refuses an archive that names a place outside its own folder.

    Raises:
        InputError: it does.
    """
    for name in names:
        parts = name.replace("\\", "/").split("/")
        if ".." in parts or parts[0] == "" or ":" in parts[0]:
            raise InputError(
                f"{archive}: expected names inside the archive's folder, found {name!r};"
                " get the archive from a place that you trust"
            )


def check_zip(path: Path, member: str) -> None:
    """Sees that a zip archive is whole, names no place outside, and holds a member.

    Raises:
        InputError: one of these is not so.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            check_member_names(archive.namelist(), path.name)
            if member not in archive.namelist():
                raise InputError(f"expected {member} in the archive, found none")
            damaged = archive.testzip()
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        damaged = path.name
    if damaged is not None:
        raise InputError("expected a whole zip archive, found one cut short or damaged")
