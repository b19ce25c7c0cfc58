"""What each installation can do: translating alone, or with the extra ``train``."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.commands import SENTENCE, python, shell
from translator.base.errors import PACKAGES

ROOT = Path(__file__).parents[2]
STORED = ROOT / "tests" / "stored_runs"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """An empty folder but for a run, its records, and a module that hides the extra's packages."""
    folder = tmp_path_factory.mktemp("installation")
    with tarfile.open(STORED / "sentencepiece.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    hide = f"import sys\nsys.modules.update(dict.fromkeys({sorted(PACKAGES)}))\n"
    (folder / "sitecustomize.py").write_text(hide, "utf-8")
    return folder


def translating_alone(folder: Path, *arguments: object) -> subprocess.CompletedProcess:
    """Runs the command without the packages of the extra."""
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", str(ROOT))])
    return shell(*arguments, cwd=folder, PYTHONPATH=path)


def test_translating_needs_no_package_of_the_extra(folder):
    for arguments in [
        ("--help",),
        ("translate", "--run", "sentencepiece", "--n-best", 2, SENTENCE),
        ("tokenize", "--run", "sentencepiece", SENTENCE),
        ("corpora",),
        ("draw", STORED / "sentencepiece-attention.npz", "--html", "explorer.html"),
    ]:
        done = translating_alone(folder, *arguments)
        assert done.returncode == 0, done.stderr.decode()


def test_a_missing_package_is_one_line_with_the_command_that_adds_it(folder):
    for arguments, package in [
        (("train", "demo"), "bpemb"),
        (("translate", "--run", "sentencepiece", "--engine", "keras", SENTENCE), "keras"),
        (("attention", "--run", "sentencepiece", SENTENCE, "--save", "a.npz"), "keras"),
        (("draw", STORED / "sentencepiece-attention.npz", "--out", "a.png"), "matplotlib"),
        (("evaluate", "--run", "sentencepiece"), "sacrebleu"),
        (("corpora", "--fetch", "multi30k"), "pooch"),
    ]:
        done = translating_alone(folder, *arguments)
        said = done.stderr.decode()
        assert done.returncode == 2
        assert said.startswith(f"translator: {package}: expected this package for training, scores")
        assert said.endswith("pip install 'keras-translator[train]' adds it\n")
        assert said.count("\n") == 1
        assert not [path.name for path in folder.iterdir() if path.name in ("a.png", "a.npz")]


def test_from_python_a_missing_package_is_named_likewise(folder):
    program = (
        "import translator\n"
        "for name in ('Transformer', 'plot_attention'):\n"
        "    try: getattr(translator, name)\n"
        "    except translator.InputError as error: print(error)\n"
    )
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", str(ROOT))])
    said = python(program, PYTHONPATH=path).stdout.splitlines()
    assert [line.split(":")[0] for line in said] == ["keras", "matplotlib"]


@pytest.fixture(scope="module")
def installed(folder, tmp_path_factory) -> Path:
    """What a wheel installs that has a shipped model, in a folder of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        from installation import build_wheel, copy_sources
    place = tmp_path_factory.mktemp("wheel")
    sources = copy_sources(place)
    shutil.rmtree(sources / "translator" / "shipped", ignore_errors=True)
    shutil.copytree(
        folder / "sentencepiece" / "ctranslate2", sources / "translator" / "shipped" / "en-de"
    )
    wheel = build_wheel(sources, place, "--no-build-isolation")  # without the network
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place / "installed")
    return place / "installed"


def run_installed(installed: Path, folder: Path, *command: str) -> subprocess.CompletedProcess:
    """Runs Python with an installation, without the packages of the extra, in an empty folder."""
    hidden = os.pathsep.join([str(installed), str(folder)])
    environment = {**os.environ, "PYTHONPATH": hidden}
    empty = installed.parent / "empty"
    empty.mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, *command], env=environment, cwd=empty, capture_output=True, check=False
    )


@pytest.mark.slow
def test_a_wheel_has_configurations_pairs_and_licences_and_no_tools(installed, folder):
    configs = {path.name for path in (ROOT / "configs").glob("*.yaml")}
    assert {path.name for path in (installed / "translator" / "configs").iterdir()} == configs
    program = (
        "import translator; print(translator.__file__, translator.read_config('demo').corpus.name);"
        "from translator.corpora.demo import load_demo_corpus; print(len(load_demo_corpus().test))"
    )
    done = run_installed(installed, folder, "-c", program)
    assert done.stdout.decode() == f"{installed / 'translator' / '__init__.py'} demo\n1600\n"
    tops = {path.name.partition("-")[0] for path in installed.iterdir()}
    assert tops == {"translator", "keras_translator"}
    for name, text in (("LICENSE", "MIT License"), ("NOTICE", "https://tatoeba.org")):
        [path] = installed.glob(f"keras_translator-*.dist-info/licenses/{name}")
        assert text in path.read_text("utf-8")


@pytest.mark.slow
def test_a_wheel_translates_with_its_shipped_model_in_an_empty_folder(installed, folder):
    exported = {path.name for path in (folder / "sentencepiece" / "ctranslate2").iterdir()}
    shipped = installed / "translator" / "shipped" / "en-de"
    assert {path.name for path in shipped.iterdir()} == exported
    translator = ("-m", "translator.cli")
    done = run_installed(installed, folder, *translator, SENTENCE)
    assert done.stderr.decode() == "run: en-de, which comes with the program\n"
    expected = translating_alone(folder, "translate", "--run", "sentencepiece", SENTENCE).stdout
    assert done.stdout == expected != b""
    (folder / "pair.en").write_text(SENTENCE, "utf-8")
    (folder / "pair.de").write_bytes(expected)
    pairs = ("--source", folder / "pair.en", "--target", folder / "pair.de")
    done = run_installed(installed, folder, *translator, "heads", "en-de", *pairs)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert done.stderr.startswith(b"translator: keras: expected this package")
