"""Writes terms of a glossary into translations."""

import dataclasses
import itertools
import re
from collections.abc import Sequence

from translator.search.engine import Engine
from translator.text.punctuation import split_marks
from translator.text.read_lines import ReadSentence
from translator.text.shown import TERM, Casing, Span
from translator.text.writing import TranslationWriter
from translator.translation.results import Hypothesis

MOST_FORMS = 16  # combinations of forms of a sentence's terms that are tried
USUAL = 0.1  # association from which a word is a usual translation of another


class TermWriter:
    """Writes terms in the forms that fit a translation best.

    Args:
        limit: the most tokens of a translation that the model takes, the end included.
    """

    def __init__(self, engine: Engine, writer: TranslationWriter, limit: int) -> None:
        self.engine = engine
        self.writer = writer
        self.limit = limit

    def choose_forms(self, sentence: ReadSentence, ids: Sequence[int]) -> ReadSentence:
        """A sentence whose terms are written in their most probable forms.

        If a form has an article, only the article is scored: the model may not know the noun.
        """
        terms = terms_of(sentence)
        choices = _choices([term.forms for term in terms])
        if len(choices) == 1:
            return sentence
        with_masks = self.writer.tokenizers.target.decode(ids)
        masks = [ord(term.mask) for term in terms]
        candidates = [
            with_masks.translate(dict(zip(masks, map(_as_scored, forms, terms))))
            for forms in choices
        ]
        best_forms = choices[self._most_probable(sentence, candidates)]
        translations = {term.mask: form for term, form in zip(terms, best_forms)}
        spans = tuple(
            span._replace(translation=translations.get(span.mask, span.translation))
            for span in sentence.shown.spans
        )
        return sentence._replace(shown=dataclasses.replace(sentence.shown, spans=spans))

    def replace_words(
        self,
        sentence: ReadSentence,
        hypotheses: Sequence[Hypothesis],
        terms: Sequence[Span],
    ) -> list[Hypothesis]:
        """Translations in which terms replace the words that usually translate them.

        Words that agree with it are unchanged. An article selects among the forms with an article.

        Returns:
            Only translations that have such a word for each term.
        """
        replaced = (self._with_replaced(sentence, old, terms) for old in hypotheses)
        return [new for new in replaced if new is not None]

    def _with_replaced(
        self, sentence: ReadSentence, hypothesis: Hypothesis, terms: Sequence[Span]
    ) -> Hypothesis | None:
        words = hypothesis.text.split(" ")
        places, forms = [], []
        for term in terms:
            place = self._place(words, term)
            if place is None or place in places or term.forms == (term.text,):
                return None
            term_forms = term.forms
            if term.has_article:
                article = words[place - 1].lower() if place else ""
                term_forms = tuple(f for f in term_forms if f.partition(" ")[0].lower() == article)
            if not term_forms:
                return None
            places.append(place)
            forms.append(term_forms)
        choices = _choices(forms)
        if sentence.shown.casing is Casing.CAPITALS:
            choices = [tuple(map(str.upper, choice)) for choice in choices]
        texts = [_with_words(words, places, choice, terms) for choice in choices]
        best = self._most_probable(sentence, texts)
        written_terms = tuple((term.text, form) for term, form in zip(terms, choices[best]))
        return hypothesis._replace(text=texts[best], terms=written_terms)

    def _place(self, words: Sequence[str], term: Span) -> int | None:
        """The word that usually translates a term of one word; None if there is none."""
        *article, word = term.text.split()
        if len(article) != term.has_article:
            return None
        shares = self.writer.lexicon.associations(words, [word])[:, 0]
        place = int(shares.argmax())
        return place if shares[place] >= USUAL else None

    def _most_probable(self, sentence: ReadSentence, texts: Sequence[str]) -> int:
        """The index of the most probable translation in ``texts``; 0 if none can be judged."""
        encoded = self.writer.tokenizers.target.encode(texts) if len(texts) > 1 else []
        fitting = [i for i, ids in enumerate(encoded) if len(ids) <= self.limit + 1]  # with start
        if not fitting:
            return 0
        rows = self.engine.score([sentence.ids] * len(fitting), [encoded[i] for i in fitting])
        return max(zip(fitting, rows), key=lambda scored: float(scored[1].sum()))[0]


def terms_of(sentence: ReadSentence) -> list[Span]:
    """The glossary terms of a sentence, with their masks."""
    return [span for span in sentence.shown.spans if span.kind == TERM]


def with_terms(hypothesis: Hypothesis, terms: Sequence[Span]) -> Hypothesis | None:
    """A translation with a record of its terms; None if it lacks a term."""
    rest = hypothesis.text
    written_terms: list[tuple[str, str]] = []
    for term in terms:
        forms = sorted(term.forms, key=len, reverse=True)
        match = next((m for form in forms if (m := _as_words(form).search(rest))), None)
        if match is None:
            return None
        written_terms.append((term.text, match.group()))
        rest = rest[: match.start()] + rest[match.end() :]
    return hypothesis._replace(terms=tuple(written_terms))


def _as_words(form: str) -> re.Pattern[str]:
    """A form as whole words; the first letter may have a capital."""
    return re.compile(rf"(?<![\w-])(?i:{re.escape(form[:1])}){re.escape(form[1:])}(?![\w-])")


def _as_scored(form: str, term: Span) -> str:
    """The text of a form that the model scores: an article with the mask, or the whole form."""
    return f"{form.partition(' ')[0]} {term.mask}" if term.has_article else form


def _choices(forms: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Combinations with one form of each term, at most `MOST_FORMS`."""
    return list(itertools.islice(itertools.product(*forms), MOST_FORMS))


def _with_words(
    words: Sequence[str],
    places: Sequence[int],
    forms: Sequence[str],
    terms: Sequence[Span],
) -> str:
    """A text in which forms replace some words. An article before such a word stays."""
    new_words = list(words)
    for place, form, term in zip(places, forms, terms):
        before, _, after = split_marks(words[place])
        noun = form.partition(" ")[2] if term.has_article else form
        new_words[place] = before + (noun if place else noun[:1].upper() + noun[1:]) + after
    return " ".join(new_words)
