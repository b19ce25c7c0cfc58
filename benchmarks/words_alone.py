"""Counts frequent words that come out as the name of a country when they stand alone.

    pip install wordfreq babel
    python benchmarks/words_alone.py --run en-de

The words are the most frequent ones of the source language by wordfreq, as they are and with a
capital, as labels have it. What begins with the name of a country, as "deutschlands", is right.
With --try the words are the demo's.
"""

from collections.abc import Callable
from pathlib import Path

import harness
from translating import precision_of

import translator
from translator.cli import errors_as_one_line
from translator.corpora.demo import load_demo_corpus
from translator.text.punctuation import plain_word

WAYS: dict[str, Callable[[str], str]] = {"as they are": str, "with a capital": str.capitalize}
SHOWN = 5  # words of a row


def main() -> None:
    """Translates the words and prints the table."""
    from babel import Locale

    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--words", type=int, default=2000, help="(default: 2,000)")
    options = parser.parse(words=10)
    with harness.folder_and_run(options) as (_, run):
        opened = translator.load(run)
        languages = [each.language for each in opened.tokenizers]
        words = demo_words() if options.small else frequent_words(languages[0])
        words = words[: options.words]
        names, other_names = (
            tuple(name.lower() for code, name in Locale(each).territories.items() if code.isalpha())
            for each in languages
        )
        rows: list[harness.Row] = []
        for way, written in WAYS.items():
            found = opened.translate([written(word) for word in words])
            wrong = [
                f"{word} → {each.text}"
                for word, each in zip(words, found)
                if plain_word(each.text) in other_names and not word.startswith(names)
            ]
            rows.append([way, len(words), len(wrong), ", ".join(wrong[:SHOWN]) or None])
        harness.show(
            options,
            f"words-alone-{run.name}",
            f"Frequent words that {run.name} translates as countries",
            ["words", "how many", "countries", "such as"],
            rows,
            precision_of(opened),
        )


def frequent_words(language: str) -> list[str]:
    """The most frequent words of a language in lower case, the most frequent first."""
    from wordfreq import top_n_list

    return [word for word in top_n_list(language, 10_000) if word.isalpha()]


def demo_words() -> list[str]:
    """Words of the demo corpus."""
    tokens = (token for pair in load_demo_corpus().test for token in pair.source_tokens)
    return list(dict.fromkeys(token for token in tokens if token.isalpha() and token.islower()))


if __name__ == "__main__":
    with errors_as_one_line():
        main()
