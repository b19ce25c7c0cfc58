"""Measures how well a run's confidence tells right translations and words from wrong ones.

    python benchmarks/confidence.py --run checkpoints/demo

A word is right if a reference has it; case and punctuation do not count. A repeated word is right
at most as often as the reference has it. The confidence was fitted on one half of the validation
split. It is measured on the other half and on the test split. A run of the demo corpus is also
measured on test sentences with a noun that the corpus lacks. Their references have no translation
of this noun, so that every translation of it is wrong. AUROC is the probability that a right word
has a higher confidence than a wrong one. The calibration error is the expected calibration error,
in 15 bins. Raw is the model's own probability of a word's tokens.

A sentence is good if references have 90 % of its words, and bad if they have less than half. A
right translation may use other words, so some bad sentences are right. A sentence below the fitted
threshold is marked. Precision counts the marked good and bad sentences. The last column chooses the
threshold on the measured sentences, so that 90 % of the good ones stay unmarked. The models that
come with the program are also measured on the texts of judged_translations.tsv, for which two
readers gave the same judgement. Texts with another translation today are left out; the row says of
how many. There, all doubts count as marks. With --try the corpus is always the
demo's.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import harness
import numpy as np
from translating import SENTENCES, precision_of, read_split

import translator
from translator.addons.confidence.assessor import Assessor
from translator.addons.confidence.examples import split_validation
from translator.addons.confidence.fitting import judge, measure, measure_marks
from translator.addons.confidence.source_words import SourceWords
from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.corpora.demo import DemoPair, load_demo_corpus
from translator.data.preparation import prepare
from translator.data.training_pairs import without_added_pairs

Pair = tuple[str, list[str]]  # a sentence and its references
FIGURES = (
    ("AUROC", "auroc"),
    ("AUROC, raw", "auroc_of_probabilities"),
    ("calibration error", "calibration_error"),
    ("calibration error, raw", "calibration_error_of_probabilities"),
    ("calibration error of sentences", "sentence_calibration_error"),
)
MARKS = (
    ("marked", "marked"),
    ("good ones unmarked", "unmarked_of_good"),
    ("bad ones marked (recall)", "recall"),
    ("precision", "precision"),
    ("AUROC, good or bad", "sentence_auroc"),
    ("recall at 90 % of good ones unmarked", "recall_at_90"),
)


def main() -> None:
    """Prints the table."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path, default=Path("en-de"))
    parser.add_argument("--sentences", type=int, help="of each set (default: all)")
    options = parser.parse(sentences=20)
    opened = translator.load(options.run)
    assessor = opened.assessor
    if not isinstance(assessor, Assessor):
        raise InputError(
            f"{options.run}: expected a run with a confidence model, found none; fit it with"
            f" translator calibrate {options.run}"
        )
    known = assessor.model.source_words
    sets: dict[str, list[Pair]] = {}
    if not options.small:
        config = without_added_pairs(opened.config)
        data = prepare(config, lambda line: None, opened.tokenizers, opened.corpus)
        sets["validation, the other half"] = split_validation(data)[1]
        sets["test"] = list(read_split(opened, "test").items())
    if options.small or opened.config.corpus.name == "demo":
        test = load_demo_corpus().test
        swapped = opened.config.corpus.source_language == "de"
        sets["test"] = [(p.target, [p.source]) if swapped else (p.source, [p.target]) for p in test]
        if not swapped and known is not None:
            sets["test, with an unseen noun"] = list(with_unseen_nouns(test, known))
    rows: list[harness.Row] = []
    marks: list[harness.Row] = []
    for name, pairs in sets.items():
        found = measure(assessor.model, judge(opened, known, pairs[: options.sentences]))
        rows.append([name, int(found["words"]), f"{found['right']:.1%}", *_figures(found, FIGURES)])
        marks.append([name, int(found["sentences"]), *_figures(found, MARKS)])
    if rows_of_reader := [row for row in read_judged() if row[0] == options.run.name]:
        marks += measure_judged(opened, rows_of_reader)
    title, precision = f"Confidence in words, {options.run.name}", precision_of(opened)
    columns = ["", "words", "right", *(name for name, _ in FIGURES)]
    harness.show(options, f"confidence-{options.run.name}", title, columns, rows, precision)
    title, columns = f"Marked sentences, {options.run.name}", ["", "sentences"]
    columns += [name for name, _ in MARKS]
    harness.show(options, f"marks-{options.run.name}", title, columns, marks, precision)


def _figures(found: dict[str, float], wanted: Sequence[tuple[str, str]]) -> list[float | None]:
    return [round(found[key], 3) if key in found else None for _, key in wanted]


def read_judged() -> list[list[str]]:
    """The model, ``good`` or ``bad``, the sentence and the translation that was judged."""
    path = Path(__file__).with_name("judged_translations.tsv")
    return [line.split("\t") for line in path.read_text("utf-8").splitlines()]


def measure_judged(
    opened: translator.Translator, judged: Sequence[Sequence[str]]
) -> Iterator[harness.Row]:
    """The rows of the judged sentences: with all marks, and with "probably wrong" alone."""
    found = opened.translate([source for _, _, source, _ in judged])
    kept = [
        (each, row[1] == "good")
        for each, row in zip(found, judged)
        if each.text == row[3] and each.hypotheses[0].confidence is not None  # a copy has none
    ]
    good = np.array([is_good for _, is_good in kept])
    confidence = np.array([each.hypotheses[0].confidence for each, _ in kept])
    kinds = [{doubt.kind for doubt in each.doubts} for each, _ in kept]
    name = f"texts, of {len(judged)} that two readers have judged alike"
    levels = {name: map(bool, kinds), 'the same, "probably wrong"': ("wrong" in k for k in kinds)}
    for name, marked in levels.items():
        figures = measure_marks(confidence, np.array(list(marked)), good, ~good)
        yield [name, len(kept), *_figures(figures, MARKS)]


def with_unseen_nouns(pairs: Sequence[DemoPair], known: SourceWords) -> Iterator[Pair]:
    """Sentences with one noun replaced, and references without its translation."""
    nouns = [n for n in SENTENCES["unseen_nouns"] if not known.words.keys() & {n, f"{n}s"}]
    count = 0
    for pair in pairs:
        source, target = pair.source_tokens, pair.target_tokens
        inside = [
            s
            for s, t in pair.alignment
            if t > 0 and target[t].istitle() and source[s].islower() and len(source[s]) > 2
        ]
        if not inside:
            continue
        place = inside[count % len(inside)]
        gone = {t for s, t in pair.alignment if s == place}
        noun = nouns[count % len(nouns)] + "s" * source[place].endswith("s")
        kept = [word for i, word in enumerate(target) if i not in gone]
        count += 1
        sentence = " ".join([*source[:place], noun, *source[place + 1 :]])
        yield re.sub(r" (?=[,.?!](?: |$))", "", sentence), [" ".join(kept)]


if __name__ == "__main__":
    with errors_as_one_line():
        main()
