"""Measures how a run translates text as people type it: capitals, fragments, single words.

    python benchmarks/typed_text.py --run en-de

BLEU ignores case. In the row without the final mark the references have lost theirs too.
Loops are counted over single words of the training split's sources and over fragments of two
to four words; a loop is what the search takes for one, or any text three times in a row. Equal
texts are counted over n-best lists of the split's sentences.
"""

import argparse
import random
import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import translator
from translator.cli import errors_as_one_line
from translator.corpora import load_corpus
from translator.evaluation.run_evaluation import load_split, target_language, translate_all
from translator.evaluation.scores import gather_references, score_translations
from translator.text.final_marks import without_final_mark
from translator.text.repetition import is_loop
from translator.text.truecasing import is_word, split_tokens
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

FRAGMENT_WORDS = (2, 4)
N_BEST = 5
REPEATED = re.compile(r"(\w[\w ]{2,}?)(?:\W*\1){2,}", re.IGNORECASE)  # three times in a row


class Form(NamedTuple):
    """A way in which a sentence is typed.

    Attributes:
        source: writes a sentence so.
        reference: changes a reference likewise.
    """

    source: Callable[[str], str]
    reference: Callable[[str], str] = str


def repeats_itself(source: str, text: str) -> bool:
    """Whether a translation has a loop, by the rule of the search or by that of this script."""
    return is_loop(source, text) or bool(REPEATED.search(text) and not REPEATED.search(source))


def title_case(text: str) -> str:
    """A sentence in which every word begins with a capital."""
    return " ".join(word[:1].upper() + word[1:] for word in text.split(" "))


FORMS = {
    "as written": Form(str),
    "ALL CAPS": Form(str.upper),
    "Title Case": Form(title_case),
    "lower case": Form(str.lower),
    "without the final mark": Form(without_final_mark, without_final_mark),
}


def main() -> None:
    """Prints a line for each form, then how many loops and equal texts there are."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--split", choices=("test", "validation"), default="test")
    parser.add_argument("--sentences", type=int, help="of the split (default: all)")
    parser.add_argument("--fragments", type=int, default=10_000, help="(default: 10,000)")
    options = parser.parse_args()
    opened = translator.load(options.run)
    pairs, _ = load_split(opened, options.split)
    references = dict(list(gather_references(pairs).items())[: options.sentences])
    measure_forms(opened, references)
    measure_equal_texts(opened, list(references))
    measure_loops(opened, options.fragments)


def measure_forms(opened: Translator, references: dict[str, list[str]]) -> None:
    """Prints BLEU of each form, and how far it is from that of the sentences as written."""
    print(f"{'':<24} {'BLEU, lower case':>16} {'difference':>11} {'in capitals':>12}")
    first: float | None = None
    for name, form in FORMS.items():
        texts = [
            translation.text
            for translation in translate_all(opened, list(map(form.source, references)))[0]
        ]
        expected = [list(map(form.reference, group)) for group in references.values()]
        language = target_language(opened)
        bleu = score_translations(texts, expected, language, lowercase=True).bleu
        first = bleu if first is None else first
        shouted = sum(map(str.isupper, texts))
        print(f"{name:<24} {bleu:>16.2f} {bleu - first:>+11.2f} {shouted:>12,}", flush=True)


def measure_equal_texts(opened: Translator, sentences: Sequence[str]) -> None:
    """Prints how many n-best lists have a text twice."""
    options = TranslationOptions(beam_size=N_BEST, n_best=N_BEST)
    lists = [
        [hypothesis.text for hypothesis in translation.hypotheses]
        for translation in translate_all(opened, sentences, options)[0]
    ]
    doubled = sum(len(texts) != len(set(texts)) for texts in lists)
    print(f"{N_BEST}-best lists with equal texts: {doubled:,} of {len(lists):,}", flush=True)


def measure_loops(opened: Translator, count: int) -> None:
    """Prints how many translations of single words and fragments repeat themselves."""
    fragments = draw_fragments(load_corpus(opened.config.corpus).train.sources, count)
    texts = [translation.text for translation in translate_all(opened, fragments)[0]]
    loops = [pair for pair in zip(fragments, texts) if repeats_itself(*pair)]
    print(f"loops: {len(loops):,} of {len(fragments):,} single words and fragments")
    for source, text in loops[:10]:
        print(f"    {source}  →  {text}")
    for source, text in list(zip(fragments, texts))[:20]:
        print(f"    {source}  →  {text}")


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
