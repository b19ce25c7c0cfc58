"""Measures how a run translates text as people type it: capitals, fragments, single words.

    python benchmarks/typed_text.py --run en-de

BLEU ignores case. In the row without the final mark the references have lost theirs too.
Loops are counted over single words of the training split's sources and over fragments of two
to four words; a loop is what the search takes for one, or any text three times in a row. Equal
texts are counted over n-best lists of the split's sentences.
"""

import random
import re
from collections.abc import Callable, Collection
from pathlib import Path

import harness
from translating import measure_bleu, precision_of, read_split, translate

import translator
from translator.cli import errors_as_one_line
from translator.corpora import load_corpus
from translator.evaluation.run_evaluation import translate_all
from translator.text.final_marks import without_final_mark
from translator.text.repetition import is_loop
from translator.text.truecasing import is_word, split_tokens
from translator.translation.options import TranslationOptions

FRAGMENT_WORDS = (2, 4)
N_BEST = 5
REPEATED = re.compile(r"(\w[\w ]{2,}?)(?:\W*\1){2,}", re.IGNORECASE)  # three times in a row


def title_case(text: str) -> str:
    """A sentence in which every word begins with a capital."""
    return " ".join(word[:1].upper() + word[1:] for word in text.split(" "))


FORMS: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    # writes a sentence so, and changes a reference likewise
    "as written": (str, str),
    "ALL CAPS": (str.upper, str),
    "Title Case": (title_case, str),
    "lower case": (str.lower, str),
    "without the final mark": (without_final_mark, without_final_mark),
}


def main() -> None:
    """Prints a row for each form, then how many loops and equal texts there are."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--split", choices=("test", "validation"), default="test")
    parser.add_argument("--sentences", type=int, help="of the split (default: all)")
    parser.add_argument("--fragments", type=int, default=10_000, help="(default: 10,000)")
    options = parser.parse(sentences=5, fragments=10)
    with harness.folder_and_run(options) as (_, run):
        opened = translator.load(run)
        references = read_split(opened, options.split, options.sentences)
        rows: list[harness.Row] = []
        for name, (of_source, of_reference) in FORMS.items():
            texts = translate(opened, list(map(of_source, references)))
            expected = [list(map(of_reference, group)) for group in references.values()]
            bleu = measure_bleu(opened, texts, expected, lowercase=True)
            rows.append([name, bleu, sum(map(str.isupper, texts))])
        search = TranslationOptions(beam_size=N_BEST, n_best=N_BEST)
        lists = [
            [hypothesis.text for hypothesis in found.hypotheses]
            for found in translate_all(opened, list(references), search)[0]
        ]
        doubled = sum(len(texts) != len(set(texts)) for texts in lists)
        fragments = draw_fragments(
            load_corpus(opened.config.corpus).train.sources, options.fragments
        )
        loops = sum(map(repeats_itself, fragments, translate(opened, fragments)))
        counts: list[harness.Row] = [
            [f"{N_BEST}-best lists with equal texts", doubled, len(lists)],
            ["loops in single words and fragments", loops, len(fragments)],
        ]
        precision, columns = precision_of(opened), ["", "BLEU, lower case", "in capitals"]
        title = f"Text as people type it, translated by {run.name}"
        harness.show(options, f"typed-text-{run.name}", title, columns, rows, precision)
        title = "Mistakes of the search"
        harness.show(options, f"loops-{run.name}", title, ["", "found", "of"], counts, precision)


def repeats_itself(source: str, text: str) -> bool:
    """Whether a translation has a loop, by the rule of the search or by that of this script."""
    return is_loop(source, text) or bool(REPEATED.search(text) and not REPEATED.search(source))


def draw_fragments(sentences: Collection[str], count: int) -> list[str]:
    """Draws different words and fragments of sentences, as many of one kind as of the other."""
    draw = random.Random(1)
    words = sorted({token for text in sentences for token in split_tokens(text) if is_word(token)})
    found = dict.fromkeys(draw.sample(words, min(len(words), count // 2)))
    for sentence in draw.sample(list(dict.fromkeys(sentences)), len(set(sentences))):
        parts = sentence.split()
        size = draw.randint(*FRAGMENT_WORDS)
        if len(found) == count:
            break
        if len(parts) > size:
            start = draw.randrange(len(parts) - size)
            found[" ".join(parts[start : start + size])] = None
    return draw.sample(list(found), len(found))


if __name__ == "__main__":
    with errors_as_one_line():
        main()
