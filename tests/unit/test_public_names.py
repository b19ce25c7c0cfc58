"""The public names of the package."""

import ast
import inspect
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import translator

BACKEND_NAMES = {"Transformer", "train"}  # they start Keras


@pytest.mark.parametrize("name", [name for name in translator.__all__ if name != "__version__"])
def test_every_public_name_is_in_its_module_and_has_a_docstring(name):
    if name in BACKEND_NAMES:
        path = Path(translator.__path__[0], *translator._MODULES[name].split("."))
        tree = ast.parse(path.with_suffix(".py").read_text("utf-8"))
        [definition] = [node for node in tree.body if getattr(node, "name", None) == name]
        assert ast.get_docstring(definition)
        return
    assert inspect.getdoc(getattr(translator, name))


def test_all_names_are_listed_and_typed_and_others_are_not_there():
    assert resources.files("translator").joinpath("py.typed").is_file()
    listed = set(dir(translator))
    assert set(translator.__all__) <= listed
    assert all(name.startswith("__") for name in listed - set(translator.__all__))
    assert set(translator._MODULES) | {"__version__", "load"} == set(translator.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        translator.nothing  # noqa: B018


def test_importing_starts_no_backend_and_is_quick():
    program = (
        "import time; began = time.process_time(); import translator\n"
        "seconds = time.process_time() - began\n"
        "import sys\n"
        "assert seconds < 0.1, seconds\n"
        "assert not {'tensorflow', 'keras', 'numpy', 'click'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
