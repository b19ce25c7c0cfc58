"""What the program says where it can hardly start: one line, and exit code 2 or 130."""

import errno
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import python, shell
from translator.addons.serving.running import _listen
from translator.base.errors import InputError
from translator.base.machine import describe_memory
from translator.base.signals import ending_imports
from translator.cli.terminal import one_line

INTERRUPTED_AT = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
module = sys.argv.pop(1)
from translator.cli import main
main()
"""
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv.pop(1)) << 20,) * 2)
from translator.cli import main
main()
"""


@pytest.mark.parametrize("module", ["translator.cli.translating", "sentencepiece", "ctranslate2"])
def test_an_interrupt_while_modules_are_imported_is_one_line(module):
    done = python(INTERRUPTED_AT, module, "translate", "--run", "en-de", "Hello.", code=130)
    assert (done.stdout, done.stderr) == ("", "translator: interrupted\n")


def test_an_interrupt_that_a_library_makes_an_error_of_its_own_is_one_again():
    @ending_imports()
    def compile_step():
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise AttributeError from None

    with pytest.raises(KeyboardInterrupt):
        compile_step()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
@pytest.mark.parametrize("where", ["2>/dev/full", "2>&-"])
def test_exit_codes_are_the_same_if_standard_error_is_full_or_closed(where):
    for arguments, code in [(["corpora", "--no"], 2), (["translate", "--from", "en", "Hi."], 0)]:
        command = ["sh", "-c", f'"$@" {where}', "sh", sys.executable, "-m", "translator.cli"]
        done = subprocess.run([*command, *arguments], capture_output=True, check=False)
        assert (done.returncode, bool(done.stdout)) == (code, code == 0), arguments


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is read from Linux's /proc")
@pytest.mark.parametrize(
    ("limit", "command", "needed"),
    [
        (90, ["corpora"], "120 MiB for the program"),
        (1500, ["translate", "--run", "en-de", "--engine", "keras", "Hi."], "3,200 MiB for Keras"),
    ],
)
def test_too_little_memory_to_start_is_one_line(limit, command, needed):
    done = python(LIMITED, limit, *command, code=2)
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert f"memory: expected at least {needed}" in done.stderr
    assert "MiB left under the limit of this process (ulimit -v); raise the limit" in done.stderr


def test_memory_that_runs_out_later_is_one_line():
    for error in (
        MemoryError("Unable to allocate 3. GiB"),
        ImportError("libx.so: failed to map segment from shared object"),
    ):
        said = one_line(error) or ""
        assert said.startswith("memory: expected enough for this command, found ")
    said = one_line(OSError(errno.EFBIG, "File too large")) or ""  # of a file of a library
    assert said.startswith("the output or a temporary file: file too large; raise the limit")
    assert one_line(ImportError("cannot import name 'x'")) is None  # a bug
    assert describe_memory().endswith(("MiB available", "of this process (ulimit -v)"))


def test_variables_that_ctranslate2_does_not_know_are_named(monkeypatch):
    monkeypatch.delenv("CT2_FORCE_CPU_ISA", raising=False)
    for name, value in [("CT2_VERBOSE", "9"), ("CT2_VERBOSE", "x"), ("CT2_FORCE_CPU_ISA", "NOPE")]:
        done = shell("translate", "--run", "en-de", "Hi.", **{name: value})
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
        assert f"; unset {name}={value}, or".encode() in done.stderr


def test_addresses_that_are_none_are_refused():
    for host in ("a..b", "a" * 300, "a\udcff", "no such name"):
        with pytest.raises(InputError, match="expected an address to listen on"):
            _listen(host, 0)
