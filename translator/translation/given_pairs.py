"""Encodes and scores sentences with existing translations, such as references."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from translator.base.errors import InputError
from translator.base.texts import list_of_texts
from translator.text.characters import is_blank
from translator.text.fitting import Fit, check_fit, has_words
from translator.tokenizers.subword import Tokenizer, Tokenizers
from translator.translation.results import Hypothesis, Score, Translation

if TYPE_CHECKING:
    import numpy as np


def list_pairs(
    sources: str | Iterable[str], targets: str | Iterable[str]
) -> tuple[list[str], list[str]]:
    """Both sides of some pairs as lists."""
    sides = list_of_texts(sources, "sources"), list_of_texts(targets, "targets")
    if len(sides[0]) != len(sides[1]):
        raise InputError(
            f"expected as many translations as sentences, found {len(sides[1])} for {len(sides[0])}"
        )
    return sides


def encode_pairs(
    tokenizers: Tokenizers,
    max_length: int,
    sources: Sequence[str],
    targets: Sequence[str],
    first_line: int = 1,
) -> tuple[list[list[int]], list[list[int]]]:
    """Encodes pairs for a model.

    Args:
        max_length: the most tokens that the model takes, start and end included.
    """
    source_ids = [
        _encode_source(tokenizers.source, max_length, text, f"line {number}")
        for number, text in enumerate(sources, first_line)
    ]
    target_ids = tokenizers.target.encode(targets)
    for number, ids in enumerate(target_ids, first_line):
        if check_fit(ids, max_length, tokenizers.target) is Fit.TOO_LONG:
            raise InputError(
                f"line {number}: expected a translation of at most {max_length} tokens, start and"
                f" end included, found {len(ids)}; split the pair"
            )
    return source_ids, target_ids


def _encode_source(tokenizer: Tokenizer, max_length: int, line: str, place: str) -> list[int]:
    """The ids of an unchanged line, with its tags."""
    try:
        tags, text = tokenizer.split_tags(line)
        text.encode()  # lone surrogates raise UnicodeError
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except UnicodeError:
        raise InputError(f"{place}: expected UTF-8, found other bytes") from None
    limit = (max_length - 2) // 2  # at least half of the tokens are text
    if len(tags) > limit:
        raise InputError(f"{place}: expected at most {limit} tags, found {len(tags)}; remove some")
    [ids] = tokenizer.encode(["" if is_blank(text) else text], reads_tags=False)
    fit = check_fit(ids, max_length - len(tags), tokenizer, must_spell=True)
    if fit is Fit.EMPTY:
        raise InputError(f"{place}: expected a sentence, found an empty one; remove the line")
    if fit is Fit.TOO_LONG:
        raise InputError(
            f"{place}: expected at most {max_length - len(tags)} tokens, start and end included,"
            f" found {len(ids)}; split the line"
        )
    if fit is Fit.UNKNOWN and has_words(text):
        raise InputError(
            f"{place}: expected {tokenizer.language} text, found {fit.value}; remove the line"
        )
    start_length = int(tokenizer.has_start)
    return [*ids[:start_length], *tags, *ids[start_length:]]


def make_score(
    tokenizer: Tokenizer,
    assessor: Any,
    source: str,
    ids: Sequence[int],
    log_probabilities: "np.ndarray",
) -> Score:
    """The score of a given translation."""
    total, pieces = float(log_probabilities.sum()), tuple(tokenizer.pieces(ids))
    score = Score(total, len(ids), pieces, tuple(log_probabilities.tolist()))
    return score if assessor is None else assessor.assess_score(score, source, log_probabilities)


class HypothesisPair(NamedTuple):
    """A hypothesis with its sentence, as ids.

    Attributes:
        sentence: the number of the sentence.
        rank: the rank of the hypothesis in its sentence, from 1.
        source_ids: the ids that the model was shown, start and end included.
        target_ids: the hypothesis, with start, and with end unless it was cut.
    """

    source: str
    hypothesis: Hypothesis
    sentence: int
    rank: int
    source_ids: Sequence[int]
    target_ids: Sequence[int]


def hypothesis_pairs(
    tokenizers: Tokenizers, translations: Translation | Iterable[Translation], first_sentence: int
) -> list[HypothesisPair]:
    """The hypotheses of translations. Sentences that were not translated are left out.

    Args:
        translations: of single sentences; one translation counts as a list of one.
    """
    if isinstance(translations, Translation):
        translations = [translations]
    source, target = tokenizers
    pairs = []
    for sentence, translation in enumerate(translations, first_sentence):
        if not isinstance(translation, Translation):
            raise InputError(
                f"translations: expected results of translate, found {type(translation).__name__}"
            )
        for rank, hypothesis in enumerate(translation.hypotheses, start=1):
            if not hypothesis.ids:  # not translated
                continue
            source_ids = hypothesis.source_ids or source.encode([translation.source])[0]
            if target.end_id in hypothesis.ids[:-1] or source.end_id in source_ids[:-1]:
                raise InputError(
                    "expected translations of single sentences, found one of several sentences;"
                    " translate with TranslationOptions(per_sentence=True)"
                )
            ids = source_ids, [target.start_id, *hypothesis.ids]
            pairs.append(HypothesisPair(translation.source, hypothesis, sentence, rank, *ids))
    return pairs
