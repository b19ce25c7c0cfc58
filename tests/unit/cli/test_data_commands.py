"""``translator tokenize``: options that exclude each other; a standard input that is closed."""

import sys

import pytest

from tests.commands import refused
from translator.base.errors import InputError
from translator.cli import data
from translator.cli.data import open_tokenizer


def test_options_of_a_run_and_of_bpemb_exclude_each_other():
    for options, message in [
        (("run", "en", None, None), "--run: expected no --bpemb with it, found both"),
        ((None, "en", None, "source"), "--side: expected no --bpemb with it, found both"),
        ((None, None, 1000, None), "--vocab-size: expected --bpemb with it, found none"),
        (("run", None, 1000, "target"), "--vocab-size: expected --bpemb with it, found none"),
        ((None, "en", 0, None), "BPEmb has 1000, .* pieces for en, found 0$"),
        ((None, "en", 12_345, None), "BPEmb has 1000, .* pieces for en, found 12345$"),
    ]:
        with pytest.raises(InputError, match=message):
            open_tokenizer(*options)


def test_commands_that_read_standard_input_say_that_it_is_closed(capfd, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(data, "open_tokenizer", lambda *options: None)
    message = "standard input: expected sentences, found it closed"
    assert refused(capfd, "score") == refused(capfd, "tokenize") == message
