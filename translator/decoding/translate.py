"""From sentences to translations, with the attention of each where it is asked for."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from translator.attention.records import AttentionRecord
from translator.config import Config
from translator.dataset import pad
from translator.errors import InputError
from translator.run import RunDirectory
from translator.startup import start_keras
from translator.tokenizer import Tokenizers
from translator.weights import load_arrays, make_model, set_model_weights

if TYPE_CHECKING:
    from translator.decoding.search import Hypotheses
    from translator.model.transformer import Transformer

BATCH_SIZE = 64  # sentences searched together
CHUNK_SIZE = 1024  # lines read before they are sorted by length and translated
COMPILE_FROM = 256  # fewer sentences are translated sooner without building a graph


class Hypothesis(NamedTuple):
    """One translation of a sentence.

    Attributes:
        text: for a reader.
        ids: its tokens, the end included.
        log_probability: the sum over them.
        score: what hypotheses are ranked by.
    """

    text: str
    ids: tuple[int, ...]
    log_probability: float
    score: float


class Translation(NamedTuple):
    """A sentence and its translations, the best first.

    Attributes:
        source: the sentence.
        hypotheses: ``n_best`` of them, or fewer where there are no more.
    """

    source: str
    hypotheses: tuple[Hypothesis, ...]

    @property
    def text(self) -> str:
        """The best translation; nothing for an empty sentence."""
        return self.hypotheses[0].text if self.hypotheses else ""


class Translator:
    """A trained run, ready to translate and to show its attention.

    Args:
        config: the run's.
        tokenizers: the run's.
        model: built, with its weights.
        corpus: the fingerprint of what it was trained on, where it is known.
    """

    def __init__(
        self,
        config: Config,
        tokenizers: Tokenizers,
        model: "Transformer",
        corpus: str | None = None,
    ) -> None:
        from translator.decoding.engines import KerasEngine

        self.config = config
        self.tokenizers = tokenizers
        self.model = model
        self.corpus = corpus
        target = tokenizers.target
        self.engine = KerasEngine(
            model,
            target.start_id,
            target.end_id,
            (target.padding_id, target.unknown_id, *target.control_ids),
        )

    def translate(
        self,
        sentences: Sequence[str],
        *,
        beam_size: int | None = None,
        length_penalty: float | None = None,
        n_best: int = 1,
        max_length: int | None = None,
        first_line: int = 1,
    ) -> list[Translation]:
        """Translates sentences, in batches sorted by length, in the order given.

        Args:
            sentences: one an item; an empty one has an empty translation.
            beam_size: K, 1 for greedy search; the run's ``decoding.beam_size`` if None.
            length_penalty: hypotheses rank by log probability / length^this; the
                run's ``decoding.length_penalty`` if None.
            n_best: how many hypotheses to return, at most K.
            max_length: the most tokens of a translation, end included; if None the
                run's ``decoding.max_length``, or else twice the source's tokens
                and ten more, within what the model takes.
            first_line: the number that errors give the first sentence.

        Returns:
            One translation a sentence.

        Raises:
            InputError: an option is out of range, or a sentence is longer than
                the model takes or consists of unknown characters only.
        """
        decoding = self.config.decoding
        beam_size = decoding.beam_size if beam_size is None else beam_size
        length_penalty = decoding.length_penalty if length_penalty is None else length_penalty
        max_length = decoding.max_length if max_length is None else max_length
        self._check_options(beam_size, length_penalty, n_best, max_length)
        if isinstance(sentences, str):
            raise InputError("sentences: expected a list of sentences, found one string")
        encoded = [self.check_sentence(s, i) for i, s in enumerate(sentences, start=first_line)]
        order = [i for i, ids in enumerate(encoded) if len(ids) > 2]
        order.sort(key=lambda i: len(encoded[i]), reverse=True)
        translations = [Translation(sentence, ()) for sentence in sentences]
        for start in range(0, len(order), BATCH_SIZE):
            chosen = order[start : start + BATCH_SIZE]
            source_ids = pad([encoded[i] for i in chosen], self.tokenizers.source.padding_id)
            limits = self._max_lengths([len(encoded[i]) for i in chosen], max_length)
            found = self.engine.search(
                source_ids, limits, beam_size, length_penalty, len(order) >= COMPILE_FROM
            )
            for row, i in enumerate(chosen):
                hypotheses = self._read(found, row, n_best)
                translations[i] = Translation(sentences[i], hypotheses)
        return translations

    def attention(self, source: str, hypothesis: Hypothesis) -> AttentionRecord:
        """Reads the attention of a hypothesis by running the decoder once over it.

        Args:
            source: the sentence.
            hypothesis: one of its translations.

        Returns:
            Every layer's and head's scores; exact for any beam.
        """
        from keras import ops

        [source_ids] = self.tokenizers.source.encode([source])
        target_ids = [self.tokenizers.target.start_id, *hypothesis.ids]
        output = self.model.forward(np.array([source_ids]), np.array([target_ids[:-1]]))
        scores = (output.encoder_attention, output.decoder_attention, output.cross_attention)
        return AttentionRecord(
            source,
            hypothesis.text,
            tuple(self.tokenizers.source.pieces(source_ids)),
            tuple(self.tokenizers.target.pieces(target_ids)),
            *(ops.convert_to_numpy(x)[0] for x in scores),
        )

    def _check_options(
        self, beam_size: int, length_penalty: float, n_best: int, max_length: int | None
    ) -> None:
        vocab_size = self.tokenizers.target.size
        if not 1 <= beam_size <= vocab_size // 2:
            raise InputError(
                f"beam size: expected 1 to {vocab_size // 2}, found {beam_size}; 4 is usual"
            )
        if not 0 <= length_penalty <= 10:
            raise InputError(
                f"length penalty: expected 0 to 10, found {length_penalty}; 1 is usual"
            )
        if not 1 <= n_best <= beam_size:
            raise InputError(
                f"n-best: expected 1 to the beam size ({beam_size}), found {n_best};"
                " a larger beam finds more"
            )
        if max_length is not None and not 1 <= max_length <= self.model.max_length - 1:
            raise InputError(
                f"max length: expected 1 to {self.model.max_length - 1} tokens, which this model"
                f" was trained for, found {max_length}"
            )

    def check_sentence(self, sentence: str, number: int) -> list[int]:
        """Encodes a sentence, if the model can take it.

        Args:
            sentence: of the source language.
            number: names it in errors.

        Returns:
            Its ids, start and end included.

        Raises:
            InputError: it is too long or consists of unknown characters only.
        """
        tokenizer = self.tokenizers.source
        try:
            [ids] = tokenizer.encode([sentence])
        except InputError:
            raise InputError(f"sentence {number}: expected UTF-8, found other bytes") from None
        if len(ids) > self.config.data.max_length:
            raise InputError(
                f"sentence {number}: expected at most {self.config.data.max_length} tokens,"
                f" start and end included, found {len(ids)}; split it"
            )
        if len(ids) > 2 and not tokenizer.spells(ids):
            raise InputError(
                f"sentence {number}: expected {tokenizer.language} text, found only characters"
                " that the tokenizer has never seen"
            )
        return ids

    def _max_lengths(self, source_lengths: list[int], max_length: int | None) -> np.ndarray:
        longest = self.model.max_length - 1
        if max_length is not None:
            return np.full(len(source_lengths), max_length)
        return np.minimum(2 * np.array(source_lengths) + 10, longest)

    def _read(self, found: "Hypotheses", row: int, n_best: int) -> tuple[Hypothesis, ...]:
        from translator.decoding.search import IMPOSSIBLE

        hypotheses = []
        for rank in range(n_best):
            if found.scores[row, rank] <= IMPOSSIBLE:
                break
            ids = tuple(map(int, found.ids[row, rank, : found.lengths[row, rank]]))
            hypotheses.append(
                Hypothesis(
                    self.tokenizers.target.decode(ids),
                    ids,
                    float(found.log_probabilities[row, rank]),
                    float(found.scores[row, rank]),
                )
            )
        return tuple(hypotheses)


def translate_lines(
    translator: Translator, lines: Iterable[str], **options: Any
) -> Iterator[Translation]:
    """Translates a stream of lines, a chunk at a time, in order.

    Args:
        translator: a loaded run.
        lines: read as they are needed. Where one cannot be read or translated,
            those before it are translated first.
        **options: of `Translator.translate`.

    Yields:
        A translation a line.
    """
    lines = iter(lines)
    first_line = 1
    failure: InputError | None = None
    while failure is None:
        chunk: list[str] = []
        try:
            for line in itertools.islice(lines, CHUNK_SIZE):
                translator.check_sentence(line, first_line + len(chunk))
                chunk.append(line)
        except InputError as error:
            failure = error
        if not chunk and failure is None:
            return
        yield from translator.translate(chunk, first_line=first_line, **options)
        first_line += len(chunk)
    raise failure


def load_translator(run_dir: str | Path) -> Translator:
    """Opens a run: configuration, tokenizers, model and its best weights.

    Raises:
        InputError: it is not a run directory, or its files do not fit together.
    """
    run = RunDirectory(run_dir)
    config = run.read_config()
    tokenizers = run.read_tokenizers(config)
    start_keras()
    arrays = load_arrays(run.weights)
    model = make_model(config, tokenizers)
    set_model_weights(model, arrays, run.weights)
    return Translator(config, tokenizers, model, run.read_corpus())
