"""Translates requests that arrive together as one batch, in one thread for each model."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from translator.addons.serving.limits import RequestError, ServerLimits
from translator.text.read_lines import SourceLine
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation
from translator.translation.translator import Translator

LINES_AT_ONCE = 256  # of several requests


class _Job(NamedTuple):
    """What waits: lines to translate with some options, or anything else that needs the model."""

    lines: list[SourceLine]
    options: TranslationOptions | None
    call: Callable[[], Any] | None
    done: "asyncio.Future[Any]"


class Batcher:
    """Does the work of one model, one batch after the other.

    Args:
        translator: a loaded run.
        limits: of the server.
    """

    def __init__(self, translator: Translator, limits: ServerLimits) -> None:
        self.translator = translator
        self.limits = limits
        self._jobs: deque[_Job] = deque()
        self._arrived = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None  # since the first request

    async def translate(
        self, lines: Sequence[str], options: TranslationOptions
    ) -> list[Translation]:
        """Translates lines, together with those of other requests that have the same options.

        Raises:
            InputError: a line cannot be translated, or an option is out of range.
            RequestError: too many requests wait, or it takes too long.
        """
        read = await asyncio.to_thread(self._read, list(lines), options)
        found: list[Translation] = await self._do(read, options, None)
        return found

    async def call(self, function: Callable[[], Any]) -> Any:
        """Runs something else that needs the model, between batches.

        Raises:
            RequestError: too many requests wait, or it takes too long.
        """
        return await self._do([], None, function)

    def _read(self, lines: list[str], options: TranslationOptions) -> list[SourceLine]:
        self.translator.translate_read([], options)  # reports wrong options
        reader = self.translator.make_reader(options)
        return [reader.read(line, f"text {number}") for number, line in enumerate(lines, start=1)]

    async def _do(
        self,
        lines: list[SourceLine],
        options: TranslationOptions | None,
        call: Callable[[], Any] | None,
    ) -> Any:
        if len(self._jobs) >= self.limits.waiting:
            raise RequestError(503, "expected fewer requests, found that too many wait; try later")
        if self._worker is None:
            self._arrived = asyncio.Event()  # of the loop that runs now
            self._worker = asyncio.create_task(self._work())
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.append(_Job(lines, options, call, done))
        self._arrived.set()
        try:
            return await asyncio.wait_for(done, self.limits.seconds)
        except TimeoutError:
            raise RequestError(
                504, f"expected an answer within {self.limits.seconds:g} s, found none; send less"
            ) from None

    async def _work(self) -> None:
        while True:
            await self._arrived.wait()
            batch = self._next_batch()
            if not batch:
                self._arrived.clear()
                continue
            try:
                results = await asyncio.to_thread(self._run, batch)
            except Exception as error:
                for job in batch:
                    if not job.done.done():
                        job.done.set_exception(error)
                continue
            for job, result in zip(batch, results):
                if not job.done.done():
                    job.done.set_result(result)

    def _next_batch(self) -> list[_Job]:
        """The first job that somebody still waits for, and those that fit to it."""
        while self._jobs and self._jobs[0].done.done():  # its client has gone
            self._jobs.popleft()
        if not self._jobs:
            return []
        batch = [self._jobs.popleft()]
        if batch[0].call is not None:
            return batch
        count = len(batch[0].lines)
        others: deque[_Job] = deque()
        while self._jobs:
            job = self._jobs.popleft()
            fits = job.options == batch[0].options and count + len(job.lines) <= LINES_AT_ONCE
            if job.done.done():
                continue
            if fits and job.call is None:
                batch.append(job)
                count += len(job.lines)
            else:
                others.append(job)
        self._jobs = others
        return batch

    def _run(self, batch: list[_Job]) -> list[Any]:
        first = batch[0]
        if first.call is not None:
            return [first.call()]
        lines = [line for job in batch for line in job.lines]
        found = iter(self.translator.translate_read(lines, first.options))
        return [[next(found) for _ in job.lines] for job in batch]

    async def close(self) -> None:
        """Ends the work; what waits is refused."""
        if self._worker is not None:
            self._worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._worker
            self._worker = None
        for job in self._jobs:
            if not job.done.done():
                job.done.set_exception(RequestError(503, "the server ends; try later"))
        self._jobs.clear()
