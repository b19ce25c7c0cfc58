"""Lines to draw samples for come in chunks that do not depend on when they arrive."""

from collections.abc import Iterator

import pytest

from translator.base.errors import InputError
from translator.translation.streaming import CHUNK_SIZE, divide_lines


@pytest.mark.parametrize("count", [0, 1, CHUNK_SIZE - 1, CHUNK_SIZE, CHUNK_SIZE + 1])
def test_chunks_are_full_but_for_the_last(count):
    lines = [str(number) for number in range(count)]
    chunks = list(divide_lines(iter(lines), None))
    assert [line for chunk in chunks for line in chunk] == lines
    assert all(len(chunk) == CHUNK_SIZE for chunk in chunks[:-1])
    assert all(chunks)


def test_lines_before_one_that_cannot_be_read_come_first():
    def lines() -> Iterator[str]:
        yield "one"
        yield "two"
        raise InputError("line 3: expected UTF-8")

    chunks = divide_lines(lines(), None)
    assert next(chunks) == ["one", "two"]
    with pytest.raises(InputError, match="line 3"):
        next(chunks)
