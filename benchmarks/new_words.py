"""Measures whether a new word with a capital is better copied, or shown to the model.

    python benchmarks/new_words.py --run checkpoints/tatoeba-best

The sentences are those of the phrasebook with one such word that is not in the training data of
the run, which knows no phrasebook. A name is a word that the reference has as well; made of known
words are compounds and inflections. chrF of so many sentences of a kind, drawn by a seed, with a
mask in the place of the word and without.
"""

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import harness
from translating import precision_of

import translator
from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.config.schema import CorpusConfig
from translator.corpora import load_corpus
from translator.evaluation.run_evaluation import target_language
from translator.evaluation.scores import score_translations
from translator.text.names import NameModel, copies, core_of, is_capitalized
from translator.text.punctuation import plain_word
from translator.translation.translator import Translator

FEWEST, MOST = 4, 12  # words of a sentence
Pair = tuple[str, str]


def main() -> None:
    """Finds the sentences, translates them twice and prints the table."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path, default=Path("checkpoints/tatoeba-best"))
    parser.add_argument("--sentences", type=int, default=300, help="of a kind (default: 300)")
    options = parser.parse(sentences=2)
    opened = translator.load(options.run)
    if not opened.tokenizers.target.masks:
        raise InputError(f"{options.run}: expected a model with masks, found one without")
    kinds = find_sentences(opened.codec.masker.names, opened)
    draw = random.Random(1)
    rows: list[harness.Row] = []
    for kind, pairs in sorted(kinds.items()):
        chosen = draw.sample(pairs, min(options.sentences, len(pairs)))
        rows.append([kind, len(chosen), *(chrf(opened, chosen, copy) for copy in (False, True))])
    run = options.run.name
    title, columns = f"New words with a capital, {run}", ["", "sentences", "shown", "copied"]
    harness.show(options, f"new-words-{run}", title, columns, rows, precision_of(opened))


def find_sentences(names: NameModel, opened: Translator) -> dict[str, list[Pair]]:
    """Sentences with one new word, by the kind of the word."""
    source, target = opened.config.corpus.languages
    corpus = load_corpus(
        CorpusConfig(name="phrasebook", source_language=source, target_language=target)
    )
    found: dict[str, list[Pair]] = defaultdict(list)
    for pair in zip(*corpus.train):
        words = pair[0].split()
        new = [place for place, word in enumerate(words) if is_new(names, word)]
        if FEWEST <= len(words) <= MOST and len(new) == 1:
            found[kind_of(names, words, new[0], pair[1])].append(pair)
    return found


def is_new(names: NameModel, word: str) -> bool:
    """Whether a word has a capital and is not in the training data."""
    core = core_of(word)
    is_known = core in names.rare or plain_word(core) in names.words
    return is_capitalized(core) and not is_known


def kind_of(names: NameModel, words: Sequence[str], place: int, target: str) -> str:
    """The kind of a new word, and where it stands."""
    core = core_of(words[place])
    where = "inside" if place else "first"
    if copies(core, target) or copies(core.removesuffix("s"), target):
        return f"names, {where}"
    return f"other words, {where}" if names.is_new_name(core) else f"of known words, {where}"


def chrf(opened: Translator, pairs: Sequence[Pair], copy: bool) -> float:
    """ChrF of translations in which all new words are copied, or none."""

    def decide(names: NameModel, word: str) -> bool:
        return core_of(word) in names.rare or (copy and is_new(names, word))

    with mock.patch.object(NameModel, "is_new_name", decide):
        texts = [found.text for found in opened.translate([source for source, _ in pairs])]
    references = [[target] for _, target in pairs]
    return round(score_translations(texts, references, target_language(opened)).chrf, 1)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
