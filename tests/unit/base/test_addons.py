"""How the core finds add-ons, and does without them."""

import sys

from tests.commands import run
from translator import addons
from translator.addons import averaging
from translator.base.addons import Hook, find_addons
from translator.cli.main import COMMANDS, find_command
from translator.training.hooks import COMMANDS_AFTERWARDS
from translator.translation.results import ASSESSORS


def test_a_hook_asks_in_order_and_leaves_out_those_that_have_no_answer(monkeypatch):
    answers = {"add": lambda n: n + 1, "nothing": lambda n: None, "double": lambda n: n * 2}
    monkeypatch.setitem(addons.ANSWERS, "numbers", [f"averaging:{name}" for name in answers])
    for name, answer in answers.items():
        monkeypatch.setattr(averaging, name, answer, raising=False)
    assert (Hook("nothing").ask(3), Hook("numbers").ask(3)) == ([], [4, 6])


def test_all_that_add_ons_bring_is_there_and_translating_needs_none(monkeypatch, capsys):
    assert [find_command(name).name for name in COMMANDS] == list(COMMANDS)
    hooks = [Hook(name) for name in addons.ANSWERS if name != "watchers"]  # which starts Keras
    assert all(hook.answers() for hook in hooks)
    assert "translator attention" in COMMANDS_AFTERWARDS.answers()[0]
    with_them = run(capsys, "translate", "--run", "en-de", "--quiet", "Good morning.")
    monkeypatch.setattr(ASSESSORS, "name", "none")
    ASSESSORS.answers.cache_clear()
    assert run(capsys, "translate", "--run", "en-de", "--quiet", "Good morning.") == with_them
    ASSESSORS.answers.cache_clear()
    monkeypatch.setitem(sys.modules, "translator.addons", None)
    assert find_addons() is None
