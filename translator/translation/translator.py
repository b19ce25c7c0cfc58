"""Translates text with a trained run, scores given translations, and reads attention."""

import functools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from translator.attention.records import AttentionRecord, RecordedModel
from translator.base.errors import InputError
from translator.base.keras_startup import start_keras
from translator.base.texts import list_of_texts
from translator.runs.directory import RunDirectory
from translator.runs.exports import find_export
from translator.runs.weights import load_arrays, make_model, set_model_weights
from translator.search.engine import Engine, SearchHypothesis, SearchOptions
from translator.search.limits import LengthLimits
from translator.text.reading import LineReader, ReadSentence, SourceLine
from translator.text.restoration import Restoration
from translator.text.spans.kind import SpanKind
from translator.text.spans.registry import SpanSettings, active_kinds
from translator.text.word_alignment import pointing_heads
from translator.text.writing import TranslationWriter, show_prefix
from translator.translation.given_pairs import encode_pairs, list_pairs
from translator.translation.options import TranslationOptions
from translator.translation.results import Hypothesis, Score, Translation, join
from translator.translation.search_options import make_search_options

if TYPE_CHECKING:
    from translator.model.transformer import Transformer

ENGINES = ("keras", "ctranslate2")


class Translator:
    """A trained run, ready to translate and to show its attention.

    Args:
        run: its directory, or an export of it.
        engine: ``keras`` or ``ctranslate2``; None takes the export if there is one.
        report: called with a line before each wait, and with notices about the text.

    Attributes:
        config: the run's.
        tokenizers: the run's.
        corpus: the fingerprint of what it was trained on, if it is known.

    Raises:
        InputError: it is not a run directory, its files do not fit together, or
            the engine needs what it does not have.
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
        self._process = os.getpid()

    def __repr__(self) -> str:
        source, target = (tokenizer.language for tokenizer in self.tokenizers)
        sizes = self.config.model
        return (
            f"<Translator {source} to {target}: {str(self.run.path)!r}, {sizes.num_layers} layers,"
            f" {sizes.num_heads} heads, engine {self.engine.name}>"
        )

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
        """What this run needs to restore numbers, names and capitals in translations."""
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
        self, text: str | Iterable[str], options: TranslationOptions | None = None
    ) -> list[Translation]:
        """Translates lines of text, many at a time.

        Args:
            text: a line, or any iterable of lines; an empty line has an empty translation.
            options: how to translate.

        Returns:
            One translation for each line, in order; with ``per_sentence`` one for each
            sentence of each line.

        Raises:
            InputError: ``text`` is not text, an option is out of range, or a line has only
                characters that the tokenizer has never seen, or is not split and longer
                than the model takes.
        """
        self._check_process()
        options = _checked(options)
        reader = self.make_reader(options)
        lines = [
            reader.read(line, f"line {number}")
            for number, line in enumerate(list_of_texts(text), start=1)
        ]
        return self.translate_read(lines, options)

    def make_reader(self, options: TranslationOptions | None = None) -> LineReader:
        """What reads lines for `translate_read`."""
        options = _checked(options)
        return LineReader(
            self.tokenizers.source,
            self.config.data.max_length,
            self._span_kinds(options),
            options.split,
            options.errors,
            keeps_words=self._puts_back(options),
        )

    def _puts_back(self, options: TranslationOptions) -> bool:
        """Whether anything is put back in translations, for which attention is read by words."""
        has_kinds = bool(self._span_kinds(options))
        return has_kinds or options.replace_unknown or self._restores(options)

    def _restores(self, options: TranslationOptions) -> bool:
        """Whether digits and capitals that the tokenizer does not have are put back."""
        return self.tokenizers.target.masks_digits and not options.raw

    def _span_kinds(self, options: TranslationOptions) -> tuple[SpanKind, ...]:
        source, target = self.tokenizers
        names = self.restoration.names if options.replace_unknown else None
        languages = (source.language, target.language)
        return active_kinds(SpanSettings(languages, self._restores(options), names))

    def translate_read(
        self, lines: Sequence[SourceLine], options: TranslationOptions | None = None
    ) -> list[Translation]:
        """Translates lines that a reader of the same options has read.

        Args:
            lines: from `make_reader`.
            options: how to translate.

        Returns:
            As `translate`.

        Raises:
            InputError: an option is out of range.
        """
        self._check_process()
        options = _checked(options)
        kinds = self._span_kinds(options)
        prefix = show_prefix(options.prefix, [line.text for line in lines], kinds)
        puts_back = self._puts_back(options)
        search, limits = make_search_options(
            options, self.config, self.tokenizers.target, prefix, puts_back
        )
        for line in lines:
            for notice in line.notices:
                self.report(notice)
        asked = [one for line in lines for one in line.sentences if one.is_spelt]
        found = iter(self._search(asked, limits, search))
        writer = TranslationWriter(
            self.tokenizers,
            self.restoration if puts_back else Restoration.nothing(),
            kinds,
            prefix,
            restores_capitals=self._restores(options),
            copies_unknown=options.replace_unknown,
        )
        translations = []
        for line in lines:
            hypotheses = [
                [_hypothesis(writer, one, its) for its in next(found)]
                if one.is_spelt
                else [Hypothesis(one.passed_on, (), 0.0, 0.0)]
                for one in line.sentences
            ]
            parts = [one.part for one in line.sentences]
            if options.per_sentence:
                translations += [Translation(p.text, tuple(h)) for p, h in zip(parts, hypotheses)]
                continue
            spaces = self.tokenizers.target.writes_spaces
            joined = join(parts, hypotheses, options.n_best, spaces)
            translations.append(Translation(line.text, tuple(joined)))
        return translations

    def _check_process(self) -> None:
        """Refuses to work in a forked process, which has none of the engine's threads.

        Raises:
            InputError: the process was forked after the run was loaded.
        """
        if os.getpid() != self._process:
            advice = "start processes with multiprocessing's method 'spawn'"
            if self.engine.name == "ctranslate2":
                advice = f"load the run in each process, or {advice}"
            raise InputError(
                f"{self.run.path}: expected to be used in the process that loaded it, found a"
                f" forked one, where it would wait forever; {advice}"
            )

    def _search(
        self, sentences: Sequence[ReadSentence], limits: LengthLimits, options: SearchOptions
    ) -> list[list[SearchHypothesis]]:
        """Searches for all sentences; only the first of a line is given the prefix."""
        found: list[list[SearchHypothesis]] = [[] for _ in sentences]
        without_prefix = options._replace(prefix_ids=())
        groups: dict[SearchOptions, list[int]] = {options: [], without_prefix: []}
        for i, sentence in enumerate(sentences):
            groups[options if sentence.is_first else without_prefix].append(i)
        for its, members in groups.items():
            ids = [sentences[i].ids for i in members]
            most = [limits.of(len(each), its) for each in ids]
            for i, hypotheses in zip(members, self.engine.search(ids, most, its)):
                found[i] = hypotheses
        return found

    def score(
        self, sources: str | Iterable[str], targets: str | Iterable[str], first_line: int = 1
    ) -> list[Score]:
        """Log probabilities of given translations, each token given all earlier ones.

        Args:
            sources: a sentence, or any iterable of sentences.
            targets: a translation of each.
            first_line: the number that errors give the first pair.

        Returns:
            One score for each pair.

        Raises:
            InputError: a sentence or a translation is longer than the model takes.
        """
        self._check_process()
        pairs = list_pairs(sources, targets)
        longest = self.config.data.max_length
        source_ids, target_ids = encode_pairs(self.tokenizers, longest, *pairs, first_line)
        log_probabilities = self.engine.score(source_ids, target_ids)
        return [
            Score(*scored) for scored in zip(log_probabilities, (len(i) - 1 for i in target_ids))
        ]

    def attention(
        self, translations: Sequence[Translation], first_sentence: int = 1
    ) -> Iterator[AttentionRecord]:
        """Reads the attention of hypotheses by running the model once over each.

        Args:
            translations: of this run, by `translate` with ``per_sentence`` or without ``split``.
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
            if hypothesis.ids  # else the sentence was passed on as it was
        ]
        source, target = self.tokenizers
        source_ids = [its.source_ids or source.encode([text])[0] for _, text, _, its in chosen]
        if any(target.end_id in its.ids[:-1] for *_, its in chosen) or any(
            source.end_id in ids[:-1] for ids in source_ids
        ):
            raise InputError(
                "expected translations of single sentences, found one of several; translate with"
                " TranslationOptions(per_sentence=True)"
            )
        pairs = self._read_attention(source_ids, [[target.start_id, *i.ids] for *_, i in chosen])
        for (number, text, rank, its), record in zip(chosen, pairs):
            yield record._replace(
                source=text,
                hypothesis=its.text,
                sentence=number,
                rank=rank,
                score=its.score,
                log_probability=its.log_probability,
            )

    def attention_of_pairs(
        self, sources: str | Iterable[str], targets: str | Iterable[str]
    ) -> Iterator[AttentionRecord]:
        """Reads the attention of given translations, such as references.

        Args:
            sources: a sentence, or any iterable of sentences.
            targets: a translation of each.

        Yields:
            A record of each pair; scores and log probabilities are 0.

        Raises:
            InputError: a sentence or a translation is longer than the model takes.
        """
        pairs = list_pairs(sources, targets)
        ids = encode_pairs(self.tokenizers, self.config.data.max_length, *pairs)
        records = self._read_attention(*ids)
        for number, (source, target, record) in enumerate(zip(*pairs, records), start=1):
            yield record._replace(source=source, hypothesis=target, sentence=number)

    def _read_attention(
        self, source_ids: Sequence[Sequence[int]], target_ids: Sequence[Sequence[int]]
    ) -> Iterator[AttentionRecord]:
        """A record of each pair of ids, start and end included; without its texts."""
        self._check_process()
        model, (source, target) = self.model, self.tokenizers
        from translator.translation.attention_reading import read_attention

        known = RecordedModel(self.run.path.resolve().name, source.language, target.language)
        scores = read_attention(model, self.tokenizers, source_ids, target_ids)
        for pieces, produced, its in zip(source_ids, target_ids, scores):
            tokens = tuple(source.pieces(pieces)), tuple(target.pieces(produced))
            yield AttentionRecord("", "", *tokens, *its, model=known)


def _checked(options: TranslationOptions | None) -> TranslationOptions:
    if options is None:
        return TranslationOptions()
    if not isinstance(options, TranslationOptions):
        raise InputError(
            f"options: expected TranslationOptions, found {type(options).__name__}; such as"
            " TranslationOptions(beam_size=4)"
        )
    return options


def _hypothesis(
    writer: TranslationWriter, sentence: ReadSentence, found: SearchHypothesis
) -> Hypothesis:
    """What was found, written for a reader."""
    text = writer.write(sentence, found.ids, found.alignment)
    ids = tuple(sentence.ids)
    return Hypothesis(text, found.ids, found.log_probability, found.score, ids)
