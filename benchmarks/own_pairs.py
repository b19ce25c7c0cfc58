"""Trains on a part of a corpus as on a user's own files, and measures the translations.

    python benchmarks/own_pairs.py multi30k --pairs 5000 --minutes 6
    python benchmarks/own_pairs.py multi30k --minutes 20 --init en-de --mix tatoeba 0.5
    python benchmarks/own_pairs.py multi30k --score en-de --also tatoeba

The configuration names files, languages and minutes, and leaves the rest to the program; --set
says more, as with ``translator train``. The pairs are the first of the training split, in an order
drawn by a seed; validation and test splits are the corpus's own. The row has BLEU of both,
the updates, and the minutes from the start of the command to its end. With --mix it has BLEU on the
test split of the mixed corpus too, with --also on that of another one.
A training that was stopped is resumed; without --run each has a folder of its own in
checkpoints/own-pairs. With --score nothing is trained: the scores are those of a run, or of a model
that comes with the program.
"""

import argparse
import functools
import random
import tempfile
from pathlib import Path
from typing import Any

import harness
import yaml
from translating import measure_bleu, precision_of, translate

import translator
from translator.base.cache import key_of
from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.config.schema import CorpusConfig
from translator.corpora import SentencePairs, known_corpora, load_corpus, load_held_out
from translator.evaluation.scores import gather_references
from translator.runs.directory import RunDirectory
from translator.training.state import read_progress
from translator.translation.translator import Translator

SEED = 7
SMALL = ["model.num_layers=1", "model.d_model=16", "model.num_heads=2", "model.dff=16",
         "tokenizer.vocab_size=400", "training.epochs=1", "training.r_drop_alpha=0",
         "training.data_parallel=1", "validation.translate_every=0",
         "validation.every_epochs=1"]  # fmt: skip


def main() -> None:
    """Trains and prints the scores."""
    parser = harness.Parser(__doc__)
    parser.add_argument("corpus", choices=known_corpora(), nargs="?", default="multi30k")
    parser.add_argument("--pairs", type=int, help="to train on (default: all)")
    parser.add_argument("--minutes", type=float, help="to train for (default: as the pairs need)")
    parser.add_argument("--init", metavar="RUN", help="to go on from")
    parser.add_argument(
        "--mix", nargs=2, metavar=("CORPUS", "WEIGHT"), help="another corpus to train on as well"
    )
    parser.add_argument("--also", choices=known_corpora(), help="whose test split is used too")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="as for translator train"
    )
    parser.add_argument("--run", type=Path, help="(default: one for each training)")
    parser.add_argument("--score", metavar="RUN", help="only measures this run")
    parser.add_argument("--most", type=int, help="sentences of a held-out split (default: all)")
    options = parser.parse(corpus="demo", pairs=300, most=10, set=SMALL)
    with tempfile.TemporaryDirectory() as folder:
        run, figures = Path(options.score or ""), [options.minutes, None, None]
        if not options.score:
            settings = [options.minutes, options.init, options.mix, options.set]
            name = f"{options.corpus}-{options.pairs or 'all'}"
            name += f"-{key_of(settings)[:6]}" if any(settings) else ""
            usual = Path(folder, name) if options.small else Path("checkpoints/own-pairs", name)
            run = options.run or usual
            figures = [options.minutes, *train(run, options)]
        opened = translator.load(run)
        columns = ["corpus", "pairs", "minutes given", "updates", "minutes"]
        row = [options.corpus, options.pairs, *figures]
        splits = {f"BLEU, {split}": (options.corpus, split) for split in ("validation", "test")}
        for other in filter(None, (options.mix and options.mix[0], options.also)):
            splits[f"{other}'s test"] = (other, "test")
        for column, (corpus, split) in splits.items():
            columns.append(column)
            row.append(bleu(opened, corpus, split, options.most))
        title = f"Trained on pairs of {options.corpus}"
        harness.show(options, "own-pairs", title, columns, [row], precision_of(opened))


def train(run: Path, options: argparse.Namespace) -> tuple[int, float]:
    """Trains a run, or goes on with it; returns its updates, and the minutes of this command."""
    config = write_files(options, run.with_name(f"{run.name}-files"))
    arguments = [part for override in options.set for part in ("--set", override)]
    arguments += ["--resume"] if RunDirectory(run).has_begun else []
    command = ["train", str(config), "--run", str(run), *arguments]
    minutes = harness.timed(lambda: harness.run_here(*command)) / 60
    return read_progress(RunDirectory(run)).validations[-1]["updates"], round(minutes, 1)


def write_files(options: argparse.Namespace, folder: Path) -> Path:
    """Writes three TSV files and the configuration that names them; returns the latter's path."""
    train = list(zip(*load_corpus(CorpusConfig(name=options.corpus)).train))
    random.Random(SEED).shuffle(train)
    splits = {"train": train[: options.pairs]}
    for split in ("validation", "test"):
        splits[split] = list(zip(*held_out(options.corpus, split)))[: options.most]
    folder.mkdir(parents=True, exist_ok=True)
    corpus: dict[str, Any] = {"source_language": "en", "target_language": "de"}
    for split, pairs in splits.items():
        path = folder / f"{split}.tsv"
        path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), "utf-8")
        corpus[split] = {"tsv": str(path)}
    given = {"minutes": options.minutes, "init": options.init}
    training = {key: value for key, value in given.items() if value is not None}
    sections: dict[str, Any] = {"corpus": corpus, "training": training}
    if options.mix:
        name, weight = options.mix
        sections["corpora"] = [{"name": name, "weight": yaml.safe_load(weight)}]
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(sections, sort_keys=False), "utf-8")
    return path


@functools.cache
def held_out(name: str, split: str) -> SentencePairs:
    """A split of a corpus, with all translations of its sentences."""
    pairs, _ = load_held_out(CorpusConfig.model_validate({"name": name}), split)
    if pairs is None:
        raise InputError(f"{name}: expected a corpus with a {split} split, found none")
    return pairs


def bleu(opened: Translator, name: str, split: str, most: int | None) -> float:
    """BLEU of a run on a split of a corpus."""
    references = dict(list(gather_references(held_out(name, split)).items())[:most])
    return measure_bleu(opened, translate(opened, list(references)), list(references.values()))


if __name__ == "__main__":
    with errors_as_one_line():
        main()
