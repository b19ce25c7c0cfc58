"""The results of translations. Joins the results of sentences to results of lines."""

import itertools
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from translator.base.addons import Hook
from translator.text.marks import words_without_marks
from translator.text.read_lines import NOT_WHOLE
from translator.text.sentences import LinePart

if TYPE_CHECKING:
    from translator.translation.translator import Translator

LATIN_MARKS = frozenset(".,:;!?…()[]{}*_/-–—%&@#\\")  # a missing space stays missing after these
CLOSING_QUOTES = "\"'“”’»"

ASSESSORS: Hook[Callable[["Translator"], Any]] = Hook("assessors")
"""Add-ons that open the assessor of a run, an `addons.confidence.assessor.Assessor`. They return
None for a run without one."""

DOUBTS: Hook[Mapping[str, str]] = Hook("doubts")
"""The kinds of doubts that add-ons have, with the words of a summary for each kind."""


class WordConfidence(NamedTuple):
    """A word of a translation.

    Attributes:
        text: as it is printed, with the punctuation around it, but without tags and emoji.
        confidence: the probability that it is right, from 0 to 1.
    """

    text: str
    confidence: float


class Doubt(NamedTuple):
    """Why a translation is doubtful.

    Attributes:
        kind: ``numbers``, ``length``, ``copies`` or ``spans`` if the translation disagrees with
            the line. With a confidence model also ``language``, ``words``, ``names``, ``wrong`` or
            ``confidence``. For the line itself ``unknown``, ``bytes``, ``long``, ``tags``,
            ``markup``, ``cut``, ``target`` or ``tag``.
        text: the message for the user.
    """

    kind: str
    text: str


class Hypothesis(NamedTuple):
    """One translation of a sentence.

    Attributes:
        text: for a reader.
        ids: its tokens, the end included.
        log_probability: the sum over the tokens, except tokens of a prefix.
        score: ranks the hypotheses. The score of a line is the sum over its sentences.
        source_ids: the ids that the model was shown, start and end of each sentence included.
        confidence: the share of its words that is expected to be right; None if the run has no
            confidence model.
        words: its words with their confidences, if they were asked for.
        support: for each token of a sentence, the share of the beam's hypotheses that have the
            token, too, weighted by their probabilities; empty if the beam had one hypothesis.
        doubts: the differences between the sentence and this translation.
        terms: the glossary terms, each with its text in the source and its translation.
    """

    text: str
    ids: tuple[int, ...]
    log_probability: float
    score: float
    source_ids: tuple[int, ...] = ()
    confidence: float | None = None
    words: tuple[WordConfidence, ...] = ()
    support: tuple[float, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    terms: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        return f"<Hypothesis {str(self.text)!r}, score {self.score:.4f}, {len(self.ids)} tokens>"


class Translation(NamedTuple):
    """A line and its translations, the best first, or samples in the order of drawing.

    Attributes:
        source: the line.
        hypotheses: ``n_best`` hypotheses, or fewer if there are no more. If the hypothesis with the
            highest score disagrees with its sentence, for example in a number, the next
            hypothesis that agrees comes before it.
        doubts: the reasons to doubt the best translation; empty if there are none.
    """

    source: str
    hypotheses: tuple[Hypothesis, ...]
    doubts: tuple[Doubt, ...] = ()

    @property
    def text(self) -> str:
        """The best translation; empty for an empty line."""
        return self.hypotheses[0].text if self.hypotheses else ""

    @property
    def is_passed_on(self) -> bool:
        """Whether the model cannot read a part of the line, so that it is not translated."""
        return any(doubt.kind in NOT_WHOLE for doubt in self.doubts)

    def __repr__(self) -> str:
        score = f", score {self.hypotheses[0].score:.4f}" if self.hypotheses else ""
        more = f", {len(self.hypotheses)} hypotheses" if len(self.hypotheses) > 1 else ""
        return f"<Translation {str(self.source)!r} to {str(self.text)!r}{score}{more}>"


class Score(NamedTuple):
    """How probable a given translation is.

    Attributes:
        log_probability: the sum over its tokens.
        tokens: their number, the end included.
        pieces: the tokens.
        token_log_probabilities: one for each token, given all earlier tokens.
        confidence: the share of its words that is expected to be right; None if the run has no
            confidence model.
        words: its words with their confidences; none if the run has no confidence model.
        word_numbers: for each token the number of its word, from 0; -1 for the end.
    """

    log_probability: float
    tokens: int
    pieces: tuple[str, ...] = ()
    token_log_probabilities: tuple[float, ...] = ()
    confidence: float | None = None
    words: tuple[WordConfidence, ...] = ()
    word_numbers: tuple[int, ...] = ()


def without_equal_texts(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """The first hypothesis of each text, in order."""
    by_text: dict[str, Hypothesis] = {}
    for hypothesis in hypotheses:
        by_text.setdefault(hypothesis.text, hypothesis)
    return list(by_text.values())


# One hypothesis of each part so far, as a linked list: the last one, and the earlier list.
_Chain = tuple[Hypothesis, "_Chain"] | None


def join(
    line_parts: Sequence[LinePart],
    hypotheses: Sequence[Sequence[Hypothesis]],
    n_best: int,
    spaces: bool,
) -> list[Hypothesis]:
    """Combines the translations of a line's parts; returns the best combinations.

    The best one consists of the first translation of each part. The others are ranked by the sum
    of their scores.

    Args:
        line_parts: the sentences of the line; of a sentence that was cut, its parts.
        hypotheses: for each part, the best first. The best may not have the highest score.
        n_best: how many combinations to return. There are fewer if some have equal texts.

    Returns:
        At most ``n_best`` hypotheses. Their scores and log probabilities are sums, and
        their ids and words are joined. Their confidences are means over the words.
    """
    if not line_parts:
        return []
    combinations: list[tuple[float, float, _Chain]] = [(0.0, 0.0, None)]
    for part_hypotheses in hypotheses:
        longer: list[tuple[float, float, _Chain]] = [
            (score + hypothesis.score, total + hypothesis.log_probability, (hypothesis, chain))
            for score, total, chain in combinations
            for hypothesis in part_hypotheses
        ]
        best, *others = longer
        combinations = [best, *sorted(others, key=lambda combination: -combination[0])][:n_best]
    joined = [
        _join_combination(line_parts, _list_chain(chain), spaces)._replace(
            log_probability=total, score=score
        )
        for score, total, chain in combinations
    ]
    return without_equal_texts(joined)


def join_samples(
    line_parts: Sequence[LinePart],
    hypotheses: Sequence[Sequence[Hypothesis]],
    count: int,
    spaces: bool,
) -> list[Hypothesis]:
    """Joins the samples of a line's parts: the first one of each part, then the second ones.

    Args:
        line_parts: the sentences of the line; of a sentence that was cut, its parts.
        hypotheses: ``count`` for each part, or one for a part that was passed on.

    Returns:
        ``count`` hypotheses in the form of `join`; none for an empty line.
    """
    if not line_parts:
        return []
    rows = [
        list(samples) if len(samples) == count else [*samples] * count for samples in hypotheses
    ]
    return [_join_combination(line_parts, combination, spaces) for combination in zip(*rows)]


def _join_combination(
    line_parts: Sequence[LinePart], hypotheses: Sequence[Hypothesis], spaces: bool
) -> Hypothesis:
    """Joins one hypothesis of each part to a hypothesis of the line."""
    texts: list[str] = []
    before: LinePart | None = None
    for part, hypothesis in zip(line_parts, hypotheses):
        if part.is_aside:
            texts[-1] = texts[-1].replace(part.text, hypothesis.text, 1)
            continue
        texts += (_choose_space(before, part, spaces) if before else "", hypothesis.text)
        before = part
    return Hypothesis(
        "".join(texts),
        tuple(itertools.chain.from_iterable(hypothesis.ids for hypothesis in hypotheses)),
        sum(hypothesis.log_probability for hypothesis in hypotheses),
        sum(hypothesis.score for hypothesis in hypotheses),
        tuple(itertools.chain.from_iterable(hypothesis.source_ids for hypothesis in hypotheses)),
        _mean_confidence(hypotheses),
        tuple(itertools.chain.from_iterable(hypothesis.words for hypothesis in hypotheses)),
        tuple(itertools.chain.from_iterable(hypothesis.support for hypothesis in hypotheses)),
        tuple(dict.fromkeys(doubt for hypothesis in hypotheses for doubt in hypothesis.doubts)),
        tuple(itertools.chain.from_iterable(hypothesis.terms for hypothesis in hypotheses)),
    )


def with_asides(
    line_parts: Sequence[LinePart], hypotheses: Sequence[Sequence[Hypothesis]]
) -> list[list[Hypothesis]]:
    """The hypotheses of each part, with the best translation of every aside in their texts."""
    filled: list[list[Hypothesis]] = []
    main = 0  # the part that the next asides were taken from
    for i, (part, part_hypotheses) in enumerate(zip(line_parts, hypotheses)):
        filled.append(list(part_hypotheses))
        if not part.is_aside:
            main = i
        elif part_hypotheses:
            aside = part_hypotheses[0].text
            filled[main] = [
                hypothesis._replace(text=hypothesis.text.replace(part.text, aside, 1))
                for hypothesis in filled[main]
            ]
    return filled


def _mean_confidence(hypotheses: Sequence[Hypothesis]) -> float | None:
    """The mean confidence of all words in translated parts; None if no part was translated."""
    total, words = 0.0, 0
    for hypothesis in hypotheses:
        if hypothesis.confidence is not None:
            count = max(len(words_without_marks(hypothesis.text)), 1)
            total += hypothesis.confidence * count
            words += count
    return total / words if words else None


def _list_chain(chain: _Chain) -> list[Hypothesis]:
    hypotheses = []
    while chain is not None:
        last, chain = chain
        hypotheses.append(last)
    return hypotheses[::-1]


def _choose_space(part: LinePart, following: LinePart, spaces: bool) -> str:
    """The space between the translations of two parts; a line remains one line.

    It is the space between the parts, tabs included. A mark without a space, such as 。, gets one
    space. If the language has no spaces, only tabs stay.
    """
    if not spaces:
        return "\t" * part.space.count("\t")
    mark = part.text.rstrip(CLOSING_QUOTES)[-1:] or " "
    stands_alone = mark not in LATIN_MARKS and unicodedata.category(mark).startswith("P")
    beside_tag = part.text.endswith(">") or following.text.startswith("<")
    space = part.space or " " * (stands_alone and not beside_tag)
    return space if set(space) <= {" ", "\t"} else " "
