"""Translates a text whose lines arrive one by one, in one form of address."""

import contextlib
import dataclasses
import functools
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from translator.base.errors import InputError
from translator.search.engine import derive_seed
from translator.text.formality import forms_of, has_formality
from translator.text.read_lines import SourceLine
from translator.text.reading import LineReader
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation
from translator.translation.translator import Translator

FIRST_CHUNK = 64  # lines that are translated together at first, then twice as many each time
CHUNK_SIZE = 1024  # such lines at most
WAIT_SECONDS = 0.005  # for another line, before those that have arrived are translated
TOGETHER = 2  # chunks at a time: while CTranslate2 searches for one, another is read or written


class TextForm:
    """Keeps the form of address that the first translation of a text with one shows.

    Translations that show another form are made again with a request for this one, so only they
    cost time. Samples stay as they were drawn, and a model without tags for forms keeps none.
    """

    def __init__(self, translator: Translator, options: TranslationOptions) -> None:
        source, target = translator.tokenizers
        is_open = options.formality is None and not options.sample
        self.keeps_form = is_open and has_formality(source.tags)
        self.translator, self.options = translator, options
        self.languages = target.language, source.language
        self.form: str | None = None

    def keep(self, translations: Sequence[Translation]) -> list[Translation]:
        """The next translations of the text, all of one form if the model writes it."""
        results = list(translations)
        shown = [self._find_forms(result) for result in results] if self.keeps_form else []
        self.form = self.form or next((forms[0] for forms in shown if forms), None)
        places = [place for place, forms in enumerate(shown) if {*forms} - {self.form}]
        options = dataclasses.replace(self.options, formality=self.form)
        sources = [results[place].source for place in places]
        retranslated = self.translator.translate(sources, options) if sources else []
        for place, translation in zip(places, retranslated):
            if not {*self._find_forms(translation)} - {self.form}:
                results[place] = translation
        return results

    def _find_forms(self, translation: Translation) -> list[str]:
        target, source = self.languages
        return forms_of(translation.text, target, translation.source, source)


def translate_lines(
    translator: Translator,
    lines: Iterable[str],
    options: TranslationOptions | None = None,
    file: str = "",
    first_line: int = 1,
) -> Iterator[tuple[list[str], list[Translation]]]:
    """Translates a stream of lines in order; lines that arrive together are translated together.

    They are one text, with one form of address. Samples depend on which lines are translated
    together, so they wait for whole chunks. CTranslate2 leaves Python free while it searches, so
    that one chunk is read or written beside the search for another.

    Args:
        lines: a thread iterates over them as they are needed. If one cannot be read or
            translated, those before it are translated first.
    """
    options = options or TranslationOptions()
    translator.translate_read([], options)  # reports wrong options before any line is read
    reader, form = translator.make_reader(options), TextForm(translator, options)
    place = f"{file}, line" if file else "line"
    wait = None if options.sample else WAIT_SECONDS
    max_running = TOGETHER if translator.engine.name == "ctranslate2" else 1
    running: deque[Callable[[], TranslatedChunk]] = deque()
    for number, chunk in enumerate(divide_lines(lines, wait, lambda: bool(running))):
        if chunk:
            seed = derive_seed(options.seed, number) if options.sample else options.seed
            chunk_options = dataclasses.replace(options, seed=seed)
            arguments = translator, reader, chunk, place, first_line, chunk_options
            running.append(_start(functools.partial(_translate_chunk, *arguments)))
            first_line += len(chunk)
        if not chunk or len(running) == max_running:
            lines_before_error, translations, error = running.popleft()()
            if translations:
                yield lines_before_error, form.keep(translations)
            if error is not None:
                raise error


class TranslatedChunk(NamedTuple):
    """The lines of a chunk up to the first that cannot be translated, if one cannot."""

    lines: list[str]
    translations: list[Translation]
    error: InputError | None


def _translate_chunk(
    translator: Translator,
    reader: LineReader,
    chunk: list[str],
    place: str,
    first_line: int,
    options: TranslationOptions,
) -> TranslatedChunk:
    lines: list[SourceLine] = []
    error = None
    for number, line in enumerate(chunk, first_line):
        try:
            lines.append(reader.read(line, f"{place} {number}"))
        except InputError as problem:
            error = problem
            break
    return TranslatedChunk(chunk[: len(lines)], translator.translate_read(lines, options), error)


def _start(work: Callable[[], TranslatedChunk]) -> Callable[[], TranslatedChunk]:
    """Starts work in a thread that does not keep the program alive; returns what waits for it."""
    outcome: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def run() -> None:
        try:
            outcome.put(work())
        except BaseException as error:
            outcome.put(error)

    def wait() -> TranslatedChunk:
        chunk = outcome.get()
        if isinstance(chunk, TranslatedChunk):
            return chunk
        raise chunk

    threading.Thread(target=run, daemon=True).start()
    return wait


def divide_lines(
    lines: Iterable[str], wait: float | None, has_work: Callable[[], bool] = lambda: False
) -> Iterator[list[str]]:
    """Divides a stream where it pauses, so that a line sent down an open pipe is there at once.

    Args:
        lines: a thread iterates over them, not far ahead of what is used, and ends soon after
            the chunks are no longer used.
        wait: seconds for the next line; with None all chunks but the last are full.
        has_work: whether the caller has earlier chunks to finish. It then receives an empty chunk
            if no line has arrived, at the end, and before an error.

    Yields:
        One to `CHUNK_SIZE` lines, fewer in the first chunks.

    Raises:
        Exception: what iterating over ``lines`` raised, after the lines before it.
    """
    arrived: queue.Queue[Any] = queue.Queue(maxsize=2 * CHUNK_SIZE)
    end = object()
    abandoned = threading.Event()

    def hand_on(item: Any) -> None:
        while not abandoned.is_set():
            with contextlib.suppress(queue.Full):
                return arrived.put(item, timeout=1)

    def read() -> None:
        try:
            for line in lines:
                hand_on(line)
                if abandoned.is_set():
                    return
            hand_on(end)
        except Exception as error:
            hand_on(error)

    threading.Thread(target=read, daemon=True).start()
    try:
        size = FIRST_CHUNK
        while True:
            while has_work() and arrived.empty():
                yield []
            chunk = [arrived.get()]
            with contextlib.suppress(queue.Empty):
                while isinstance(chunk[-1], str) and len(chunk) < size:
                    chunk.append(arrived.get(timeout=wait))
            size = min(2 * size, CHUNK_SIZE)
            last = None if isinstance(chunk[-1], str) else chunk.pop()
            if chunk:
                yield chunk
            while last is not None and has_work():
                yield []
            if last is end:
                return
            if last is not None:
                raise last
    finally:
        abandoned.set()
