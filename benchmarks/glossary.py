"""Measures what a glossary does to sentences of the demo corpus, whose alignments tell the term.

    python benchmarks/glossary.py --run checkpoints/demo

In each sentence one noun is a term. Its translation is the one of the corpus, or a new word, made
of it, which training never had: "Bäcker" becomes "Ringbäcker". All forms that the noun has in the
corpus are in the glossary, with or without their articles. Present are terms of which a form is in
the translation, right those of which it is the form of the reference. BLEU is that
of all words, where a new word counts as the one that it is made of.
With --try the sentences are fewer.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import harness
from translating import precision_of

import translator
from translator.base.languages import language_table
from translator.cli import errors_as_one_line
from translator.corpora.demo import DemoPair, iterate_demo_pairs, split_tokens
from translator.evaluation.scores import score_translations
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

NEW = "Ring"  # what a new word begins with
ARTICLES = language_table("de", "articles")["definite"]
RAREST = 5  # uses of a form in the corpus


class Noun(NamedTuple):
    """A noun of a sentence whose translation is known.

    Attributes:
        term: in English.
        form: in the reference.
        article: the definite one of the reference before it, which translates the word before the
            term; else empty.
    """

    term: str
    form: str
    article: str = ""


class Case(NamedTuple):
    """A sentence, its reference, and one of its nouns."""

    source: str
    reference: str
    noun: Noun


def main() -> None:
    """Draws sentences, translates them with glossaries, and prints the table."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--sentences", type=int, default=200, help="(default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    options = parser.parse(sentences=5)
    with harness.folder_and_run(options) as (_, run):
        opened = translator.load(run)
        forms, cases = read_corpus()
        random.Random(options.seed).shuffle(cases)
        rows = []
        for is_new, has_article in ((False, False), (True, False), (True, True)):
            fit = (case for case in cases if case.noun.article or not has_article)
            drawn = list({case.source: case for case in fit}.values())[: options.sentences]
            rows.append(measure(opened, drawn, forms, is_new, has_article))
        harness.show(
            options,
            "glossary",
            "Terms of a glossary in sentences of the demo corpus",
            ["translation of the term", "present", "right form", "BLEU", "BLEU without it"],
            rows,
            precision_of(opened),
        )


def read_corpus() -> tuple[dict[str, Counter[Noun]], list[Case]]:
    """The nouns of the corpus by their English, and the sentences of the test split with one."""
    forms: dict[str, Counter[Noun]] = defaultdict(Counter)
    cases = []
    for split, pair in iterate_demo_pairs():
        for noun in nouns_of(pair):
            forms[noun.term][noun] += 1
            if split == "test" and pair.source_tokens.count(noun.term) == 1:
                cases.append(Case(pair.source, pair.target, noun))
    return forms, cases


def nouns_of(pair: DemoPair) -> Iterator[Noun]:
    """Words in small letters that a word with a capital translates, and nothing else does."""
    sources, targets, links = pair.source_tokens, pair.target_tokens, pair.alignment
    of_source, of_target = (Counter(side) for side in zip(*links))
    for at, to in links:
        term, form = sources[at], targets[to]
        is_alone = of_source[at] == of_target[to] == 1
        if is_alone and to and term.islower() and term.isalpha() and form.istitle():
            article = targets[to - 1].lower()
            has_article = (at - 1, to - 1) in links and article in ARTICLES
            yield Noun(term, form, article if has_article else "")


def measure(
    opened: Translator,
    cases: Sequence[Case],
    forms: Mapping[str, Counter[Noun]],
    is_new: bool,
    has_article: bool,
) -> harness.Row:
    """Translates sentences with and without glossaries; returns a row of the table.

    Args:
        opened: the run.
        cases: the sentences.
        forms: the nouns of the corpus by their English.
        is_new: whether terms are translated by new words.
        has_article: whether their forms have articles.
    """
    plain = [found.text for found in opened.translate([case.source for case in cases])]
    texts, present, right = [], 0, 0
    for case in cases:
        nouns = [
            noun
            for noun, uses in forms[case.noun.term].most_common()
            if uses >= RAREST and (noun.article or not has_article)
        ]
        written = {noun.form: NEW + noun.form.lower() if is_new else noun.form for noun in nouns}
        articles = [f"{noun.article} " if has_article else "" for noun in nouns]
        shown = [article + written[noun.form] for article, noun in zip(articles, nouns)]
        glossary = ((case.noun.term, "|".join(dict.fromkeys(shown))),)
        [found] = opened.translate([case.source], TranslationOptions(glossary=glossary))
        words = split_tokens(found.text)
        present += not set(words).isdisjoint(written.values())
        right += written.get(case.noun.form) in words
        texts.append(re.sub(rf"\b{NEW}(\w+)", lambda new: new[1].capitalize(), found.text))
    references = [[case.reference] for case in cases]
    kind = "a new word" if is_new else "that of the corpus"
    return [
        kind + (", with articles" if has_article else ""),
        f"{100 * present / len(cases):.1f} %",
        f"{100 * right / len(cases):.1f} %",
        *(round(score_translations(side, references, "de").bleu, 2) for side in (texts, plain)),
    ]


if __name__ == "__main__":
    with errors_as_one_line():
        main()
