"""Trains the small runs that tests read, and stores them: python -m tests.trained_runs.store

A run is stored only if it translates all its sentences right with a margin: also if each weight is
off by a hundredth, in both engines and in eight bits. So the processor makes no difference.
``tagged`` is a run of 0.2.0, trained with BPE-dropout: without it, hypotheses that end too early
fill a beam of 2, so that it does not pass.
"""

import io
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

import numpy as np

import translator
from tests.builders import CORPUS, SIDES, TRAINED, quiet, tiny_pairs, write_tiny_corpus
from tests.trained_runs.corpora import chinese_pairs, lowered, number_pairs, tagged_pairs
from translator.base.keras_startup import start_keras
from translator.config.yaml_file import read_config, validate_config
from translator.export.ctranslate2 import export_run
from translator.runs.directory import RunDirectory
from translator.runs.weights import load_arrays, save_arrays
from translator.tokenizers.training import train_stand_in

Pairs = list[tuple[str, str]]
STATE = ("last.npz", "before-last.npz", "lock")  # nobody goes on with these trainings
NOISE = 0.01  # of each weight; bfloat16 rounds by 0.002
MODEL = {
    "num_layers": 1, "d_model": 32, "num_heads": 2, "dff": 64, "tied_embeddings": "target",
}  # fmt: skip
TRAINING = {
    "epochs": 60,
    "precision": "float32",
    "data_parallel": 1,
    "schedule": {"name": "linear", "learning_rate": 4e-3, "warmup_steps": 10},
}
UNSEEN_NUMBERS = [
    ("Zacharias has 4,711 books.", "Zacharias hat 4.711 Bücher."),
    ("Quentin sees 99 dogs.", "Quentin sieht 99 Hunde."),
    ("Olga wants 1.5 houses.", "Olga will 1,5 Häuser."),
    ("I see 42 men.", "Ich sehe 42 Männer."),
    ("We know 1,500 dogs.", "Wir kennen 1.500 Hunde."),
]


def write_pairs(path: Path, pairs: Pairs) -> dict[str, str]:
    """Writes pairs with tabs; returns the configuration of the file."""
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), "utf-8")
    return {"tsv": str(path)}


def prepare_tiny(folder: Path) -> tuple[dict, Pairs]:
    """Plain sentences and the default tokenizer: most tests need no more."""
    write_tiny_corpus(folder)
    return read_config(folder / "config.yaml").model_dump(exclude_unset=True), tiny_pairs()


def prepare_numbers(folder: Path, tokenizer: dict[str, object]) -> tuple[dict, Pairs]:
    """Sentences with numbers and names, with masks in their place."""
    pairs = number_pairs()
    files = write_pairs(folder / "pairs.tsv", pairs)
    corpus = {"train": files, "validation": files, "cleaning": {"drop_held_out": False}}
    values = {
        "corpus": corpus,
        "tokenizer": tokenizer | {"masks": 0.9},
        "data": {"max_length": 24, "batch_size": 6},
    }
    return values, pairs + UNSEEN_NUMBERS


def prepare_bpemb(folder: Path) -> tuple[dict, Pairs]:
    """Tokenizers that know neither digits nor capitals, as BPEmb's."""
    for side, sentences in zip(SIDES, zip(*number_pairs())):
        (folder / f"{side}.model").write_bytes(train_stand_in(sentences, 150))
    models = {f"{side}_model": str(folder / f"{side}.model") for side in SIDES}
    return prepare_numbers(folder, {"name": "bpemb", **models})


def prepare_zero_digits(folder: Path) -> tuple[dict, Pairs]:
    """A tokenizer for both sides, which knows capitals, but no digits."""
    tokenizer = {"zero_digits": True, "vocab_size": 330, "shared": True}
    values, pairs = prepare_numbers(folder, tokenizer)
    return values | {"model": {**MODEL, "tied_embeddings": "all"}}, pairs


def prepare_tagged(folder: Path) -> tuple[dict, Pairs]:
    """The tag of a sentence decides the first word of its translation."""
    pairs = tiny_pairs()
    held_out = [pair for pair in pairs[5::16] if pair[0] != "The man sees the cat."]
    train = [pair for pair in pairs if pair not in held_out]
    news = [(f"<news> {source}", f"Nein {lowered(target)}") for source, target in train]
    back = [(source, f"Ja {lowered(target)}") for source, target in train]
    values = {
        "corpus": {
            "train": write_pairs(folder / "train.tsv", [*train, *news]),
            "validation": write_pairs(folder / "validation.tsv", held_out),
        },
        "corpora": [{"train": write_pairs(folder / "back.tsv", back), "weight": 1, "tag": "bt"}],
        "tokenizer": {"vocab_size": 360, "shared": True, "tags": ["news", "bt"]},
        "data": {"max_length": 24, "batch_size": 12},
        "model": {**MODEL, "num_layers": 2, "tied_embeddings": "all"},
        "decoding": {"beam_size": 2},
    }
    return values, tagged_pairs()


def prepare_chinese(folder: Path) -> tuple[dict, Pairs]:
    """A script without spaces and capitals, from one file that the program splits by itself."""
    pairs = chinese_pairs()
    corpus = {
        "target_language": "zh",
        "train": write_pairs(folder / "en-zh.tsv", pairs),
        "split": {"validation": 0.08, "test": 0.08},
    }
    values = {
        "corpus": corpus,
        "tokenizer": {"vocab_size": 400},
        "data": {"max_length": 32, "batch_size": 16},
        "model": {**MODEL, "num_layers": 2},
    }
    return values, pairs


PREPARE = {
    "tiny": prepare_tiny,
    "bpemb": prepare_bpemb,
    "zero-digits": prepare_zero_digits,
    "tagged": prepare_tagged,
    "chinese": prepare_chinese,
}


def list_wrong(run: Path, engine: str, pairs: Pairs) -> list[str]:
    """What a run translates wrong."""
    found = translator.load(run, engine).translate([source for source, _ in pairs])
    return [each.text for each, (_, target) in zip(found, pairs) if each.text != target]


def check(run: RunDirectory, pairs: Pairs) -> None:
    """Refuses a run that has learnt its sentences not well enough."""
    wrong = {engine: list_wrong(run.path, engine, pairs) for engine in ("keras", "ctranslate2")}
    export_run(run, run.path.with_name("int8"), "int8")
    wrong["int8"] = list_wrong(run.path.with_name("int8"), "ctranslate2", pairs)
    comment, weights = run.owner.to_comment(), load_arrays(run.weights)
    for seed in range(4):
        copy = RunDirectory(shutil.copytree(run.path, run.path.with_name(f"noise-{seed}")))
        random = np.random.default_rng(seed)
        noisy = {
            name: (array * random.normal(1, NOISE, array.shape)).astype(array.dtype)
            for name, array in weights.items()
        }
        save_arrays(copy.weights, noisy, comment=comment)
        wrong[f"noise {seed}"] = list_wrong(copy.path, "keras", pairs)
    if any(wrong.values()):
        raise SystemExit(f"{run.path.name}: expected all translations right, found {wrong}")


def pack(run: Path, corpus: Path, archive: Path) -> None:
    """Writes an archive whose bytes depend on the files alone, not on their times and owners."""
    with tarfile.open(archive, "w:xz", preset=9) as tar:
        for path in sorted(path for path in run.rglob("*") if path.is_file()):
            if path.name in STATE:
                continue
            content = path.read_bytes().replace(str(corpus).encode(), CORPUS.encode())
            entry = tarfile.TarInfo(f"{run.name}/{path.relative_to(run)}")
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))


def store(name: str) -> None:
    """Trains, checks and stores a run."""
    from translator.training.start import train

    with tempfile.TemporaryDirectory() as folder:
        corpus, run = Path(folder) / "corpus", Path(folder) / name
        corpus.mkdir()
        values, pairs = PREPARE[name](corpus)
        values = {"model": MODEL, **values, "training": TRAINING}
        train(validate_config(values, name), run, report=quiet)
        check(RunDirectory(run), pairs)
        pack(run, corpus, TRAINED / f"{name}.tar.xz")


if __name__ == "__main__":
    start_keras()
    for each in sys.argv[1:] or PREPARE:
        store(each)
