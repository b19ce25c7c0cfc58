"""Counts frequent words that the training pairs hardly have, and names the most frequent.

    pip install wordfreq
    python -m tools.needed_words [--show 200]

Of each language the 15,000 most frequent word forms of wordfreq are looked at that a spelling
dictionary knows (hunspell with en_US, en_GB and de_DE; without them all forms). A form is known if
five training pairs of Tatoeba and the phrasebook have it, in whatever case.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator

from tools.check_phrasebook import DICTIONARIES, has_dictionaries, unknown_words
from translator.cli import errors_as_one_line
from translator.config.schema import CorpusConfig
from translator.corpora import load_corpus

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
FORMS = 15_000
ENOUGH = 5  # pairs that have a form


def main(show: int) -> None:
    """Prints, for each language, how many forms are needed, and the first of them."""
    counts = [Counter[str](), Counter[str]()]
    for name in ("tatoeba", "phrasebook"):
        for pair in zip(*load_corpus(CorpusConfig(name=name)).train):
            for count, sentence in zip(counts, pair):
                count.update(set(forms_of(sentence)))
    for (language, code), count in zip((("English", "en"), ("German", "de")), counts):
        forms = frequent_forms(code, language)
        needed = [form for form in forms if count[form] < ENOUGH]
        share = len(needed) / len(forms)
        print(f"{language}: {len(needed):,} of {len(forms):,} forms, {share:.1%}:", *needed[:show])


def forms_of(sentence: str) -> Iterator[str]:
    """The word forms of a sentence in lower case; those with an apostrophe also in parts."""
    for word in WORD.findall(sentence.lower().replace("’", "'")):
        yield word
        if "'" in word:
            yield from word.split("'")


def frequent_forms(code: str, language: str) -> list[str]:
    """The most frequent forms of a language that are words, the most frequent first."""
    from wordfreq import top_n_list

    forms = [form for form in top_n_list(code, 2 * FORMS) if WORD.fullmatch(form)]
    forms = [form for form in forms if len(form) > 1 or form in ("a", "i")]
    if has_dictionaries():
        spellings = {form: [form, form.capitalize()] for form in forms}
        for form, its in spellings.items():
            if "ss" not in form:  # which may be "groß" in capitals
                its.append(form.upper())
        unknown = set().union(*spellings.values())
        for dictionary in DICTIONARIES[language]:
            unknown &= unknown_words(unknown, dictionary)
        forms = [form for form in forms if not unknown.issuperset(spellings[form])]
    return forms[:FORMS]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--show", type=int, default=50, help="forms of each language (default: 50)")
    with errors_as_one_line():
        main(parser.parse_args().show)
