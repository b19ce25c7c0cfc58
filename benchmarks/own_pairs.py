"""Trains on a part of a corpus as on a user's own files, and measures the translations.

    python benchmarks/own_pairs.py multi30k --pairs 5000 --minutes 6
    python benchmarks/own_pairs.py multi30k --minutes 20 --init en-de --mix tatoeba 0.5
    python benchmarks/own_pairs.py multi30k --score en-de --also tatoeba

The configuration names files, languages and minutes, and leaves the rest to the program; --set
says more, as with ``translator train``. The pairs are the first of the training split, in an order
drawn by a seed; validation and test splits are the corpus's own. The last line has BLEU of both,
the updates, and the minutes from the start of the command to its end. With --mix it has BLEU on the
test split of the mixed corpus too, with --also on that of another one. A training that was stopped
is resumed. With --score nothing is trained: the scores are those of a run, or of a model that comes
with the program.
"""

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import yaml

import translator
from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.cli import errors_as_one_line
from translator.config.schema import CorpusConfig
from translator.corpora import SentencePairs, load_corpus, load_held_out
from translator.evaluation.scores import gather_references, score_translations
from translator.runs.directory import RunDirectory
from translator.training.state import read_progress

CORPORA = ("multi30k", "tatoeba")
SEED = 7


def main() -> None:
    """Trains and prints the scores."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", choices=CORPORA, help="that the pairs are taken from")
    parser.add_argument("--pairs", type=int, help="to train on (default: all)")
    parser.add_argument("--minutes", type=float, help="to train for (default: as the pairs need)")
    parser.add_argument("--init", metavar="RUN", help="to go on from")
    parser.add_argument(
        "--mix", nargs=2, metavar=("CORPUS", "WEIGHT"), help="another corpus to train on as well"
    )
    parser.add_argument("--also", choices=CORPORA, help="whose test split is translated too")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="as for translator train"
    )
    parser.add_argument("--run", type=Path, help="(default: checkpoints/own-pairs/NAME)")
    parser.add_argument("--score", metavar="RUN", help="only measures this run")
    options = parser.parse_args()
    others = filter(None, (options.mix and options.mix[0], options.also))
    if options.score:
        print(f"{options.corpus}: BLEU {both_scores(options.score, options.corpus)}")
        print_others(options.score, others)
        return
    size = options.pairs or "all"
    run = options.run or Path("checkpoints/own-pairs", f"{options.corpus}-{size}")
    config = write_files(options, run.with_name(f"{run.name}-files"))
    began = time.perf_counter()
    train = [sys.executable, "-m", "translator.cli", "train", str(config), "--run", str(run)]
    train += [argument for override in options.set for argument in ("--set", override)]
    train += ["--resume"] if RunDirectory(run).has_begun else []
    if subprocess.run(train, check=False).returncode:
        raise SystemExit(2)
    minutes = (time.perf_counter() - began) / 60
    updates = read_progress(RunDirectory(run)).validations[-1]["updates"]
    print(
        f"{options.corpus}, {size} pairs: BLEU {both_scores(run, options.corpus)};"
        f" {updates:,} updates, {minutes:.1f} minutes"
    )
    print_others(run, others)


def write_files(options: argparse.Namespace, folder: Path) -> Path:
    """Writes three TSV files and the configuration that names them; returns the latter's path."""
    mixed = options.mix and [{"name": options.mix[0], "weight": weight_of(options.mix[1])}]
    corpus = load_corpus(CorpusConfig.model_validate({"name": options.corpus}))
    train = list(zip(*corpus.train))
    random.Random(SEED).shuffle(train)
    splits = {"train": train[: options.pairs]}
    for split in ("validation", "test"):
        splits[split] = list(zip(*held_out(options.corpus, split)))
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for split, pairs in splits.items():
        path = folder / f"{split}.tsv"
        with whole_file(path) as file:
            file.write("".join(f"{source}\t{target}\n" for source, target in pairs).encode())
        files[split] = {"tsv": str(path)}
    own = {"source_language": "en", "target_language": "de", **files}
    sections: dict[str, object] = {"corpus": own}
    if mixed:
        sections["corpora"] = mixed
    training = {"minutes": options.minutes, "init": options.init}
    sections["training"] = {key: value for key, value in training.items() if value is not None}
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(sections, sort_keys=False), "utf-8")
    return path


def weight_of(text: str) -> float:
    """The weight of --mix as a number."""
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--mix: expected a number for the weight, found {text}") from None


def held_out(name: str, split: str) -> SentencePairs:
    """A split of a corpus, with all translations of its sentences."""
    pairs, _ = load_held_out(CorpusConfig.model_validate({"name": name}), split)
    if pairs is None:
        raise InputError(f"{name}: expected a corpus with a {split} split, found none")
    return pairs


def both_scores(run: str | Path, name: str) -> str:
    """BLEU of a run on both held-out splits of a corpus."""
    scores = [bleu(run, name, split) for split in ("validation", "test")]
    return f"{scores[0]:.2f} on validation, {scores[1]:.2f} on test"


def print_others(run: str | Path, names: Iterable[str]) -> None:
    """Prints BLEU of a run on the test splits of other corpora."""
    for name in names:
        print(f"{name}: BLEU {bleu(run, name, 'test'):.2f} on test")


def bleu(run: str | Path, name: str, split: str) -> float:
    """BLEU of a run on a split of a corpus."""
    references = gather_references(held_out(name, split))
    texts = [found.text for found in translator.load(run).translate(list(references))]
    return score_translations(texts, list(references.values()), "de").bleu


if __name__ == "__main__":
    with errors_as_one_line():
        main()
