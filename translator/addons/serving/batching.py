"""Translates requests that arrive together as one batch, in one thread for each model.

Requests take turns: next is the one that has had least of the model's time, and the shortest of the
others come with it. Who has waited for a quarter of the time that a request may take is before
those that came later, or of several long requests that cannot all be answered none would be.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from translator.addons.serving.limits import RequestError, ServerLimits
from translator.base.errors import InputError
from translator.text.read_lines import SourceLine
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation
from translator.translation.streaming import TextForm
from translator.translation.translator import Translator

SECONDS_OF_TURN = 0.5
CHARACTERS_OF_TURN = 3_200  # of the lines that are translated in a turn
LEAST_CHARACTERS = 50  # that a sentence counts as: a short one takes its time, too
Steps = Generator[None, None, Any]


@dataclass(eq=False)
class _Job:
    """What waits: lines to translate with some options, or steps of anything else.

    Attributes:
        done: has the result, or the error.
        found: the translations of the first of them.
        seconds: of the model's time that it has had.
        keep: keeps the form of address of its lines.
    """

    done: "asyncio.Future[Any]"
    options: TranslationOptions | None = None
    lines: list[str] = field(default_factory=list)
    steps: Steps | None = None
    found: list[Translation] = field(default_factory=list)
    sentences: int = 0
    seconds: float = 0.0
    begun: float = field(default_factory=time.monotonic)
    keep: Callable[[Sequence[Translation]], list[Translation]] = list


class Batcher:
    """Does the work of one model, one turn after the other."""

    def __init__(self, translator: Translator, limits: ServerLimits) -> None:
        self.translator = translator
        self.limits = limits
        self._jobs: list[_Job] = []  # as they arrived
        self._arrived = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None  # since the first request
        self._thread = ThreadPoolExecutor(1)

    async def translate(
        self, lines: Sequence[str], options: TranslationOptions
    ) -> list[Translation]:
        """Translates lines, together with those of other requests that have the same options.

        Raises:
            RequestError: there are too many sentences, a line is too long, too many requests wait,
                or it takes too long.
        """
        self.limits.check_lines(lines)
        keep = TextForm(self.translator, options).keep
        found: list[Translation] = await self._do(options=options, keep=keep, lines=list(lines))
        return found

    async def call(self, steps: Steps) -> Any:
        """Does something else that needs the model; others may have a turn after each step.

        Raises:
            RequestError: too many requests wait, or it takes too long.
        """
        return await self._do(steps=steps)

    async def _do(self, **work: Any) -> Any:
        self._jobs = [job for job in self._jobs if not job.done.done()]
        if len(self._jobs) >= self.limits.waiting:
            raise RequestError(503, "expected fewer requests, found that too many wait; try later")
        if self._worker is None:
            self._arrived = asyncio.Event()  # of the loop that runs now
            self._thread = ThreadPoolExecutor(1)
            self._worker = asyncio.create_task(self._work())
        job = _Job(asyncio.get_running_loop().create_future(), **work)
        self._jobs.append(job)
        self._arrived.set()
        try:
            return await asyncio.wait_for(job.done, self.limits.seconds)
        except TimeoutError:
            raise RequestError(
                504, f"expected an answer within {self.limits.seconds:g} s, found none; send less"
            ) from None

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._arrived.wait()
            turn = self._next_turn()
            if not turn:
                self._arrived.clear()
                continue
            for job, result in await loop.run_in_executor(self._thread, self._run, turn):
                if job.done.done():  # its client has gone
                    continue
                if isinstance(result, Exception):
                    job.done.set_exception(result)
                else:
                    job.done.set_result(result)

    def _next_turn(self) -> list[_Job]:
        """The job whose turn it is, and those that fit to it."""
        self._jobs = [job for job in self._jobs if not job.done.done()]
        old = time.monotonic() - self.limits.seconds / 4
        jobs = sorted(
            self._jobs,
            key=lambda job: (-1, 0) if job.begun < old else (job.seconds, len(job.lines)),
        )
        if not jobs or jobs[0].steps is not None:
            return jobs[:1]
        first, *others = jobs
        alike = [job for job in others if job.steps is None and job.options == first.options]
        return [first, *sorted(alike, key=lambda job: len(job.lines))]

    def _run(self, turn: list[_Job]) -> list[tuple[_Job, Any]]:
        """Does what fits into a turn.

        Returns:
            The jobs that ended, with their results or errors.
        """
        steps = turn[0].steps
        try:
            return self._translate(turn) if steps is None else self._step(turn[0], steps)
        except Exception as error:
            if len(turn) > 1:  # of which one has the error
                return self._run(turn[:1])
            return [(turn[0], error)]

    def _step(self, job: _Job, steps: Steps) -> list[tuple[_Job, Any]]:
        began, seconds = time.monotonic(), 0.0
        try:
            while seconds <= SECONDS_OF_TURN and not job.done.done():
                next(steps)
                seconds = time.monotonic() - began
        except StopIteration as ended:
            return [(job, ended.value)]
        job.seconds += seconds
        return []

    def _translate(self, turn: list[_Job]) -> list[tuple[_Job, Any]]:
        """Translates lines of the first job; a quarter of the room at least is for the others."""
        began, options = time.monotonic(), turn[0].options
        try:
            reader = self.translator.make_reader(options)
        except InputError as error:  # what was asked for is the client's
            raise RequestError(400, str(error)) from None
        read: list[tuple[_Job, SourceLine]] = []
        done: list[tuple[_Job, Any]] = []
        room = CHARACTERS_OF_TURN
        for job in turn:
            try:
                self.limits.check_sentences(job.sentences)
            except RequestError as error:
                done.append((job, error))
                continue
            kept = CHARACTERS_OF_TURN // 4 if job is turn[0] and len(turn) > 1 else 0
            for text in job.lines[len(job.found) :]:
                if room <= kept or (read and time.monotonic() - began > SECONDS_OF_TURN):
                    break
                line = reader.read(text, "q")
                room -= max(len(text), LEAST_CHARACTERS * len(line.sentences))
                read.append((job, line))
        translations = self.translator.translate_read([line for _, line in read], options)
        for job in turn:
            lines = [(line, one) for (of, line), one in zip(read, translations) if of is job]
            job.found += job.keep([translation for _, translation in lines])
            job.sentences += sum(len(line.sentences) for line, _ in lines)
            job.seconds += (time.monotonic() - began) * len(lines) / max(1, len(read))
        return done + [(job, job.found) for job in turn if len(job.found) == len(job.lines)]

    async def close(self) -> None:
        """Ends the work; what waits is refused."""
        if self._worker is not None:
            self._worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._worker
            self._thread.shutdown(wait=False)
            self._worker = None
        for job in self._jobs:
            if not job.done.done():
                job.done.set_exception(RequestError(503, "the server ends; try later"))
        self._jobs.clear()
