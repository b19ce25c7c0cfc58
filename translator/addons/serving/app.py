"""The server: a page, and a JSON API that clients of LibreTranslate know."""

import asyncio
import contextlib
import functools
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from translator.addons.serving.batching import Steps
from translator.addons.serving.bodies import (
    json_line,
    read_fields,
    take_formality,
    take_number,
    take_text,
    take_texts,
    while_connected,
)
from translator.addons.serving.limits import (
    PAGE_HEADERS,
    Guard,
    RequestError,
    ServerLimits,
    error_answer,
)
from translator.addons.serving.models import AUTO, Models
from translator.addons.serving.page import live_page
from translator.addons.serving.requested import (
    MAX_ALTERNATIVES,
    TranslatedFiles,
    find_source,
    options_of,
    show_hypotheses,
    translate_file,
    translate_texts,
)
from translator.base.version import __version__
from translator.translation.records import KINDS, AttentionRecord

FAILED = "expected an answer, found an error of the server; see its log"
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
Handler = Callable[[Request], Awaitable[Response]]


def make_app(
    models: Models,
    limits: ServerLimits,
    allowed_hosts: Sequence[str] = LOCAL_NAMES,
    allowed_origins: Sequence[str] = (),
) -> Starlette:
    """Makes the application.

    Args:
        allowed_hosts: names, without ports, by which requests may call the server. So another
            site's page cannot reach the server by a domain name that leads to this machine.
    """
    server = _Server(models, limits)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await models.close()

    routes = [
        Route("/", server.page),
        Route("/explorer", server.answering(server.explorer)),
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
    """Answers requests."""

    def __init__(self, models: Models, limits: ServerLimits) -> None:
        self.models = models
        self.limits = limits
        self.files = TranslatedFiles(limits)

    def answering(
        self,
        handler: Callable[[dict[str, Any]], Coroutine[Any, Any, Response]],
        takes_file: bool = False,
    ) -> Handler:
        """Makes a handler from a function of a request's fields; its errors become answers.

        Args:
            takes_file: whether a field may be a file; ``address`` is then the server's address.
        """

        @functools.wraps(handler)
        async def answer(request: Request) -> Response:
            try:
                fields = await read_fields(request, self.limits, takes_file)
                if takes_file:
                    fields["address"] = str(request.base_url)
                return await while_connected(request, handler(fields))
            except RequestError as error:
                return error_answer(error.status, error.message)

        return answer

    async def page(self, request: Request) -> Response:
        """The live page."""
        return _page(
            live_page(self.models.pairs, self.models.with_formality, self.limits.characters)
        )

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
        languages = await asyncio.to_thread(self.models.detect, text)
        return JSONResponse([language.to_json() for language in languages])

    async def translate(self, fields: dict[str, Any]) -> Response:
        """Translations, as LibreTranslate answers."""
        return JSONResponse(await translate_texts(self.models, self.limits, fields))

    async def translate_file(self, fields: dict[str, Any]) -> Response:
        """Translates a file, and answers with its address, as LibreTranslate does."""
        file, doubts = await translate_file(self.models, self.limits, fields)
        key = self.files.keep(file)
        address = f"{fields['address']}download_file/{key}/{quote(file.name)}"
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

        def write(records: list[AttentionRecord]) -> str:
            return json.dumps([record.to_dict() for record in records], ensure_ascii=False)

        return Response(await self._write_attention(fields, write), media_type="application/json")

    async def explorer(self, fields: dict[str, Any]) -> Response:
        """The explorer of a sentence, as a page."""
        from translator.addons.attention.page import explorer_html

        return _page(await self._write_attention(fields, explorer_html))

    async def _write_attention(
        self, fields: dict[str, Any], write: Callable[[list[AttentionRecord]], str]
    ) -> str:
        """Writes the attention records of the translations of a sentence."""
        text = " ".join(take_text(fields, "q").split())
        take_texts({"q": text}, self.limits)
        self.limits.check_lines([text])
        count = take_number(fields, "alternatives", 0, MAX_ALTERNATIVES)
        target = take_text(fields, "target")
        source = (await find_source(self.models, take_text(fields, "source", AUTO), text)).language
        batcher = await asyncio.to_thread(self.models.batcher, source, target)
        formality = take_formality(fields)
        options = options_of(batcher, count, formality, per_sentence=True, word_confidence=True)

        def read_attention() -> Steps:
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

        answer: str = await batcher.call(read_attention())
        return answer

    async def stream(self, fields: dict[str, Any]) -> Response:
        """Sends the languages at once, then the best translations, each in a line of JSON.

        Text in the target language is translated into another language, if there is a model.
        """
        text = take_text(fields, "q")
        take_texts({"q": text}, self.limits)
        count = take_number(fields, "alternatives", 0, MAX_ALTERNATIVES)
        target = take_text(fields, "target")
        source = await find_source(self.models, take_text(fields, "source", AUTO), text)
        if source.language == target:
            target = self.models.first_target(target)
        batcher = await asyncio.to_thread(self.models.batcher, source.language, target)
        options = options_of(batcher, count, take_formality(fields), word_confidence=True)
        lines = text.split("\n")
        self.limits.check_lines(lines)

        async def write() -> AsyncIterator[str]:
            yield json_line({"source": source.to_json(), "target": target})
            try:
                translations = await batcher.translate(lines, options)
                yield json_line({"lines": [*map(show_hypotheses, translations)]})
            except RequestError as error:
                yield json_line({"error": error.message})
            except Exception:
                logging.getLogger("uvicorn.error").exception("a stream ended")
                yield json_line({"error": FAILED})

        return StreamingResponse(write(), media_type="application/x-ndjson")


def _page(text: str) -> Response:
    """A page that other sites may not show in a frame."""
    return HTMLResponse(text, headers=PAGE_HEADERS)


async def _not_found(request: Request, error: Exception) -> Response:
    return error_answer(
        404, f"expected a path of the API, such as /translate, found {request.url.path:.60}"
    )


async def _not_allowed(request: Request, error: Exception) -> Response:
    return error_answer(
        405, f"{request.url.path:.60}: expected another method, found {request.method}"
    )


async def _failed(request: Request, error: Exception) -> Response:
    return error_answer(500, FAILED)
