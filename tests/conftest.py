"""Fixtures that every kind of test may use; what starts Keras is imported only when asked for."""

import contextlib
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import (
    train_on_numbers,
    train_tiny_run,
    write_stand_in_models,
    write_tiny_corpus,
)
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
    """A server of the test's own."""
    server = LoopbackServer()
    yield server
    with contextlib.suppress(OSError):
        server.stop()


@pytest.fixture(scope="session")
def tiny_corpus(tmp_path_factory) -> Path:
    """A folder with train.tsv, validation.tsv, test.en, test.de and config.yaml."""
    folder = tmp_path_factory.mktemp("corpus")
    write_tiny_corpus(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_run(tiny_corpus, tmp_path_factory) -> Path:
    """A finished run on the tiny corpus."""
    run_dir = tmp_path_factory.mktemp("runs") / "tiny"
    train_tiny_run(tiny_corpus, run_dir)
    return run_dir


@pytest.fixture(scope="session")
def tokenized_run(tiny_run, tmp_path_factory) -> Path:
    """The same, as if its corpus were tokenised text."""
    run_dir = tmp_path_factory.mktemp("runs") / "tokenized"
    shutil.copytree(tiny_run, run_dir)
    for path in (run_dir / "config.yaml", run_dir / "ctranslate2" / "config.yaml"):
        text = path.read_text("utf-8")
        assert "tokenized: false" in text
        path.write_text(text.replace("tokenized: false", "tokenized: true"), "utf-8")
    return run_dir


@pytest.fixture(scope="session")
def bpemb_run(tmp_path_factory) -> Path:
    """A finished run whose tokenizers know neither digits nor capitals, as BPEmb's."""
    models = write_stand_in_models(tmp_path_factory.mktemp("models"))
    run_dir = tmp_path_factory.mktemp("runs") / "bpemb"
    train_on_numbers(tmp_path_factory.mktemp("numbers"), run_dir, {"name": "bpemb", **models})
    return run_dir


@pytest.fixture(scope="session")
def zero_digits_run(tmp_path_factory) -> Path:
    """A finished run whose tokenizers know capitals, but no digits."""
    run_dir = tmp_path_factory.mktemp("runs") / "zeros"
    tokenizer = {"zero_digits": True, "vocab_size": 300}
    train_on_numbers(tmp_path_factory.mktemp("numbers"), run_dir, tokenizer)
    return run_dir


@pytest.fixture(scope="session")
def tiny_translator(tiny_run):
    """The tiny run, loaded."""
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
