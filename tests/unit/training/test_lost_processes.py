"""What is said when another process of a training does not answer any longer."""

import pytest

from translator.training import processes
from translator.training.processes import ProcessGroup, explain_loss


class XlaRuntimeError(RuntimeError):
    """As JAX's is called."""


@pytest.mark.parametrize(
    ("error", "is_loss"),
    [
        (XlaRuntimeError("INTERNAL: connection closed\nmore"), True),
        (ValueError("UNKNOWN: Gloo all-gather failed: [external/gloo/pair.cc] Read error"), True),
        (ValueError("expected a number"), False),
        (ValueError("igloo.txt: expected a number"), False),
    ],
)
def test_an_error_of_jax_is_a_lost_process(monkeypatch, error, is_loss):
    assert explain_loss(error) is None
    monkeypatch.setattr(processes._Here, "group", ProcessGroup("127.0.0.1:1", 2, 1))
    monkeypatch.setattr(processes, "_failure", lambda: None)
    said = explain_loss(error)
    assert (said is not None) == is_loss
    if said:
        assert said.startswith("process 1 of 2: another process has ended")
        assert "\n" not in said
