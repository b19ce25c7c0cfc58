"""Requests that wait: how many, for how long, and what becomes of those whose client is gone."""

import asyncio
import threading

import pytest

from tests.commands import GERMAN, SENTENCE

pytest.importorskip("starlette")

from starlette.requests import Request  # noqa: E402
from starlette.responses import Response  # noqa: E402

from translator.addons.serving import batching  # noqa: E402
from translator.addons.serving.batching import Batcher, _Job  # noqa: E402
from translator.addons.serving.bodies import GONE, while_connected  # noqa: E402
from translator.addons.serving.limits import RequestError, ServerLimits  # noqa: E402
from translator.addons.serving.models import Models  # noqa: E402
from translator.base.errors import InputError  # noqa: E402
from translator.translation.options import TranslationOptions  # noqa: E402

FEW = ServerLimits(waiting=3, seconds=20.0)


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


def run(batcher, work):
    """In a thread, because this one may have a browser's loop; the batcher is closed after it."""
    found = []

    async def and_close():
        found.append(await work)
        await batcher.close()

    thread = threading.Thread(target=lambda: asyncio.run(and_close()))
    thread.start()
    thread.join(60)
    [result] = found
    return result


async def until(condition):
    async with asyncio.timeout(30):
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
        return await asyncio.gather(first, *others, return_exceptions=True)

    first, *others = run(batcher, ask())
    assert first[0].text == GERMAN
    refused = [each for each in others if isinstance(each, RequestError)]
    assert [each.status for each in refused] == [503]


def test_work_that_a_server_lacks_keras_for_is_refused(batcher, monkeypatch):
    def steps():
        yield
        raise InputError("secret")

    async def ask():
        with pytest.raises(RequestError, match="^expected the extra train"):
            await batcher.call(steps())

    monkeypatch.setattr(batching, "is_installed", lambda package: False)
    run(batcher, ask())


def test_a_request_that_takes_too_long_is_given_up(batcher, held):
    release, _ = held
    batcher.limits = FEW._replace(seconds=0.2)

    async def ask():
        with pytest.raises(RequestError) as error:
            await batcher.translate([SENTENCE], TranslationOptions())
        release.set()
        return error.value.status

    assert run(batcher, ask()) == 504


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
        await until(lambda: len(batcher._jobs) == 3)
        gone.set()
        left = await second
        release.set()
        await asyncio.gather(first, third)
        return left.status_code

    assert run(batcher, ask()) == GONE
    assert batches == [[SENTENCE], ["The cat."]]


def test_requests_take_turns(batcher, held):
    """A short one that comes later is answered first, and long ones go on together."""
    release, batches = held
    ended = []

    async def ask(name, lines):
        found = await batcher.translate(
            [f"{name} {i}." for i in range(lines)], TranslationOptions()
        )
        ended.append(name)
        return [each.source for each in found]

    async def all_of_them():
        asked = [asyncio.ensure_future(ask("Dog", 200))]
        await until(lambda: batches)
        asked += [asyncio.ensure_future(ask(name, lines)) for name, lines in
                  (("House", 200), ("Cat", 1))]  # fmt: skip
        await until(lambda: len(batcher._jobs) == 3)
        release.set()
        return await asyncio.gather(*asked)

    batcher.limits = ServerLimits()
    found = run(batcher, all_of_them())
    assert found[0] == [f"Dog {i}." for i in range(200)]
    assert found[1:] == [[f"House {i}." for i in range(200)], ["Cat 0."]]
    assert ended[0] == "Cat"
    assert max(map(len, batches)) < 100
    began = [next(i for i, lines in enumerate(batches) if f"{name} 0." in lines)
             for name in ("Dog", "Cat", "House")]  # fmt: skip
    assert began[0] < began[1] <= began[2] < len(batches) - 1


def test_who_has_waited_long_is_served_to_its_end(batcher, held):
    """Else none of several long requests would be answered in time."""
    release, batches = held
    batcher.limits = ServerLimits(seconds=0.0)._replace(waiting=9)

    async def ask():
        jobs = [_Job(asyncio.get_running_loop().create_future(), TranslationOptions(), ["x"] * n)
                for n in (200, 200, 1)]  # fmt: skip
        jobs[0].seconds = 5.0
        batcher._jobs = list(jobs)
        return [jobs.index(job) for job in batcher._next_turn()]

    assert run(batcher, ask()) == [0, 2, 1]
    batcher.limits = ServerLimits()
    assert run(batcher, ask()) == [2, 1, 0]


def test_an_error_of_one_request_is_not_that_of_others(batcher, held, monkeypatch):
    release, batches = held
    translate = batcher.translator.translate_read

    def failing(lines, options=None):
        found = translate(lines, options)
        if any(line.text == "bad" for line in lines):
            raise ValueError("bad")
        return found

    monkeypatch.setattr(batcher.translator, "translate_read", failing)

    async def ask():
        batcher.limits = ServerLimits()
        first = asyncio.ensure_future(batcher.translate(["first"], TranslationOptions()))
        await until(lambda: batches)
        asked = [asyncio.ensure_future(batcher.translate([text], TranslationOptions()))
                 for text in (SENTENCE, "bad", "The dog.")]  # fmt: skip
        await until(lambda: len(batcher._jobs) == 4)
        release.set()
        return await asyncio.gather(first, *asked, return_exceptions=True)

    found = run(batcher, ask())
    assert found[1][0].text == GERMAN
    assert [isinstance(each, ValueError) for each in found] == [False, False, True, False]


def test_steps_of_one_request_leave_turns_to_others(batcher, monkeypatch):
    monkeypatch.setattr(batching, "SECONDS_OF_TURN", 0.0)

    async def ask():
        def steps():
            while not others:
                yield
            return "ended"

        others = []
        long = asyncio.ensure_future(batcher.call(steps()))
        others += await batcher.translate([SENTENCE], TranslationOptions())
        return await long

    assert run(batcher, ask()) == "ended"


def test_sentences_are_counted_where_lines_have_several(batcher, monkeypatch):
    monkeypatch.setattr(batching, "CHARACTERS_OF_TURN", 1)
    batcher.limits = FEW._replace(sentences=9)

    async def ask():
        lines = ["The dog. The cat. The house."] * 5
        with pytest.raises(RequestError, match="at most 9 sentences, found 12 or more"):
            await batcher.translate(lines, TranslationOptions())
        found = await batcher.translate(lines[:3], TranslationOptions())
        return len(found)

    assert run(batcher, ask()) == 3
