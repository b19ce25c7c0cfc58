"""Translates a text in one form of address. Its lines arrive one by one."""

import contextlib
import dataclasses
import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from translator.base.errors import InputError
from translator.search.engine import derive_seed
from translator.text.formality import forms_of, has_formality
from translator.text.read_lines import SourceLine
from translator.text.reading import LineReader
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation
from translator.translation.translator import Translator

FIRST_CHUNK = 64  # lines that are translated together at first, then twice as many each time
CHUNK_SIZE = 1024  # most lines that are translated together
WAIT_SECONDS = 0.005  # seconds to wait for another line before the waiting lines are translated


class TextForm:
    """Keeps one form of address in a text: the form that its translations show first.

    Translations that show another form are made again with a request for this form, so only they
    cost time. Samples stay as they were drawn. A model without tags for forms keeps no form.
    """

    def __init__(self, translator: Translator, options: TranslationOptions) -> None:
        source, target = translator.tokenizers
        is_open = options.formality is None and not options.sample
        self.keeps_form = is_open and has_formality(source.tags)
        self.translator, self.options = translator, options
        self.languages = target.language, source.language
        self.form: str | None = None

    def keep(self, translations: Sequence[Translation]) -> list[Translation]:
        """The next translations of the text, in the form kept if the model can write it."""
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

    All lines are one text with one form of address. Samples depend on the lines that are translated
    together, so samples wait for whole chunks.

    Args:
        lines: a thread reads them when they are needed. If a line cannot be read or
            translated, the lines before it are translated first.
    """
    options = options or TranslationOptions()
    translator.translate_read([], options)  # reports wrong options before any line is read
    reader, form = translator.make_reader(options), TextForm(translator, options)
    place = f"{file}, line" if file else "line"
    seed = options.seed
    wait = None if options.sample else WAIT_SECONDS
    for number, chunk in enumerate(divide_lines(lines, wait)):
        if options.sample:
            options = dataclasses.replace(options, seed=derive_seed(seed, number))
        read, error = _read_lines(reader, chunk, place, first_line)
        if read:
            yield chunk[: len(read)], form.keep(translator.translate_read(read, options))
        if error is not None:
            raise error
        first_line += len(chunk)


def _read_lines(
    reader: LineReader, lines: list[str], place: str, first_line: int
) -> tuple[list[SourceLine], InputError | None]:
    """Reads lines up to the first that cannot be translated; also returns its error."""
    read: list[SourceLine] = []
    for number, line in enumerate(lines, first_line):
        try:
            read.append(reader.read(line, f"{place} {number}"))
        except InputError as error:
            return read, error
    return read, None


def divide_lines(lines: Iterable[str], wait: float | None) -> Iterator[list[str]]:
    """Divides a stream where it pauses, so that a line from an open pipe is translated at once.

    Args:
        lines: a thread reads them, only a little ahead. The thread ends soon after the last use
            of the chunks.
        wait: seconds for the next line; with None all chunks but the last are full.

    Yields:
        One to `CHUNK_SIZE` lines, fewer in the first chunks.

    Raises:
        Exception: any error of ``lines`` itself, after the lines before it.
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
            chunk = [arrived.get()]
            with contextlib.suppress(queue.Empty):
                while isinstance(chunk[-1], str) and len(chunk) < size:
                    chunk.append(arrived.get(timeout=wait))
            size = min(2 * size, CHUNK_SIZE)
            last = None if isinstance(chunk[-1], str) else chunk.pop()
            if chunk:
                yield chunk
            if last is end:
                return
            if last is not None:
                raise last
    finally:
        abandoned.set()
