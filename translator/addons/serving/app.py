"""The server: a page, and a JSON API that clients of LibreTranslate know."""

import asyncio
import contextlib
import functools
import itertools
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from translator.addons.documents.formats import READERS, Reading, format_of
from translator.addons.documents.translation import write_translated
from translator.addons.serving.answers import (
    KINDS,
    PAGE_HEADERS,
    Answer,
    attention_json,
    error_answer,
    error_page,
    join_answers,
    json_line,
    judge_translations,
    nth_text,
    show_hypotheses,
    while_connected,
)
from translator.addons.serving.batching import Batcher, Steps
from translator.addons.serving.bodies import (
    read_fields,
    take_file,
    take_number,
    take_text,
    take_texts,
)
from translator.addons.serving.guard import Guard
from translator.addons.serving.limits import RequestError, ServerLimits
from translator.addons.serving.models import AUTO, Detected, Models
from translator.addons.serving.page.pages import api_page, live_page
from translator.addons.serving.texts import HtmlText, PlainText
from translator.addons.serving.translated_files import TranslatedFiles
from translator.base.errors import InputError
from translator.base.version import __version__
from translator.translation.options import TranslationOptions
from translator.translation.records import AttentionRecord

FORMATS = ("text", "html")
MAX_ALTERNATIVES = 8
FEWEST_LETTERS = 20  # of a line whose own language is told
SECONDS_BETWEEN_DRAFTS = 0.05  # nobody reads faster
FAILED = "expected an answer, found an error of the server; its log says more"
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
Handler = Callable[[Request], Awaitable[Response]]


def make_app(
    models: Models,
    limits: ServerLimits,
    allowed_hosts: Sequence[str] | None = LOCAL_NAMES,
    allowed_origins: Sequence[str] = (),
) -> Starlette:
    """Makes the application.

    Args:
        models: that translate.
        limits: of requests.
        allowed_hosts: names that the server may be called by, without ports; any if None. A page
            of another site cannot reach the server under a name of its own.
        allowed_origins: sites whose pages may call the API.
    """
    server = _Server(models, limits)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await models.close()

    routes = [
        Route("/", server.page),
        Route("/api", server.api),
        Route("/explorer", server.answering(server.explorer, error_page)),
        Route("/health", server.health),
        Route("/languages", server.languages),
        Route("/translate", server.answering(server.translate), methods=["POST"]),
        Route("/detect", server.answering(server.detect), methods=["POST"]),
        Route(
            "/translate_file",
            server.answering(server.translate_file, takes_file=True),
            methods=["POST"],
        ),
        Route("/download_file/{key}/{name}", server.download_file),
        Route("/attention", server.answering(server.attention), methods=["POST"]),
        Route("/stream", server.answering(server.stream), methods=["POST"]),
    ]
    middleware = [Middleware(Guard, hosts=allowed_hosts, origins=tuple(allowed_origins))]
    if allowed_origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(allowed_origins),
                allow_methods=["GET", "POST"],
                allow_headers=["content-type"],
            )
        )
    return Starlette(
        routes=routes,
        middleware=middleware,
        lifespan=lifespan,
        exception_handlers={404: _not_found, 405: _not_allowed, 500: _failed},
    )


class _Server:
    """Answers requests.

    Args:
        models: that translate.
        limits: of requests.
    """

    def __init__(self, models: Models, limits: ServerLimits) -> None:
        self.models = models
        self.limits = limits
        self.files = TranslatedFiles(limits)

    def answering(
        self,
        handler: Callable[[dict[str, Any]], Coroutine[Any, Any, Response]],
        say: Callable[[int, str], Response] = error_answer,
        takes_file: bool = False,
    ) -> Handler:
        """A handler that is given the fields of a request, and whose errors are answers.

        Args:
            handler: is cancelled when the client has gone.
            say: makes the answer of an error.
            takes_file: whether a field may be a file; then ``address`` is that of the server.
        """

        @functools.wraps(handler)
        async def answer(request: Request) -> Response:
            try:
                fields = await read_fields(request, self.limits, takes_file)
                if takes_file:
                    fields["address"] = str(request.base_url)
                return await while_connected(request, handler(fields))
            except RequestError as error:
                return say(error.status, error.message)

        return answer

    async def page(self, request: Request) -> Response:
        """The live page."""
        return _page(live_page(self.models.pairs, self.limits.characters, self.models.are_shipped))

    async def api(self, request: Request) -> Response:
        """The page about the API."""
        return _page(api_page(self.models.pairs, self.limits))

    async def health(self, request: Request) -> Response:
        """Whether the server works."""
        pairs = [f"{source}-{target}" for source, target in self.models.pairs]
        return JSONResponse({"status": "ok", "version": __version__, "models": pairs})

    async def languages(self, request: Request) -> Response:
        """The languages, as LibreTranslate lists them."""
        return JSONResponse(self.models.languages())

    async def detect(self, fields: dict[str, Any]) -> Response:
        """The language of a text."""
        [text] = take_texts({"q": take_text(fields, "q")}, self.limits)[0]
        found = await asyncio.to_thread(self.models.detect, text)
        return JSONResponse([each.to_json() for each in found])

    async def translate(self, fields: dict[str, Any]) -> Response:
        """Translations, as LibreTranslate answers."""
        texts, is_list = take_texts(fields, self.limits)
        form = take_text(fields, "format", FORMATS[0])
        if form not in FORMATS:
            raise RequestError(400, f"format: expected text or html, found {form:.40}")
        count = take_number(fields, "alternatives", 0, MAX_ALTERNATIVES)
        target = take_text(fields, "target")
        asked = take_text(fields, "source", AUTO)
        detected = [await self._source(asked, text) for text in texts]
        by_line = asked == AUTO and form == "text"  # each line may have a language of its own
        parts = [text.split("\n") if by_line else [text] for text in texts]
        flat = [part for of_text in parts for part in of_text]
        sources = [
            each.language if len(of_text) == 1 else await self._line_source(part, each.language)
            for of_text, each in zip(parts, detected)
            for part in of_text
        ]
        answers = [Answer([part]) for part in flat]  # what is in the target language stays
        for source in set(sources) - {target}:
            places = [i for i, each in enumerate(sources) if each == source]
            chosen = [flat[i] for i in places]
            for i, result in zip(
                places, await self._translate_texts(chosen, source, target, form, count)
            ):
                answers[i] = result
        waiting = iter(answers)
        found = [join_answers([next(waiting) for _ in of_text]) for of_text in parts]
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
        return JSONResponse(values)

    async def _source(self, asked: str, text: str) -> Detected:
        """The language of a text, as it is said or detected."""
        if asked != AUTO:
            return Detected(asked, 100.0)
        return (await asyncio.to_thread(self.models.detect, text))[0]

    async def _line_source(self, line: str, of_text: str) -> str:
        """The language of a line, if that can be told; else that of the whole text."""
        if sum(map(str.isalpha, line)) < FEWEST_LETTERS:
            return of_text
        return (await self._source(AUTO, line)).language

    async def _translate_texts(
        self, texts: Sequence[str], source: str, target: str, form: str, count: int
    ) -> list[Answer]:
        """The best translations of each text."""
        batcher = await asyncio.to_thread(self.models.batcher, source, target)

        def read() -> list[HtmlText | PlainText]:
            is_html = form == "html"
            return [HtmlText(text, source) if is_html else PlainText(text) for text in texts]

        try:
            documents = await asyncio.to_thread(read)
        except InputError as error:
            raise RequestError(400, str(error)) from None
        lines = [line for document in documents for line in document.texts]
        translated = iter(await batcher.translate(lines, _options(batcher, count)))
        found = []
        for document in documents:
            translations = list(itertools.islice(translated, len(document.texts)))
            most = max((len(each.hypotheses) for each in translations), default=0)
            ranks = range(min(count + 1, max(1, most)))
            written = [
                document.with_translations([nth_text(each, rank) for each in translations])
                for rank in ranks
            ]
            found.append(Answer(written, *judge_translations(translations)))
        return found

    async def translate_file(self, fields: dict[str, Any]) -> Response:
        """Where the translation of a file is, as LibreTranslate answers."""
        given = take_file(fields)
        target = take_text(fields, "target")
        asked = take_text(fields, "source", AUTO)
        try:
            form = format_of(Path(given.name), None)
            reading = Reading(("en" if asked == AUTO else asked, target))
            document = await asyncio.to_thread(READERS[form], given.content, given.name, reading)
        except InputError as error:
            raise RequestError(400, str(error)) from None
        sources = [text.source for text in document.texts]
        source = await self._source(asked, "\n".join(sources)[: self.limits.characters])
        content = given.content  # what is in the target language stays as it is
        doubts: list[str] = []
        if source.language != target and sources:
            batcher = await asyncio.to_thread(self.models.batcher, source.language, target)
            translations = await batcher.translate(sources, _options(batcher, 0))
            content, told = await asyncio.to_thread(
                write_translated, document, translations, source.language
            )
            doubts = [f"{place}: {doubt.text}" for place, each in told for doubt in each.doubts]
        key = self.files.keep(given._replace(content=content))
        address = f"{fields['address']}download_file/{key}/{quote(given.name)}"
        return JSONResponse({"translatedFileUrl": address, "doubts": doubts})

    async def download_file(self, request: Request) -> Response:
        """A translated file."""
        try:
            file = self.files.find(request.path_params["key"])
        except RequestError as error:
            return error_answer(error.status, error.message)
        disposition = f"attachment; filename*=UTF-8''{quote(file.name)}"
        headers = {"content-disposition": disposition, "x-content-type-options": "nosniff"}
        return Response(file.content, headers=headers, media_type="application/octet-stream")

    async def attention(self, fields: dict[str, Any]) -> Response:
        """The attention of every head for the translations of a sentence."""
        return Response(await self._read(fields, attention_json), media_type="application/json")

    async def explorer(self, fields: dict[str, Any]) -> Response:
        """The explorer of a sentence, as a page."""
        from translator.addons.attention.page.explorer import explorer_html

        return _page(await self._read(fields, explorer_html))

    async def _read(
        self, fields: dict[str, Any], write: Callable[[list[AttentionRecord]], str]
    ) -> str:
        """What is written of the records of the translations of a sentence."""
        text = " ".join(take_text(fields, "q").split())
        take_texts({"q": text}, self.limits)
        self.limits.check_lines([text])
        count = take_number(fields, "alternatives", 0, MAX_ALTERNATIVES)
        target = take_text(fields, "target")
        source = (await self._source(take_text(fields, "source", AUTO), text)).language
        batcher = await asyncio.to_thread(self.models.batcher, source, target)
        options = _options(batcher, count, per_sentence=True, word_confidence=True)

        def read() -> Steps:
            translations = batcher.translator.translate(text, options)
            records, weights = [], 0
            for record in batcher.translator.attention(translations):
                records.append(record)
                weights += sum(record.maps(kind).scores.size for kind in KINDS)
                if weights > self.limits.weights:
                    raise RequestError(
                        400,
                        f"q: expected at most {self.limits.weights:,} weights of attention, found"
                        " more; send fewer sentences or ask for fewer alternatives",
                    )
                yield
            if not records:
                raise RequestError(400, "q: expected a sentence, found none to translate")
            return write(records)

        written: str = await batcher.call(read())
        return written

    async def stream(self, fields: dict[str, Any]) -> Response:
        """Drafts of a translation while it is searched, then the best ones; a JSON value a line.

        Text that is in the target language already is translated from it, if there is a model.
        """
        text = take_text(fields, "q")
        take_texts({"q": text}, self.limits)
        count = take_number(fields, "alternatives", 0, MAX_ALTERNATIVES)
        target = take_text(fields, "target")
        source = await self._source(take_text(fields, "source", AUTO), text)
        if source.language == target:
            target = self.models.other_target(target)
        batcher = await asyncio.to_thread(self.models.batcher, source.language, target)
        options = _options(batcher, count, word_confidence=True)
        lines = text.split("\n")
        self.limits.check_lines(lines)
        drafts: asyncio.Queue[str | None] = asyncio.Queue()
        hand_over = asyncio.get_running_loop().call_soon_threadsafe

        def draft() -> Steps:
            from translator.translation.drafting import draft_line

            reader = batcher.translator.make_reader(options)
            before, said = "", 0.0
            for line in lines:
                last = ""
                for last in draft_line(batcher.translator, reader.read(line, "q"), options):
                    if time.monotonic() - said > SECONDS_BETWEEN_DRAFTS:
                        hand_over(drafts.put_nowait, before + last)
                        said = time.monotonic()
                    yield
                before += f"{last}\n"

        async def write() -> AsyncIterator[str]:
            yield json_line({"source": source.to_json(), "target": target})
            drafting = asyncio.ensure_future(batcher.call(draft()))
            drafting.add_done_callback(lambda _: drafts.put_nowait(None))
            try:
                while (said := await drafts.get()) is not None:
                    yield json_line({"draft": said})
                await drafting
                translations = await batcher.translate(lines, options)
                yield json_line({"hypotheses": show_hypotheses(translations)})
            except RequestError as error:
                yield json_line({"error": error.message})
            except Exception:
                logging.getLogger("uvicorn.error").exception("a stream ended")
                yield json_line({"error": FAILED})
            finally:
                drafting.cancel()

        return StreamingResponse(write(), media_type="application/x-ndjson")


def _options(batcher: Batcher, alternatives: int, **others: Any) -> TranslationOptions:
    """The options for some alternatives, with a beam that is wide enough."""
    beam_size = max(batcher.translator.config.decoding.beam_size, alternatives + 1)
    return TranslationOptions(n_best=alternatives + 1, beam_size=beam_size, **others)


def _page(text: str) -> Response:
    """A page, which no page of another site may show in a frame."""
    return HTMLResponse(text, headers=PAGE_HEADERS)


async def _not_found(request: Request, error: Exception) -> Response:
    return error_answer(
        404, f"expected one of the paths that /api lists, found {request.url.path:.60}"
    )


async def _not_allowed(request: Request, error: Exception) -> Response:
    return error_answer(
        405, f"{request.url.path:.60}: expected another method, found {request.method}"
    )


async def _failed(request: Request, error: Exception) -> Response:
    return error_answer(500, FAILED)
