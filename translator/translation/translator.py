"""From sentences to translations, with the attention of each where it is asked for."""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

from translator.attention.records import AttentionRecord, RecordedModel
from translator.base.errors import InputError
from translator.base.keras_startup import start_keras
from translator.runs.directory import RunDirectory
from translator.runs.exports import find_export
from translator.runs.weights import load_arrays, make_model, set_model_weights
from translator.search.engine import Engine, SearchHypothesis, SearchOptions
from translator.search.limits import LengthLimits, check_options
from translator.text.fitting import Fit, check_fit
from translator.text.names import KnownNames, ShownWord, show_prefix
from translator.text.numbers import show_numbers
from translator.text.reading import EncodedPart, LineReader
from translator.text.restoration import Piecewise, Restoration, restore_text, shown
from translator.text.word_alignment import pointing_heads
from translator.tokenizers.words import words_of
from translator.translation.results import Hypothesis, Score, Translation, join

if TYPE_CHECKING:
    from translator.model.transformer import Transformer

ENGINES = ("keras", "ctranslate2")


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
        self.corpus = run.read_record().corpus
        self.engine = self._open_engine(engine)

    def _open_engine(self, name: str | None) -> Engine:
        if name not in (None, *ENGINES):
            raise InputError(f"engine: expected {' or '.join(ENGINES)}, found {name}")
        is_required = name == "ctranslate2"
        export = None if name == "keras" else find_export(self.run, is_required, self.report)
        if export is not None:
            from translator.search.ctranslate2_engine import CTranslate2Engine

            return CTranslate2Engine(export, self.tokenizers)
        model = self.model
        from translator.search.keras_engine import KerasEngine

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
        arrays = load_arrays(self.run.find_weights())
        start_keras()
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
        apart: bool = False,
        errors: str = "strict",
        first_line: int = 1,
        file: str = "",
    ) -> list[Translation]:
        """Translates sentences, many at a time, in the order given.

        Args:
            sentences: one an item; an empty one has an empty translation.
            beam_size: K, 1 for greedy search; the run's ``decoding.beam_size`` if None.
            length_penalty: hypotheses rank by log probability / length^this; the
                run's ``decoding.length_penalty`` if None.
            n_best: how many hypotheses to return, at most K.
            min_length: the fewest tokens of a sentence's translation, end included.
            max_length: the most tokens of a sentence's translation, end included,
                where it is cut; if None the run's ``decoding.max_length``, or else
                twice the source's tokens and ten more, within what the model takes.
            max_length_ratio: the most tokens of a translation for each of its
                source, beside the above.
            prefix: what every translation begins with.
            replace_unknown: whether names that training never saw, and what the
                tokenizer cannot spell, are taken from the source.
            raw: whether to leave numbers and capitals as the tokenizer has them.
            split: whether a line of several sentences is translated sentence by
                sentence, and what is longer than the model takes is cut.
            apart: whether each of these is a translation of its own.
            errors: ``replace`` passes on sentences of nothing but unknown characters.
            first_line: the number that errors and notices give the first sentence.
            file: the file that they say it stands in.

        Returns:
            One translation a sentence; with ``apart`` as many as there are in them.

        Raises:
            InputError: an option is out of range, a sentence consists of unknown
                characters only, or is not split and longer than the model takes.
        """
        if isinstance(sentences, str):
            raise InputError("sentences: expected a list of sentences, found one string")
        decoding = self.config.decoding
        restores = self.tokenizers.target.hides_digits and not raw
        show = self._shown_as(raw, replace_unknown)
        prefix_words = self._show_prefix(prefix, sentences, restores, replace_unknown)
        prefix_text = " ".join(word.text for word in prefix_words)
        options = SearchOptions(
            beam_size=decoding.beam_size if beam_size is None else beam_size,
            n_best=n_best,
            length_penalty=decoding.length_penalty if length_penalty is None else length_penalty,
            min_length=min_length,
            prefix_ids=tuple(self.tokenizers.target.encode([prefix_text])[0][1:-1]),
            allow_unknown=replace_unknown,
            return_alignment=replace_unknown or restores,
        )
        longest = self.config.data.max_length - 1
        most = decoding.max_length if max_length is None else max_length
        limits = LengthLimits(longest, most, max_length_ratio)
        check_options(options, limits, self.tokenizers.target.size)
        if self.tokenizers.target.unknown_id in options.prefix_ids:
            self._refuse_prefix(prefix)
        place = f"{file}, line" if file else "line"
        reader = self._reader(show)
        notices: list[str] = []
        lines = [
            reader.read(text, f"{place} {number}", split, notices.append, errors)
            for number, text in enumerate(sentences, first_line)
        ]
        for notice in notices:
            self.report(notice)
        asked = [part for line in lines for part in line if part.is_spelt]
        found = iter(self._search(asked, limits, options))
        translations = []
        for sentence, line in zip(sentences, lines):
            hypotheses = [
                [self._read(part, its, options, restores, prefix_words) for its in next(found)]
                if part.is_spelt
                else [Hypothesis("".join(filter(str.isprintable, part.part.text)), (), 0.0, 0.0)]
                for part in line
            ]
            parts = [part.part for part in line]
            if apart:
                translations += [Translation(p.text, tuple(h)) for p, h in zip(parts, hypotheses)]
                continue
            joined = join(parts, hypotheses, n_best, self.tokenizers.target.writes_spaces)
            translations.append(Translation(sentence, tuple(joined)))
        return translations

    def _shown_as(self, raw: bool, replace_unknown: bool) -> Callable[[str], str]:
        """What makes of a text what the model is shown; options as in `translate`."""
        digits = self.tokenizers.target.hides_digits and not raw
        known = self.restoration.names if replace_unknown else KnownNames(frozenset(), None)

        def show(text: str) -> str:
            disguised = shown(text, known, digits, replace_unknown)
            if not replace_unknown or self._count_words(disguised) == len(disguised.split()):
                return disguised
            return shown(text, known, digits, False)  # names would not be found again

        return show

    def _count_words(self, text: str) -> int:
        tokenizer = self.tokenizers.source
        return len(words_of(tokenizer.pieces(tokenizer.encode([text])[0])).texts)

    def _reader(self, show: Callable[[str], str] = str) -> LineReader:
        return LineReader(self.tokenizers.source, self.config.data.max_length, show)

    def _show_prefix(
        self, prefix: str, sentences: Sequence[str], digits: bool, names: bool
    ) -> list[ShownWord]:
        words = [ShownWord(word, word, None) for word in prefix.split()]
        if names and words and self.restoration.names.usual:
            words = show_prefix(prefix, sentences, self.restoration.names)
        return [word._replace(text=show_numbers(word.text)) for word in words] if digits else words

    def _refuse_prefix(self, prefix: str) -> NoReturn:
        tokenizer = self.tokenizers.target
        unknown = (c for c in prefix if tokenizer.unknown_id in tokenizer.encode([c])[0])
        raise InputError(
            f"prefix: expected {tokenizer.language} text, found {next(unknown, prefix)!r}, which"
            " the tokenizer has never seen; leave it out"
        )

    def _search(
        self, parts: list[EncodedPart], limits: LengthLimits, options: SearchOptions
    ) -> list[list[SearchHypothesis]]:
        """Searches for all parts; only what begins a line is given its prefix."""
        found: list[list[SearchHypothesis]] = [[] for _ in parts]
        groups = {options: [], options._replace(prefix_ids=()): []}
        for i, part in enumerate(parts):
            groups[options if part.is_first else options._replace(prefix_ids=())].append(i)
        for its, members in groups.items():
            ids = [parts[i].ids for i in members]
            most = [limits.of(len(each), its) for each in ids]
            for i, hypotheses in zip(members, self.engine.search(ids, most, its)):
                found[i] = hypotheses
        return found

    def score(
        self, sources: Sequence[str], targets: Sequence[str], first_line: int = 1
    ) -> list[Score]:
        """Log probabilities of given translations, each token given all earlier ones.

        Args:
            sources: the sentences.
            targets: a translation of each.
            first_line: the number that errors give the first pair.

        Returns:
            One score a pair.

        Raises:
            InputError: a sentence or a translation is longer than the model takes.
        """
        source_ids, target_ids = self._encode_pairs(sources, targets, first_line)
        log_probabilities = self.engine.score(source_ids, target_ids)
        return [Score(*pair) for pair in zip(log_probabilities, (len(i) - 1 for i in target_ids))]

    def _encode_pairs(
        self, sources: Sequence[str], targets: Sequence[str], first_line: int = 1
    ) -> tuple[list[list[int]], list[list[int]]]:
        """The ids of both sides, start and end included; errors as in `score`."""
        reader, source_ids = self._reader(), []
        for number, text in enumerate(sources, first_line):
            parts = reader.read(text, f"line {number}", False, self.report)
            source_ids.append(parts[0].ids if parts else self.tokenizers.source.encode([""])[0])
        target_ids = self.tokenizers.target.encode(targets)
        longest = self.config.data.max_length
        for number, ids in enumerate(target_ids, first_line):
            if check_fit(ids, longest) is Fit.TOO_LONG:
                raise InputError(
                    f"line {number}: expected a translation of at most {longest} tokens, start and"
                    f" end included, found {len(ids)}; split the pair"
                )
        return source_ids, target_ids

    def attention(
        self, translations: Sequence[Translation], first_sentence: int = 1
    ) -> Iterator[AttentionRecord]:
        """Reads the attention of hypotheses by running the model once over each.

        Args:
            translations: of this run, by `translate` with ``apart`` or without ``split``.
            first_sentence: the number that records give the first sentence.

        Yields:
            Every layer's and head's scores of every hypothesis, exact for any beam.

        Raises:
            InputError: a translation is that of several sentences.
        """
        chosen = [
            (number, translation.source, rank, hypothesis)
            for number, translation in enumerate(translations, first_sentence)
            for rank, hypothesis in enumerate(translation.hypotheses, start=1)
            if hypothesis.ids  # else it was passed on as it was
        ]
        source, target = self.tokenizers
        source_ids = [its.source_ids or source.encode([text])[0] for _, text, _, its in chosen]
        if any(target.end_id in its.ids[:-1] for *_, its in chosen) or any(
            source.end_id in ids[:-1] for ids in source_ids
        ):
            raise InputError(
                "expected translations of single sentences, found one of several; translate with"
                " apart=True"
            )
        pairs = self._read_attention(source_ids, [[target.start_id, *i.ids] for *_, i in chosen])
        for (number, source, rank, its), record in zip(chosen, pairs):
            yield record._replace(
                source=source,
                hypothesis=its.text,
                sentence=number,
                rank=rank,
                score=its.score,
                log_probability=its.log_probability,
            )

    def attention_of_pairs(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> Iterator[AttentionRecord]:
        """Reads the attention of given translations, such as references.

        Args:
            sources: the sentences.
            targets: a translation of each.

        Yields:
            A record a pair; scores and log probabilities are left at 0.

        Raises:
            InputError: a sentence or a translation is longer than the model takes.
        """
        source_ids, target_ids = self._encode_pairs(sources, targets)
        records = self._read_attention(source_ids, target_ids)
        for number, (source, target, record) in enumerate(zip(sources, targets, records), start=1):
            yield record._replace(source=source, hypothesis=target, sentence=number)

    def _read_attention(
        self, source_ids: Sequence[Sequence[int]], target_ids: Sequence[Sequence[int]]
    ) -> Iterator[AttentionRecord]:
        """A record of each pair of ids, start and end included; without its texts."""
        model, (source, target) = self.model, self.tokenizers
        from translator.translation.attention_reading import read_attention

        known = RecordedModel(self.run.path.resolve().name, source.language, target.language)
        scores = read_attention(model, self.tokenizers, source_ids, target_ids)
        for pieces, produced, its in zip(source_ids, target_ids, scores):
            tokens = tuple(source.pieces(pieces)), tuple(target.pieces(produced))
            yield AttentionRecord("", "", *tokens, *its, model=known)

    def check_sentence(
        self,
        sentence: str,
        split: bool = True,
        errors: str = "strict",
        raw: bool = False,
        replace_unknown: bool = False,
    ) -> None:
        """Refuses a sentence that cannot be translated; options as in `translate`.

        Raises:
            InputError: as in `translate`.
        """
        reader = self._reader(self._shown_as(raw, replace_unknown))
        reader.read(sentence, "line 1", split, lambda notice: None, errors)

    def _read(
        self,
        part: EncodedPart,
        found: SearchHypothesis,
        options: SearchOptions,
        restores: bool,
        prefix: list[ShownWord],
    ) -> Hypothesis:
        """What was found, for a reader."""
        text = self.tokenizers.target.decode(found.ids)
        if found.alignment is not None:
            text = restore_text(
                Piecewise(
                    part.part.text,
                    self.tokenizers.source.pieces(part.ids),
                    self.tokenizers.target.pieces(found.ids),
                    found.alignment,
                    prefix if part.is_first else (),
                    part.part.begins,
                ),
                self.restoration,
                (self.tokenizers.source.language, self.tokenizers.target.language),
                restores,
                options.allow_unknown,
            )
        return Hypothesis(text, found.ids, found.log_probability, found.score, tuple(part.ids))
