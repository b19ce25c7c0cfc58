"""The bodies of requests, JSON or forms within the limits."""

import asyncio
import json
from collections.abc import Coroutine
from pathlib import PurePath
from typing import Any, NamedTuple

from starlette.datastructures import ImmutableMultiDict, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from translator.addons.serving.limits import RequestError, ServerLimits
from translator.base.errors import InputError
from translator.base.texts import find_lone_surrogate, listed
from translator.text.glossary import Glossary

GONE = 499  # the status if the client has disconnected: nobody reads it
TIMES_READ = 10  # a body is read up to this many times its limit
FORMALITIES = {  # DeepL's names, with ours
    "default": None,
    "more": "formal",
    "less": "informal",
    "prefer_more": "formal",
    "prefer_less": "informal",
}
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class FilePart(NamedTuple):
    """A file of a form.

    Attributes:
        name: the name of the file, without folders.
    """

    name: str
    content: bytes


async def read_fields(
    request: Request, limits: ServerLimits, takes_file: bool = False
) -> dict[str, Any]:
    """The fields of a request's address and of its body; fields of the body take precedence.

    Args:
        takes_file: whether the field ``file`` may be a file, which has another limit.

    Raises:
        RequestError: the body is too large, too slow, or neither JSON nor a form.
    """
    fields = _fields_of(request.query_params)
    if request.method == "GET":
        return fields
    most = limits.file if takes_file else limits.body
    body = await _read_body(request, most, limits.seconds_of_body)
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind in FORMS:
        return fields | await _read_form(request, body, takes_file)
    try:
        values = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise RequestError(400, "expected JSON or a form, found something else") from None
    if not isinstance(values, dict):
        raise RequestError(400, f"expected a JSON object, found {type(values).__name__}")
    return fields | values


async def _read_form(request: Request, body: bytes, takes_file: bool) -> dict[str, Any]:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        files = int(takes_file)
        async with Request(request.scope, receive).form(max_files=files, max_fields=1000) as form:
            fields = _fields_of(form)
            upload = form.get("file")
            if isinstance(upload, UploadFile):
                name = PurePath((upload.filename or "").replace("\\", "/")).name
                fields["file"] = FilePart(name, await upload.read())
            return fields
    except (HTTPException, ValueError):
        raise RequestError(400, "expected a form, found something else") from None


async def _read_body(request: Request, limit: int, seconds: float) -> bytes:
    """Reads a body, even if it is somewhat too large: clients first send everything."""
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                parts = [*parts, part] if size <= limit else []
                if size > TIMES_READ * limit:
                    break
    except TimeoutError:
        if size <= limit:
            raise RequestError(
                408, f"expected the body within {seconds:g} s, found only a part"
            ) from None
    except ClientDisconnect:
        raise RequestError(400, "the client has disconnected") from None
    if size > limit:
        raise RequestError(413, f"expected a body of at most {limit:,} bytes, found more")
    return b"".join(parts)


def _fields_of(form: ImmutableMultiDict[str, Any]) -> dict[str, Any]:
    """Fields of a form: one value, or a list if a name occurs several times."""
    fields = {name: [str(value) for value in form.getlist(name)] for name in form}
    return {name: entries if len(entries) > 1 else entries[0] for name, entries in fields.items()}


def take_texts(fields: dict[str, Any], limits: ServerLimits) -> tuple[list[str], bool]:
    """The texts to translate, and whether the request has a list."""
    value = fields.get("q")
    texts: list[Any] = value if isinstance(value, list) else [value]
    if not texts or not all(isinstance(text, str) for text in texts):
        kind = "nothing" if value is None else type(value).__name__
        raise RequestError(400, f"q: expected a text or a list of texts, found {kind}")
    if len(texts) > limits.texts:
        raise RequestError(400, f"q: expected at most {limits.texts} texts, found {len(texts):,}")
    for text in texts:
        _check_characters("q", text)
    count = sum(map(len, texts))
    if count > limits.characters:
        raise RequestError(
            400, f"q: expected at most {limits.characters:,} characters, found {count:,}"
        )
    return list(texts), isinstance(value, list)


def take_file(fields: dict[str, Any]) -> FilePart:
    """The file of a request."""
    file = fields.get("file")
    if not isinstance(file, FilePart) or not file.name:
        raise RequestError(400, "file: expected a file in a form, found none")
    return file


def take_glossary(fields: dict[str, Any], limits: ServerLimits) -> tuple[tuple[str, str], ...]:
    """The terms of a request with their translations; in a form they are written as JSON."""
    value = fields.get("glossary") or {}
    try:
        terms = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        terms = value
    if not isinstance(terms, dict) or not all(isinstance(term, str) for term in terms.values()):
        raise RequestError(400, "glossary: expected an object of texts, found something else")
    if len(terms) > limits.terms:
        raise RequestError(
            400, f"glossary: expected at most {limits.terms:,} terms, found {len(terms):,}"
        )
    for text in (*terms, *terms.values()):
        _check_characters("glossary", text)
    try:
        Glossary(terms.items())
    except InputError as error:
        raise RequestError(400, str(error)) from None
    return tuple(terms.items())


def take_formality(fields: dict[str, Any]) -> str:
    """The formality of a request, a name of `FORMALITIES`."""
    name = take_text(fields, "formality", "default")
    if name not in FORMALITIES:
        raise RequestError(
            400, f"formality: expected one of {listed([*FORMALITIES])}, found {name:.40}"
        )
    return name


def take_number(fields: dict[str, Any], name: str, least: int, most: int) -> int:
    """A whole number of a request; ``least`` by default."""
    value = fields.get(name)
    value = least if value is None else value
    is_written = isinstance(value, str | int)
    if not is_written or str(value) not in map(str, range(least, most + 1)):
        shown = ascii(value) if is_written else type(value).__name__
        raise RequestError(400, f"{name}: expected {least} to {most}, found {shown:.40}")
    return int(value)


def take_text(fields: dict[str, Any], name: str, default: str | None = None) -> str:
    """A text of a request."""
    value = fields.get(name)
    value = default if value is None else value
    if not isinstance(value, str) or not value:
        kind = "nothing" if value in (None, "") else type(value).__name__
        raise RequestError(400, f"{name}: expected a text, found {kind}")
    _check_characters(name, value)
    return value


def _check_characters(name: str, text: str) -> None:
    if find_lone_surrogate(text) is not None:
        raise RequestError(400, f"{name}: expected a text, found an incomplete character")


async def while_connected(request: Request, work: Coroutine[Any, Any, Response]) -> Response:
    """Does the work of a request; stops it if the client has disconnected."""

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


def json_line(value: dict[str, Any]) -> str:
    """A value as a line of a stream."""
    return json.dumps(value, ensure_ascii=False) + "\n"
