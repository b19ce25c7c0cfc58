"""Encoding a corpus on a disk that fills up."""

import errno
import os
import subprocess

import pytest

from tests.builders import write_config, write_file
from tests.commands import shell


@pytest.fixture
def small_disk(tmp_path):
    """A file system with room for next to nothing."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1100k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("may not mount a small file system here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.slow
def test_a_disk_that_fills_up_while_encoding_is_one_line_and_a_second_try_goes_on(
    tmp_path, small_disk
):
    long = "The cat sees the dog. " * 20
    lines = [f"{long}\t{long}"]
    lines += [f"The cat {i} sees the dog {i}.\tDie Katze {i} sieht {i}." for i in range(9000)]
    path = write_file(tmp_path, "a.tsv", "\n".join(lines))
    corpus = f"{{train: {{tsv: {path}}}, split: {{validation: 0.1}}}}"
    config = write_config(tmp_path, corpus, "{vocab_size: 320}")
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * 700_000)
    command = ("train", config, "--run", tmp_path / "run")
    home = str(small_disk / "home")
    first = shell(*command, TRANSLATOR_HOME=home)
    said = first.stderr.decode()
    assert first.returncode == 2
    assert os.strerror(errno.ENOSPC).lower() in said
    assert "free some space and try again" in said
    assert "Traceback" not in said
    kept = [path.name for path in small_disk.rglob("*") if path.is_file()]
    assert sorted(kept) == ["filler", "source.model", "target.model"]
    filler.unlink()
    faster = ("--set", "data.batch_size=500", "--set", "validation.translate_every=0")
    second = shell(*command, *faster, TRANSLATOR_HOME=home)
    assert second.returncode == 0, second.stderr.decode()
