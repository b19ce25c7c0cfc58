"""Commands that read standard input where it is closed."""

import sys

from tests.commands import refused


def test_commands_that_read_standard_input_say_that_it_is_closed(capfd, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    message = "standard input: expected sentences, found a closed input"
    assert refused(capfd, "score") == refused(capfd, "tokenize", "--run", "en-de") == message
