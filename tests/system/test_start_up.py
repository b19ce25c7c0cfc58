"""What starts without TensorFlow, and what a start leaves in the environment."""

import os
import re
import resource
import subprocess
import sys

import pytest

from tests.commands import shell
from tests.explorer_records import explorer_records
from translator.addons.attention.record_files import save_records


def test_records_the_explorer_and_pictures_need_no_tensorflow(tmp_path):
    save_records(tmp_path / "maps.npz", explorer_records())
    program = (
        "import sys\n"
        "from translator.addons.attention.page import explorer_html\n"
        "from translator.addons.attention.record_files import load_records\n"
        "assert explorer_html(load_records(sys.argv[1]))\n"
        "assert 'matplotlib' not in sys.modules\n"
        "from translator.addons.attention import head_maps, heat_maps\n"
        "assert 'matplotlib' in sys.modules\n"
        "assert not {'tensorflow', 'keras'} & set(sys.modules)"
    )
    command = [sys.executable, "-c", program, tmp_path / "maps.npz"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_what_was_saved_is_drawn_without_tensorflow(tmp_path):
    save_records(tmp_path / "maps.npz", explorer_records())
    done = shell(
        "--debug", "draw", tmp_path / "maps.npz", "--out", tmp_path / "maps.svg",
        PYTHONPROFILEIMPORTTIME="1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not re.search(rb"\| +(tensorflow|keras)$", done.stderr, re.M)


def test_translating_with_an_export_imports_no_tensorflow():
    program = (
        "import sys; from translator.cli import main\n"
        "main(['translate', '--run', 'en-de', 'Good morning.'])\n"
        "assert not {'tensorflow', 'keras', 'jax', 'bpemb', 'matplotlib'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "Guten Morgen.\n"), done.stderr


def test_the_program_leaves_out_packages_that_only_other_parts_of_keras_need():
    program = (
        "import sys\n"
        "from translator.base import keras_startup\n"
        "keras_startup.is_program = True\n"
        "keras_startup.start_keras('tensorflow')\n"
        "assert 'tensorflow' in sys.modules\n"
        "assert not {'jax', 'matplotlib', 'sklearn'} & set(sys.modules)\n"
        "import matplotlib.pyplot"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("asked", [{}, {"KERAS_BACKEND": "tensorflow"}])
def test_programs_started_later_choose_their_own_backend(asked):
    program = (
        "import os\n"
        "from translator.base.keras_startup import start_keras\n"
        "start_keras('tensorflow')\n"
        "print(os.environ.get('KERAS_BACKEND'))"
    )
    others = {name: value for name, value in os.environ.items() if name != "KERAS_BACKEND"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=others | asked, capture_output=True, text=True)
    assert done.stdout == f"{asked.get('KERAS_BACKEND')}\n"


def test_help_and_import_are_quick_and_load_no_tensorflow():
    program = (
        "import sys, translator, translator.cli\n"
        "assert not {'tensorflow', 'keras', 'numpy', 'bpemb', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    seconds = []  # of the processor: a busy machine takes longer
    for _ in range(5):
        began = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert shell("--help").returncode == 0
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime)
    assert sorted(seconds)[2] < 0.4
