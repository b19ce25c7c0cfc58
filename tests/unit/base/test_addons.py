"""How the core finds add-ons, and does without them."""

from pathlib import Path

from tests.commands import run
from translator.base import addons
from translator.base.addons import Hook, addon_modules


def test_a_hook_asks_in_order_and_leaves_out_those_that_have_no_answer():
    hook: Hook = Hook()
    assert hook.ask(3) == []
    hook.register(lambda number: number + 1)
    hook.register(lambda number: None)
    hook.register(lambda number: number * 2)
    assert hook.ask(3) == [4, 6]
    assert len(hook.answers()) == 3


def test_add_ons_are_found_by_their_folders_and_translating_needs_none(monkeypatch, capsys):
    from translator.translation.assessor import ASSESSORS

    with_them = run(capsys, "translate", "--run", "en-de", "--quiet", "Good morning.")
    monkeypatch.setattr(ASSESSORS, "_answers", [])
    assert run(capsys, "translate", "--run", "en-de", "--quiet", "Good morning.") == with_them
    names = [module.__name__.split(".")[2] for module in addon_modules("registration")]
    assert names == sorted(names)
    assert {"attention", "confidence", "monitoring"} <= set(names)
    monkeypatch.setattr(addons, "FOLDER", Path("/not/there"))
    assert not list(addon_modules("commands"))
