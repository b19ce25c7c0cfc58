"""Translates requests that arrive together as one batch, in one thread for each model.

Requests take turns. The next turn goes to the request that has used the model least, together with
the shortest other requests. A request that has waited for a quarter of its time limit goes before
later ones. Otherwise several long requests could block each other until all time out.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from translator.addons.serving.limits import RequestError, ServerLimits
from translator.base.errors import InputError, is_installed
from translator.text.read_lines import SourceLine
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation
from translator.translation.streaming import TextForm
from translator.translation.translator import Translator

SECONDS_OF_TURN = 0.5
CHARACTERS_OF_TURN = 3_200  # of the lines that are translated in a turn
LEAST_CHARACTERS = 50  # of a sentence, as it is counted: short sentences take time, too
Steps = Generator[None, None, Any]


@dataclass(eq=False)
class _Job:
    """A waiting request: lines to translate with some options, or steps of other work.

    Attributes:
        result: the future that gets the result, or the error.
        translations: translations of the lines that are done.
        seconds: seconds of the model's time that the request has had.
        keep: keeps the form of address of the lines.
    """

    result: "asyncio.Future[Any]"
    options: TranslationOptions | None = None
    lines: list[str] = field(default_factory=list)
    steps: Steps | None = None
    translations: list[Translation] = field(default_factory=list)
    sentences: int = 0
    seconds: float = 0.0
    arrival: float = field(default_factory=time.monotonic)
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
        """Translates lines, together with the lines of other requests with the same options.

        Raises:
            RequestError: there are too many sentences, a line is too long, too many requests wait,
                or the translation takes too long.
        """
        self.limits.check_lines(lines)
        keep = TextForm(self.translator, options).keep
        return list(await self._submit(options=options, keep=keep, lines=list(lines)))

    async def call(self, steps: Steps) -> Any:
        """Does other work that needs the model; other requests may have a turn after each step.

        Raises:
            RequestError: too many requests wait, or the work takes too long.
        """
        return await self._submit(steps=steps)

    async def _submit(self, **work: Any) -> Any:
        self._jobs = [job for job in self._jobs if not job.result.done()]
        if len(self._jobs) >= self.limits.waiting:
            raise RequestError(503, "expected fewer waiting requests, found too many; try later")
        if self._worker is None:
            self._arrived = asyncio.Event()  # of the loop that runs now
            self._thread = ThreadPoolExecutor(1)
            self._worker = asyncio.create_task(self._work())
        job = _Job(asyncio.get_running_loop().create_future(), **work)
        self._jobs.append(job)
        self._arrived.set()
        try:
            return await asyncio.wait_for(job.result, self.limits.seconds)
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
                if job.result.done():  # its client has disconnected
                    continue
                if isinstance(result, Exception):
                    job.result.set_exception(result)
                else:
                    job.result.set_result(result)

    def _next_turn(self) -> list[_Job]:
        """The job whose turn it is, and jobs with the same options."""
        self._jobs = [job for job in self._jobs if not job.result.done()]
        old = time.monotonic() - self.limits.seconds / 4
        jobs = sorted(
            self._jobs,
            key=lambda job: (-1, 0) if job.arrival < old else (job.seconds, len(job.lines)),
        )
        if not jobs or jobs[0].steps is not None:
            return jobs[:1]
        first, *later_jobs = jobs
        alike = [job for job in later_jobs if job.steps is None and job.options == first.options]
        return [first, *sorted(alike, key=lambda job: len(job.lines))]

    def _run(self, turn: list[_Job]) -> list[tuple[_Job, Any]]:
        """Does the work that fits into a turn.

        Returns:
            The jobs that ended, with their results or errors.
        """
        steps = turn[0].steps
        try:
            return self._translate(turn) if steps is None else self._step(turn[0], steps)
        except Exception as error:
            if len(turn) > 1:  # the error may belong to another job of this turn
                return self._run(turn[:1])
            return [(turn[0], error)]

    def _step(self, job: _Job, steps: Steps) -> list[tuple[_Job, Any]]:
        began, seconds = time.monotonic(), 0.0
        try:
            while seconds <= SECONDS_OF_TURN and not job.result.done():
                next(steps)
                seconds = time.monotonic() - began
        except StopIteration as ended:
            return [(job, ended.value)]
        except InputError:
            if is_installed("keras"):
                raise
            raise RequestError(501, "expected the extra train on the server, found none") from None
        job.seconds += seconds
        return []

    def _translate(self, turn: list[_Job]) -> list[tuple[_Job, Any]]:
        """Translates lines of the first job; at least a quarter of the turn is for other jobs."""
        began, options = time.monotonic(), turn[0].options
        try:
            reader = self.translator.make_reader(options)
        except InputError as error:  # the client asked for it
            raise RequestError(400, str(error)) from None
        job_lines: list[tuple[_Job, SourceLine]] = []
        ended: list[tuple[_Job, Any]] = []
        room = CHARACTERS_OF_TURN
        for job in turn:
            try:
                self.limits.check_sentences(job.sentences)
            except RequestError as error:
                ended.append((job, error))
                continue
            reserved = CHARACTERS_OF_TURN // 4 if job is turn[0] and len(turn) > 1 else 0
            for text in job.lines[len(job.translations) :]:
                if room <= reserved or (job_lines and time.monotonic() - began > SECONDS_OF_TURN):
                    break
                line = reader.read(text, "q")
                room -= max(len(text), LEAST_CHARACTERS * len(line.sentences))
                job_lines.append((job, line))
        translations = self.translator.translate_read([line for _, line in job_lines], options)
        for job in turn:
            numbers = [i for i, (owner, _) in enumerate(job_lines) if owner is job]
            job.translations += job.keep([translations[i] for i in numbers])
            job.sentences += sum(len(job_lines[i][1].sentences) for i in numbers)
            job.seconds += (time.monotonic() - began) * len(numbers) / max(1, len(job_lines))
        whole = [job for job in turn if len(job.translations) == len(job.lines)]
        return ended + [(job, job.translations) for job in whole]

    async def close(self) -> None:
        """Ends the work, and refuses the jobs that wait."""
        if self._worker is not None:
            self._worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._worker
            self._thread.shutdown(wait=False)
            self._worker = None
        for job in self._jobs:
            if not job.result.done():
                job.result.set_exception(RequestError(503, "the server is stopping; try later"))
        self._jobs.clear()
