r"""Translates the training split with finished runs, for another run to learn from.

    python scripts/make_synthetic_pairs.py --forward checkpoints/tatoeba-best \
        --backward checkpoints/teacher-de-en --out checkpoints/synthetic

writes ``checkpoints/synthetic.en`` and ``checkpoints/synthetic.de``, line by line. A run of
--forward translates the sources of its training split, and its translations become targets
(sequence-level distillation: Kim and Rush 2016, https://aclanthology.org/D16-1139). A run of
--backward, which translates the other way, translates the targets, and its translations become
sources (back-translation: Sennrich et al. 2016, https://aclanthology.org/P16-1009). Together,
with runs trained on the same pairs, this is the data diversification of Nguyen et al. (2020),
https://arxiv.org/abs/1911.01986. Of the hypotheses of a sentence, those are kept that are
nearest to a reference by chrF, but are none (sequence-level interpolation of Kim and Rush,
section 3.3). Those of a low chrF or a low score are often wrong: --least-chrf, --margin and
--least-score leave them out. The scores of --backward do not matter, because sources may be wrong.
The key corpus.synthetic of a configuration names the two files.

What a run has translated is kept beside the output until that is written, so the same command goes
on where it was stopped.
"""

import argparse
import contextlib
import json
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sacrebleu.metrics.chrf import CHRF

import translator
from translator.base.cache import key_of
from translator.base.errors import InputError
from translator.base.files import check_output_path, whole_file
from translator.cli import errors_as_one_line
from translator.corpora import fingerprint, load_corpus
from translator.runs.weights import weights_fingerprint
from translator.text.reading import LineReader, SourceLine
from translator.translation.options import TranslationOptions
from translator.translation.results import Hypothesis, Translation
from translator.translation.translator import Translator

CHUNK = 10_000  # sentences that are translated together


class Choice(NamedTuple):
    """Which translations of a sentence are kept.

    Attributes:
        n_best: to choose from.
        keep: the most that are kept, the nearest to a reference.
        least_chrf: the least chrF of those, 0 to 100.
        margin: how far below the best one a score may be, in log probability per token.
        least_score: the lowest score of those that are kept, likewise.
    """

    n_best: int
    keep: int
    least_chrf: float = 0
    margin: float = math.inf
    least_score: float = -math.inf

    def of_any_score(self) -> "Choice":
        """The same without limits for scores. The model learns to write targets, not sources."""
        return self._replace(margin=math.inf, least_score=-math.inf)


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
    choice = Choice(
        options.n_best, options.keep, options.least_chrf, options.margin, options.least_score
    )
    if choice.keep < 1:
        raise InputError(f"--keep: expected 1 or more, found {choice.keep}")
    if not 0 <= choice.least_chrf <= 100:
        raise InputError(f"--least-chrf: expected 0 to 100, found {choice.least_chrf:g}")
    if not choice.margin >= 0:
        raise InputError(f"--margin: expected 0 or more, found {choice.margin:g}")
    parts = [write_part(run, options.out, choice) for run in forward]
    parts += [write_part(run, options.out, choice.of_any_score()) for run in backward]
    pairs: dict[tuple[str, str], None] = {}  # in order, each once
    for number, part in enumerate(parts):
        for line in part.read_text("utf-8").splitlines():
            given, hypothesis = json.loads(line)
            pairs[(given, hypothesis) if number < len(forward) else (hypothesis, given)] = None
    if not pairs:
        raise InputError(
            f"expected translations with a chrF of at least {choice.least_chrf:g}, found none;"
            " lower --least-chrf or --least-score, or raise --margin"
        )
    for path, side in zip(outputs, zip(*pairs)):
        with whole_file(path) as file:
            file.writelines(f"{sentence}\n".encode() for sentence in side)
    for part in parts:
        part.unlink(missing_ok=True)
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


def write_part(run: Translator, out: Path, choice: Choice) -> Path:
    """Writes a run's translations to a file of their own, if it is not there already.

    Returns:
        The file, beside ``out``: a line for each pair, as a JSON list. Its name stands for all
        that it depends on.
    """
    record = run.run.read_record()
    weights = record.files if record.is_export else weights_fingerprint(run.run.weights)
    corpus, decoding = fingerprint(run.config.corpus), run.config.decoding.model_dump()
    key = key_of([weights, corpus, decoding, *choice])
    part = out.with_name(f"{out.name}.{run.run.path.resolve().name}-{key[:16]}.jsonl")
    if part.exists():
        print(f"{run.run.path}: translated already, {part}", flush=True)
        return part
    with whole_file(part) as file:
        for pair in translations(run, choice):
            file.write(f"{json.dumps(pair)}\n".encode())
    return part


def translations(run: Translator, choice: Choice) -> Iterator[tuple[str, str]]:
    """The sources of a run's training split, with their translations nearest to a reference."""
    references: dict[str, list[str]] = {}
    for source, target in zip(*load_corpus(run.config.corpus).train):
        references.setdefault(source, []).append(target)
    sentences = list(references)
    options = TranslationOptions(
        beam_size=max(run.config.decoding.beam_size, choice.n_best),
        n_best=choice.n_best,
        split=False,
        errors="replace",
    )
    reader = run.make_reader(options)
    for start in range(0, len(sentences), CHUNK):
        chunk = sentences[start : start + CHUNK]
        for translation in run.translate_read(list(read_fitting(reader, chunk)), options):
            known = references[translation.source]
            for each in nearest(list(likely_others(translation, known, choice)), known, choice):
                if each.score >= choice.least_score:
                    yield translation.source, each.text
        done = min(start + CHUNK, len(sentences))
        print(f"{run.run.path}: {done:,} of {len(sentences):,} sentences", flush=True)


def read_fitting(reader: LineReader, sentences: Iterable[str]) -> Iterator[SourceLine]:
    """Reads sentences for a model, without those that are too long for it."""
    for sentence in sentences:
        with contextlib.suppress(InputError):
            yield reader.read(sentence, "")


def likely_others(
    translation: Translation, references: Collection[str], choice: Choice
) -> Iterator[Hypothesis]:
    """The hypotheses that are no reference, and score nearly as well as the best one."""
    least = max((each.score for each in translation.hypotheses), default=0.0) - choice.margin
    for each in translation.hypotheses:
        if each.ids and each.text and each.text not in references and each.score >= least:
            yield each


def nearest(
    hypotheses: Sequence[Hypothesis], references: Sequence[str], choice: Choice
) -> list[Hypothesis]:
    """The hypotheses nearest to a reference, those with the most chrF first."""
    chrf = CHRF()
    scores = [chrf.sentence_score(each.text, list(references)).score for each in hypotheses]
    near = [i for i in range(len(hypotheses)) if scores[i] >= choice.least_chrf]
    return [hypotheses[i] for i in sorted(near, key=lambda i: -scores[i])[: choice.keep]]


if __name__ == "__main__":
    with errors_as_one_line():
        main()
