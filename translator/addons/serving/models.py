"""The models that a server has, by their languages."""

import itertools
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from translator.addons.inspection.languages import LanguageIdentifier
from translator.addons.serving.batching import Batcher
from translator.addons.serving.limits import RequestError, ServerLimits
from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.base.texts import listed
from translator.runs.choosing import find_run, shipped_models
from translator.runs.directory import RunDirectory
from translator.text.formality import has_formality
from translator.translation.translator import Translator

AUTO = "auto"


class Detected(NamedTuple):
    """A language that was identified.

    Attributes:
        confidence: from 0 to 100.
    """

    language: str
    confidence: float

    def to_json(self) -> dict[str, object]:
        """The language in the form of the API."""
        return {"language": self.language, "confidence": round(self.confidence, 1)}


class Models:
    """Opens runs, one for each pair of languages, and loads them when they are first needed.

    Args:
        runs: names or paths; the models that come with the program if there are none.
        report: called with a line before each wait.

    Attributes:
        with_formality: the pairs of languages whose models know formal and informal address.
    """

    def __init__(
        self,
        runs: Sequence[str | Path],
        limits: ServerLimits,
        report: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.limits = limits
        self.report = report
        self._runs: dict[tuple[str, str], RunDirectory] = {}
        self.with_formality: list[tuple[str, str]] = []
        self._batchers: dict[tuple[str, str], Batcher] = {}
        for run in map(find_run, runs or shipped_models().values()):
            config = run.read_config()
            pair = _code(config.corpus.source_language), _code(config.corpus.target_language)
            if pair in self._runs:
                raise InputError(
                    f"{run.path}: expected one run for each pair of languages, found"
                    f" {self._runs[pair].path} from {pair[0]} to {pair[1]} too; name one of them"
                )
            self._runs[pair] = run
            self.with_formality += [pair] * has_formality(config.tokenizer.tags)
        self._identifier: LanguageIdentifier | None = None
        self._loading = threading.Lock()  # several first requests may come at once

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Source and target language of each model."""
        return list(self._runs)

    def languages(self) -> list[dict[str, object]]:
        """The source languages, each with its target languages."""
        sources = dict.fromkeys(source for source, _ in self._runs)
        return [
            {
                "code": source,
                "name": language_facts(source).name or source,
                "targets": [target for language, target in self._runs if language == source],
            }
            for source in sources
        ]

    def load_all(self) -> None:
        """Loads all models, so that the first request does not wait."""
        for pair in self._runs:
            self.batcher(*pair)

    def batcher(self, source: str, target: str) -> Batcher:
        """The model for a pair of languages. Several threads may call this at once."""
        pair = self._pair(source, target)
        with self._loading:
            if pair not in self._batchers:
                translator = Translator(self._runs[pair], None, self.report)
                self._batchers[pair] = Batcher(translator, self.limits)
            return self._batchers[pair]

    def find_code(self, language: str) -> str:
        """The code of a language. A model must know the language; "auto" stays "auto"."""
        codes = list(dict.fromkeys(itertools.chain(*self._runs)))
        if language != AUTO and _code(language) not in codes:
            raise RequestError(400, f"expected one of {listed(codes)}, found {language:.20}")
        return language if language == AUTO else _code(language)

    def _pair(self, source: str, target: str) -> tuple[str, str]:
        pair = _code(source), _code(target)
        if pair not in self._runs:
            pairs = ", ".join(map(" to ".join, self._runs))
            raise RequestError(400, f"expected one of {pairs}, found {source:.20} to {target:.20}")
        return pair

    def first_target(self, language: str) -> str:
        """The first target language of a source language; the language itself if there is none."""
        code = _code(language)
        return next((target for source, target in self._runs if source == code), language)

    def detect(self, text: str) -> list[Detected]:
        """The source languages of the models, the likeliest first."""
        codes = list(dict.fromkeys(source for source, _ in self._runs))
        if len(codes) == 1:
            return [Detected(codes[0], 100.0)]
        if self._identifier is None:
            try:
                self._identifier = LanguageIdentifier()
            except ModuleNotFoundError:
                raise RequestError(400, "source: auto needs the extra inspect") from None
        likely = self._identifier.probabilities(text)
        shares = {code: likely.get(self._identifier.name(code) or code, 0.0) for code in codes}
        total = sum(shares.values()) or 1.0
        languages = [Detected(code, 100 * share / total) for code, share in shares.items()]
        return sorted(languages, key=lambda language: -language.confidence)

    async def close(self) -> None:
        """Ends the work of all models."""
        for batcher in self._batchers.values():
            await batcher.close()


def _code(language: str) -> str:
    return language_facts(language).code
