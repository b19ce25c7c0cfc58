"""The server: a page, and a JSON API that clients of LibreTranslate know."""

import asyncio
import contextlib
import functools
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from translator.addons.serving.answers import (
    PAGE_HEADERS,
    error_answer,
    error_page,
    while_connected,
)
from translator.addons.serving.batching import Batcher
from translator.addons.serving.bodies import read_fields, take_number, take_text, take_texts
from translator.addons.serving.guard import Guard
from translator.addons.serving.html_text import HtmlText
from translator.addons.serving.limits import RequestError, ServerLimits
from translator.addons.serving.models import AUTO, Detected, Models
from translator.addons.serving.page.pages import api_page, live_page
from translator.base.errors import InputError
from translator.base.version import __version__
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation

FORMATS = ("text", "html")
MAX_ALTERNATIVES = 8
SECONDS_BETWEEN_DRAFTS = 0.05  # nobody reads faster
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

    def answering(
        self,
        handler: Callable[[dict[str, Any]], Coroutine[Any, Any, Response]],
        say: Callable[[int, str], Response] = error_answer,
    ) -> Handler:
        """A handler that is given the fields of a request, and whose errors are answers.

        Args:
            handler: is cancelled when the client has gone.
            say: makes the answer of an error.
        """

        @functools.wraps(handler)
        async def answer(request: Request) -> Response:
            try:
                fields = await read_fields(request, self.limits)
                return await while_connected(request, handler(fields))
            except RequestError as error:
                return say(error.status, error.message)
            except InputError as error:
                return say(400, str(error))

        return answer

    async def page(self, request: Request) -> Response:
        """The live page."""
        return _page(live_page(self.models.pairs, self.limits.characters))

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
        found = await asyncio.gather(
            *(
                self._translate_text(text, each.language, target, form, count)
                for text, each in zip(texts, detected)
            )
        )
        translated, others = [each[0] for each in found], [each[1:] for each in found]
        values: dict[str, Any] = {"translatedText": translated if is_list else translated[0]}
        if count:
            values["alternatives"] = others if is_list else others[0]
        if asked == AUTO:
            languages = [each.to_json() for each in detected]
            values["detectedLanguage"] = languages if is_list else languages[0]
        return JSONResponse(values)

    async def _source(self, asked: str, text: str) -> Detected:
        """The language of a text, as it is said or detected."""
        if asked != AUTO:
            return Detected(asked, 100.0)
        return (await asyncio.to_thread(self.models.detect, text))[0]

    async def _translate_text(
        self, text: str, source: str, target: str, form: str, count: int
    ) -> list[str]:
        if source == target:  # as it was detected, or said
            return [text]
        batcher = await asyncio.to_thread(self.models.batcher, source, target)
        options = _options(batcher, count)
        document = HtmlText(text) if form == "html" else None
        lines = text.split("\n") if document is None else document.texts
        translations = await batcher.translate(lines, options)
        most = max((len(each.hypotheses) for each in translations), default=0)
        ranks = range(min(count + 1, max(1, most)))
        texts = [[_nth(each, rank) for each in translations] for rank in ranks]
        if document is not None:
            return [document.with_translations(each) for each in texts]
        return ["\n".join(each) for each in texts]

    async def attention(self, fields: dict[str, Any]) -> Response:
        """The attention of every head for the translations of a sentence."""
        records = await self._records(fields)
        return JSONResponse(
            [
                {
                    "source": record.source,
                    "hypothesis": record.hypothesis,
                    "rank": record.rank,
                    "source_tokens": record.source_tokens,
                    "target_tokens": record.target_tokens,
                    **{
                        kind: record.maps(kind).scores.astype("float64").round(5).tolist()
                        for kind in ("encoder", "decoder", "cross")
                    },
                }
                for record in records
            ]
        )

    async def explorer(self, fields: dict[str, Any]) -> Response:
        """The explorer of a sentence, as a page."""
        from translator.addons.attention.page.explorer import explorer_html

        records = await self._records(fields)
        return _page(explorer_html(records))

    async def _records(self, fields: dict[str, Any]) -> list[Any]:
        text = take_text(fields, "q")
        take_texts({"q": text}, self.limits)
        count = take_number(fields, "alternatives", 0, MAX_ALTERNATIVES)
        target = take_text(fields, "target")
        source = (await self._source(take_text(fields, "source", AUTO), text)).language
        batcher = await asyncio.to_thread(self.models.batcher, source, target)
        options = _options(batcher, count, per_sentence=True, word_confidence=True)

        def read() -> list[Any]:
            translations = batcher.translator.translate(" ".join(text.split()), options)
            return list(batcher.translator.attention(translations))

        records: list[Any] = await batcher.call(read)
        if not records:
            raise RequestError(400, "q: expected a sentence, found none that can be translated")
        return records

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
        drafts: asyncio.Queue[str | None] = asyncio.Queue()
        gone = threading.Event()  # the client
        hand_over = asyncio.get_running_loop().call_soon_threadsafe

        def draft() -> None:
            from translator.translation.drafting import draft_line

            reader = batcher.translator.make_reader(options)
            before, said = "", 0.0
            for number, line in enumerate(lines, start=1):
                last = ""
                read = reader.read(line, f"line {number}")
                for last in draft_line(batcher.translator, read, options):
                    if gone.is_set():
                        return
                    if time.monotonic() - said > SECONDS_BETWEEN_DRAFTS:
                        hand_over(drafts.put_nowait, before + last)
                        said = time.monotonic()
                before += f"{last}\n"

        async def write() -> AsyncIterator[str]:
            yield _line({"source": source.to_json(), "target": target})
            drafting = asyncio.ensure_future(batcher.call(draft))
            drafting.add_done_callback(lambda _: drafts.put_nowait(None))
            try:
                while (said := await drafts.get()) is not None:
                    yield _line({"draft": said})
                await drafting
                translations = await batcher.translate(lines, options)
                yield _line({"hypotheses": _hypotheses(translations)})
            except RequestError as error:
                yield _line({"error": error.message})
            except InputError as error:
                yield _line({"error": str(error)})
            finally:
                gone.set()
                drafting.cancel()

        return StreamingResponse(write(), media_type="application/x-ndjson")


def _options(batcher: Batcher, alternatives: int, **others: Any) -> TranslationOptions:
    """The options for some alternatives, with a beam that is wide enough."""
    beam_size = max(batcher.translator.config.decoding.beam_size, alternatives + 1)
    return TranslationOptions(
        n_best=alternatives + 1, beam_size=beam_size, errors="replace", **others
    )


def _nth(translation: Translation, rank: int) -> str:
    """A hypothesis of a line, or its last one where it has fewer."""
    texts = [hypothesis.text for hypothesis in translation.hypotheses] or [""]
    return texts[min(rank, len(texts) - 1)]


def _hypotheses(translations: Sequence[Translation]) -> list[dict[str, Any]]:
    """The best translations of a text, each with its words and their confidences."""
    ranks = range(max((len(each.hypotheses) for each in translations), default=0))
    best = [
        [each.hypotheses[min(rank, len(each.hypotheses) - 1)] for each in translations
         if each.hypotheses]
        for rank in ranks
    ]  # fmt: skip
    return [
        {
            "text": "\n".join(_nth(each, rank) for each in translations),
            "score": sum(each.score for each in lines),
            "words": [(word, confidence) for each in lines for word, confidence in each.words],
        }
        for rank, lines in zip(ranks, best)
    ]


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


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
    return error_answer(500, f"{type(error).__name__}: {error}")
