"""From a bilingual phrase to a written sentence pair with its alignment and labels."""

import re

from tools.demo_grammar.phrases import Concept, Phrase, Word
from translator.corpora.demo import DemoPair, split_tokens

_SPACE_BEFORE_MARK = re.compile(r" (?=[,.?!](?: |$))")


def write_pair(phrase: Phrase) -> DemoPair:
    """Writes out a phrase as a sentence pair.

    Args:
        phrase: A whole sentence with its final mark.

    Returns:
        The pair, capitalised, with a link for every two words that share a concept.

    Raises:
        ValueError: `split_tokens` splits a sentence elsewhere than the grammar does.
    """
    english, german = _sentence(phrase.english), _sentence(phrase.german)
    links = (f"{index}-{place}" for index, place in _align(english, german))
    return DemoPair(
        _joined(english), _joined(german), " ".join(links), " ".join(sorted(set(phrase.labels)))
    )


def _joined(words: tuple[Word, ...]) -> str:
    """A sentence that `split_tokens` splits at these words again, as the alignment counts them."""
    tokens = tuple(word.text for word in words)
    text = _SPACE_BEFORE_MARK.sub("", " ".join(tokens))
    if split_tokens(text) != tokens:
        raise ValueError(f"{text}: expected the tokens {tokens}, found {split_tokens(text)}")
    return text


def _sentence(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Drops commas that another mark follows and capitalises the first word."""
    following = (*(word.text for word in words[1:]), "")
    kept = [
        word
        for word, after in zip(words, following, strict=True)
        if word.text != "," or after not in (",", ".", "?", "!")
    ]
    first = kept[0].text
    kept[0] = kept[0]._replace(text=first[0].upper() + first[1:])
    return tuple(kept)


def _align(source: tuple[Word, ...], target: tuple[Word, ...]) -> tuple[tuple[int, int], ...]:
    places: dict[Concept, list[int]] = {}
    for index, word in enumerate(target):
        for concept in word.concepts:
            places.setdefault(concept, []).append(index)
    links = {
        (index, place)
        for index, word in enumerate(source)
        for concept in word.concepts
        for place in places.get(concept, ())
    }
    return tuple(sorted(links))
