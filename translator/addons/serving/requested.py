"""Translates the texts and files of requests, in the way of LibreTranslate."""

import asyncio
import itertools
import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from translator.addons.documents.document import Document
from translator.addons.documents.files import READERS, Reading, find_format, write_translated
from translator.addons.serving.batching import Batcher
from translator.addons.serving.bodies import (
    FORMALITIES,
    FilePart,
    take_file,
    take_formality,
    take_glossary,
    take_number,
    take_text,
    take_texts,
)
from translator.addons.serving.limits import RequestError, ServerLimits
from translator.addons.serving.models import AUTO, Detected, Models
from translator.base.errors import InputError
from translator.text.formality import has_formality
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation

FORMATS = ("text", "html")
MAX_ALTERNATIVES = 8


class Answer(NamedTuple):
    """The answer for a text.

    Attributes:
        texts: its translations, the best first.
        confidence: the lowest confidence of its lines; None if no line has one.
        doubts: the reasons why the best translation is doubtful.
    """

    texts: list[str]
    confidence: float | None = None
    doubts: Sequence[str] = ()


def judge_translations(translations: Sequence[Translation]) -> tuple[float | None, list[str]]:
    """The lowest confidence of the lines of a text, and their doubts."""
    confidences = [
        translation.hypotheses[0].confidence
        for translation in translations
        if translation.hypotheses and translation.hypotheses[0].confidence is not None
    ]
    doubts = [
        f"line {number}: {doubt.text}" if len(translations) > 1 else doubt.text
        for number, translation in enumerate(translations, start=1)
        for doubt in translation.doubts
    ]
    return (round(min(confidences), 2) if confidences else None), doubts


def nth_best(translation: Translation, rank: int) -> Translation:
    """Keeps only the hypothesis of a rank; if there are fewer hypotheses, the last of them."""
    last = len(translation.hypotheses) - 1
    return translation._replace(hypotheses=translation.hypotheses[min(rank, last) :][:1])


def show_hypotheses(translation: Translation) -> list[dict[str, Any]]:
    """The best translations of a line, each with its words and their confidences."""
    hypotheses = [
        {"text": hypothesis.text, "score": hypothesis.score, "words": hypothesis.words}
        for hypothesis in translation.hypotheses
    ]
    return hypotheses or [{"text": translation.text}]


async def find_source(models: Models, language: str, text: str) -> Detected:
    """The language of a text from the request; if the request says "auto", it is detected."""
    if language != AUTO:
        return Detected(language, 100.0)
    return (await asyncio.to_thread(models.detect, text))[0]


def options_of(
    batcher: Batcher, alternatives: int, formality: str = "default", **more_options: Any
) -> TranslationOptions:
    """The options for some alternatives, with a beam that is wide enough.

    Args:
        formality: see `FORMALITIES`; if the model has no formality, a preference is ignored.
    """
    config = batcher.translator.config
    beam_size = max(config.decoding.beam_size, alternatives + 1)
    is_dropped = formality.startswith("prefer_") and not has_formality(config.tokenizer.tags)
    known_formality = None if is_dropped else FORMALITIES[formality]
    return TranslationOptions(
        n_best=alternatives + 1, beam_size=beam_size, formality=known_formality, **more_options
    )


async def translate_texts(
    models: Models, limits: ServerLimits, fields: dict[str, Any]
) -> dict[str, Any]:
    """Translates the text or the texts of a request.

    Raises:
        RequestError: the fields are wrong, or they ask for too much.
    """
    texts, is_list = take_texts(fields, limits)
    format_name = take_text(fields, "format", FORMATS[0])
    if format_name not in FORMATS:
        raise RequestError(400, f"format: expected text or html, found {format_name:.40}")
    alternatives = take_number(fields, "alternatives", 0, MAX_ALTERNATIVES)
    glossary, formality = take_glossary(fields, limits), take_formality(fields)
    target = models.find_code(take_text(fields, "target"))
    source_code = models.find_code(take_text(fields, "source", AUTO))
    sources = [await find_source(models, source_code, text) for text in texts]
    answers = [Answer([text]) for text in texts]  # a text in the target language stays
    for language in {source.language for source in sources} - {target}:
        numbers = [i for i, source in enumerate(sources) if source.language == language]
        batcher = await asyncio.to_thread(models.batcher, language, target)
        options = options_of(batcher, alternatives, formality, glossary=glossary)
        new_answers = await _translate(batcher, [texts[i] for i in numbers], format_name, options)
        for i, answer in zip(numbers, new_answers):
            answers[i] = answer
    values: dict[str, Any] = {
        "translatedText": [answer.texts[0] for answer in answers],
        "confidence": [answer.confidence for answer in answers],
        "doubts": [answer.doubts for answer in answers],
    }
    if alternatives:
        values["alternatives"] = [answer.texts[1:] for answer in answers]
    if not is_list:
        values = {name: entries[0] for name, entries in values.items()}
    if source_code == AUTO:
        languages = [source.to_json() for source in sources]
        values["detectedLanguage"] = languages if is_list else languages[0]
    return values


async def _translate(
    batcher: Batcher, texts: Sequence[str], format_name: str, options: TranslationOptions
) -> list[Answer]:
    """The best translations of each text."""

    def read() -> list[Document | None]:
        languages = [tokenizer.language for tokenizer in batcher.translator.tokenizers]
        return [
            READERS["html"](text.encode(), "q", Reading(languages))
            if format_name == "html"
            else None
            for text in texts
        ]

    try:
        pages = await asyncio.to_thread(read)
    except InputError as error:
        raise RequestError(400, str(error)) from None
    line_groups = [
        text.split("\n") if page is None else [part.source for part in page.texts]
        for text, page in zip(texts, pages)
    ]
    remaining = iter(await batcher.translate([*itertools.chain(*line_groups)], options))
    answers = []
    for page, lines in zip(pages, line_groups):
        translations = list(itertools.islice(remaining, len(lines)))
        most = max((len(translation.hypotheses) for translation in translations), default=0)
        ranks = range(min(options.n_best, max(1, most)))
        versions = [_write(page, translations, rank) for rank in ranks]
        answers.append(Answer([text for text, _ in versions], *judge_translations(versions[0][1])))
    return answers


def _write(
    page: Document | None, translations: Sequence[Translation], rank: int
) -> tuple[str, Sequence[Translation]]:
    """Writes a page, or the lines of a text, with translations of a rank; returns both."""
    translations = [nth_best(translation, rank) for translation in translations]
    if page is None:
        return "\n".join(translation.text for translation in translations), translations
    content, placed_translations = write_translated(page, translations)
    return content.decode(), [translation for _, translation in placed_translations]


async def translate_file(
    models: Models, limits: ServerLimits, fields: dict[str, Any]
) -> tuple[FilePart, list[str]]:
    """Translates the file of a request; see `translate_texts`.

    Returns:
        The file in the other language, and the doubts, each with its place.
    """
    file = take_file(fields)
    glossary, formality = take_glossary(fields, limits), take_formality(fields)
    target = models.find_code(take_text(fields, "target"))
    source_code = models.find_code(take_text(fields, "source", AUTO))
    columns = [take_text(fields, "column")] if fields.get("column") else []
    try:
        format_name = find_format(Path(file.name), None, "give it an ending such as .md")
        reading = Reading(("" if source_code == AUTO else source_code, target), columns)
        document = await asyncio.to_thread(READERS[format_name], file.content, file.name, reading)
    except InputError as error:
        raise RequestError(400, str(error)) from None
    except ModuleNotFoundError as error:
        raise RequestError(501, f"file: {format_name} needs {error.name} on the server") from None
    sources = [text.source for text in document.texts]
    text = "\n".join(sources)[: limits.characters]
    source = (await find_source(models, source_code, text)).language
    if source == target or not sources:
        return file, []  # a file in the target language stays as it is
    batcher = await asyncio.to_thread(models.batcher, source, target)
    options = options_of(batcher, 0, formality, glossary=glossary)
    translations = await batcher.translate(sources, options)
    content, results = await asyncio.to_thread(write_translated, document, translations)
    doubts = [f"{place}: {doubt.text}" for place, result in results for doubt in result.doubts]
    return file._replace(content=content), doubts


class TranslatedFiles:
    """Keeps translated files in memory for some minutes."""

    def __init__(self, limits: ServerLimits) -> None:
        self.limits = limits
        self._files: dict[str, tuple[float, FilePart]] = {}

    def keep(self, file: FilePart) -> str:
        """Keeps a file; returns its key."""
        self._forget()
        while len(self._files) >= self.limits.files:  # removes the oldest
            del self._files[next(iter(self._files))]
        key = secrets.token_urlsafe(16)
        self._files[key] = time.monotonic(), file
        return key

    def find(self, key: str) -> FilePart:
        """The file of a key."""
        self._forget()
        if key not in self._files:
            raise RequestError(404, "expected the address of a translated file, found no file")
        return self._files[key][1]

    def _forget(self) -> None:
        oldest = time.monotonic() - self.limits.seconds_of_file
        self._files = {key: entry for key, entry in self._files.items() if entry[0] >= oldest}
