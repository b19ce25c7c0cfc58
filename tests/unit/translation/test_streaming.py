"""Lines to draw samples for come in chunks that do not depend on when they arrive."""

import threading
import time
from collections.abc import Iterator

import pytest

from translator.base.errors import InputError
from translator.translation.streaming import CHUNK_SIZE, FIRST_CHUNK, divide_lines


def lines_with_a_pause(count: int) -> Iterator[str]:
    for number in range(count):
        if number == 1:
            time.sleep(0.05)
        yield str(number)


@pytest.mark.parametrize("count", [0, 1, FIRST_CHUNK, FIRST_CHUNK + 1, 4 * CHUNK_SIZE + 1])
def test_chunks_are_full_but_for_the_last(count):
    chunks = list(divide_lines(lines_with_a_pause(count), None))
    assert [line for chunk in chunks for line in chunk] == [str(i) for i in range(count)]
    full = [min(FIRST_CHUNK * 2**i, CHUNK_SIZE) for i in range(len(chunks))]
    assert [len(chunk) for chunk in chunks[:-1]] == full[:-1]
    assert all(len(chunk) <= size for chunk, size in zip(chunks, full))
    assert all(chunks)


def test_a_pause_or_an_error_divides_lines_from_those_after_it():
    was_seen = threading.Event()

    def lines() -> Iterator[str]:
        yield "one"
        was_seen.wait(timeout=10)
        yield "two"

    chunks = divide_lines(lines(), 0.005)
    assert next(chunks) == ["one"]
    was_seen.set()
    assert list(chunks) == [["two"]]

    def broken_lines() -> Iterator[str]:
        yield "one"
        yield "two"
        raise InputError("line 3: expected UTF-8")

    chunks = divide_lines(broken_lines(), None)
    assert next(chunks) == ["one", "two"]
    with pytest.raises(InputError, match="line 3"):
        next(chunks)
