"""What starts without TensorFlow, and what a start leaves in the environment."""

import os
import resource

import pytest

from tests.commands import python, shell
from tests.explorer_records import explorer_records
from translator.addons.attention.record_files import save_records

COMMAND = "import sys; from translator.cli import main; main(sys.argv[2:])\n"
WITHOUT = "assert not {*sys.argv[1].split()} & set(sys.modules), set(sys.modules)"


@pytest.mark.parametrize(
    ("command", "absent", "printed"),
    [
        ("translate --run en-de Morning.", "tensorflow keras jax bpemb matplotlib", "Morgen.\n"),
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


def test_help_and_import_are_quick_and_load_no_tensorflow():
    absent = "tensorflow keras numpy bpemb matplotlib"
    python(f"import sys, translator, translator.cli\n{WITHOUT}", absent)
    seconds = []  # of the processor: a busy machine takes longer
    for _ in range(5):
        began = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert shell("--help").returncode == 0
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime)
    assert sorted(seconds)[2] < 0.4
