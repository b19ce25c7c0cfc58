"""The benchmark of an installation: pip, the network."""

import sys

import pytest
from harness import watch
from installation import NO_NETWORK, can_unshare, pip

from translator.base.errors import InputError


def test_pip_says_itself_what_fails(tmp_path, capfd):
    with pytest.raises(InputError, match="pip download: expected it to succeed, found exit code"):
        pip("download", "--no-index", str(tmp_path / "none"))
    assert "none" in capfd.readouterr().err


def test_a_process_without_the_network_has_no_interface_that_is_up(tmp_path):
    if not can_unshare():
        pytest.skip("this system cannot turn the network off")
    program = (
        "import socket\n"
        "try: socket.create_connection(('127.0.0.1', 9), 1)\n"
        "except OSError as error: raise SystemExit(error.strerror)\n"
    )
    with pytest.raises(InputError, match="Network is unreachable"):
        watch([*NO_NETWORK, sys.executable, "-c", program], tmp_path)
