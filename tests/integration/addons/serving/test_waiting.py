"""Requests that wait: how many, for how long, and what becomes of those whose client is gone."""

import asyncio
import threading

import pytest

from tests.commands import GERMAN, SENTENCE

pytest.importorskip("starlette")

from starlette.requests import Request  # noqa: E402
from starlette.responses import Response  # noqa: E402

from translator.addons.serving.answers import GONE, while_connected  # noqa: E402
from translator.addons.serving.batching import Batcher  # noqa: E402
from translator.addons.serving.limits import RequestError, ServerLimits  # noqa: E402
from translator.addons.serving.models import Models  # noqa: E402
from translator.translation.options import TranslationOptions  # noqa: E402

FEW = ServerLimits(waiting=2, seconds=20.0)


@pytest.fixture
def batcher(tiny_run):
    return Batcher(Models([tiny_run], FEW).batcher("en", "de").translator, FEW)


@pytest.fixture
def held(batcher, monkeypatch):
    """Translating waits until the event is set; the lines of each batch are kept."""
    release, batches = threading.Event(), []
    translate = batcher.translator.translate_read

    def waiting(lines, options=None):
        if lines:
            batches.append([line.text for line in lines])
            release.wait(20)
        return translate(lines, options)

    monkeypatch.setattr(batcher.translator, "translate_read", waiting)
    return release, batches


def run(work):
    """In a thread, because this one may have a browser's loop."""
    found = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(work)))
    thread.start()
    thread.join(60)
    [result] = found
    return result


async def until(condition):
    while not condition():
        await asyncio.sleep(0.01)


def test_more_than_may_wait_are_refused(batcher, held):
    release, batches = held

    async def ask():
        options = TranslationOptions()
        first = asyncio.ensure_future(batcher.translate([SENTENCE], options))
        await until(lambda: batches)
        others = [
            asyncio.ensure_future(batcher.translate([f"The dog {i}."], options)) for i in range(3)
        ]
        await until(lambda: any(other.done() for other in others))
        release.set()
        found = await asyncio.gather(first, *others, return_exceptions=True)
        await batcher.close()
        return found

    first, *others = run(ask())
    assert first[0].text == GERMAN
    refused = [each for each in others if isinstance(each, RequestError)]
    assert [each.status for each in refused] == [503]


def test_a_request_that_takes_too_long_is_given_up(batcher, held):
    release, _ = held
    batcher.limits = FEW._replace(seconds=0.2)

    async def ask():
        with pytest.raises(RequestError) as error:
            await batcher.translate([SENTENCE], TranslationOptions())
        release.set()
        await batcher.close()
        return error.value.status

    assert run(ask()) == 504


def test_the_work_of_clients_that_have_gone_is_not_done(batcher, held):
    release, batches = held
    gone = asyncio.Event()

    async def receive():
        await gone.wait()
        return {"type": "http.disconnect"}

    async def answer(text):
        await batcher.translate([text], TranslationOptions())
        return Response("done")

    async def ask():
        request = Request({"type": "http", "headers": []}, receive)
        first = asyncio.ensure_future(answer(SENTENCE))
        await until(lambda: batches)
        second = asyncio.ensure_future(while_connected(request, answer("The dog.")))
        third = asyncio.ensure_future(answer("The cat."))
        await until(lambda: len(batcher._jobs) == 2)
        gone.set()
        left = await second
        release.set()
        await asyncio.gather(first, third)
        await batcher.close()
        return left.status_code

    assert run(ask()) == GONE
    assert batches == [[SENTENCE], ["The cat."]]
