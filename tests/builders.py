"""Builds the tiny corpora that the tests share, and trains the tiny runs on them."""

import gzip
import itertools
from pathlib import Path

TINY_CONFIG = """
corpus:
  train: {{tsv: {folder}/train.tsv}}
  validation: {{tsv: {folder}/validation.tsv}}
  test: {{source: {folder}/test.en, target: {folder}/test.de}}
tokenizer: {{vocab_size: 340}}
data: {{max_length: 24, batch_size: 8}}
model: {{num_layers: 2, d_model: 32, num_heads: 2, dff: 64, tied_embeddings: target}}
training:
  epochs: 25
  schedule: {{name: constant, learning_rate: 4e-3, warmup_steps: 10}}
decoding: {{beam_size: 2}}
"""

NUMBERED_PAIRS = [
    (f"{s} {number} {s2}.", f"{t} {number} {t2}.")
    for number in (3, 17, 20, 365, 1989, 2001)
    for s, t in (("I see", "Ich sehe"), ("Anna has", "Anna hat"), ("We know", "Wir kennen"))
    for s2, t2 in (("men", "Männer"), ("houses", "Häuser"), ("dogs", "Hunde"))
]

ARTICLES = {
    "dog": "der Hund", "man": "der Mann", "cat": "die Katze", "town": "die Stadt",
    "house": "das Haus", "book": "das Buch",
}  # fmt: skip
VERBS = {"sees": "sieht", "knows": "kennt", "loves": "liebt"}

SIDES = ("source", "target")


def quiet(line: str) -> None:
    """Reports nothing."""


def article_pairs() -> list[tuple[str, str]]:
    """Every sentence of two nouns and a verb, whose words can be linked by counting."""
    return [
        (f"Well, the {s} {v} the {o}.", f"Tja, {ARTICLES[s]} {VERBS[v]} {ARTICLES[o]}.")
        for s in ARTICLES
        for v in VERBS
        for o in ARTICLES
    ]


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


def write_tiny_corpus(folder: Path) -> None:
    """Writes train.tsv, validation.tsv, test.en, test.de and config.yaml into a folder."""
    pairs = tiny_pairs()
    held_out = pairs[5::8]
    train = [pair for pair in pairs if pair not in held_out]
    for name, chosen in (("train", train), ("validation", held_out)):
        (folder / f"{name}.tsv").write_text("".join(f"{s}\t{t}\n" for s, t in chosen), "utf-8")
    for name, side in (("en", 0), ("de", 1)):
        (folder / f"test.{name}").write_text("".join(p[side] + "\n" for p in held_out), "utf-8")
    (folder / "config.yaml").write_text(TINY_CONFIG.format(folder=folder), "utf-8")


def train_tiny_run(corpus: Path, run_dir: Path) -> None:
    """Trains a finished run on the tiny corpus."""
    from translator.base.keras_startup import start_keras

    start_keras()
    from translator.config.yaml_file import read_config
    from translator.training.start import train

    assert train(read_config(corpus / "config.yaml"), run_dir, report=quiet).finished


def write_numbers_corpus(folder: Path) -> None:
    """Writes sentences with numbers, and tokenizers with BPEmb's settings for them."""
    from translator.tokenizers.training import train_stand_in

    for name, chosen in (("train", NUMBERED_PAIRS), ("validation", NUMBERED_PAIRS[::7])):
        text = "".join(f"{source}\t{target}\n" for source, target in chosen)
        (folder / f"{name}.tsv").write_text(text, "utf-8")
    for number, side in enumerate(SIDES):
        model = train_stand_in([pair[number] for pair in NUMBERED_PAIRS], 80)
        (folder / f"{side}.model").write_bytes(model)


def train_on_numbers(corpus: Path, tokenizer: dict[str, object], run_dir: Path) -> None:
    """Trains a finished run on sentences with numbers, with that tokenizer section."""
    from translator.base.keras_startup import start_keras

    start_keras()
    from translator.config.yaml_file import validate_config
    from translator.training.start import train

    files = {name: {"tsv": str(corpus / f"{name}.tsv")} for name in ("train", "validation")}
    values = {
        "corpus": {**files, "cleaning": {"drop_held_out": False}},
        "tokenizer": tokenizer,
        "data": {"max_length": 20, "batch_size": 6},
        "model": {"num_layers": 2, "d_model": 32, "num_heads": 2, "dff": 64},
        "training": {
            "epochs": 24,
            "schedule": {"name": "constant", "learning_rate": 3e-3, "warmup_steps": 10},
        },
    }
    assert train(validate_config(values, "test"), run_dir, report=quiet).finished


def write_config(folder, corpus: str, tokenizer: str = "{vocab_size: 330}") -> str:
    """Writes a configuration of a small model for one epoch; returns its path."""
    path = folder / "config.yaml"
    model = "model: {num_layers: 1, d_model: 16, num_heads: 2, dff: 16}"
    training = "training: {epochs: 1}"
    path.write_text(
        f"corpus: {corpus}\ntokenizer: {tokenizer}\ndata: {{batch_size: 16}}\n{model}\n{training}\n"
    )
    return str(path)


def write_file(folder, name: str, content: str | bytes) -> str:
    """Writes a file, compressed if its name ends in .gz; returns its path."""
    content = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return str(folder / name)
