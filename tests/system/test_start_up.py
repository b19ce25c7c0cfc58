"""What starts without TensorFlow, and what a start leaves in the environment."""

import os

import pytest

from tests.commands import python
from tests.explorer_records import explorer_records
from translator.addons.attention.record_files import save_records

COMMAND = "import sys; from translator.cli import main; main(sys.argv[2:])\n"
COUNTED = """
import os, re, sys
opened, patterns, before, compiled = [], [], {*sys.modules}, re._compiler.compile
re._compiler.compile = lambda *given: patterns.append(given) or compiled(*given)
sys.addaudithook(lambda event, given: event == "open" and opened.append(str(given[0])))
from translator.cli import main
main(sys.argv[1].split())
others = (".py", ".pyc", "model.bin", "shared_vocabulary.json", "config.json")
data = [path for path in opened if os.path.isfile(path) and not path.endswith(others)]
own = [os.path.getsize(path) for path in data if "/translator/" in path]
print(len(sys.modules.keys() - before), len(patterns), sum(own))
"""
WITHOUT = "assert not {*sys.argv[1].split()} & set(sys.modules), set(sys.modules)"


@pytest.mark.parametrize(
    ("command", "absent", "printed"),
    [
        ("translate --run en-de Morning.", "keras jax bpemb numpy pydantic", "Morgen.\n"),
        ("draw maps.npz --html page.html", "tensorflow keras jax matplotlib", ""),
        ("draw maps.npz --out maps.svg", "tensorflow keras jax", ""),
    ],
)
def test_what_a_command_does_not_need_is_not_imported(
    tmp_path, monkeypatch, command, absent, printed
):
    monkeypatch.setenv("PYTHONPATH", os.getcwd())
    monkeypatch.chdir(tmp_path)
    save_records(tmp_path / "maps.npz", explorer_records())
    assert python(COMMAND + WITHOUT, absent, *command.split()).stdout == printed


def test_the_program_leaves_out_packages_that_only_other_parts_of_keras_need():
    python(
        "import sys\n"
        "from translator.base import keras_startup, machine\n"
        "machine.is_program = True\n"
        "keras_startup.start_keras('tensorflow')\n"
        "assert 'tensorflow' in sys.modules\n"
        "assert not {'jax', 'matplotlib', 'sklearn'} & set(sys.modules)\n"
        "import matplotlib.pyplot"
    )


@pytest.mark.parametrize(
    "asked", [{}, pytest.param({"KERAS_BACKEND": "tensorflow"}, marks=pytest.mark.slow)]
)
def test_programs_started_later_choose_their_own_backend(asked, monkeypatch):
    monkeypatch.delenv("KERAS_BACKEND", raising=False)
    done = python(
        "import os\n"
        "from translator.base.keras_startup import start_keras\n"
        "start_keras('tensorflow')\n"
        "print(os.environ.get('KERAS_BACKEND'))",
        **asked,
    )
    assert done.stdout == f"{asked.get('KERAS_BACKEND')}\n"


def test_help_and_a_first_sentence_load_little():
    """How many modules and patterns, and bytes of what is no code and not read by the engine."""
    for command, most in [("--help", (75, 30, 0)), ("--quiet Morning.", (195, 43, 2_890_000))]:
        counts = [*map(int, python(COUNTED, command).stdout.split()[-3:])]
        assert all(count <= limit for count, limit in zip(counts, most)), (command, counts)
