"""Ranks hypotheses also by how well their sentence can be told from them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.base.late import np
from translator.search.engine import SearchHypothesis
from translator.text.fitting import Fit, check_fit
from translator.text.punctuation import with_first_letter_of
from translator.text.read_lines import ReadSentence
from translator.tokenizers.subword import Tokenizer, Tokenizers

if TYPE_CHECKING:
    from translator.translation.translator import Translator


WEIGHT = 0.25  # of the log probability of a sentence, best of 0.15 to 0.4 on Tatoeba's validation
FAR = 0.15  # below the best score of a beam; hypotheses so far below hardly ever come first


class ChannelModel:
    """A model of the other direction, to which a translation that lacks a part tells too little.

    As in Yee et al. (2019), "Simple and Effective Noisy Channel Modeling for Neural Machine
    Translation", https://aclanthology.org/D19-1571, section 3, but for its language model.

    Args:
        open_run: opens the model.
        tokenizers: of the model whose hypotheses are ranked.
    """

    def __init__(self, open_run: Callable[[], Translator], tokenizers: Tokenizers) -> None:
        self._open_run = open_run
        self.tokenizers = tokenizers

    @functools.cached_property
    def run(self) -> Translator:
        """The model, opened when a beam has something to judge: many have not."""
        run = self._open_run()
        check_channel(run.tokenizers, self.tokenizers, run.run.path)
        return run

    def rank(
        self,
        sentences: Sequence[ReadSentence],
        beams: Sequence[Sequence[SearchHypothesis]],
        length_penalty: float,
    ) -> list[list[SearchHypothesis]]:
        """Hypotheses by their scores, to which weighted ones of their sentences are added.

        That is the log probability of the sentence / T^length_penalty. Only the best and those
        near it that are longer, which may have what it has lost, are judged: about half of those
        that are near. All others count as the worst of these. Where one is too long to be judged,
        all of its beam stay as they are.
        """
        chosen = [self._judged(beam) for beam in beams]
        rows_of = self.score_sources(sentences, [list(texts.values()) for texts in chosen])
        ranked = []
        for beam, texts, rows in zip(beams, chosen, rows_of):
            added = {
                k: WEIGHT * float(row.sum()) / len(beam[k].ids) ** length_penalty
                for k, row in zip(texts, rows)
            }
            least = min(added.values(), default=0.0)
            scored = (
                each._replace(score=each.score + added.get(k, least)) for k, each in enumerate(beam)
            )
            ranked.append(sorted(scored, key=lambda each: -each.score))
        return ranked

    def score_sources(
        self, sentences: Sequence[ReadSentence], texts_of: Sequence[Sequence[str]]
    ) -> list[list[np.ndarray]]:
        """The log probabilities of the tokens of each sentence, given its translations.

        Returns:
            (S,) for each translation of each sentence; none where one is too long to be judged.
        """
        if not any(texts_of):
            return [[] for _ in texts_of]
        texts = map(self.run.codec.preprocessor.truecase, itertools.chain.from_iterable(texts_of))
        told_from = iter(self._encode(self.run.tokenizers.source, texts))
        told = self._encode(self.run.tokenizers.target, map(_as_target, sentences))
        pairs = [[(next(told_from), told[i]) for _ in texts] for i, texts in enumerate(texts_of)]
        pairs = [some if all(map(self._fit, some)) else [] for some in pairs]
        flat = list(itertools.chain.from_iterable(pairs))
        rows = iter(self.run.engine.score(*map(list, zip(*flat))) if flat else ())
        return [[next(rows) for _ in some] for some in pairs]

    def _judged(self, beam: Sequence[SearchHypothesis]) -> dict[int, str]:
        """The texts of those hypotheses of a beam that are judged, by their numbers."""
        near = [k for k, each in enumerate(beam) if each.score > beam[0].score - FAR]
        texts = (
            {k: self.tokenizers.target.decode(beam[k].ids) for k in near} if len(near) > 1 else {}
        )
        longer = {k: text for k, text in texts.items() if not k or len(text) > len(texts[0])}
        return longer if len(longer) > 1 else {}

    def _encode(self, tokenizer: Tokenizer, texts: Iterable[str]) -> list[list[int]]:
        return tokenizer.encode(list(texts), reads_tags=False)

    def _fit(self, pair: tuple[Sequence[int], Sequence[int]]) -> bool:
        """Whether the run takes the ids of both sides."""
        longest = self.run.settings.data.max_length
        return all(
            check_fit(ids, longest, side) is Fit.FITS
            for ids, side in zip(pair, self.run.tokenizers)
        )


def check_channel(channel: Tokenizers, tokenizers: Tokenizers, path: Path) -> None:
    """Checks that a run can rank the hypotheses of a model."""
    ours, theirs = (
        (language_facts(one.language).code, language_facts(other.language).code, bool(one.masks))
        for one, other in (reversed(tokenizers), channel)
    )
    if ours != theirs:
        raise InputError(
            f"decoding.channel: expected a run from {ours[0]} to {ours[1]} with"
            f"{'' if ours[2] else 'out'} masks, found {path}; name another one"
        )


def _as_target(sentence: ReadSentence) -> str:
    """A sentence as the other model would write it: it begins as it was given."""
    return with_first_letter_of(sentence.part.text, sentence.shown.text)
