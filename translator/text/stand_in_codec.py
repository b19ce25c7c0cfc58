"""The codec of models that have no masks: what they cannot spell is shown as a usual word."""

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from translator.base.languages import language_facts
from translator.corpora import SentencePairs
from translator.text.casing import CaseReader
from translator.text.codec import CodecOptions, Parts
from translator.text.read_lines import SourceLine
from translator.text.stand_ins.kind import SpanKind
from translator.text.stand_ins.known_names import KnownNames
from translator.text.stand_ins.name_contexts import NameContexts
from translator.text.stand_ins.reading import StandInReader
from translator.text.stand_ins.registry import SpanSettings, active_kinds
from translator.text.stand_ins.stand_ins import StandIns
from translator.text.stand_ins.writing import TranslationWriter, show_prefix


class Carried(NamedTuple):
    """What is carried over into translations.

    Attributes:
        kinds: of spans.
        other_kinds: the same kinds with other stand-ins.
    """

    kinds: tuple[SpanKind, ...]
    other_kinds: tuple[tuple[SpanKind, ...], ...] = ()


class StandInCodec:
    """See `translator.text.codec.Codec`.

    Args:
        parts: the run's.

    Raises:
        ValueError: what the run knows of names is damaged; so do KeyError, TypeError and
            AttributeError.
    """

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.names = KnownNames.from_json(parts.restoration.names)

    def reader(self, options: CodecOptions) -> StandInReader:
        """A reader of lines."""
        carried = self.carried(options)
        return StandInReader(
            self.parts.tokenizers.source,
            self.parts.max_length,
            carried.kinds,
            options.split,
            options.errors,
            keeps_words=bool(carried.kinds) or options.replace_unknown,
            case_reader=None if options.raw else self._case_reader,
            takes_out_marks=not options.raw,
            other_kinds=carried.other_kinds,
            tags=options.tags,
        )

    def writer(self, options: CodecOptions, lines: Sequence[SourceLine]) -> TranslationWriter:
        """A writer of the translations of lines that a reader of the same options has read."""
        kinds = self.carried(options).kinds
        has_marks = any(sentence.marks for line in lines for sentence in line.sentences)
        return TranslationWriter(
            self.parts.tokenizers,
            kinds,
            show_prefix(options.prefix, [line.text for line in lines], kinds),
            self.parts.restoration.truecaser if self._restores_text(options) else None,
            self.names if options.replace_unknown else None,
            fits_marks=not options.raw,
            lexicon=self.parts.lexicon() if has_marks else None,
        )

    def show_pairs(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """Pairs as they are: stand-ins are for texts whose translation is not known."""
        return list(sources), list(targets)

    @functools.cached_property
    def _case_reader(self) -> CaseReader | None:
        return self.parts.case_reader()

    def _restores_text(self, options: CodecOptions) -> bool:
        """Whether digits and capitals that the tokenizer does not have are put back."""
        return self.parts.tokenizers.target.masks_digits and not options.raw

    def carried(self, options: CodecOptions) -> Carried:
        """What is carried over with some options."""
        source, target = self.parts.tokenizers
        names = self.names
        settings = SpanSettings(
            (source.language, target.language),
            masks_digits=self._restores_text(options),
            names=names if options.replace_unknown else None,
            words=names.words,
        )
        if options.raw:
            return Carried(active_kinds(settings))
        usual = StandIns.of_run(names.usual_names, names.words, target.masks_digits)
        others = (
            settings._replace(
                names=settings.names and settings.names.in_order(each.names),
                stand_ins=each,
                exchanges_usual_names=True,
            )
            for each in usual.others()
        )
        return Carried(
            active_kinds(settings._replace(stand_ins=usual)), tuple(map(active_kinds, others))
        )


def learn_names(train: SentencePairs, language: str) -> dict[str, Any]:
    """What the codec needs to know of names, as JSON, from the text of the training split."""
    names = KnownNames.learn(*train, language)
    if language_facts(language).capitalizes_nouns:
        names = names._replace(contexts=NameContexts.learn(*train))
    return names.to_json()
