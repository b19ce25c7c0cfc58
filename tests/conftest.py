"""Fixtures that every kind of test may use; what starts Keras is imported only when asked for."""

import contextlib
import functools
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from tests.builders import unpack_run, write_tiny_corpus
from tests.loopback import LoopbackServer

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script
    signal.signal(signal.SIGINT, signal.default_int_handler)

SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory) -> Iterator[Path]:
    """An empty cache for all tests together, so that none meets the user's."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRANSLATOR_HOME", str(folder))
        yield folder


@pytest.fixture
def own_home(tmp_path, monkeypatch) -> Path:
    """An empty cache for one test."""
    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def loopback() -> Iterator[LoopbackServer]:
    server = LoopbackServer()
    yield server
    with contextlib.suppress(OSError):
        server.stop()


@pytest.fixture(scope="session")
def build_once(tmp_path_factory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Builds a folder by its name once for all workers of a test session."""
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent

    def build(name: str, fill: Callable[[Path], None]) -> Path:
        folder, finished = root / name, root / f"{name}.finished"
        with FileLock(root / f"{name}.lock"):
            if not finished.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                fill(folder)
                finished.touch()
        return folder

    return build


@pytest.fixture(scope="session")
def tiny_corpus(build_once) -> Path:
    """A folder with train.tsv, validation.tsv, test.en, test.de and config.yaml."""
    return build_once("tiny-corpus", write_tiny_corpus)


@pytest.fixture(scope="session")
def stored_run(tiny_corpus, tmp_path_factory) -> Callable[[str], Path]:
    """Unpacks a run of ``tests/trained_runs`` by its name, once for each worker."""
    return functools.cache(
        lambda name: unpack_run(name, tiny_corpus, tmp_path_factory.mktemp("runs"))
    )


@pytest.fixture(scope="session")
def tiny_run(stored_run) -> Path:
    """A finished run on the tiny corpus, without the state that a training goes on from."""
    return stored_run("tiny")


@pytest.fixture(scope="session")
def tokenized_run(tiny_run, tmp_path_factory) -> Path:
    """The same, as if its corpus were tokenised text."""
    run_dir = tmp_path_factory.mktemp("runs") / "tokenized"
    shutil.copytree(tiny_run, run_dir)
    for folder in (run_dir, run_dir / "ctranslate2"):
        for name, old in (("config.yaml", "tokenized: false"), ("run.json", 'tokenized": false')):
            text = (folder / name).read_text("utf-8")
            assert old in text
            (folder / name).write_text(text.replace(old, old.replace("false", "true")), "utf-8")
    return run_dir


@pytest.fixture(scope="session")
def bpemb_run(stored_run) -> Path:
    """A finished run whose tokenizers know neither digits nor capitals, as BPEmb's."""
    return stored_run("bpemb")


@pytest.fixture(scope="session")
def zero_digits_run(stored_run) -> Path:
    """A finished run whose tokenizer, of both sides, knows capitals, but no digits."""
    return stored_run("zero-digits")


@pytest.fixture(scope="session")
def tiny_translator(tiny_run):
    import translator

    return translator.load(tiny_run)


@pytest.fixture
def seeded() -> None:
    """The same random weights at every run of the test."""
    import keras

    keras.utils.set_random_seed(7)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real corpora, where they are at hand."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"needs the real corpora in {SHARED_DATA}")
    return SHARED_DATA


@pytest.fixture
def bpemb(loopback, monkeypatch, own_home, shared_data):
    """BPEmb's server, with the English model of 10,000 pieces and nothing else."""
    from translator.tokenizers import bpemb_download

    name = "en/en.wiki.bpe.vs10000.model"
    loopback.content[f"/{name}"] = (shared_data / "bpemb" / name).read_bytes()
    monkeypatch.setattr(bpemb_download, "BPEMB", loopback.address)
    return loopback
