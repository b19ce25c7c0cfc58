"""Reads from a program compiled by XLA what it does: kernels, bytes, operations, sums of devices.

The text is that of ``jax.stages.Compiled.as_text``; https://openxla.org/xla/hlo_to_thunks explains
its instructions.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

BYTES = {"pred": 1, "s8": 1, "u8": 1, "bf16": 2, "f16": 2, "f32": 4, "s32": 4, "u32": 4, "s64": 8,
         "u64": 8, "f64": 8}  # fmt: skip
NO_WORK = frozenset(
    ("parameter", "constant", "get-tuple-element", "tuple", "bitcast", "after-all", "partition-id")
)
CALLS = frozenset(("call", "while", "conditional"))  # of other computations, one after the other
LOOKS_UP = frozenset(("gather", "dynamic-slice", "slice"))  # read a part of their argument
ELEMENTWISE = frozenset(("add", "bitcast", "convert", "multiply", "subtract"))
COMPUTATION = re.compile(r"(ENTRY )?%?(\S+) \(.*\{$")
INSTRUCTION = re.compile(r"\s+(?:ROOT )?%?(\S+) = (\(.*?\)|\S+) ([a-z][a-z-]*)\((.*)")
ARRAY = re.compile(r"\b([a-z]+\d*)\[([\d,]*)\]")
NAME = re.compile(r"%([\w.-]+)")
CALLED = re.compile(r"\b(?:calls|to_apply|body|condition)=%?([\w.-]+)")
ORIGIN = re.compile(r'\bop_name="([^"]*)"')
CONTRACTED = re.compile(r"lhs_contracting_dims=\{([\d,]*)\}")
TRIPS = re.compile(r'"known_trip_count":\{"n":"(\d+)"\}')


class Array(NamedTuple):
    """Type and shape of an array."""

    dtype: str
    shape: tuple[int, ...]

    @property
    def bytes(self) -> int:
        """Its size."""
        return BYTES.get(self.dtype, 0) * math.prod(self.shape)


class Instruction(NamedTuple):
    """An instruction of a compiled program.

    Attributes:
        name: in its computation.
        arrays: what it gives.
        operation: such as "fusion".
        arguments: the names of what it takes.
        rest: its attributes; the number of a parameter is before them.
    """

    name: str
    arrays: tuple[Array, ...]
    operation: str
    arguments: tuple[str, ...]
    rest: str

    @property
    def called(self) -> list[str]:
        """The computations that it names."""
        return CALLED.findall(self.rest)

    @property
    def origin(self) -> str:
        """The function and the layer that it comes from."""
        found = ORIGIN.search(self.rest)
        return found[1] if found else ""


class Kernel(NamedTuple):
    """One of a program's kernels.

    Attributes:
        instruction: that starts it.
        bytes: that it reads and writes.
        operations: two for each multiplication and addition of a matrix product.
        times: how often it is started; more than once within a loop.
        beside: bytes of the kernels that run before its result is waited for; 0 within a loop.
    """

    instruction: Instruction
    bytes: int
    operations: int
    times: int
    beside: int = 0


Computation = Mapping[str, Instruction]


def read_kernels(text: str) -> list[Kernel]:
    """The kernels of a compiled program, in its order.

    An asynchronous operation counts where it starts.

    Args:
        text: of the program.
    """
    computations: dict[str, dict[str, Instruction]] = {}
    entry, current = "", dict[str, Instruction]()
    for line in text.splitlines():
        if line.endswith("{") and (head := COMPUTATION.match(line)):
            current = computations.setdefault(head[2], {})
            entry = head[2] if head[1] else entry
        elif found := INSTRUCTION.match(line):
            arguments = _balanced(found[4])
            rest = found[4][len(arguments) :]
            instruction = Instruction(
                found[1],
                tuple(_arrays(found[2])),
                found[3],
                tuple(NAME.findall(arguments)),
                f"{arguments}{rest}" if found[3] == "parameter" else rest,
            )
            current[found[1]] = instruction
    kernels = list(_kernels(computations[entry], computations, 1))
    return list(_with_those_beside(kernels, computations[entry]))


def _with_those_beside(kernels: Sequence[Kernel], entry: Computation) -> Iterator[Kernel]:
    places = {name: place for place, name in enumerate(entry)}
    waits = {
        each.arguments[0]: places[each.name]
        for each in entry.values()
        if each.operation == "all-reduce-done"
    }
    starts = [places.get(kernel.instruction.name, -1) for kernel in kernels]
    for start, kernel in zip(starts, kernels):
        wait = waits.get(kernel.instruction.name, start)
        beside = (each.bytes for place, each in zip(starts, kernels) if start < place < wait)
        yield kernel._replace(beside=sum(beside))


def _balanced(text: str) -> str:
    """A text up to the bracket that closes it."""
    depth = 1
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return text[:place]
    return text


def _arrays(text: str) -> Iterator[Array]:
    for dtype, shape in ARRAY.findall(text):
        yield Array(dtype, tuple(map(int, filter(None, shape.split(",")))))


def _kernels(
    computation: Computation, computations: Mapping[str, Computation], times: int
) -> Iterator[Kernel]:
    for each in computation.values():
        if each.operation in NO_WORK or each.operation.endswith(("-done", "-update")):
            continue
        if each.operation in CALLS:
            found = TRIPS.search(each.rest)
            trips = int(found[1]) if found else 1
            for name in each.called:
                yield from _kernels(computations[name], computations, times * trips)
            continue
        inner = [computations[name] for name in each.called if each.operation == "fusion"]
        size = sum(array.bytes for array in each.arrays)
        if each.operation.endswith("-start"):  # gives what it takes as well
            size = max(array.bytes for array in each.arrays)
        body = inner[0] if inner else {}
        read = sum(_read(computation, each, number, body) for number in range(len(each.arguments)))
        products = _products(body or {each.name: each}, body or computation)
        yield Kernel(each, size + read, sum(products), times)


def _read(computation: Computation, kernel: Instruction, number: int, body: Computation) -> int:
    """The bytes of an argument that a kernel reads: those that it looks up, or all."""
    arrays = computation[kernel.arguments[number]].arrays
    for each in body.values():
        if each.operation == "parameter" and each.rest.startswith(f"{number})"):
            [array] = arrays
            return BYTES.get(array.dtype, 0) * _read_inside(each, body)
    return sum(array.bytes for array in arrays)


def _read_inside(value: Instruction, body: Computation) -> int:
    """The elements of a value that a kernel reads, at most."""
    whole = sum(math.prod(array.shape) for array in value.arrays)
    count = 0
    for each in body.values():
        if value.name not in each.arguments:
            continue
        if each.operation in LOOKS_UP and each.arguments[0] == value.name:
            count += sum(math.prod(array.shape) for array in each.arrays)
        elif each.operation in ELEMENTWISE:
            count += _read_inside(each, body)
        else:
            return whole
    return min(whole, count) or whole


def _products(body: Computation, around: Computation) -> Iterator[int]:
    """The operations of each matrix product."""
    for each in body.values():
        if each.operation == "dot":
            [left] = around[each.arguments[0]].arrays
            axes = CONTRACTED.search(each.rest)
            length = math.prod(left.shape[int(axis)] for axis in _numbers(axes))
            yield 2 * length * math.prod(each.arrays[0].shape)


def _numbers(found: re.Match[str] | None) -> Iterable[str]:
    return filter(None, found[1].split(",")) if found else ()


def sums(kernels: Sequence[Kernel]) -> list[Kernel]:
    """Those that sum up arrays of all devices."""
    names = ("all-reduce", "all-reduce-start")
    return [kernel for kernel in kernels if kernel.instruction.operation in names]


def sums_of_devices(kernels: Sequence[Kernel]) -> dict[str, int]:
    """The bytes of the arrays that devices sum up, by their types."""
    found: dict[str, int] = {}
    for kernel in sums(kernels):
        for array in kernel.instruction.arrays:
            found[array.dtype] = found.get(array.dtype, 0) + array.bytes * kernel.times
    return found
