"""Finds how a text is capitalised, and writes it like ordinary sentences.

A model that was trained on ordinary sentences has hardly seen "WHERE IS TOM?", "Where Is Tom?"
or "where is tom?". Such texts are recognised and shown to the model as "Where is Tom?". The
translation of a text in capitals is written in capitals.

The table ``casing`` of a language has words without capitals in titles (small_in_titles), and words
that are no nouns at the beginning of an aside (small_in_asides). It has letters that a keyboard
may lack, with the letters typed instead (typed_letters); people replace all letters of a group
alike. It also has words that people type without their apostrophe (contractions), unless that
makes another word: "shell" may be "she'll", and stays.
"""

import itertools
from collections.abc import Iterator, Sequence

from translator.base.languages import language_table
from translator.text.shown import Casing, Intervals
from translator.text.truecasing import Truecaser, is_word, split_tokens

TITLE_WORDS = 2  # fewest words whose capitals only a title has; 1 in a text of two words
PHRASE_WORDS = 3  # most words of a text in lower case, without a mark, that is no sentence
SENTENCE_WORDS = 2  # fewest words in capitals that are no abbreviations, if no words are known
CAPITAL_SHARP_S = str.maketrans({"ß": "ẞ"})  # first choice of the official rules since 2024
ARTICLES = [[article, " "] for article in ("a", "an", "the", "The")]
Letters = Sequence[tuple[str, str]]  # a letter, and how it may be typed
NO_NOUNS = frozenset(("it", "or", "us", "who"))  # but IT, OR, US, WHO may be nouns


class CaseReader:
    """Recognises how texts are capitalised, and writes them as ordinary sentences.

    Args:
        truecaser: of the source language; None if the tokenizer has no capitals, so that
            texts can stay as they are.
        knows_phrases: whether the model was also trained on words and short phrases. These
            begin with a capital only if they have one within sentences.
    """

    def __init__(
        self, truecaser: Truecaser | None, language: str, knows_phrases: bool = False
    ) -> None:
        self.truecaser = truecaser
        self.knows_phrases = knows_phrases
        table = language_table(language, "casing")
        self.small_words = frozenset(table.get("small_in_titles", ()))
        self.letters = table.get("typed_letters", ())
        contractions: Sequence[str] = table.get("contractions", ())
        self.contractions = {word.replace("'", ""): word for word in contractions}

    def read(self, text: str, fixed: Sequence[tuple[int, int]] = ()) -> tuple[str, Casing]:
        """A text with the capitals of an ordinary sentence, and how it was capitalised.

        Args:
            fixed: start and end of each span that keeps its capitals, such as a URL; they do
                not overlap.
        """
        tokens = split_tokens(text)
        ends = itertools.accumulate(map(len, tokens))
        fixed_parts = Intervals(fixed)
        places = [
            i
            for i, (token, end) in enumerate(zip(tokens, ends))
            if token.lower() != token.upper() and fixed_parts.are_free(end - len(token), end)
        ]
        words = [tokens[i] for i in places]
        casing = _outer_casing(words, self.small_words)
        if self.truecaser is None:
            is_long = casing is Casing.CAPITALS and len(words) >= SENTENCE_WORDS
            return text, casing if is_long else Casing.SENTENCE
        plain, small = list(tokens), text.lower()
        lost = [group for group in self.letters if not any(letter in small for letter, _ in group)]
        for i in places:
            plain[i] = self._look_up(self.truecaser, tokens[i], lost)
        if casing is not Casing.SENTENCE:
            if len(words) == 1 and _is_abbreviation(self.truecaser, words[0], plain[places[0]]):
                return text, Casing.SENTENCE
            cased = self._restore(self.truecaser, tokens, plain, places, casing)
            if cased != tokens and (casing is not Casing.TITLE or _is_title(tokens, cased, places)):
                return "".join(cased), casing
        return _as_sentence(self.truecaser, tokens, plain, places), Casing.SENTENCE

    def _restore(
        self,
        truecaser: Truecaser,
        tokens: Sequence[str],
        plain: Sequence[str],
        places: Sequence[int],
        casing: Casing,
    ) -> list[str]:
        """Tokens with the capitals of an ordinary sentence; tokens at other places stay."""
        is_phrase = len(places) <= PHRASE_WORDS and is_word(tokens[-1])
        begins = not (self.knows_phrases and is_phrase and casing is Casing.LOWER)
        restored = truecaser.restore(plain, tokens if casing is Casing.TITLE else (), begins)
        chosen = frozenset(places)
        return [new if i in chosen else old for i, (old, new) in enumerate(zip(tokens, restored))]

    def _look_up(self, truecaser: Truecaser, token: str, lost: Sequence[Letters]) -> str:
        """A word in lower case. It is respelt if it is unknown but another spelling is known."""
        plain = token.lower()
        contraction = self.contractions.get(plain, "")
        if truecaser.knows(contraction):
            return contraction
        return next(filter(truecaser.knows, _spellings(plain, lost)), plain)


def _spellings(word: str, groups: Sequence[Letters]) -> Iterator[str]:
    """A word, and its spellings with the letters of all groups, or of one group, restored.

    So "Fuesse" may be "Füße", and "Fluesse" "Flüsse".
    """
    yield word
    for letters in (list(itertools.chain.from_iterable(groups)), *groups):
        spelling = word
        for letter, typed in letters:
            spelling = spelling.replace(typed, letter)
        yield spelling


def _as_sentence(
    truecaser: Truecaser, tokens: Sequence[str], plain: Sequence[str], places: Sequence[int]
) -> str:
    """A sentence in which words such as "NOT" lose their capitals and lost letters are restored."""
    cased = list(tokens)
    for i in places:
        token, word = tokens[i], plain[i]
        is_noun = tokens[i - 2 : i] in ARTICLES and word in NO_NOUNS
        is_part = "-" in (*tokens[i - 1 : i], *tokens[i + 1 : i + 2])  # "Custom-ROM" is not Rome
        spelling = None
        if token not in (token.lower(), token.capitalize()) and not (is_noun or is_part):
            spelling = truecaser.usual_spelling(word, token)
        if spelling is None and word != token.lower():
            spelling = word[:1].upper() + word[1:] if token[:1].isupper() else word
        if spelling is not None and spelling != token:
            cased[i] = spelling[:1].upper() + spelling[1:] if i == places[0] else spelling
    return "".join(cased)


def is_initials(text: str) -> bool:
    """Whether a text, alone in brackets, is an abbreviation that is also a word, as in "(WHO)"."""
    return text.isupper() and text.lower() in NO_NOUNS


def _is_abbreviation(truecaser: Truecaser, word: str, plain: str) -> bool:
    """Whether a word has only capitals, and is unknown or known with this spelling."""
    spellings = truecaser.counts_of(plain)
    return word.isupper() and (word in spellings or not spellings)


def _outer_casing(words: Sequence[str], small_words: frozenset[str]) -> Casing:
    """How words are capitalised. Titles have small words in lower case."""
    letters = "".join(words)
    if letters.isupper() and len(letters) > 1:
        return Casing.CAPITALS
    if letters.islower():
        return Casing.LOWER
    small = [word for word in words if not word[:1].isupper()]
    if len(words) > 1 and small_words.issuperset(small):
        return Casing.TITLE
    return Casing.SENTENCE


def _is_title(tokens: Sequence[str], cased: Sequence[str], places: Sequence[int]) -> bool:
    """Whether the capitals belong to a title, and not to names and single letters."""
    words = [i for i in places if i == places[0] or len(tokens[i]) > 1]
    lowered = sum(tokens[i][:1].isupper() and cased[i][:1].islower() for i in words)
    return lowered >= max(min(TITLE_WORDS, len(words) - 1), 1)


def in_casing(text: str, casing: Casing) -> str:
    """Writes a translation in capitals if its source is in capitals."""
    if casing is Casing.CAPITALS:
        return text.translate(CAPITAL_SHARP_S).upper()
    return text
