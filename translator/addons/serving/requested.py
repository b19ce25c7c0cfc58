"""The translations that requests ask for: of texts and of files, as LibreTranslate has them."""

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
from translator.text.formality import can_be_told
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation

FORMATS = ("text", "html")
MAX_ALTERNATIVES = 8


class Answer(NamedTuple):
    """What is said of a text.

    Attributes:
        texts: its translations, the best first.
        confidence: the lowest of its lines; None where no line has one.
        doubts: why the best translation is doubtful.
    """

    texts: list[str]
    confidence: float | None = None
    doubts: Sequence[str] = ()


def judge_translations(
    translations: Sequence[Translation],
) -> tuple[float | None, list[str]]:
    """The lowest confidence of the lines of a text, and their doubts."""
    known = [
        each.hypotheses[0].confidence
        for each in translations
        if each.hypotheses and each.hypotheses[0].confidence is not None
    ]
    doubts = [
        f"line {number}: {doubt.text}" if len(translations) > 1 else doubt.text
        for number, each in enumerate(translations, start=1)
        for doubt in each.doubts
    ]
    return (round(min(known), 2) if known else None), doubts


def nth(translation: Translation, rank: int) -> Translation:
    """A line with one of its hypotheses, or its last one where it has fewer."""
    last = len(translation.hypotheses) - 1
    return translation._replace(hypotheses=translation.hypotheses[min(rank, last) :][:1])


def show_hypotheses(translation: Translation) -> list[dict[str, Any]]:
    """The best translations of a line, each with its words and their confidences."""
    shown = [
        {"text": hypothesis.text, "score": hypothesis.score, "words": hypothesis.words}
        for hypothesis in translation.hypotheses
    ]
    return shown or [{"text": translation.text}]


async def find_source(models: Models, asked: str, text: str) -> Detected:
    """The language of a text, as it is said or detected."""
    if asked != AUTO:
        return Detected(asked, 100.0)
    return (await asyncio.to_thread(models.detect, text))[0]


def options_of(
    batcher: Batcher, alternatives: int, formality: str = "default", **others: Any
) -> TranslationOptions:
    """The options for some alternatives, with a beam that is wide enough.

    Args:
        formality: see `FORMALITIES`; a model that cannot be told does without what is preferred.
    """
    config = batcher.translator.config
    beam_size = max(config.decoding.beam_size, alternatives + 1)
    is_left_out = formality.startswith("prefer_") and not can_be_told(config.tokenizer.tags)
    form = None if is_left_out else FORMALITIES[formality]
    return TranslationOptions(
        n_best=alternatives + 1, beam_size=beam_size, formality=form, **others
    )


async def translate_texts(
    models: Models, limits: ServerLimits, fields: dict[str, Any]
) -> dict[str, Any]:
    """Translates the text or the texts of a request.

    Raises:
        RequestError: the fields are wrong, or ask for too much.
    """
    texts, is_list = take_texts(fields, limits)
    form = take_text(fields, "format", FORMATS[0])
    if form not in FORMATS:
        raise RequestError(400, f"format: expected text or html, found {form:.40}")
    count = take_number(fields, "alternatives", 0, MAX_ALTERNATIVES)
    chosen: dict[str, Any] = {
        "glossary": take_glossary(fields, limits),
        "formality": take_formality(fields),
    }
    target = models.known(take_text(fields, "target"))
    asked = models.known(take_text(fields, "source", AUTO))
    detected = [await find_source(models, asked, text) for text in texts]
    found = [Answer([text]) for text in texts]  # what is in the target language stays
    for source in {each.language for each in detected} - {target}:
        places = [i for i, each in enumerate(detected) if each.language == source]
        batcher = await asyncio.to_thread(models.batcher, source, target)
        options, asked_for = options_of(batcher, count, **chosen), [texts[i] for i in places]
        for i, answer in zip(places, await _translate(batcher, asked_for, form, options)):
            found[i] = answer
    values: dict[str, Any] = {
        "translatedText": [each.texts[0] for each in found],
        "confidence": [each.confidence for each in found],
        "doubts": [each.doubts for each in found],
    }
    if count:
        values["alternatives"] = [each.texts[1:] for each in found]
    if not is_list:
        values = {name: each[0] for name, each in values.items()}
    if asked == AUTO:
        languages = [each.to_json() for each in detected]
        values["detectedLanguage"] = languages if is_list else languages[0]
    return values


async def _translate(
    batcher: Batcher, texts: Sequence[str], form: str, options: TranslationOptions
) -> list[Answer]:
    """The best translations of each text."""

    def read() -> list[Document | None]:
        languages = [tokenizer.language for tokenizer in batcher.translator.tokenizers]
        return [
            READERS[form](text.encode(), "q", Reading(languages)) if form == "html" else None
            for text in texts
        ]

    try:
        pages = await asyncio.to_thread(read)
    except InputError as error:
        raise RequestError(400, str(error)) from None
    parts = [
        text.split("\n") if page is None else [each.source for each in page.texts]
        for text, page in zip(texts, pages)
    ]
    translated = iter(await batcher.translate([part for each in parts for part in each], options))
    found = []
    for page, part in zip(pages, parts):
        translations = list(itertools.islice(translated, len(part)))
        most = max((len(each.hypotheses) for each in translations), default=0)
        ranks = range(min(options.n_best, max(1, most)))
        written = [_write(page, [nth(each, rank) for each in translations]) for rank in ranks]
        found.append(Answer([text for text, _ in written], *judge_translations(written[0][1])))
    return found


def _write(
    page: Document | None, translations: Sequence[Translation]
) -> tuple[str, Sequence[Translation]]:
    """A page, or the lines of a text, with their translations, and what is told of each."""
    if page is None:
        return "\n".join(each.text for each in translations), translations
    content, told = write_translated(page, translations)
    return content.decode(), [translation for _, translation in told]


async def translate_file(
    models: Models, limits: ServerLimits, fields: dict[str, Any]
) -> tuple[FilePart, list[str]]:
    """Translates the file of a request; see `translate_texts`.

    Returns:
        The file in the other language, and the doubts, each with its place.
    """
    given = take_file(fields)
    chosen: dict[str, Any] = {
        "glossary": take_glossary(fields, limits),
        "formality": take_formality(fields),
    }
    target = models.known(take_text(fields, "target"))
    asked = models.known(take_text(fields, "source", AUTO))
    columns = [take_text(fields, "column")] if fields.get("column") else []
    try:
        form = find_format(Path(given.name), None, "name it by what it is, such as notes.md")
        reading = Reading(("" if asked == AUTO else asked, target), columns)
        document = await asyncio.to_thread(READERS[form], given.content, given.name, reading)
    except InputError as error:
        raise RequestError(400, str(error)) from None
    except ModuleNotFoundError as error:
        raise RequestError(501, f"file: {form} needs {error.name} on the server") from None
    sources = [text.source for text in document.texts]
    source = (await find_source(models, asked, "\n".join(sources)[: limits.characters])).language
    if source == target or not sources:
        return given, []  # what is in the target language stays as it is
    batcher = await asyncio.to_thread(models.batcher, source, target)
    translations = await batcher.translate(sources, options_of(batcher, 0, **chosen))
    content, told = await asyncio.to_thread(write_translated, document, translations)
    doubts = [f"{place}: {doubt.text}" for place, each in told for doubt in each.doubts]
    return given._replace(content=content), doubts


class TranslatedFiles:
    """Keeps translated files in memory for some minutes."""

    def __init__(self, limits: ServerLimits) -> None:
        self.limits = limits
        self._files: dict[str, tuple[float, FilePart]] = {}

    def keep(self, file: FilePart) -> str:
        """Keeps a file; returns its key."""
        self._forget()
        while len(self._files) >= self.limits.files:  # the oldest one goes
            del self._files[next(iter(self._files))]
        key = secrets.token_urlsafe(16)
        self._files[key] = time.monotonic(), file
        return key

    def find(self, key: str) -> FilePart:
        """The file of a key."""
        self._forget()
        if key not in self._files:
            raise RequestError(404, "expected the address of a translated file, found none there")
        return self._files[key][1]

    def _forget(self) -> None:
        oldest = time.monotonic() - self.limits.seconds_of_file
        self._files = {key: kept for key, kept in self._files.items() if kept[0] >= oldest}
