"""The memory and the processes that preparing a corpus needs."""

import random
from multiprocessing.context import SpawnProcess
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests.growth import bytes_per_item
from translator.config.yaml_file import validate_config
from translator.data.preparation import prepare

PAIRS = 2000
MOST = 16  # bytes a pair, of about 60 characters


@pytest.fixture
def small_parts(monkeypatch):
    """What is done for some thousand pairs at a time is done for a few, in other processes."""
    monkeypatch.setattr("translator.base.parallel.ALONE", 0)
    monkeypatch.setattr("translator.corpora.pairs.IN_MEMORY", 1 << 12)
    monkeypatch.setattr("translator.corpora.pairs.BLOCK", 1 << 12)
    monkeypatch.setattr("translator.corpora.pairs.CHUNK", 100)
    monkeypatch.setattr("translator.data.augmentation.POOL", 100)
    monkeypatch.setattr("translator.data.augmentation.LEARNT", 100)
    monkeypatch.setattr("translator.data.word_links.MAX_PAIRS", 500)
    monkeypatch.setattr("translator.data.word_links.PART", 100)


def write_corpus(path: Path, count: int) -> None:
    """Writes different sentences of 200 words."""
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefgh", k=4)) for _ in range(200)]
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            chosen = draw.choices(words, k=6)
            target = " ".join(word[::-1] for word in chosen)
            file.write(f"{' '.join(chosen).capitalize()}.\t{target.capitalize()}.\n")


def test_memory_hardly_grows_with_the_corpus(small_parts, own_home, tmp_path, monkeypatch):
    monkeypatch.setattr("translator.base.parallel.ALL_CORES", 1)  # how many parts wait is chance

    def work(count: int) -> None:
        path = tmp_path / f"{count}.tsv"
        write_corpus(path, count)
        values = {
            "corpus": {"train": {"tsv": str(path)}},
            "tokenizer": {"vocab_size": 350},
            "data": {"batch_size": 8, "noise": 0.5, "marks": 0.3, "word_pairs": True},
        }
        prepare(validate_config(values, "here"), lambda line: None)

    assert bytes_per_item(work, PAIRS) < MOST


@pytest.mark.parametrize("settings", [{}, {"data": {"batch_size": 8, "truecase": True}}])
def test_several_processes_write_the_same_files(settings, own_home, tmp_path, monkeypatch):
    path = tmp_path / "train.tsv"
    write_corpus(path, 2000)
    values = {"corpus": {"train": {"tsv": str(path)}}, "tokenizer": {"vocab_size": 350}}
    config = validate_config({**values, "data": {"batch_size": 8}, **settings}, "here")
    monkeypatch.setattr("translator.corpora.pairs.CHUNK", 60)
    written, started = [], []

    def start(process):
        started.append(process)
        BaseProcess.start(process)

    monkeypatch.setattr(SpawnProcess, "start", start)
    for cores in (1, 2):
        monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path / f"home-{cores}"))
        monkeypatch.setattr("translator.base.parallel.ALL_CORES", cores)
        monkeypatch.setattr("translator.base.parallel.ALONE", 4)
        prepare(config, lambda line: None)
        [folder] = (tmp_path / f"home-{cores}/encoded").iterdir()
        written.append({each.name: each.read_bytes() for each in folder.iterdir()})
        assert len(started) == 2 * (cores > 1), "the same in each step"
    assert written[0] == written[1]
