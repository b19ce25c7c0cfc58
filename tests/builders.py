"""Builds the tiny corpora that the tests share, and unpacks the runs that were trained on them."""

import gzip
import itertools
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from translator.text.truecasing import Truecaser, learn_spellings
from translator.text.word_table import PERCENT, WordTable

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

ARTICLES = {
    "dog": "der Hund", "man": "der Mann", "cat": "die Katze", "town": "die Stadt",
    "house": "das Haus", "book": "das Buch",
}  # fmt: skip
VERBS = {"sees": "sieht", "knows": "kennt", "loves": "liebt"}

SIDES = ("source", "target")
TRAINED = Path(__file__).with_name("trained_runs")
CORPUS = "/folder-of-the-corpus"  # stands for it in the configuration of a stored run


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


def translating(translations: Mapping[str, Mapping[str, float]]) -> WordTable:
    """A table of words with their translations and how much they are associated."""
    return WordTable.of(
        {
            word: {"to": {target: round(PERCENT * share) for target, share in shares.items()}}
            for word, shares in translations.items()
        }
    )


def table_of(words: Iterable[str]) -> WordTable:
    """A table of words of which nothing more is known."""
    return WordTable.of(dict.fromkeys(words, {}))


def truecaser_of(sentences: Iterable[str]) -> Truecaser:
    """A truecaser that has learnt from sentences."""
    return Truecaser(WordTable.of(learn_spellings([*sentences])))


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


def unpack_run(name: str, corpus: Path, folder: Path) -> Path:
    """Unpacks a stored run into a folder; its corpus stands in another one."""
    with tarfile.open(TRAINED / f"{name}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    for path in (folder / name / "config.yaml", folder / name / "ctranslate2" / "config.yaml"):
        path.write_text(path.read_text("utf-8").replace(CORPUS, str(corpus)), "utf-8")
    return folder / name


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
