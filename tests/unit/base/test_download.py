"""Downloads: complete, checked, cached, and otherwise refused with an error of one line."""

import shutil
import ssl
import subprocess
from functools import partial

import pytest

from translator.base.cache import cached_folder, home, key_of, sha256
from translator.base.download import RemoteFile, fetch
from translator.base.errors import InputError
from translator.corpora.opus import check_archive

CONTENT = b"a file of some length\n" * 5000


def remote(loopback, name="data/file.txt", **options) -> RemoteFile:
    """A file that the server has."""
    loopback.content[f"/{name}"] = CONTENT
    return RemoteFile(name, f"{loopback.address}/{name}", **options)


def left_over() -> list[str]:
    """Every file of the cache."""
    return sorted(str(p.relative_to(home())) for p in home().rglob("*") if p.is_file())


def test_a_file_is_downloaded_once_and_then_used_offline(loopback, own_home):
    file = remote(loopback, sha256=sha256(CONTENT))
    assert not file.is_cached()
    assert fetch(file).read_bytes() == CONTENT
    loopback.stop()
    assert fetch(file) == own_home / "data/file.txt"
    assert loopback.requests == ["/data/file.txt"]
    assert left_over() == ["data/file.txt"]


@pytest.mark.parametrize("known_hash", [sha256(CONTENT), None])
@pytest.mark.parametrize(
    "message", ["ChunkedEncodingError; check", "answer 404 Not Found; check whether"]
)
def test_a_failed_download_leaves_nothing_and_starts_again(loopback, own_home, known_hash, message):
    file = remote(loopback, sha256=known_hash)
    if "404" in message:
        loopback.content.clear()
    else:
        loopback.cut_short.add("/data/file.txt")
    with pytest.raises(InputError) as caught:
        fetch(file)
    assert str(caught.value).startswith(f"{file.address}: expected ")
    assert message in str(caught.value)
    assert str(caught.value).endswith(f"by hand to {own_home / 'data/file.txt'}")
    assert left_over() == []
    loopback.cut_short.clear()
    assert fetch(remote(loopback)).read_bytes() == CONTENT


def test_a_download_with_another_hash_is_refused_and_the_cached_file_stays(loopback, own_home):
    file = remote(loopback, sha256="0" * 64)
    file.path.parent.mkdir(parents=True)
    file.path.write_bytes(b"older")
    with pytest.raises(InputError, match="replace the unusable file by hand: .*0000…, found other"):
        fetch(file)
    assert file.path.read_bytes() == b"older"
    assert left_over() == ["data/file.txt"]
    right = file._replace(sha256=sha256(CONTENT))
    assert not right.is_cached()
    assert fetch(right).read_bytes() == CONTENT


def test_offline_the_error_says_what_was_tried_and_a_file_copied_by_hand_is_used(
    loopback, own_home
):
    file = remote(loopback)
    loopback.stop()
    with pytest.raises(InputError) as caught:
        fetch(file)
    message = str(caught.value)
    assert message.startswith(f"{file.address}: expected to download it, found no connection")
    place = message.rpartition("by hand to ")[2]
    with open(place, "wb") as by_hand:
        by_hand.write(CONTENT)
    assert fetch(file).read_bytes() == CONTENT


def test_a_web_page_in_place_of_an_archive_is_not_kept(loopback, own_home):
    file = remote(loopback, check=partial(check_archive, languages=("en", "de")))
    loopback.content["/data/file.txt"] = b"<html>\n"
    with pytest.raises(InputError, match="expected sentence pairs, found a web page"):
        fetch(file)
    assert left_over() == []


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_an_untrusted_certificate_is_refused(loopback, own_home, tmp_path):
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
    subprocess.run(
        [*command.split(), "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    file = remote(loopback)
    loopback.server.socket = context.wrap_socket(loopback.server.socket, server_side=True)
    address = file.address.replace("http:", "https:")
    with pytest.raises(InputError, match="found SSLError; check"):
        fetch(file._replace(address=address))
    assert left_over() == []


def test_a_cache_that_may_not_be_written_names_the_setting(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path / "file"))
    with pytest.raises(InputError, match="set the environment's TRANSLATOR_HOME to another"):
        fetch(RemoteFile("a/b", "http://127.0.0.1:9/a"))


def test_a_cached_folder_is_built_once_and_complete_or_not_at_all(own_home):
    def fail(folder):
        (folder / "half").write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        cached_folder("encoded", "key", fail)
    assert left_over() == []
    built = []
    for _ in range(2):
        folder = cached_folder("encoded", "key", lambda f: built.append((f / "it").write_text("")))
    assert len(built) == 1
    assert (folder / "it").is_file()
    assert key_of({"a": 1, "b": [2]}) == key_of({"b": [2], "a": 1}) != key_of({"a": 1, "b": [3]})
