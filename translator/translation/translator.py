"""Translates text with a trained run, scores given translations, and reads attention."""

import functools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from translator.base.errors import InputError
from translator.base.progress import progress
from translator.base.texts import list_of_texts
from translator.runs.choosing import find_run
from translator.runs.directory import RunDirectory
from translator.runs.exports import find_export, reading_installed
from translator.search.engine import Engine
from translator.text.agreement import AgreementJudge
from translator.text.alignment_heads import pointing_heads
from translator.text.codec import Codec, Parts
from translator.text.learnt_words import LearntWords
from translator.text.read_lines import SourceLine
from translator.text.reading import LineReader
from translator.tokenizers.words import words_of
from translator.translation.given_pairs import (
    encode_pairs,
    hypothesis_pairs,
    list_pairs,
    make_score,
)
from translator.translation.options import TranslationOptions, checked_options
from translator.translation.records import AttentionRecord, RecordedModel
from translator.translation.results import (
    ASSESSORS,
    Doubt,
    Hypothesis,
    Score,
    Translation,
    join,
    join_samples,
    with_asides,
)
from translator.translation.sentence_translator import (
    SentenceTranslator,
    make_codec_options,
    make_search_options,
    pass_on,
)

if TYPE_CHECKING:
    from translator.config.schema import Config
    from translator.model.transformer import Transformer

ENGINES = ("keras", "ctranslate2")


class Translator:
    """A trained run, ready to translate and to show its attention.

    Args:
        run: a directory that ``translator train`` wrote, an export of it, or the name of a model
            that comes with the program, such as ``en-de``.
        engine: ``keras`` or ``ctranslate2``; None takes the export if there is one.
        report: called with a line before each wait, and with notices about the text.

    Attributes:
        run: the paths of the run's files.
        settings: the part of its configuration that translating needs.
        tokenizers: of the source and of the target.
        words: the words of its training split, with spellings, names and translations.
        engine: searches for translations.
        corpus: the fingerprint of the corpus that the run was trained on, if it is known.

    Raises:
        InputError: it is not a run directory, its files do not fit together, there is no such
            engine, or the run lacks a file that the engine needs.
    """

    def __init__(
        self,
        run: str | Path | RunDirectory,
        engine: str | None = None,
        report: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.run = run if isinstance(run, RunDirectory) else find_run(run)
        self.report = report
        with reading_installed(self.run):
            self.settings = self.run.read_settings()
            self.tokenizers = self.run.read_tokenizers(self.settings)
            self.words = LearntWords.load(self.run.path)
            self.engine = self._open_engine(engine)
        self.corpus = self.run.read_record().corpus
        self._process = os.getpid()

    def __repr__(self) -> str:
        sizes, languages = self.config.model, " to ".join(self.tokenizers.languages)
        return (
            f"<Translator {languages}: {str(self.run.path)!r}, {sizes.num_layers} layers,"
            f" {sizes.heads_of('cross')} heads, engine {self.engine.name}>"
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

        heads = pointing_heads(self.run.read_record().alignment, self.config.model)
        return KerasEngine(model, self.tokenizers, heads)

    @functools.cached_property
    def config(self) -> "Config":
        """The run's configuration."""
        return self.run.read_config()

    @functools.cached_property
    def codec(self) -> Codec:
        """Converts text to ids for the model, and ids from the model to text."""
        data = self.settings.data
        settings, tags = (data.word_pairs, data.truecase), self.run.read_record().tags
        return Codec(Parts(self.tokenizers, data.max_length, self.words, *settings, tags))

    @functools.cached_property
    def assessor(self) -> Any:
        """Judges how sure the run is of a translation; None without a confidence model."""
        return next(iter(ASSESSORS.ask(self)), None)

    @functools.cached_property
    def model(self) -> "Transformer":
        """The run's `Transformer`, a Keras model, with its best weights; loading takes seconds.

        A call takes source ids (B, S) and target ids (B, T) from ``tokenizers`` and returns logits
        (B, T, V). The weights of an export have the rounding of its quantization.

        Raises:
            InputError: the weights are missing, damaged or from another run.
        """
        from translator.base.keras_startup import start_keras
        from translator.runs.export_layout import load_weights
        from translator.runs.weights import make_model, set_model_weights

        arrays = load_weights(self.run)
        start_keras()
        with progress("loading the model"):
            model = make_model(self.config, self.tokenizers)
            set_model_weights(model, arrays, self.run.weights)
        return model

    @functools.cached_property
    def _agreement(self) -> AgreementJudge:
        """Compares translations with their sentences."""
        return AgreementJudge(*self.tokenizers.languages)

    @property
    def recorded_model(self) -> RecordedModel:
        """The facts about the model for records and explanations."""
        return RecordedModel(self.run.path.resolve().name, *self.tokenizers.languages)

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
            InputError: ``text`` is not text, or an option is out of range. If ``errors`` is
                ``strict``, also for a line that has only characters that the tokenizer has never
                seen, or that is too long for the model and not split.
        """
        self._check_process()
        reader = self.make_reader(options)
        lines = [
            reader.read(line, f"line {number}")
            for number, line in enumerate(list_of_texts(text), start=1)
        ]
        return self.translate_read(lines, options)

    def make_reader(self, options: TranslationOptions | None = None) -> LineReader:
        """Makes the reader of lines for `translate_read`."""
        checked = checked_options(options, self.tokenizers.source.tags)
        return self.codec.reader(make_codec_options(checked))

    def translate_read(
        self, lines: Sequence[SourceLine], options: TranslationOptions | None = None
    ) -> list[Translation]:
        """Translates lines that were read with the same options.

        Args:
            lines: from `make_reader`.
            options: how to translate.

        Returns:
            The same as `translate`.

        Raises:
            InputError: an option is out of range.
        """
        self._check_process()
        options = checked_options(options, self.tokenizers.source.tags)
        target = self.tokenizers.target
        writer = self.codec.writer(make_codec_options(options))
        search, limits = make_search_options(options, self.settings, target, writer.prefix)
        judge = None if options.raw else self._agreement
        sentence_translator = SentenceTranslator(
            self.engine, search, limits, writer, target.size, judge
        )
        spelt = [sentence for line in lines for sentence in line.sentences if sentence.is_spelt]
        n_best_lists = sentence_translator.translate(spelt)
        if self.assessor is not None:
            length, with_doubts = len(search.prefix_ids), not options.sample
            n_best_lists = self.assessor.assess(
                spelt, n_best_lists, length, options.word_confidence, with_doubts
            )
        remaining = iter(n_best_lists)
        translations = []
        for line in lines:
            choices = [
                next(remaining) if sentence.is_spelt else [pass_on(sentence)]
                for sentence in line.sentences
            ]
            parts = [sentence.part for sentence in line.sentences]
            if options.per_sentence:
                notices = line.notices  # are reported with the first sentence
                for sentence, hypotheses in zip(line.sentences, with_asides(parts, choices)):
                    sentence_line = SourceLine(sentence.part.text, (sentence,), notices)
                    translations.append(self._make_translation(sentence_line, hypotheses))
                    notices = ()
                continue
            join_parts = join_samples if options.sample else join
            joined = [
                hypothesis._replace(text=f"{line.mark}{hypothesis.text}{line.end}")
                for hypothesis in join_parts(parts, choices, options.n_best, target.writes_spaces)
            ]
            translations.append(self._make_translation(line, joined))
        return translations

    def _make_translation(self, line: SourceLine, hypotheses: Sequence[Hypothesis]) -> Translation:
        """A line with its hypotheses, and the doubts about the best of them."""
        notices = tuple(Doubt(*notice) for notice in line.notices)
        if not hypotheses:
            return Translation(line.text, (), notices)
        doubts = hypotheses[0].doubts
        if self.assessor is not None and not (notices and not hypotheses[0].ids):
            doubts = (*self.assessor.doubts(line, hypotheses[0].text), *doubts)
        return Translation(line.text, tuple(hypotheses), (*notices, *doubts))

    def _check_process(self) -> None:
        """Refuses a forked process, because it lacks the engine's threads."""
        if os.getpid() != self._process:
            advice = "start processes with multiprocessing's method 'spawn'"
            if self.engine.name == "ctranslate2":
                advice = f"load the run in each process, or {advice}"
            raise InputError(
                f"{self.run.path}: expected the process that loaded this run, found a forked"
                f" process, where it would wait forever; {advice}"
            )

    def score(
        self, sources: str | Iterable[str], targets: str | Iterable[str], first_line: int = 1
    ) -> list[Score]:
        """Log probabilities of given translations, each token given all earlier tokens.

        Args:
            sources: a sentence, or any iterable of sentences.
            targets: a translation of each.
            first_line: the line number that error messages give to the first pair.

        Returns:
            One score for each pair.

        Raises:
            InputError: a sentence or a translation is longer than the model takes.
        """
        self._check_process()
        pairs = list_pairs(sources, targets)
        max_length = self.settings.data.max_length
        shown = self.codec.show_pairs(*pairs)
        source_ids, target_ids = encode_pairs(self.tokenizers, max_length, *shown, first_line)
        rows = self.engine.score(source_ids, target_ids)
        texts = (self.tokenizers.source.split_tags(source)[1] for source in pairs[0])
        return [
            make_score(self.tokenizers.target, self.assessor, source, ids[1:], row)
            for source, ids, row in zip(texts, target_ids, rows)
        ]

    def attention(
        self, translations: Translation | Iterable[Translation], first_sentence: int = 1
    ) -> Iterator[AttentionRecord]:
        """Reads the attention of hypotheses. The model runs once over each.

        Args:
            translations: one or more of this run. Each is of a line with one sentence, or was made
                with ``per_sentence``.
            first_sentence: the number of the first sentence in records.

        Yields:
            The scores of all layers and heads for every hypothesis, exact for any beam.

        Raises:
            InputError: these are not translations, or one of them has several sentences.
        """
        pairs = hypothesis_pairs(self.tokenizers, translations, first_sentence)
        records = self.attention_of_ids(
            [pair.source_ids for pair in pairs], [pair.target_ids for pair in pairs]
        )
        for pair, record in zip(pairs, records):
            yield record._replace(
                source=pair.source,
                hypothesis=pair.hypothesis.text,
                sentence=pair.sentence,
                rank=pair.rank,
                score=pair.hypothesis.score,
                log_probability=pair.hypothesis.log_probability,
                confidence=pair.hypothesis.confidence,
                word_confidences=tuple((word, value) for word, value in pair.hypothesis.words),
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
        shown = self.codec.show_pairs(*pairs)
        ids = encode_pairs(self.tokenizers, self.settings.data.max_length, *shown)
        records = self.attention_of_ids(*ids)
        for number, (source, target, record) in enumerate(zip(*pairs, records), start=1):
            yield record._replace(source=source, hypothesis=target, sentence=number)

    def attention_of_ids(
        self, source_ids: Sequence[Sequence[int]], target_ids: Sequence[Sequence[int]]
    ) -> Iterator[AttentionRecord]:
        """Reads the attention of encoded pairs.

        Args:
            source_ids: of sentences, start and end included.
            target_ids: of their translations.

        Yields:
            A record of each pair, without its texts.
        """
        self._check_process()
        model, (source, target) = self.model, self.tokenizers
        from translator.text.word_alignment import aligning_head
        from translator.translation.attention_reading import read_attention

        recorded = self.run.read_record().alignment
        usual_head = recorded and (recorded.layer, recorded.heads[0])
        scores = read_attention(model, self.tokenizers, source_ids, target_ids)
        for source_row, target_row, attention in zip(source_ids, target_ids, scores):
            pieces = tuple(source.pieces(source_row)), tuple(target.pieces(target_row))
            words = words_of(pieces[1][1:]), words_of(pieces[0])
            aligning = aligning_head(attention.cross, *words, self.words.source) or usual_head
            record = AttentionRecord("", "", *pieces, *attention, model=self.recorded_model)
            yield record._replace(aligning=aligning)
