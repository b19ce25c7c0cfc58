"""Fixtures: a tiny corpus of files, and a tiny run trained on it once."""

import contextlib
import http.server
import itertools
import shutil
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from translator.base.keras_startup import start_keras

start_keras()

import keras  # noqa: E402

keras.ops.convert_to_tensor(0)  # TensorFlow begins with threads of its own choice, for all tests
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script
    signal.signal(signal.SIGINT, signal.default_int_handler)

SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"

TINY_CONFIG = """
corpus:
  train: {{tsv: {folder}/train.tsv}}
  validation: {{tsv: {folder}/validation.tsv}}
  test: {{source: {folder}/test.en, target: {folder}/test.de}}
tokenizer: {{vocab_size: 340}}
data: {{max_length: 24, batch_size: 16}}
model: {{num_layers: 2, d_model: 32, num_heads: 2, dff: 64, tied_embeddings: target}}
training:
  epochs: 50
  schedule: {{name: constant, learning_rate: 3e-3, warmup_steps: 10}}
decoding: {{beam_size: 2}}
"""


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


class LoopbackServer:
    """Serves bytes by their path on the loopback address, and counts what is asked for."""

    def __init__(self) -> None:
        self.content: dict[str, bytes] = {}
        self.cut_short: set[str] = set()
        self.requests: list[str] = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:  # noqa: N802
                outer.requests.append(self.path)
                content = outer.content.get(self.path)
                self.send_response(200 if content is not None else 404)
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                short = self.path in outer.cut_short
                self.wfile.write((content or b"")[: len(content or b"") // (2 if short else 1)])

            def log_message(self, *arguments: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Answers nothing from now on."""
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def loopback() -> Iterator[LoopbackServer]:
    """A server of the test's own."""
    server = LoopbackServer()
    yield server
    with contextlib.suppress(OSError):
        server.stop()


def tiny_pairs() -> list[tuple[str, str]]:
    """96 sentences of a grammar that a tiny model learns in seconds."""
    subjects = [("the man", "der Mann"), ("the woman", "die Frau"), ("the child", "das Kind")]
    subjects.append(("the dog", "der Hund"))
    verbs = [("sees", "sieht"), ("hears", "hört"), ("loves", "liebt"), ("knows", "kennt")]
    objects = [("the house", "das Haus"), ("the town", "die Stadt"), ("the horse", "das Pferd")]
    objects += [("the cat", "die Katze"), ("the book", "das Buch"), ("the river", "den Fluss")]
    triples = itertools.product(subjects, verbs, objects)
    sides = [[" ".join(word[side] for word in triple) for side in (0, 1)] for triple in triples]
    return [tuple(f"{text[0].upper()}{text[1:]}." for text in pair) for pair in sides]


@pytest.fixture(scope="session")
def tiny_corpus(tmp_path_factory) -> Path:
    """A folder with train.tsv, validation.tsv, test.en, test.de and config.yaml."""
    folder = tmp_path_factory.mktemp("corpus")
    pairs = tiny_pairs()
    held_out = pairs[5::8]
    train = [pair for pair in pairs if pair not in held_out]
    for name, chosen in (("train", train), ("validation", held_out)):
        (folder / f"{name}.tsv").write_text("".join(f"{s}\t{t}\n" for s, t in chosen), "utf-8")
    for name, side in (("en", 0), ("de", 1)):
        (folder / f"test.{name}").write_text("".join(p[side] + "\n" for p in held_out), "utf-8")
    (folder / "config.yaml").write_text(TINY_CONFIG.format(folder=folder), "utf-8")
    return folder


@pytest.fixture(scope="session")
def tiny_run(tiny_corpus, tmp_path_factory) -> Path:
    """A finished run on the tiny corpus."""
    from translator.config.yaml_file import read_config
    from translator.training.trainer import train

    run_dir = tmp_path_factory.mktemp("runs") / "tiny"
    result = train(read_config(tiny_corpus / "config.yaml"), run_dir, report=lambda line: None)
    assert result.finished
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


NUMBERED_PAIRS = [
    (f"{s} {number} {s2}.", f"{t} {number} {t2}.")
    for number in (3, 17, 20, 365, 1989, 2001)
    for s, t in (("I see", "Ich sehe"), ("Anna has", "Anna hat"), ("We know", "Wir kennen"))
    for s2, t2 in (("men", "Männer"), ("houses", "Häuser"), ("dogs", "Hunde"))
]


@pytest.fixture(scope="session")
def bpemb_run(tmp_path_factory) -> Path:
    """A finished run whose tokenizers know neither digits nor capitals, as BPEmb's."""
    from translator.tokenizers.sources import train_stand_in

    folder = tmp_path_factory.mktemp("models")
    for name, side in (("source", 0), ("target", 1)):
        model = train_stand_in([pair[side] for pair in NUMBERED_PAIRS], 80)
        (folder / f"{name}.model").write_bytes(model)
    models = {f"{side}_model": str(folder / f"{side}.model") for side in ("source", "target")}
    return train_on_numbers({"name": "bpemb", **models}, tmp_path_factory)


@pytest.fixture(scope="session")
def zero_digits_run(tmp_path_factory) -> Path:
    """A finished run whose tokenizers know capitals, but no digits."""
    return train_on_numbers({"zero_digits": True, "vocab_size": 300}, tmp_path_factory)


def train_on_numbers(tokenizer: dict[str, object], tmp_path_factory) -> Path:
    """A finished run on sentences with numbers."""
    from translator.config.yaml_file import validate_config
    from translator.training.trainer import train

    folder = tmp_path_factory.mktemp("numbers")
    for name, chosen in (("train", NUMBERED_PAIRS), ("validation", NUMBERED_PAIRS[::7])):
        text = "".join(f"{source}\t{target}\n" for source, target in chosen)
        (folder / f"{name}.tsv").write_text(text, "utf-8")
    files = {name: {"tsv": str(folder / f"{name}.tsv")} for name in ("train", "validation")}
    values = {
        "corpus": {**files, "cleaning": {"drop_held_out": False}},
        "tokenizer": tokenizer,
        "data": {"max_length": 20, "batch_size": 16},
        "model": {"num_layers": 2, "d_model": 32, "num_heads": 2, "dff": 64},
        "training": {
            "epochs": 60,
            "schedule": {"name": "constant", "learning_rate": 3e-3, "warmup_steps": 10},
        },
    }
    run_dir = tmp_path_factory.mktemp("runs") / "numbers"
    assert train(validate_config(values, "test"), run_dir, report=lambda line: None).finished
    return run_dir


@pytest.fixture(scope="session")
def tiny_translator(tiny_run):
    """The tiny run, loaded."""
    import translator

    return translator.load(tiny_run)


@pytest.fixture
def seeded() -> None:
    """The same random weights at every run of the test."""
    keras.utils.set_random_seed(7)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real corpora, where they are at hand."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"needs the real corpora in {SHARED_DATA}")
    return SHARED_DATA
