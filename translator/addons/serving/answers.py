"""Answers: errors, translations and attention as the API writes them."""

import asyncio
import html
import json
from collections.abc import Coroutine, Sequence
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from translator.translation.records import AttentionRecord
from translator.translation.results import Translation

PAGE_HEADERS = {"x-frame-options": "SAMEORIGIN", "x-content-type-options": "nosniff"}
KINDS = ("encoder", "decoder", "cross")  # of attention
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


def join_answers(answers: Sequence[Answer]) -> Answer:
    """The answer of a text from those of its lines."""
    if len(answers) == 1:
        return answers[0]
    most = max(len(each.texts) for each in answers)
    known = [each.confidence for each in answers if each.confidence is not None]
    return Answer(
        [
            "\n".join(each.texts[min(rank, len(each.texts) - 1)] for each in answers)
            for rank in range(most)
        ],
        min(known) if known else None,
        [
            f"line {number}: {doubt}"
            for number, each in enumerate(answers, start=1)
            for doubt in each.doubts
        ],
    )


def nth(translation: Translation, rank: int) -> Translation:
    """A line with one of its hypotheses, or its last one where it has fewer."""
    last = len(translation.hypotheses) - 1
    return translation._replace(hypotheses=translation.hypotheses[min(rank, last) :][:1])


def show_hypotheses(translations: Sequence[Translation]) -> list[dict[str, Any]]:
    """The best translations of a text, each with its words and their confidences."""
    ranks = range(max((len(each.hypotheses) for each in translations), default=0))
    best = [
        [each.hypotheses[min(rank, len(each.hypotheses) - 1)] for each in translations
         if each.hypotheses]
        for rank in ranks
    ]  # fmt: skip
    return [
        {
            "text": "\n".join(nth(each, rank).text for each in translations),
            "score": sum(each.score for each in lines),
            "words": [(word, confidence) for each in lines for word, confidence in each.words],
        }
        for rank, lines in zip(ranks, best)
    ]


def attention_json(records: Sequence[AttentionRecord]) -> str:
    """Attention as the API writes it."""
    values = [
        {
            "source": record.source,
            "hypothesis": record.hypothesis,
            "rank": record.rank,
            "source_tokens": record.source_tokens,
            "target_tokens": record.target_tokens,
            **{
                kind: record.maps(kind).scores.astype("float64").round(5).tolist() for kind in KINDS
            },
        }
        for record in records
    ]
    return json.dumps(values, ensure_ascii=False)


def json_line(value: dict[str, Any]) -> str:
    """A value of a stream."""
    return json.dumps(value, ensure_ascii=False) + "\n"
