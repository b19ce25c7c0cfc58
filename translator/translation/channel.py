"""Ranks hypotheses also by how well their sentence can be told from them."""

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from translator.base.errors import InputError
from translator.search.engine import SearchHypothesis
from translator.text.fitting import Fit, check_fit
from translator.text.punctuation import with_first_letter_of
from translator.text.read_lines import ReadSentence
from translator.tokenizers.subword import Tokenizer, Tokenizers

if TYPE_CHECKING:
    from translator.translation.translator import Translator


WEIGHT = 0.25  # of the log probability of a sentence, best of 0.15 to 0.4 on Tatoeba's validation
FAR = 0.2  # below the best score of a beam; hypotheses so far below hardly ever come first


class ChannelModel:
    """A model of the other direction, to which a translation that lacks a part tells too little.

    As in Yee et al. (2019), "Simple and Effective Noisy Channel Modeling for Neural Machine
    Translation", https://aclanthology.org/D19-1571, section 3, but for its language model.

    Args:
        run: translates the other way round.
        tokenizers: of the model whose hypotheses are ranked.

    Raises:
        InputError: the run has other languages, or masks where the model has none.
    """

    def __init__(self, run: "Translator", tokenizers: Tokenizers) -> None:
        self.run = run
        self.target = tokenizers.target
        ours, theirs = (
            (one.language, other.language, bool(one.masks))
            for one, other in (reversed(tokenizers), run.tokenizers)
        )
        if ours != theirs:
            raise InputError(
                f"decoding.channel: expected a run from {ours[0]} to {ours[1]} with"
                f"{'' if ours[2] else 'out'} masks, found {run.run.path}; name another one"
            )

    def rank(
        self,
        sentences: Sequence[ReadSentence],
        beams: Sequence[Sequence[SearchHypothesis]],
        length_penalty: float,
    ) -> list[list[SearchHypothesis]]:
        """Hypotheses by their scores, to which weighted ones of their sentences are added.

        That is the log probability of the sentence / T^length_penalty. Hypotheses far below the
        best count as the worst of those that are judged. Where one is too long to be judged, all
        of its beam stay as they are.

        Args:
            sentences: as they were read.
            beams: hypotheses of each, the best first.
            length_penalty: of the search.
        """
        near = [[each for each in beam if each.score > beam[0].score - FAR] for beam in beams]
        near = [some if len(some) > 1 else [] for some in near]
        texts = [self.target.decode(each.ids) for some in near for each in some]
        told_from = iter(self._encode(self.run.tokenizers.source, self._truecased(texts)))
        told = self._encode(self.run.tokenizers.target, map(_as_target, sentences))
        pairs = [[(next(told_from), told[i]) for _ in some] for i, some in enumerate(near)]
        pairs = [some if all(map(self._fit, some)) else [] for some in pairs]
        flat = list(itertools.chain.from_iterable(pairs))
        rows = iter(self.run.engine.score(*map(list, zip(*flat))) if flat else ())
        ranked = []
        for beam, some in zip(beams, pairs):
            added = [
                WEIGHT * float(next(rows).sum()) / len(each.ids) ** length_penalty
                for each, _ in zip(beam, some)
            ]
            added += [min(added, default=0.0)] * (len(beam) - len(added))
            scored = (each._replace(score=each.score + more) for each, more in zip(beam, added))
            ranked.append(sorted(scored, key=lambda each: -each.score))
        return ranked

    def _truecased(self, texts: Iterable[str]) -> list[str]:
        """Texts as the run is shown them."""
        truecaser = self.run.restoration.source_truecaser
        if truecaser is None or not self.run.config.data.truecase:
            return list(texts)
        return list(map(truecaser.with_small_beginning, texts))

    def _encode(self, tokenizer: Tokenizer, texts: Iterable[str]) -> list[list[int]]:
        return tokenizer.encode(list(texts), reads_tags=False)

    def _fit(self, pair: tuple[Sequence[int], Sequence[int]]) -> bool:
        """Whether the run takes the ids of both sides."""
        longest = self.run.config.data.max_length
        return all(
            check_fit(ids, longest, side) is Fit.FITS
            for ids, side in zip(pair, self.run.tokenizers)
        )


def _as_target(sentence: ReadSentence) -> str:
    """A sentence as the other model would write it: it begins as it was given."""
    return with_first_letter_of(sentence.part.text, sentence.shown.text)
