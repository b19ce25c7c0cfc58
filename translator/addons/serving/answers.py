"""Answers that several requests share."""

import asyncio
import html
from collections.abc import Coroutine
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

PAGE_HEADERS = {"x-frame-options": "SAMEORIGIN", "x-content-type-options": "nosniff"}
GONE = 499  # the status of a request whose client has gone: nobody reads it


async def while_connected(request: Request, work: Coroutine[Any, Any, Response]) -> Response:
    """Does the work of a request, and gives it up when its client has gone."""

    async def wait_until_gone() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    working, waiting = asyncio.ensure_future(work), asyncio.ensure_future(wait_until_gone())
    try:
        await asyncio.wait((working, waiting), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else Response(status_code=GONE)
    finally:
        working.cancel()
        waiting.cancel()


def error_page(status: int, message: str) -> Response:
    """An error where a page is asked for."""
    return HTMLResponse(f"<p>{html.escape(message)}</p>", status, headers=PAGE_HEADERS)


def error_answer(status: int, message: str) -> Response:
    """An error as LibreTranslate says it."""
    return JSONResponse({"error": message}, status)
