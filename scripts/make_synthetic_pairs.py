r"""Translates the training split with finished runs, for another run to learn from.

    python scripts/make_synthetic_pairs.py --forward checkpoints/teacher-en-de \
        --backward checkpoints/teacher-de-en --out checkpoints/synthetic-en-de.tsv

A run of --forward translates the sources of its training split, and its translations become
targets (sequence-level distillation: Kim and Rush 2016, https://aclanthology.org/D16-1139).
A run of --backward, which translates the other way, translates the targets, and its
translations become sources (back-translation: Sennrich et al. 2016,
https://aclanthology.org/P16-1009). Together, with runs trained on the same pairs, this is the
data diversification of Nguyen et al. (2020), https://arxiv.org/abs/1911.01986. The key
corpus.synthetic of a configuration names the file that is written.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import translator
from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.cli import errors_as_one_line
from translator.corpora import load_corpus
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

CHUNK = 10_000  # sentences that are translated together


def main() -> None:
    """Translates with each run in turn and writes all different pairs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--forward", type=Path, action="append", default=[], metavar="RUN")
    parser.add_argument("--backward", type=Path, action="append", default=[], metavar="RUN")
    parser.add_argument("--n-best", type=int, default=2, help="of a sentence (default: 2)")
    parser.add_argument("--out", type=Path, required=True, help="a TSV file")
    options = parser.parse_args()
    if not options.forward + options.backward:
        raise InputError("expected a run, found none; name one with --forward or --backward")
    pairs: dict[tuple[str, str], None] = {}
    for path in options.forward:
        for source, hypothesis in translations(path, options.n_best):
            pairs[source, hypothesis] = None
        print(f"{path}: {len(pairs):,} pairs", flush=True)
    for path in options.backward:
        for target, hypothesis in translations(path, options.n_best):
            pairs[hypothesis, target] = None
        print(f"{path}: {len(pairs):,} pairs", flush=True)
    with whole_file(options.out) as file:
        for source, target in pairs:
            file.write(f"{source}\t{target}\n".encode())
    print(f"{len(pairs):,} different pairs: {options.out}")


def translations(path: Path, n_best: int) -> Iterator[tuple[str, str]]:
    """The sources of a run's training split, each with its best translations by the run."""
    opened = translator.load(path)
    sentences = list(dict.fromkeys(load_corpus(opened.config.corpus).train.sources))
    for start in range(0, len(sentences), CHUNK):
        yield from _translate(opened, sentences[start : start + CHUNK], n_best)
        print(f"{path}: {min(start + CHUNK, len(sentences)):,} of {len(sentences):,} sentences")


def _translate(
    opened: Translator, sentences: Sequence[str], n_best: int
) -> Iterator[tuple[str, str]]:
    options = TranslationOptions(n_best=n_best, split=False, errors="replace")
    usable = [sentence for sentence in sentences if "\t" not in sentence]
    for translation in opened.translate(usable, options):
        for hypothesis in translation.hypotheses:
            if hypothesis.ids and hypothesis.text:
                yield translation.source, hypothesis.text


if __name__ == "__main__":
    with errors_as_one_line():
        main()
