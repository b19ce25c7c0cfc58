r"""Translates the training split with finished runs, for another run to learn from.

    python tools/make_synthetic_pairs.py --forward checkpoints/tatoeba-best \
        --backward checkpoints/teacher-de-en --out checkpoints/synthetic

writes ``checkpoints/synthetic.en`` and ``checkpoints/synthetic.de``, line by line. To a training
split belong the further corpora, without a tag, that were mixed into it. A run of
--forward translates the sources of its training split, and its translations become targets
(sequence-level distillation: Kim and Rush 2016, https://aclanthology.org/D16-1139). A run of
--backward, which translates the other way, translates the targets, and its translations become
sources (back-translation: Sennrich et al. 2016, https://aclanthology.org/P16-1009). Together,
with runs trained on the same pairs, this is the data diversification of Nguyen et al. (2020),
https://arxiv.org/abs/1911.01986. Of the hypotheses of a sentence, those are kept that are
nearest to a reference by chrF, but are none (sequence-level interpolation of Kim and Rush,
section 3.3). Those of a low chrF or a low score are often wrong: --least-chrf, --margin and
--least-score leave them out. The scores of --backward do not matter, because sources may be wrong.
An entry of corpora in a configuration names the two files.

What a run has translated is kept in a file beside the output, RUN-KEY.jsonl. With other limits, for
the other direction, or after it was stopped, even within a run, the command does not translate
again what is there.
"""

import argparse
import contextlib
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sacrebleu.metrics.chrf import CHRF

import translator
from translator.base.cache import crc32, key_of
from translator.base.errors import InputError
from translator.base.files import check_output_path, whole_file
from translator.cli import errors_as_one_line
from translator.config.schema import Config, MixedCorpusConfig
from translator.corpora.corpus import load_corpus
from translator.corpora.registry import fingerprint, mixed_fingerprint
from translator.data.training_pairs import read_further_corpora
from translator.runs.weights import weights_fingerprint
from translator.text.read_lines import SourceLine
from translator.text.reading import LineReader
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation
from translator.translation.translator import Translator

CHUNK = 10_000  # sentences that are translated together
HYPOTHESES_VERSION = 1  # raise it when the same runs give other translations


class Other(NamedTuple):
    """A hypothesis that is no reference.

    Attributes:
        text: the translation.
        score: its log probability per token.
        chrf: how near it is to a reference, 0 to 100.
    """

    text: str
    score: float
    chrf: float


class Choice(NamedTuple):
    """Which translations of a sentence are kept.

    Attributes:
        keep: the most that are kept, the nearest to a reference.
        least_chrf: the least chrF of those, 0 to 100.
        margin: how far below the best one a score may be, in log probability per token.
        least_score: the lowest score of those that are kept, likewise.
    """

    keep: int
    least_chrf: float = 0
    margin: float = math.inf
    least_score: float = -math.inf

    def of_any_score(self) -> "Choice":
        """The same without limits for scores. The model learns to write targets, not sources."""
        return self._replace(margin=math.inf, least_score=-math.inf)

    def of(self, others: Iterable[Other], best_score: float) -> list[Other]:
        """Those of a sentence's hypotheses that are kept, the nearest first.

        Args:
            others: the hypotheses that are no reference.
            best_score: the highest score of all hypotheses.
        """
        least = best_score - self.margin
        likely = [each for each in others if each.score >= least and each.chrf >= self.least_chrf]
        nearest = sorted(likely, key=lambda each: -each.chrf)[: self.keep]
        return [each for each in nearest if each.score >= self.least_score]


def main() -> None:
    """Translates with each run in turn and writes all different pairs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--forward", type=Path, action="append", default=[], metavar="RUN")
    parser.add_argument("--backward", type=Path, action="append", default=[], metavar="RUN")
    parser.add_argument("--n-best", type=int, default=5, help="to choose from (default: 5)")
    parser.add_argument("--keep", type=int, default=2, help="of a sentence (default: 2)")
    parser.add_argument(
        "--least-chrf", type=float, default=0, help="of those kept, 0 to 100 (default: 0)"
    )
    parser.add_argument(
        "--margin",
        type=float,
        default=math.inf,
        help="how far below the best score one of --forward may be, 0 or more (default: any)",
    )
    parser.add_argument(
        "--least-score",
        type=float,
        default=-math.inf,
        help="lowest score of one of --forward, in log probability per token (default: any)",
    )
    parser.add_argument("--out", type=Path, required=True, help="without the languages")
    options = parser.parse_args()
    if not options.forward + options.backward:
        raise InputError("expected a run, found none; name one with --forward or --backward")
    forward, backward = (
        list(map(translator.load, options.forward)),
        list(map(translator.load, options.backward)),
    )
    outputs = [
        options.out.with_name(f"{options.out.name}.{language}")
        for language in languages_of(forward, backward)
    ]
    for path in outputs:
        check_output_path(path)
    choice = Choice(options.keep, options.least_chrf, options.margin, options.least_score)
    if choice.keep < 1:
        raise InputError(f"--keep: expected 1 or more, found {choice.keep}")
    if not 0 <= choice.least_chrf <= 100:
        raise InputError(f"--least-chrf: expected 0 to 100, found {choice.least_chrf:g}")
    if not choice.margin >= 0:
        raise InputError(f"--margin: expected 0 or more, found {choice.margin:g}")
    translated = [
        write_hypotheses(run, options.out.parent, options.n_best) for run in forward + backward
    ]
    pairs: dict[tuple[str, str], None] = {}  # in order, each once
    for hypotheses in translated[: len(forward)]:
        pairs.update(dict.fromkeys(kept_pairs(hypotheses, choice)))
    for hypotheses in translated[len(forward) :]:
        kept = kept_pairs(hypotheses, choice.of_any_score())
        pairs.update(dict.fromkeys((hypothesis, given) for given, hypothesis in kept))
    if not pairs:
        raise InputError(
            f"expected translations with a chrF of at least {choice.least_chrf:g}, found none;"
            " lower --least-chrf or --least-score, or raise --margin"
        )
    for path, side in zip(outputs, zip(*pairs)):
        with whole_file(path) as file:
            file.writelines(f"{sentence}\n".encode() for sentence in side)
    print(f"{len(pairs):,} different pairs: {options.out}")


def languages_of(forward: Sequence[Translator], backward: Sequence[Translator]) -> tuple[str, str]:
    """The languages of the sources and the targets that will be written.

    Raises:
        InputError: the runs differ in them.
    """
    found = {run.config.corpus.languages for run in forward}
    found |= {run.config.corpus.languages[::-1] for run in backward}
    if len(found) > 1:
        raise InputError(
            "expected runs of --forward from one language to another, and runs of --backward from"
            f" that to the first, found {', '.join('-'.join(pair) for pair in sorted(found))}"
        )
    return found.pop()


def write_hypotheses(run: Translator, folder: Path, n_best: int) -> Path:
    """Translates a run's training split, if that is not done already.

    Returns:
        A file in ``folder``, whose name stands for all that it depends on. Each line is a JSON
        list: a source, the highest score of its hypotheses, and those that are no reference.
    """
    record, learnt = run.run.read_record(), run.run.learnt
    files: dict[str, str | int] = dict(record.files or {}) or {
        "weights": weights_fingerprint(run.run.weights),
        **{path.name: crc32(path) for path in learnt if path.exists()},
    }
    corpus, decoding = fingerprint(run.config.corpus), run.config.decoding.model_dump()
    further = [mixed_fingerprint(run.config.corpus, each) for each in further_corpora(run.config)]
    key = key_of([HYPOTHESES_VERSION, files, corpus, decoding, n_best, *further])
    path = folder / f"{run.run.path.resolve().name}-{key[:16]}.jsonl"
    if path.exists():
        print(f"{run.run.path}: translated already, {path}", flush=True)
        return path
    part = path.with_suffix(".part")
    last = last_source(part)
    with open(part, "ab") as file:
        for line in translations(run, n_best, last):
            file.write(f"{json.dumps(line)}\n".encode())
            file.flush()
    part.replace(path)
    return path


def further_corpora(config: Config) -> list[MixedCorpusConfig]:
    """The corpora that a training learns from as it does from the first one."""
    return [mixed for mixed in config.corpora if mixed.is_learnt_from]


def last_source(part: Path) -> str | None:
    """The last source in an unfinished file of hypotheses, which loses a line that was cut.

    Returns:
        None if there is no such file or no whole line in it.
    """
    if not part.exists():
        return None
    last, size = None, 0
    with open(part, "rb+") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                last, size = line, size + len(line)
        lines.truncate(size)
    return None if last is None else str(json.loads(last)[0])


def kept_pairs(hypotheses: Path, choice: Choice) -> Iterator[tuple[str, str]]:
    """The sources in a file of `write_hypotheses` with each of their hypotheses that is kept."""
    with open(hypotheses, "rb") as lines:
        for line in lines:
            source, best_score, others = json.loads(line)
            for each in choice.of((Other(*other) for other in others), best_score):
                yield source, each.text


def translations(
    run: Translator, n_best: int, last: str | None = None
) -> Iterator[tuple[str, float, list[Other]]]:
    """The sources of a run's training split, each with its best score and its `Other` s.

    Args:
        run: translates.
        n_best: hypotheses of a sentence.
        last: a source; those up to it are left out. None leaves out none.
    """
    corpus = load_corpus(run.config.corpus)
    further = read_further_corpora(
        corpus, run.config.model_copy(update={"corpora": further_corpora(run.config)})
    )
    references: dict[str, list[str]] = {}
    for pairs in (corpus.train, *(each.pairs for each in further)):
        for source, target in zip(*pairs):
            references.setdefault(source, []).append(target)
    sentences = list(references)
    options = TranslationOptions(
        beam_size=max(run.config.decoding.beam_size, n_best),
        n_best=n_best,
        split=False,
        errors="strict",
    )
    reader = run.make_reader(options)
    first = sentences.index(last) + 1 if last is not None else 0
    for start in range(first, len(sentences), CHUNK):
        chunk = sentences[start : start + CHUNK]
        for translation in run.translate_read(list(read_fitting(reader, chunk)), options):
            best_score = max((each.score for each in translation.hypotheses), default=0.0)
            others = no_references(translation, references[translation.source])
            yield translation.source, best_score, others
        done = min(start + CHUNK, len(sentences))
        print(f"{run.run.path}: {done:,} of {len(sentences):,} sentences", flush=True)


def read_fitting(reader: LineReader, sentences: Iterable[str]) -> Iterator[SourceLine]:
    """Reads sentences for a model, without those that are too long for it."""
    for sentence in sentences:
        with contextlib.suppress(InputError):
            yield reader.read(sentence, "")


def no_references(translation: Translation, references: Sequence[str]) -> list[Other]:
    """The hypotheses of a translation that are no reference, in their order."""
    chrf = CHRF()
    return [
        Other(each.text, each.score, chrf.sentence_score(each.text, references).score)
        for each in translation.hypotheses
        if each.ids and each.text and each.text not in references
    ]


if __name__ == "__main__":
    with errors_as_one_line():
        main()
