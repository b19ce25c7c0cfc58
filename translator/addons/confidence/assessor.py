"""Says how likely translations are right, and why a line is doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from translator.addons.confidence.model import (
    WORD_FEATURES,
    ConfidenceModel,
    Evidence,
    compare_words,
    sentence_features,
    word_features,
)
from translator.addons.confidence.source_words import SourceWords, cores_of
from translator.base.languages import language_facts
from translator.base.late import difflib, np
from translator.base.texts import shorten
from translator.search.engine import Engine
from translator.text.marks import words_without_marks
from translator.text.punctuation import plain_word, split_marks
from translator.text.read_lines import ReadSentence, SourceLine
from translator.text.shown import NAME
from translator.text.word_table import WordTable
from translator.tokenizers.sentencepiece_tokenizer import with_zeros
from translator.tokenizers.subword import Tokenizers
from translator.tokenizers.words import Words, words_of
from translator.translation.results import Doubt, Hypothesis, Score, WordConfidence
from translator.translation.translator import Translator

MOST_LISTED = 5  # words that a doubt lists
NO_WORD = WordConfidence("", 1.0)
WRONG_WORD = 0.1  # if a word has less confidence, most doubtful translations are wrong
KINDS = {  # of doubts, each with its text in a summary
    "language": "not in the language of the model",
    "words": "with words that the training data does not have",
    "names": "with names that their translations lack",
    "wrong": "probably wrong",
    "confidence": "of low confidence",
}


class ScoredTokens(NamedTuple):
    """The tokens of a translation.

    Attributes:
        words: the words of the T tokens; tokens of the end belong to no word.
        log_probabilities: (T,) log p of each token, given all earlier tokens.
        support: (T,) for each token, the share of the beam that also has the token.
    """

    words: Words
    log_probabilities: np.ndarray
    support: np.ndarray

    def features(self, evidence: Evidence, printed: Sequence[str]) -> list[np.ndarray]:
        """Returns, for each printed word, the features of the words that the model wrote for it.

        Args:
            evidence: the result of comparing the words of the text with those of its source.

        Returns:
            (n, F) for each printed word; n is 1 if the tokens spell exactly this word.
        """
        has_unseen = evidence.unseen_share > 0
        features = word_features(self.log_probabilities, self.words, has_unseen, self.support)
        places = match_words(printed, self.words.texts)
        word_rows = []
        for place, association in zip(places, evidence.associations):
            rows = features[place].copy()
            rows[:, WORD_FEATURES.index("association")] = association
            word_rows.append(rows)
        return word_rows


def open_assessor(translator: Translator) -> Assessor | None:
    """The assessor of a run; None if the run has no confidence model."""
    words = translator.words.source
    model = ConfidenceModel.load(translator.run.confidence, words)
    return model and Assessor(model, translator.tokenizers, translator.engine, words)


class Assessor:
    """Says how confident a run is of its translations."""

    def __init__(
        self,
        model: ConfidenceModel,
        tokenizers: Tokenizers,
        engine: Engine,
        lexicon: WordTable,
    ) -> None:
        self.model = model
        self.tokenizers = tokenizers
        self.engine = engine
        self._lexicon = lexicon

    def compare(self, sentence: ReadSentence, words: Sequence[str], text: str) -> Evidence:
        """Compares a sentence with its translation.

        Args:
            words: words of the sentence, to look up in the training data.
        """
        source_words = self.model.source_words
        share = source_words.unseen_share(words) if source_words is not None else 0.0
        source = words_without_marks(sentence.part.text)
        target = words_without_marks(text)
        return compare_words(source, target, self._lexicon, share)

    def rate_sentence(
        self, log_probability: float, tokens: int, evidence: Evidence, support: Sequence[float]
    ) -> float:
        """The share of a translation's words that is expected to be right."""
        mean = sum(support) / len(support) if support else self.model.usual_support
        features = sentence_features(log_probability, tokens, evidence, mean)
        return self.model.sentence.probability(features)

    def rate_words(
        self, printed: Sequence[str], tokens: ScoredTokens, evidence: Evidence
    ) -> tuple[WordConfidence, ...]:
        """The words of a translation, as they are printed, with their confidences.

        Tags and emoji are left out, because the model does not write them. A word that the tokens
        do not spell, such as a restored name, has the lowest confidence of the words in its
        place.
        """
        probabilities = self.model.word.probabilities
        return tuple(
            WordConfidence(word, float(probabilities(rows).min(initial=1.0)))
            for word, rows in zip(printed, tokens.features(evidence, printed))
        )

    def assess(
        self,
        sentences: Sequence[ReadSentence],
        hypotheses: Sequence[Sequence[Hypothesis]],
        prefix_length: int,
        with_words: bool,
        with_doubts: bool,
    ) -> list[list[Hypothesis]]:
        """Adds the confidence of each hypothesis and, if wanted, of its words.

        Args:
            hypotheses: the hypotheses of each sentence.
            prefix_length: tokens of the prefix of a line; the first sentence has it.
            with_words: whether to score the tokens, which takes a pass of the model.
            with_doubts: whether best hypotheses of low confidence get a doubt; samples get none.
        """
        assessed: list[list[Hypothesis]] = []
        to_score: list[tuple[int, int, Evidence]] = []  # sentence and rank of a hypothesis
        doubtful = []
        for i, (sentence, n_best) in enumerate(zip(sentences, hypotheses)):
            prefix = prefix_length if sentence.is_first else 0
            words = select_words(sentence)
            assessed.append([])
            for rank, hypothesis in enumerate(n_best):
                evidence = self.compare(sentence, words, hypothesis.text)
                count = len(hypothesis.ids) - prefix
                confidence = self.rate_sentence(
                    hypothesis.log_probability, count, evidence, hypothesis.support
                )
                assessed[i].append(hypothesis._replace(confidence=confidence))
                is_doubtful = with_doubts and not rank and confidence < self.model.doubtful_below
                doubtful += [i] * is_doubtful
                to_score += [(i, rank, evidence)] * (with_words or is_doubtful)
        pairs = [
            (assessed[i][rank].source_ids or sentences[i].ids, assessed[i][rank].ids)
            for i, rank, _ in to_score
        ]
        scored = score_tokens(self.engine, self.tokenizers, pairs)
        for tokens, (i, rank, evidence) in zip(scored, to_score):
            assessed[i][rank] = self._with_words(assessed[i][rank], tokens, evidence)
        for i in doubtful:
            best = assessed[i][0]
            doubts = (_low_confidence(best), *best.doubts)
            assessed[i][0] = best._replace(words=best.words if with_words else (), doubts=doubts)
        return assessed

    def _with_words(
        self, hypothesis: Hypothesis, tokens: ScoredTokens, evidence: Evidence
    ) -> Hypothesis:
        count = len(tokens.log_probabilities)
        support = hypothesis.support or [self.model.usual_support] * count
        tokens = tokens._replace(support=np.array(support))
        printed = words_without_marks(hypothesis.text)
        return hypothesis._replace(words=self.rate_words(printed, tokens, evidence))

    def assess_score(self, score: Score, source: str, log_probabilities: np.ndarray) -> Score:
        """Adds the confidence of a given translation and of its words.

        Args:
            score: the score of all its tokens, the end included.
            log_probabilities: (T,) log p of the tokens.
        """
        words, source_words = words_of(score.pieces), self.model.source_words
        share = source_words.unseen_share(source.split()) if source_words is not None else 0.0
        evidence = compare_words(source.split(), words.texts, self._lexicon, share)
        support = np.full(len(log_probabilities), self.model.usual_support)
        tokens = ScoredTokens(words, log_probabilities, support)
        return score._replace(
            confidence=self.rate_sentence(score.log_probability, score.tokens, evidence, ()),
            words=self.rate_words(words.texts, tokens, evidence),
            word_numbers=words.numbers,
        )

    def doubts(self, line: SourceLine, text: str | None = None) -> tuple[Doubt, ...]:
        """Doubts about a line, besides a low confidence of its translation.

        Args:
            text: the best translation; if None, names of the source are not searched in it.
        """
        doubts = []
        source_words = self.model.source_words
        foreign, unseen = ([], []) if source_words is None else _find_odd_words(line, source_words)
        if foreign and source_words is not None:
            source, target = map(language_facts, self.tokenizers.languages)
            question = f"is this {source.name or source.code}?"
            if source_words.may_be_target(foreign):
                question = f"is this {target.name or target.code}? try --from {target.code}"
            doubts.append(Doubt("language", question))
        if unseen:
            problem = f"words that the training data does not have: {_list_words(unseen)}"
            doubts.append(Doubt("words", problem))
        if text is not None and (lost := _find_lost_names(line, text)):
            doubts.append(Doubt("names", f"names that the translation lacks: {_list_words(lost)}"))
        return tuple(doubts)


def _low_confidence(translation: Hypothesis) -> Doubt:
    """The doubt about a translation of low confidence. It names the least certain word."""
    word = min(translation.words, key=lambda word: word.confidence, default=NO_WORD)
    core, confidence = split_marks(word.text)[1] or word.text, f"{translation.confidence:.2f}"
    advice = f": check '{shorten(core)}'" if core else ""
    if word.confidence < WRONG_WORD:
        return Doubt("wrong", f"probably wrong (confidence {confidence}){advice}")
    return Doubt("confidence", f"low confidence ({confidence}){advice}")


def _find_odd_words(line: SourceLine, source_words: SourceWords) -> tuple[list[str], list[str]]:
    """Finds the words of a line that are in another language, and the unseen words.

    Unseen words are searched in sentences of the source language. Each is listed once, as the user
    typed it: the model may have read it with other capitals.
    """
    with_names = [select_words(sentence, with_names=True) for sentence in line.sentences]
    all_words = [word for words in with_names for word in words]
    if source_words.is_foreign(all_words):
        return all_words, []
    foreign: list[str] = []
    unseen: dict[str, None] = {}
    for sentence, words in zip(line.sentences, with_names):
        if source_words.is_foreign(words):
            foreign += words
        elif cores := source_words.unseen(select_words(sentence)):
            typed = {core.casefold(): core for core in cores_of(sentence.part.text.split())}
            unseen.update((typed.get(core.casefold(), core), None) for core in cores)
    if not foreign and all(map(source_words.may_be_target, (list(unseen), all_words))):
        return all_words, []
    return foreign, list(unseen)


def _find_lost_names(line: SourceLine, text: str) -> list[str]:
    """Finds names that masks hid from the model and that the translation lacks."""
    names = dict.fromkeys(
        span.text
        for sentence in line.sentences
        for span in sentence.shown.spans
        if span.kind == NAME
    )
    written = text.casefold()
    return [name for name in names if not all(part in written for part in name.casefold().split())]


def _list_words(words: Sequence[str]) -> str:
    more = f" and {len(words) - MOST_LISTED} more" if len(words) > MOST_LISTED else ""
    return ", ".join(map(shorten, words[:MOST_LISTED])) + more


def select_words(sentence: ReadSentence, with_names: bool = False) -> list[str]:
    """The words to look up from a sentence, with the capitals that the model was shown.

    Numbers, addresses and the like are no words. New names behind masks are no words either,
    except at the beginning, where every word has a capital. If no piece of the tokenizer spells
    any word, the list is empty.

    Args:
        with_names: whether names behind masks are words as well.
    """
    if sentence.shown.spans and with_names:
        shown = (word.outside_of_spans(NAME) for word in sentence.shown.words)
        return [word for text in shown for word in text.split()]
    if not sentence.is_spelt and sentence.carried is None:
        return []
    texts = (
        word.outside_of_spans(but=None if i else NAME)
        for i, word in enumerate(sentence.shown.words)
    )
    return [word for text in texts for word in text.split()]


def score_tokens(
    engine: Engine, tokenizers: Tokenizers, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]
) -> list[ScoredTokens]:
    """Scores the tokens of hypotheses, which takes one pass of the model.

    Args:
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
        ScoredTokens(words_of(target.pieces(ids)), row[: len(ids)], np.ones(len(ids)))
        for (_, ids), row in zip(pairs, rows)
    ]


def match_words(printed: Sequence[str], written: Sequence[str]) -> list[slice]:
    """Finds, for each word of a printed text, the words that the model wrote for it.

    Both differ if one word was replaced by several, or if words were joined.

    Returns:
        For each printed word, the written words in its place. It is one word if both are the same.
    """
    if len(printed) == len(written):
        return [slice(place, place + 1) for place in range(len(written))]
    plain = [[with_zeros(plain_word(word)) for word in words] for words in (printed, written)]
    places: list[slice] = []
    matcher = difflib.SequenceMatcher(None, plain[0], plain[1], autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            places += [slice(place, place + 1) for place in range(first, last)]
        elif last > first:
            places += [slice(first, last)] * (end - start)
        else:  # between two written words
            places += [slice(max(first - 1, 0), first + 1)] * (end - start)
    return places
