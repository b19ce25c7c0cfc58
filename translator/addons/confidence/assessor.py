"""Tells how likely translations are right, and why a line is doubtful."""

import difflib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from translator.addons.confidence.model import ConfidenceModel, sentence_features, word_features
from translator.addons.confidence.source_words import SourceWords, cores_of
from translator.base.languages import language_facts
from translator.search.engine import Engine
from translator.text.memo import NAME, NUMBER
from translator.text.punctuation import plain_word
from translator.text.read_lines import ReadSentence, SourceLine
from translator.text.spans.inline import words_without_marks
from translator.tokenizers.subword import Tokenizers, with_zeros
from translator.tokenizers.words import Words, words_of
from translator.translation.results import Doubt, Hypothesis, Score, WordConfidence
from translator.translation.translator import Translator

MOST_NAMED = 5  # words that a doubt lists


class ScoredTokens(NamedTuple):
    """The tokens of a translation.

    Attributes:
        words: of the T tokens; those of the end belong to none.
        log_probabilities: (T,) each given all earlier ones.
    """

    words: Words
    log_probabilities: np.ndarray

    @property
    def word_probabilities(self) -> np.ndarray:
        """(words,) of the tokens of each word together."""
        inside = self.words.numbers >= 0
        log_probabilities = np.bincount(
            self.words.numbers[inside], self.log_probabilities[inside], len(self.words.texts)
        )
        return np.exp(log_probabilities)


def open_assessor(translator: Translator) -> "Assessor | None":
    """That of a run; None if it has no confidence model."""
    model = ConfidenceModel.load(translator.run.confidence)
    return model and Assessor(model, translator.tokenizers, translator.engine)


class Assessor:
    """Says how confident a run is of its translations.

    Args:
        model: fitted for the run.
        tokenizers: the run's.
        engine: the run's.
    """

    def __init__(self, model: ConfidenceModel, tokenizers: Tokenizers, engine: Engine) -> None:
        self.model = model
        self.tokenizers = tokenizers
        self.engine = engine

    def unseen_share(self, words: Sequence[str]) -> float:
        """The share of a sentence's words that the training side never had."""
        known = self.model.source_words
        return known.unseen_share(words) if known is not None else 0.0

    def of_sentence(self, log_probability: float, tokens: int, unseen_share: float) -> float:
        """The share of a translation's words that is expected to be right.

        Args:
            log_probability: the sum over its tokens.
            tokens: how many there are, the end included.
            unseen_share: see `unseen_share`.
        """
        features = sentence_features(log_probability, tokens, unseen_share)
        return float(self.model.sentence.probabilities(features[None])[0])

    def of_tokens(self, tokens: ScoredTokens, unseen_share: float) -> np.ndarray:
        """How likely each word of the model's own tokens is right.

        Args:
            tokens: of a translation.
            unseen_share: see `unseen_share`.

        Returns:
            (words,)
        """
        features = word_features(tokens.log_probabilities, tokens.words, unseen_share > 0)
        return self.model.word.probabilities(features)

    def of_printed(
        self, text: str, tokens: ScoredTokens, unseen_share: float
    ) -> tuple[WordConfidence, ...]:
        """The words of a translation's text, as it is printed, with their confidences.

        Tags and emoji, which the model does not write, are left out.
        A word that the tokens do not spell, such as one that was put back, has the lowest
        confidence of the words in its place.
        """
        of_tokens = self.of_tokens(tokens, unseen_share)
        printed = words_without_marks(text)
        places = match_words(printed, tokens.words.texts)
        return tuple(
            WordConfidence(word, float(of_tokens[place].min(initial=1.0)))
            for word, place in zip(printed, places)
        )

    def assess(
        self,
        sentences: Sequence[ReadSentence],
        hypotheses: Sequence[Sequence[Hypothesis]],
        prefix_length: int,
        with_words: bool,
    ) -> list[list[Hypothesis]]:
        """See `translator.translation.assessor.Assessor`."""
        assessed = []
        shares = [self.unseen_share(judged_words(sentence)) for sentence in sentences]
        for sentence, found, share in zip(sentences, hypotheses, shares):
            given = prefix_length if sentence.is_first else 0
            assessed.append(
                [
                    each._replace(
                        confidence=self.of_sentence(
                            each.log_probability, len(each.ids) - given, share
                        )
                    )
                    for each in found
                ]
            )
        if with_words:
            pairs = [
                (shown_ids(sentence, each), each.ids)
                for sentence, found in zip(sentences, hypotheses)
                for each in found
            ]
            tokens = iter(score_tokens(self.engine, self.tokenizers, pairs))
            for found, share in zip(assessed, shares):
                found[:] = [
                    each._replace(words=self.of_printed(each.text, next(tokens), share))
                    for each in found
                ]
        return assessed

    def assess_score(self, score: Score, source: str, log_probabilities: np.ndarray) -> Score:
        """See `translator.translation.assessor.Assessor`."""
        words = words_of(score.pieces)
        share = self.unseen_share(source.split())
        tokens = ScoredTokens(words, log_probabilities)
        return score._replace(
            confidence=self.of_sentence(score.log_probability, score.tokens, share),
            words=tuple(map(WordConfidence, words.texts, self.of_tokens(tokens, share).tolist())),
            word_numbers=tuple(words.numbers.tolist()),
        )

    def doubts(
        self, line: SourceLine, confidence: float | None, text: str | None = None
    ) -> tuple[Doubt, ...]:
        """See `translator.translation.assessor.Assessor`."""
        doubts = []
        known = self.model.source_words
        is_foreign, named = (False, []) if known is None else _judge_words(line, known)
        if is_foreign:
            language = language_facts(self.tokenizers.source.language)
            doubts.append(Doubt("language", f"not {language.name or language.code}?"))
        if named:
            unseen = f"words that the training data does not have: {_listed(named)}"
            doubts.append(Doubt("words", unseen))
        if text is not None and (lost := _lost_names(line, text)):
            doubts.append(Doubt("names", f"names that the translation lacks: {_listed(lost)}"))
        if confidence is not None and confidence < self.model.doubtful_below:
            doubts.append(Doubt("confidence", f"low confidence {confidence:.2f}"))
        return tuple(doubts)


def _judge_words(line: SourceLine, known: SourceWords) -> tuple[bool, list[str]]:
    """Whether a line, or a sentence of it, is in another language, and the unseen words.

    The words are those of sentences in the source language, each once, as they were given: the
    model may have been shown them with other capitals.
    """
    words_of_sentences = [judged_words(sentence) for sentence in line.sentences]
    if known.is_foreign([word for words in words_of_sentences for word in words]):
        return True, []
    is_foreign = False
    named: dict[str, None] = {}
    for sentence, words in zip(line.sentences, words_of_sentences):
        if known.is_foreign(words):
            is_foreign = True
        elif unseen := known.unseen(words):
            given = {core.casefold(): core for core in cores_of(sentence.part.text.split())}
            named.update((given.get(core.casefold(), core), None) for core in unseen)
    return is_foreign, list(named)


def _lost_names(line: SourceLine, text: str) -> list[str]:
    """The names of a line for which the model is shown others, and which its translation lacks."""
    names = {
        span.given: span.given.removeprefix(span.title)
        for sentence in line.sentences
        for shown in (sentence, *sentence.others)
        for word in shown.shown.words
        for span in word.spans
        if span.kind == NAME
    }
    written = text.casefold()
    return [
        given
        for given, name in names.items()
        if not all(part in written for part in name.casefold().split())
    ]


def _listed(words: Sequence[str]) -> str:
    more = f" and {len(words) - MOST_NAMED} more" if len(words) > MOST_NAMED else ""
    return ", ".join(words[:MOST_NAMED]) + more


def shown_ids(sentence: ReadSentence, hypothesis: Hypothesis) -> Sequence[int]:
    """What the model was shown for a hypothesis, which may have had other stand-ins."""
    return hypothesis.source_ids or sentence.ids


def judged_words(sentence: ReadSentence) -> list[str]:
    """The words of a sentence, with the capitals that the model was shown.

    Numbers, addresses and the like are no words. Nor are new names that were taken out, but for
    one without a title at the beginning, where every word has a capital. There are none if no
    piece of the tokenizer spells any word.
    """
    if not sentence.is_spelt and sentence.carried is None:
        return []
    texts = (
        # 1,000th is one word
        word.outside_of_spans(but=NUMBER if i or any(span.title for span in word.spans) else NAME)
        for i, word in enumerate(sentence.shown.words)
    )
    return [word for text in texts for word in text.split()]


def score_tokens(
    engine: Engine, tokenizers: Tokenizers, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]
) -> list[ScoredTokens]:
    """Scores the tokens of hypotheses, which takes one pass of the model.

    Args:
        engine: of the model.
        tokenizers: the model's.
        pairs: the ids of a sentence, start and end included, and the T ids of a translation,
            with the end unless it was cut.
    """
    if not pairs:
        return []
    target = tokenizers.target
    ends = [() if ids[-1:] == (target.end_id,) else (target.end_id,) for _, ids in pairs]
    rows = engine.score(
        [source for source, _ in pairs],
        [[target.start_id, *ids, *end] for (_, ids), end in zip(pairs, ends)],
    )
    return [
        ScoredTokens(words_of(target.pieces(ids)), row[: len(ids)])
        for (_, ids), row in zip(pairs, rows)
    ]


def match_words(printed: Sequence[str], written: Sequence[str]) -> list[slice]:
    """Finds the words of a printed text among those that the model wrote.

    The two differ where a span of several words was put back for one, or words were joined.

    Args:
        printed: the words of the text.
        written: the words of the model's tokens.

    Returns:
        For each printed word the written ones in its place, one if they are the same.
    """
    if len(printed) == len(written):
        return [slice(place, place + 1) for place in range(len(written))]
    ours, theirs = (
        [with_zeros(plain_word(word)) for word in words] for words in (printed, written)
    )
    places: list[slice] = []
    matcher = difflib.SequenceMatcher(None, ours, theirs, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            places += [slice(place, place + 1) for place in range(first, last)]
        elif last > first:
            places += [slice(first, last)] * (end - start)
        else:  # between two written words
            places += [slice(max(first - 1, 0), first + 1)] * (end - start)
    return places
