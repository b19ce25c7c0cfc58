"""Measures how well a run knows which words of its translations are right.

    python benchmarks/confidence.py --run checkpoints/demo

A word is right where a reference has it, in lower case, without punctuation, each at most as
often as the reference has it. The confidence was fitted on one half of the validation split and
is measured on the other. For a run of the demo corpus it is measured on the test split too, whose
truth the grammar knows, and on the same sentences with a noun that the corpus does not have: there
the words that the grammar aligns with that noun are taken out of the reference, so that whatever
the model writes for it is wrong.

Below the table is how many validation sentences, and how many of their translations, are taken for
lines that are not in the source language: as they are written, in capitals and in lower case.

AUROC is the probability that a right word has a higher confidence than a wrong one. The
calibration error is the expected one, in 15 bins of equal width. The baseline is the probability
of a word's tokens, as the model has it.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import translator
from translator.addons.confidence.examples import MEASURED, gather_references, half
from translator.addons.confidence.fitting import judge, measure
from translator.addons.confidence.source_words import SourceWords
from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.corpora.demo import DemoPair, load_demo_corpus
from translator.data.added_pairs import without_added_pairs
from translator.data.preparation import prepare
from translator.text.read_lines import SourceLine
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

NOUNS = (
    "badger", "kettle", "lantern", "pigeon", "saddle", "walnut", "candle", "hammer", "pillow",
    "turtle", "violin", "blanket", "compass", "drawer", "feather", "goblet", "helmet", "ladder",
    "needle", "parrot", "ribbon", "scarf", "thimble", "wagon", "anvil", "barrel", "cradle",
)  # fmt: skip


def main() -> None:
    """Prints a line for each set of sentences."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--run", type=Path, required=True)
    options = parser.parse_args()
    opened = translator.load(options.run)
    if opened.assessor is None:
        raise InputError(
            f"{options.run}: expected a run with a confidence model, found none; fit it with"
            f" translator calibrate {options.run}"
        )
    config = without_added_pairs(opened.config)
    data = prepare(config, lambda line: None, opened.tokenizers, opened.corpus)
    print(
        f"{'':<32} {'words':>7} {'right':>7} {'AUROC':>7} {'raw':>7} {'error':>7} {'raw':>7}"
        f" {'by sentence':>12}"
    )
    print_figures("validation, the other half", opened, half(gather_references(data), MEASURED))
    if opened.config.corpus.name == "demo":
        swapped = opened.config.corpus.source_language == "de"
        test = load_demo_corpus().test
        pairs = [(p.target, [p.source]) if swapped else (p.source, [p.target]) for p in test]
        print_figures("test", opened, pairs)
        known = opened.assessor.model.source_words
        if not swapped and known is not None:
            print_figures("test, with an unseen noun", opened, list(with_unseen_nouns(test, known)))
    if opened.assessor.model.source_words is not None:
        references = gather_references(data)
        foreign = {text for texts in references.values() for text in texts}
        print_foreign("sentences", list(references), opened)
        print_foreign("translations", list(foreign), opened)


def with_unseen_nouns(
    pairs: tuple[DemoPair, ...], known: SourceWords
) -> Iterator[tuple[str, list[str]]]:
    """Sentences with one noun replaced, and references without its translation."""
    nouns = [noun for noun in NOUNS if not known.words & {noun, f"{noun}s"}]
    count = 0
    for pair in pairs:
        inside = [
            (source, target)
            for source, target in pair.alignment
            if target > 0 and pair.target_tokens[target].istitle()
            and pair.source_tokens[source].islower() and len(pair.source_tokens[source]) > 2
        ]  # fmt: skip
        if not inside:
            continue
        place = inside[count % len(inside)][0]
        gone = {target for source, target in pair.alignment if source == place}
        noun = nouns[count % len(nouns)] + "s" * pair.source_tokens[place].endswith("s")
        words = [*pair.source_tokens[:place], noun, *pair.source_tokens[place + 1 :]]
        kept = [word for i, word in enumerate(pair.target_tokens) if i not in gone]
        count += 1
        yield joined(words), [" ".join(kept)]


def joined(tokens: list[str]) -> str:
    """Words and marks as a sentence."""
    text = " ".join(tokens)
    for mark in ",.?!":
        text = text.replace(f" {mark}", mark)
    return text


def print_figures(name: str, opened: Translator, pairs: list[tuple[str, list[str]]]) -> None:
    """Translates sentences and prints how well the confidences of the words are."""
    model = opened.assessor.model
    found = measure(model, judge(opened, model.source_words, pairs))
    print(
        f"{name:<32} {found['words']:>7,} {found['right']:>7.1%}"
        f" {found.get('auroc', float('nan')):>7.3f}"
        f" {found.get('auroc_of_probabilities', float('nan')):>7.3f}"
        f" {found['calibration_error']:>7.3f} {found['calibration_error_of_probabilities']:>7.3f}"
        f" {found['sentence_calibration_error']:>12.3f}"
    )


def print_foreign(name: str, lines: list[str], opened: Translator) -> None:
    """Prints how many lines are taken for another language."""
    reader = opened.make_reader(TranslationOptions(errors="replace"))
    shares = (
        sum(is_taken_for_foreign(opened, reader.read(write(line), "")) for line in lines)
        / len(lines)
        for write in (str, str.upper, str.lower)
    )
    print(
        f"{len(lines):,} {name} taken for another language: {next(shares):.1%} as written,"
        f" {next(shares):.1%} in capitals, {next(shares):.1%} in lower case"
    )


def is_taken_for_foreign(opened: Translator, line: SourceLine) -> bool:
    """Whether ``translate`` would mark a line as one of another language."""
    doubts = opened.assessor.doubts(line, None) if opened.assessor else ()
    return any(doubt.kind == "language" for doubt in doubts)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
