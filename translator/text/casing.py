"""How a text is capitalised, and the same text as ordinary sentences are written.

A model that was trained on ordinary sentences has hardly seen "WHERE IS TOM?", "Where Is Tom?"
or "where is tom?". Such texts are recognised and shown to the model as "Where is Tom?". The
translation of a text in capitals is written in capitals.

The table ``casing`` of a language has the words that are small in titles (small_in_titles), and
those that are no nouns where an aside begins with them (small_in_asides); the letters that a
keyboard may lack with what is typed for them, in groups of which who types one types all
(typed_letters); the words that people type without their apostrophe, and that are no other word
then (contractions: "shell" may be "she'll", "wed" may be "we'd", and they stay); and the ending of
names in the genitive.
"""

import enum
import itertools
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from translator.base.languages import language_facts, language_table
from translator.text.spans.intervals import Intervals
from translator.text.truecasing import ABBREVIATION, Truecaser, is_word, split_tokens
from translator.text.word_forms import word_forms

SHORT_WORD = 4  # letters of the longest words that a title writes in lower case
TITLE_WORDS = 2  # words that only a title writes with a capital; one in a text of two words
PHRASE_WORDS = 3  # of the longest text in lower case, without a mark, that is no sentence
SENTENCE_WORDS = 2  # words in capitals that are no abbreviation, if nothing is known of words
PRONOUN = "i"  # the only single letter that may have a capital where no other word has one
CLITIC = re.compile(r"(?<=\w)'\w*$")  # as in Tom's
MOST_PLACES = 6  # in a word that may have a letter that a keyboard lacks
CAPITAL_SHARP_S = str.maketrans({"ß": "ẞ"})  # first choice of the official rules since 2024

ARTICLES = [[article, " "] for article in ("a", "an", "the", "The")]
NO_NOUNS = frozenset(("it", "or", "us", "who"))  # after articles and in brackets IT, OR, US, WHO


class Casing(enum.Enum):
    """How a text is capitalised."""

    SENTENCE = "as in ordinary sentences"
    CAPITALS = "in capitals"
    TITLE = "each word with a capital"
    LOWER = "without capitals"


class CasedText(NamedTuple):
    """A text as ordinary sentences are written.

    Attributes:
        text: with the capitals of an ordinary sentence.
        casing: how the given text was capitalised.
    """

    text: str
    casing: Casing


class CaseReader:
    """Recognises how texts are capitalised, and writes them as ordinary sentences.

    Args:
        truecaser: of the source language; None if the tokenizer has no capitals, so that
            texts can stay as they are.
        knows_phrases: whether the model was trained on words and short phrases as well, which
            begin with a capital only if they have one within sentences.
    """

    def __init__(
        self, truecaser: Truecaser | None, language: str, knows_phrases: bool = False
    ) -> None:
        self.truecaser = truecaser
        self.knows_phrases = knows_phrases
        facts = language_facts(language)
        self.capitalizes_nouns = facts.capitalizes_nouns
        table = language_table(language, "casing")
        self.small_words = frozenset(table.get("small_in_titles", ()))
        self.letters = table.get("typed_letters", ())
        self.with_apostrophes = (
            {} if truecaser is None else _with_apostrophes(truecaser, facts.code)
        )
        contractions = table.get("contractions", ())  # which training may have in both forms
        self.without_apostrophes = {word.replace("'", "") for word in contractions}

    def _knows(self, word: str) -> bool:
        """Whether a word in lower case lacks nothing."""
        return (
            word not in self.without_apostrophes
            and self.truecaser is not None
            and self.truecaser.knows(word)
        )

    def read(self, text: str, fixed: Sequence[tuple[int, int]] = ()) -> CasedText:
        """Writes a text as ordinary sentences are written.

        Args:
            fixed: start and end of each span that keeps its capitals, such as a URL; they do
                not overlap.
        """
        tokens = split_tokens(text)
        ends = itertools.accumulate(map(len, tokens))
        taken = Intervals(fixed)
        chosen = [
            i
            for i, (token, end) in enumerate(zip(tokens, ends))
            if token.lower() != token.upper() and taken.are_free(end - len(token), end)
        ]
        if self.truecaser is not None:
            letters = _lacking_letters(text, self.letters)
            for i in chosen:
                tokens[i] = known_spelling(tokens[i], self._knows, letters, self.with_apostrophes)
            text = "".join(tokens)
        words = [tokens[i] for i in chosen]
        casing = _outer_casing(words, self.small_words)
        if casing is Casing.SENTENCE or self.truecaser is None:
            if casing is Casing.CAPITALS and len(words) >= SENTENCE_WORDS:
                return CasedText(text, Casing.CAPITALS)
            return self._as_sentence(tokens, chosen)
        if len(words) == 1 and _is_abbreviation(self.truecaser, words[0]):
            return CasedText(text, Casing.SENTENCE)
        cased = self._restore(self.truecaser, tokens, chosen, casing)
        changed = [i for i in chosen if cased[i] != tokens[i]]
        if not changed or casing is Casing.TITLE and not _is_title(tokens, cased, chosen):
            return self._as_sentence(tokens, chosen)
        return CasedText("".join(cased), casing)

    def _as_sentence(self, tokens: Sequence[str], chosen: Sequence[int]) -> CasedText:
        if self.truecaser is not None:
            tokens = _without_emphasis(self.truecaser, tokens, chosen)
        return CasedText("".join(tokens), Casing.SENTENCE)

    def _restore(
        self, truecaser: Truecaser, tokens: Sequence[str], chosen: Sequence[int], casing: Casing
    ) -> list[str]:
        """Tokens with the capitals of an ordinary sentence; those not chosen stay as they are."""
        lowered = [_look_up(truecaser, token) for token in tokens]
        hints = [
            self._hint(truecaser, plain, token, casing) for plain, token in zip(lowered, tokens)
        ]
        is_lower = casing is Casing.LOWER
        letters = [i for i in chosen if is_lower and _is_single_letter(tokens, i)]
        is_phrase = is_lower and len(chosen) <= PHRASE_WORDS and is_word(tokens[-1])
        begins = not (self.knows_phrases and is_phrase)
        restored = truecaser.restore(lowered, hints, begins, letters)
        cased = list(tokens)
        for i in chosen:
            cased[i] = restored[i].replace("'", "’") if "’" in tokens[i] else restored[i]
        return cased

    def _hint(self, truecaser: Truecaser, plain: str, token: str, casing: Casing) -> str | None:
        """How to write a word that the truecaser does not know; None leaves it to its ending."""
        clitic = CLITIC.search(plain)
        if clitic is not None:
            spelling = truecaser.spellings.get(plain[: clitic.start()])
            if spelling is not None:
                return spelling + clitic.group()
        if ABBREVIATION.fullmatch(token):
            letters = "".join(truecaser.restore(list(plain), list(token), begins=False))
            return letters if letters.islower() and casing is not Casing.LOWER else token
        if casing is Casing.TITLE:
            return token
        if casing is Casing.CAPITALS and not self.capitalizes_nouns:
            is_form = word_forms(truecaser.small_words).has(plain)
            return plain if is_form else plain.capitalize()  # most likely a name
        return None


def _without_emphasis(
    truecaser: Truecaser, tokens: Sequence[str], chosen: Sequence[int]
) -> list[str]:
    """Tokens of a sentence with known words in capitals, as in "NOT", written as usual."""
    plain = list(tokens)
    for i in chosen:
        token = tokens[i]
        if len(token) < 2 or token.islower() or token[:1].isupper() and token[1:].islower():
            continue
        if tokens[i - 2 : i] in ARTICLES and token.lower() in NO_NOUNS:
            continue
        spelling = truecaser.usual_spelling(_look_up(truecaser, token), token)
        if spelling is not None and spelling != token:
            plain[i] = spelling[:1].upper() + spelling[1:] if i == chosen[0] else spelling
    return plain


def _is_single_letter(tokens: Sequence[str], i: int) -> bool:
    """Whether a token is a letter but the pronoun, and no part of a word, as in "U-Bahn"."""
    before = tokens[i - 1] if i else ""
    after = tokens[i + 1] if i + 2 < len(tokens) else ""  # a mark at the end joins nothing
    return len(tokens[i]) == 1 and tokens[i] != PRONOUN and not {before, after} & {"-", "."}


def _look_up(truecaser: Truecaser, token: str) -> str:
    """A word in lower case, as the truecaser may know it: with ' for ’, and ß where it was SS."""
    plain = token.lower().replace("’", "'")
    with_sharp_s = plain.replace("ss", "ß")
    if not truecaser.knows(plain) and truecaser.knows(with_sharp_s):
        return with_sharp_s
    return plain


def is_initials(text: str) -> bool:
    """Whether a text alone in brackets is one that is also a word, as in "(WHO)"."""
    return text.isupper() and text.lower() in NO_NOUNS


def _is_abbreviation(truecaser: Truecaser, word: str) -> bool:
    """Whether a word in capitals is written so, or is none that is known."""
    spellings = truecaser.spellings_of(_look_up(truecaser, word))
    return word.isupper() and (word in spellings or not spellings)


def _outer_casing(words: Sequence[str], small_words: Collection[str]) -> Casing:
    """How words are capitalised.

    Args:
        small_words: those that titles have in lower case; empty if all short ones may be.
    """
    letters = "".join(words)
    if letters.isupper() and len(letters) > 1:
        return Casing.CAPITALS
    if letters.islower():
        return Casing.LOWER
    others = [word for word in words if not word[:1].isupper()]
    is_small = small_words.__contains__ if small_words else lambda word: len(word) <= SHORT_WORD
    if len(words) > 1 and all(map(is_small, others)):
        return Casing.TITLE
    return Casing.SENTENCE


def _is_title(tokens: Sequence[str], cased: Sequence[str], chosen: Sequence[int]) -> bool:
    """Whether the capitals are those of a title, not those of names and single letters."""
    words = [i for i in chosen if i == chosen[0] or len(tokens[i]) > 1]
    lowered = sum(tokens[i][:1].isupper() and cased[i][:1].islower() for i in words)
    return lowered >= max(min(TITLE_WORDS, len(words) - 1), 1)


def in_casing(text: str, casing: Casing) -> str:
    """Writes a translation in capitals if its source is; others are ordinary sentences."""
    if casing is Casing.CAPITALS:
        return text.translate(CAPITAL_SHARP_S).upper()
    return text


def _with_apostrophes(truecaser: Truecaser, language: str) -> dict[str, str]:
    """The words that are known with an apostrophe and may be typed without one, by that form."""
    table = language_table(language, "casing")
    contractions, genitive = table.get("contractions", ()), table.get("genitive", "\0")
    found = {word.replace("'", ""): word for word in contractions if truecaser.knows(word)}
    for word, spelling in truecaser.spellings.items():
        stem = word.removesuffix(genitive)
        if stem != word and stem.isalpha() and len(stem) > 1 and spelling[0].isupper():
            found[f"{stem}s"] = word
    return found


def _lacking_letters(
    text: str, groups: Sequence[Sequence[tuple[str, str]]]
) -> list[tuple[str, str]]:
    """The letters of those groups of which a text has none, with what is typed for them."""
    lower = text.lower()
    lacking = (group for group in groups if not any(letter in lower for letter, _ in group))
    return list(itertools.chain.from_iterable(lacking))


def known_spelling(
    word: str,
    is_known: Callable[[str], bool],
    letters: Sequence[tuple[str, str]] = (),
    with_apostrophes: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A word with letters that a keyboard lacks, or an apostrophe, if only so it is a known word.

    Args:
        word: as it was typed, such as "Koennen" or "dont".
        letters: each with what is typed for it; of several words the one with the most is taken.
        with_apostrophes: known words in lower case, by what they are without an apostrophe.

    Returns:
        The word that is known, with a capital where the typed word has one; the word as it is if
        it is known or none is.
    """
    plain = word.lower()
    if is_known(plain):
        return word
    found = next(filter(is_known, _spellings(plain, letters)), with_apostrophes.get(plain))
    if found is None:
        return word
    if len(word) > 1 and word.isupper():
        return found.upper()
    return found[:1].upper() + found[1:] if word[:1].isupper() else found


def _spellings(word: str, letters: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A word with letters for what may be typed for them, most first."""
    meant = {typed: letter for letter, typed in letters}
    pieces = re.split(f"({'|'.join(meant)})", word) if meant else [word]
    places = range(1, len(pieces), 2)[:MOST_PLACES]
    for count in range(len(places), 0, -1):
        for chosen in itertools.combinations(places, count):
            yield "".join(meant[p] if i in chosen else p for i, p in enumerate(pieces))
