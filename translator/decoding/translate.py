"""From sentences to translations, with the attention of each where it is asked for."""

import functools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from translator.attention.heads import pointing_heads
from translator.attention.records import AttentionRecord
from translator.decoding.engine import Engine, Found, SearchOptions
from translator.decoding.restoration import Piecewise, Restoration, restore_text
from translator.decoding.results import Hypothesis, Score, Translation, join
from translator.decoding.sentences import Part, cut_to_fit, sentences_of
from translator.errors import InputError
from translator.run import RunDirectory
from translator.startup import start_keras
from translator.weights import load_arrays, make_model, set_model_weights

if TYPE_CHECKING:
    from translator.model.transformer import Transformer

ENGINES = ("keras", "ctranslate2")


class _EncodedPart(NamedTuple):
    """A part of a line with its ids, start and end included, and whether they spell anything."""

    part: Part
    ids: list[int]
    is_spelt: bool


class Translator:
    """A trained run, ready to translate and to show its attention.

    Args:
        run: its directory, or an export of it.
        engine: ``keras`` or ``ctranslate2``; None takes an export where there is one.
        report: is told of waits.

    Attributes:
        config: the run's.
        tokenizers: the run's.
        corpus: the fingerprint of what it was trained on, where it is known.

    Raises:
        InputError: it is not a run directory, its files do not fit together, or
            it has not what the engine needs.
    """

    def __init__(
        self,
        run: RunDirectory,
        engine: str | None = None,
        report: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.run = run
        self.report = report
        self.config = run.read_config()
        self.tokenizers = run.read_tokenizers(self.config)
        self.corpus = run.read_corpus()
        self.engine = self._open_engine(engine)

    def _open_engine(self, name: str | None) -> Engine:
        if name not in (None, *ENGINES):
            raise InputError(f"engine: expected {' or '.join(ENGINES)}, found {name}")
        export = None if name == "keras" else self.run.find_export()
        if name == "ctranslate2" and export is None:
            raise InputError(
                f"{self.run.path}: expected an export in it, found none; write one with"
                f" translator export {self.run.path}"
            )
        if export is not None:
            from translator.decoding.ctranslate2_engine import CTranslate2Engine

            return CTranslate2Engine(export, self.tokenizers)
        model = self.model
        from translator.decoding.keras_engine import KerasEngine

        sizes = self.config.model
        heads = pointing_heads(self.restoration.alignment, sizes.num_layers, sizes.num_heads)
        return KerasEngine(model, self.tokenizers, heads, self.report)

    @functools.cached_property
    def restoration(self) -> Restoration:
        """What puts this run's translations right."""
        return Restoration.load(self.run.restoration)

    @functools.cached_property
    def model(self) -> "Transformer":
        """The Keras model with its best weights; loading it takes seconds."""
        start_keras()
        arrays = load_arrays(self.run.weights)
        model = make_model(self.config, self.tokenizers)
        set_model_weights(model, arrays, self.run.weights)
        return model

    def translate(
        self,
        sentences: Sequence[str],
        *,
        beam_size: int | None = None,
        length_penalty: float | None = None,
        n_best: int = 1,
        min_length: int = 1,
        max_length: int | None = None,
        max_length_ratio: float | None = None,
        prefix: str = "",
        replace_unknown: bool = False,
        raw: bool = False,
        split: bool = True,
        first_line: int = 1,
    ) -> list[Translation]:
        """Translates sentences, many at a time, in the order given.

        Args:
            sentences: one an item; an empty one has an empty translation.
            beam_size: K, 1 for greedy search; the run's ``decoding.beam_size`` if None.
            length_penalty: hypotheses rank by log probability / length^this; the
                run's ``decoding.length_penalty`` if None.
            n_best: how many hypotheses to return, at most K.
            min_length: the fewest tokens of a translation, end included.
            max_length: the most tokens of a translation, end included, where it is
                cut; if None the run's ``decoding.max_length``, or else twice the
                source's tokens and ten more, within what the model takes.
            max_length_ratio: the most tokens of a translation for each of its
                source, beside the above.
            prefix: what every translation begins with.
            replace_unknown: whether names that training never saw, and what the
                tokenizer cannot spell, are taken from the source.
            raw: whether to leave numbers and capitals as the tokenizer has them.
            split: whether a line of several sentences is translated sentence by
                sentence, and what is longer than the model takes is cut.
            first_line: the number that errors give the first sentence.

        Returns:
            One translation a sentence.

        Raises:
            InputError: an option is out of range, a sentence consists of unknown
                characters only, or is not split and longer than the model takes.
        """
        decoding = self.config.decoding
        restores = self.tokenizers.target.bpemb and not raw
        options = SearchOptions(
            beam_size=decoding.beam_size if beam_size is None else beam_size,
            n_best=n_best,
            length_penalty=decoding.length_penalty if length_penalty is None else length_penalty,
            min_length=min_length,
            prefix_ids=tuple(self.tokenizers.target.encode([prefix])[0][1:-1]),
            unknown=replace_unknown,
            alignment=replace_unknown or restores,
        )
        max_length = decoding.max_length if max_length is None else max_length
        self._check_options(options, max_length, max_length_ratio)
        if isinstance(sentences, str):
            raise InputError("sentences: expected a list of sentences, found one string")
        lines = [
            self._read_line(text, i, split, self.report)
            for i, text in enumerate(sentences, first_line)
        ]
        encoded = [part for line in lines for part in line if part.is_spelt]
        fewest = max(min_length, len(options.prefix_ids) + 1)
        limits = [
            max(self._max_length(len(part.ids), max_length, max_length_ratio), fewest)
            for part in encoded
        ]
        begins = [part is line[0] for line in lines for part in line if part.is_spelt]
        found = iter(self._search(encoded, limits, begins, options))
        translations = []
        for sentence, line in zip(sentences, lines):
            hypotheses = [
                self._hypotheses(part, next(found), restores, replace_unknown)
                if part.is_spelt
                else [Hypothesis(part.part.text, (), 0.0, 0.0)]
                for part in line
            ]
            parts = [part.part for part in line]
            joined = join(parts, hypotheses, options, self.tokenizers.target.writes_spaces)
            translations.append(Translation(sentence, tuple(joined)))
        return translations

    def _search(
        self,
        parts: list["_EncodedPart"],
        limits: list[int],
        begins: list[bool],
        options: SearchOptions,
    ) -> list[list[Found]]:
        """Searches for all parts; only what begins a line is given its prefix."""
        if all(begins) or not options.prefix_ids:
            return self.engine.search([part.ids for part in parts], limits, options)
        found: list[list[Found]] = [[] for _ in parts]
        for chosen, its in ((True, options), (False, options._replace(prefix_ids=()))):
            numbers = [i for i, begin in enumerate(begins) if begin == chosen]
            ids = [parts[i].ids for i in numbers]
            results = self.engine.search(ids, [limits[i] for i in numbers], its)
            for i, hypotheses in zip(numbers, results):
                found[i] = hypotheses
        return found

    def _read_line(
        self, line: str, number: int, split: bool, report: Callable[[str], None]
    ) -> list["_EncodedPart"]:
        """The parts of a line that are translated one by one, encoded."""
        tokenizer, longest = self.tokenizers.source, self.config.data.max_length
        self._encode([line], number)
        parts = [Part(line, "", True)]
        if split:
            parts = sentences_of(line, tokenizer.language)
        encoded = self._encode([part.text for part in parts], number)
        read: list[_EncodedPart] = []
        for part, ids in zip(parts, encoded):
            if len(ids) <= longest:
                pieces, ids_of_pieces = [part], [ids]
            elif not split:
                raise InputError(
                    f"sentence {number}: expected at most {longest} tokens, start and end"
                    f" included, found {len(ids)}; split it"
                )
            else:
                pieces = cut_to_fit(part, lambda text: len(tokenizer.encode([text])[0]) <= longest)
                ids_of_pieces = self._encode([piece.text for piece in pieces], number)
                report(
                    f"line {number}: a sentence of {len(ids)} tokens is cut into {len(pieces)},"
                    f" the model takes {longest}"
                )
            for piece, its in zip(pieces, ids_of_pieces):
                read.append(_EncodedPart(piece, its, tokenizer.spells(its)))
        if any(len(ids) > 2 for ids in encoded) and not any(part.is_spelt for part in read):
            raise InputError(
                f"sentence {number}: expected {tokenizer.language} text, found only characters"
                " that the tokenizer has never seen"
            )
        return [part for part in read if len(part.ids) > 2]

    def _encode(self, texts: list[str], number: int) -> list[list[int]]:
        try:
            return self.tokenizers.source.encode(texts)
        except InputError:
            raise InputError(f"sentence {number}: expected UTF-8, found other bytes") from None

    def _hypotheses(
        self, part: "_EncodedPart", found: list[Found], restores: bool, names: bool
    ) -> list[Hypothesis]:
        return [self._read(part.part.text, part.ids, each, restores, names) for each in found]

    def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[Score]:
        """Log probabilities of given translations, each token given all earlier ones.

        Args:
            sources: the sentences.
            targets: a translation of each.

        Returns:
            One score a pair.

        Raises:
            InputError: a sentence or a translation is longer than the model takes.
        """
        source_ids = []
        for number, text in enumerate(sources, start=1):
            parts = self._read_line(text, number, False, self.report)
            source_ids.append(parts[0].ids if parts else self.tokenizers.source.encode([""])[0])
        target_ids = self.tokenizers.target.encode(targets)
        longest = self.config.data.max_length
        for number, ids in enumerate(target_ids, start=1):
            if len(ids) > longest:
                raise InputError(
                    f"translation {number}: expected at most {longest} tokens, start and end"
                    f" included, found {len(ids)}"
                )
        log_probabilities = self.engine.score(source_ids, target_ids)
        return [Score(*pair) for pair in zip(log_probabilities, (len(i) - 1 for i in target_ids))]

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
        self, options: SearchOptions, max_length: int | None, max_length_ratio: float | None
    ) -> None:
        vocab_size, longest = self.tokenizers.target.size, self.config.data.max_length - 1
        if not 1 <= options.beam_size <= vocab_size // 2:
            raise InputError(
                f"beam size: expected 1 to {vocab_size // 2}, found {options.beam_size}; 4 is usual"
            )
        if not 0 <= options.length_penalty <= 10:
            raise InputError(
                f"length penalty: expected 0 to 10, found {options.length_penalty}; 1 is usual"
            )
        if not 1 <= options.n_best <= options.beam_size:
            raise InputError(
                f"n-best: expected 1 to the beam size ({options.beam_size}), found"
                f" {options.n_best}; a larger beam finds more"
            )
        if max_length is not None and not 1 <= max_length <= longest:
            raise InputError(
                f"max length: expected 1 to {longest} tokens, which this model was trained for,"
                f" found {max_length}"
            )
        if max_length_ratio is not None and not 0 < max_length_ratio < float("inf"):
            raise InputError(
                f"max length ratio: expected more than 0, found {max_length_ratio}; 2 is usual"
            )
        most = max_length or longest
        if not 1 <= options.min_length <= most:
            raise InputError(f"min length: expected 1 to {most} tokens, found {options.min_length}")
        if len(options.prefix_ids) >= most:
            raise InputError(
                f"prefix: expected fewer than {most} tokens, found {len(options.prefix_ids)};"
                " shorten it or raise --max-length"
            )

    def check_sentence(self, sentence: str, number: int, split: bool = True) -> None:
        """Refuses a sentence that cannot be translated.

        Args:
            sentence: of the source language.
            number: names it in errors.
            split: as in `translate`.

        Raises:
            InputError: as in `translate`.
        """
        self._read_line(sentence, number, split, lambda line: None)

    def _max_length(
        self, source_length: int, max_length: int | None, max_length_ratio: float | None
    ) -> int:
        limit = 2 * source_length + 10 if max_length is None else max_length
        if max_length_ratio is not None:
            limit = min(limit, math.ceil(max_length_ratio * (source_length - 2)) + 1)
        return min(limit, self.config.data.max_length - 1)

    def _read(
        self, sentence: str, source_ids: list[int], found: Found, restores: bool, names: bool
    ) -> Hypothesis:
        text = self.tokenizers.target.decode(found.ids)
        if found.alignment is not None:
            text = restore_text(
                Piecewise(
                    sentence,
                    self.tokenizers.source.pieces(source_ids),
                    self.tokenizers.target.pieces(found.ids),
                    found.alignment,
                ),
                self.restoration,
                (self.tokenizers.source.language, self.tokenizers.target.language),
                restores,
                names,
            )
        return Hypothesis(text, found.ids, found.log_probability, found.score)
