"""What a training shows in a notebook."""

import sys
from types import SimpleNamespace

import pytest
from tqdm import tqdm

from translator.base.notebook import OverwrittenLine, bar_file, lines_file


@pytest.fixture
def shown(monkeypatch):
    """What a cell of a notebook shows, in the order in which it is shown: new, or instead."""
    found: list[tuple[str, str]] = []

    def display(data, **_):
        found.append(("new", data["text/plain"]))
        return SimpleNamespace(
            update=lambda data, **_: found.append(("instead", data["text/plain"]))
        )

    fake = SimpleNamespace(display=SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "IPython", fake)
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())
    return found


def test_several_bars_overwrite_one_line(shown):
    file = bar_file()
    for epoch in (1, 2):
        with tqdm(total=3, desc=f"epoch {epoch}", file=file, leave=False, mininterval=0) as bar:
            for _ in range(3):
                bar.update()
    kinds = [kind for kind, _ in shown]
    assert kinds == ["new", *["instead"] * (len(kinds) - 1)]
    assert shown[0][1].startswith("epoch 1")
    assert shown[-1][1].startswith("epoch 2: 100%")
    assert all(text.strip() for _, text in shown)


def test_lines_of_a_notebook_are_no_errors(shown, monkeypatch):
    assert lines_file() is sys.stdout
    monkeypatch.delitem(sys.modules, "ipykernel")
    assert lines_file() is sys.stderr
    assert not isinstance(bar_file(), OverwrittenLine)
