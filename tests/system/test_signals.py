"""A training at a terminal, and what ends it: a hang-up, SIGTERM."""

import os
import re
import signal
import subprocess

import pytest

from tests.commands import shell
from tests.terminal import PROGRAM, terminal
from tests.training_states import assert_same_endings

SETTINGS = ("training.epochs=20", "model.num_layers=1", "validation.translate_every=1")


@pytest.mark.slow
def test_a_hang_up_and_a_sigterm_save_and_stop(tiny_corpus, tmp_path):
    run = tmp_path / "run"
    arguments = [tiny_corpus / "config.yaml", *(x for s in SETTINGS for x in ("--set", s))]
    with terminal(*arguments, "--run", run, command="train") as shown:
        shown.expect("  source      The ", seconds=300)
        shown.expect("epoch  1/20  ")
        os.close(shown.descriptor)
        assert shown.process.wait(60) == 130, shown.seen
    lines = re.split("[\r\n]", shown.seen)
    mixed = [line for line in lines if "%|" in line and "  source" in line]
    assert mixed == [], "the bar is out of the way of other lines"
    resume = [*PROGRAM, "train", *arguments, "--run", run, "--resume"]
    with subprocess.Popen(resume, stderr=subprocess.PIPE, text=True) as process:
        said = ""
        for line in process.stderr:
            said += line
            if line.startswith("epoch"):
                process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 130
    assert re.search(r"^resuming at .*epoch", said, re.MULTILINE)
    assert re.search(
        r"^stopped after (update \d+ of )?epoch \d+; to continue: --resume$", said, re.M
    )
    ended = shell("train", *arguments, "--run", run, "--resume")
    assert ended.returncode == 0
    assert f"done: {run}" in ended.stderr.decode()
    assert shell("train", *arguments, "--run", tmp_path / "uninterrupted").returncode == 0
    assert_same_endings(run, tmp_path / "uninterrupted")
