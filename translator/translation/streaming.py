"""Translates lines as they come and hands them on as they are ready."""

import contextlib
import queue
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from translator.base.errors import InputError
from translator.translation.results import Translation
from translator.translation.translator import Translator

CHUNK_SIZE = 1024  # lines that are translated together
PATIENCE = 0.005  # seconds without a new line after which those that are there are translated


def translate_lines(
    translator: Translator, lines: Iterable[str], **options: Any
) -> Iterator[tuple[list[str], list[Translation]]]:
    """Translates a stream of lines, those together that have come, in order.

    Args:
        translator: a loaded run.
        lines: read as they are needed, by a thread. Where one cannot be read or
            translated, those before it are translated first.
        **options: of `Translator.translate`.

    Yields:
        Some lines, at least one, and their translations.

    Raises:
        InputError: an option is out of range, or a line cannot be read or translated.
    """
    translator.translate([], **options)  # what is wrong with the options is said first
    first_line = 1
    for chunk in chunks_as_they_come(lines):
        try:
            translations = translator.translate(chunk, first_line=first_line, **options)
        except InputError:
            good = _count_good(translator, chunk, options)
            if 0 < good < len(chunk):
                chunk = chunk[:good]
                yield chunk, translator.translate(chunk, first_line=first_line, **options)
            raise
        yield chunk, translations
        first_line += len(chunk)


def _count_good(translator: Translator, lines: list[str], options: dict[str, Any]) -> int:
    """How many lines stand before the first that cannot be translated; all, if none is."""
    names = ("split", "errors", "raw", "replace_unknown")
    chosen = {name: options[name] for name in names if name in options}
    for count, line in enumerate(lines):
        try:
            translator.check_sentence(line, **chosen)
        except InputError:
            return count
    return len(lines)


def chunks_as_they_come(lines: Iterable[str]) -> Iterator[list[str]]:
    """Cuts a stream where it pauses: a line sent down an open pipe is there at once.

    Args:
        lines: iterated by a thread, not much further than they are taken; it ends
            soon after nobody takes any more.

    Yields:
        One to `CHUNK_SIZE` lines.

    Raises:
        Exception: what iterating ``lines`` raised, after the lines before it.
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
        while True:
            chunk = [arrived.get()]
            with contextlib.suppress(queue.Empty):
                while isinstance(chunk[-1], str) and len(chunk) < CHUNK_SIZE:
                    chunk.append(arrived.get(timeout=PATIENCE))
            last = None if isinstance(chunk[-1], str) else chunk.pop()
            if chunk:
                yield chunk
            if last is end:
                return
            if last is not None:
                raise last
    finally:
        abandoned.set()
