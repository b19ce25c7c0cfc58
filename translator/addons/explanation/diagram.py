"""Draws a Transformer from its parts: as text for a terminal, and as SVG."""

import html
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import NamedTuple

from translator.addons.explanation.architecture import Architecture, ModelPart, Stack
from translator.base.languages import language_facts

INDENT = 2  # columns of text

# Of the drawing, in pixels.
WIDTH = 290  # of a box
BETWEEN = 100  # the stacks
BESIDE = 46  # the stacks, for the arrows around sub-layers
HALF = BESIDE + WIDTH + BETWEEN / 2
LARGE, SMALL = 46, 25  # heights of boxes with two lines of text, and with one
STEP = 11  # from a box to the next
ROOM = 30  # above and below all boxes
IN_FRAME = (12, 26)  # below and above the boxes of a layer
HEADS, HEAD = 88, 9  # the width of all heads of a layer; the height and largest width of one
MOST_HEADS = 24  # more are not drawn
STYLE_SHEET = resources.files("translator.addons.explanation") / "page" / "diagram.css"
COLOURS = {  # of an SVG file, light and dark
    "ink": ("#26241f", "#e6e2d8"),
    "soft": ("#67635a", "#a09b90"),
    "rule": ("#d6d2c8", "#45464d"),
    "sheet": ("#ffffff", "#1b1c20"),
    "paper": ("#faf9f6", "#141518"),
    "mark": ("#b03a24", "#f08a72"),
}
FONT = "system-ui, 'DejaVu Sans', sans-serif"


class Place(NamedTuple):
    """A head.

    Attributes:
        kind: the kind of its attention: encoder, decoder or cross.
        layer: its number, from 1.
        head: its number, from 1.
    """

    kind: str
    layer: int
    head: int


def architecture_lines(architecture: Architecture) -> Iterator[str]:
    """A line for each part: its name, its sizes, the shape of its output, its parameters."""
    rows = list(_rows(architecture))
    widths = [max(len(cells[column]) for cells in rows) for column in range(4)]
    for name, detail, shape, parameters in rows:
        line = f"{name:<{widths[0]}}  {detail:<{widths[1]}}  {shape:<{widths[2]}}  "
        yield f"{line}{parameters:>{widths[3]}}".rstrip()


def _rows(architecture: Architecture) -> Iterator[tuple[str, str, str, str]]:
    yield "", "", "shape", "parameters"
    for stack in (architecture.encoder, architecture.decoder):
        yield stack.name, "", "", f"{stack.parameters:,}"
        yield from (_row(part, 1) for part in stack.entering)
        layers = "1 layer" if stack.layers == 1 else f"{stack.layers} layers, each"
        yield " " * INDENT + layers, "", "", _sum_of(stack.layer)
        yield from (_row(part, 2) for part in stack.layer)
        yield from (_row(part, 1) for part in stack.leaving)
    yield "output", "", "", _sum_of(architecture.output)
    yield from (_row(part, 1) for part in architecture.output)


def _row(part: ModelPart, depth: int) -> tuple[str, str, str, str]:
    parameters = f"{part.parameters:,}" if part.parameters else ""
    return " " * INDENT * depth + part.name, part.detail, part.shape, parameters


def _sum_of(parts: Sequence[ModelPart]) -> str:
    return f"{sum(part.parameters for part in parts):,}"


def diagram_svg(
    architecture: Architecture,
    title: str,
    languages: tuple[str, str],
    place: Place | None = None,
) -> str:
    """Draws the model as in Vaswani et al. (2017), figure 1, with its own sizes."""
    height, encoder, decoder = _draw_halves(architecture, languages, place)
    paper = f'<rect class="paper" width="{2 * HALF}" height="{height}"/>'
    style = f"<style>{_style()}</style>"
    return _svg(title, 0, 2 * HALF, height, [style, paper, *encoder, *decoder])


def diagram_halves(
    architecture: Architecture, title: str, languages: tuple[str, str], place: Place
) -> list[str]:
    """Draws the model in two halves. A narrow page shows one below the other."""
    height, *halves = _draw_halves(architecture, languages, place)
    return [_svg(title, i * HALF, HALF, height, lines) for i, lines in enumerate(halves)]


def _svg(title: str, left: float, width: float, height: float, lines: Sequence[str]) -> str:
    begin = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="diagram" viewBox="{left} 0 {width}'
        f' {height}" width="{width}" height="{height}" role="img"'
        f' aria-label="{html.escape(title)}">'
    )
    return "\n".join([begin, *lines, "</svg>\n"])


def _draw_halves(
    architecture: Architecture, languages: tuple[str, str], place: Place | None
) -> tuple[float, list[str], list[str]]:
    """The height of a drawing, and the lines of its two halves."""
    stacks = architecture.encoder, architecture.decoder
    outputs: tuple[Sequence[ModelPart], ...] = ((), architecture.output)
    height = max(_height(stack, output) for stack, output in zip(stacks, outputs)) + 2 * ROOM
    encoder, decoder = (
        _StackDrawing(stack, output, left, height - ROOM, side, place)
        for stack, output, left, side in zip(stacks, outputs, (BESIDE, HALF + BETWEEN / 2), (-1, 1))
    )
    names = [language_facts(code).name or code for code in languages]
    above = encoder.top - 12
    encoder.lines += [
        f'<path d="M{encoder.middle},{encoder.top}V{above}H{HALF}"/>',
        _text(encoder.middle, height - 8, f"{names[0]}, S pieces", "soft", "middle"),
        _text(8, 18, "numbers on the right: parameters", "soft"),
        _text(encoder.middle + 6, encoder.top - 16, stacks[0].layer[-1].shape, "soft"),
    ]
    so_far = f"{names[1]}, T pieces so far, start first"
    decoder.lines += [
        f'<path d="M{HALF},{above}h6V{decoder.memory}H{decoder.left - 6}"/>',
        _tip(decoder.left, decoder.memory, "right"),
        _text(decoder.middle, height - 8, so_far, "soft", "middle"),
        _text(decoder.middle, 18, "the next piece, at each position", "soft", "middle"),
    ]
    return height, encoder.lines, decoder.lines


def _style() -> str:
    """The style of an SVG file, for programs that know neither variables nor dark pages."""
    css = STYLE_SHEET.read_text("utf-8").replace("var(--sans)", FONT)
    light = dark = css
    for name, colours in COLOURS.items():
        light, dark = (
            text.replace(f"var(--{name})", colour) for text, colour in zip((light, dark), colours)
        )
    return f"{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


def _box_height(part: ModelPart) -> int:
    is_small = part.name in ("add", "normalise", "positions", "softmax")
    return SMALL if is_small else LARGE


def _height(stack: Stack, output: Sequence[ModelPart]) -> float:
    parts = (*stack.entering, *stack.layer, *stack.leaving, *output)
    return sum(_box_height(part) + STEP for part in parts) + sum(IN_FRAME)


class _StackDrawing:
    """The boxes of one stack, from the bottom to the top.

    Attributes:
        memory: the middle of the cross-attention, from the top; 0 if there is none.
    """

    def __init__(
        self,
        stack: Stack,
        output: Sequence[ModelPart],
        left: float,
        bottom: float,
        side: int,
        place: Place | None,
    ) -> None:
        self.lines: list[str] = []
        self.left, self.middle = left, left + WIDTH / 2
        self.top, self.memory = bottom, 0.0
        self.place = place
        self._boxes(stack.entering)
        frame = self.top
        self.top -= IN_FRAME[0]
        for start in range(0, len(stack.layer), 3):
            self._sub_layer(stack.layer[start : start + 3], side)
        self.top -= IN_FRAME[1]
        self._frame(stack, frame, side)
        self._boxes((*stack.leaving, *output))

    def _sub_layer(self, parts: Sequence[ModelPart], side: int) -> None:
        """Draws three boxes; one of them adds the input of the first box."""
        entered = self.top - STEP / 2
        edge = self.left + (WIDTH if side > 0 else 0)
        for part in parts:
            self._boxes([part])
            if part.name == "add":
                y = self.top + _box_height(part) / 2
                x = edge + side * 16
                self.lines.append(f'<path d="M{self.middle},{entered}H{x}V{y}H{edge + side * 6}"/>')
                self.lines.append(_tip(edge, y, "left" if side > 0 else "right"))

    def _boxes(self, parts: Sequence[ModelPart]) -> None:
        for part in parts:
            below, height = self.top, _box_height(part)
            self.top -= STEP + height
            self.lines.append(f'<path d="M{self.middle},{below}V{self.top + height + 5}"/>')
            self.lines.append(_tip(self.middle, self.top + height, "up"))
            self._box(part, height)

    def _box(self, part: ModelPart, height: int) -> None:
        is_chosen = self.place is not None and part.kind == self.place.kind != ""
        chosen = ' class="chosen"' if is_chosen else ""
        y = self.top
        self.lines.append(
            f'<rect x="{self.left}" y="{y}" width="{WIDTH}" height="{height}" rx="5"{chosen}/>'
        )
        self.lines.append(_text(self.left + 10, y + 17, part.name))
        number = f"{part.parameters:,}" if part.parameters else ""
        if part.name in ("positions", "softmax"):
            number = part.shape
        self.lines.append(_text(self.left + WIDTH - 10, y + 17, number, "soft", "end"))
        if height == LARGE:
            self.lines.append(_text(self.left + 10, y + 36, part.detail, "soft"))
        elif part.name != "add":
            self.lines.append(_text(self.left + 84, y + 17, part.detail, "soft"))
        if part.kind == "cross":
            self.memory = y + height / 2
        if 0 < part.heads <= MOST_HEADS:
            self._heads(part, is_chosen)

    def _heads(self, part: ModelPart, is_chosen: bool) -> None:
        y = self.top + LARGE - HEAD - 9
        step = min(HEAD + 2, HEADS / part.heads)
        first = self.left + WIDTH - 10 - part.heads * step + 2
        for head in range(part.heads):
            is_marked = is_chosen and self.place is not None and head + 1 == self.place.head
            self.lines.append(
                f'<rect class="head{" chosen" * is_marked}" x="{first + head * step:g}" y="{y}"'
                f' width="{step - 2:g}" height="{HEAD}"/>'
            )

    def _frame(self, stack: Stack, bottom: float, side: int) -> None:
        left = self.left - (26 if side < 0 else 10)
        top = self.top
        self.lines.append(
            f'<rect class="layers" x="{left}" y="{top}" width="{WIDTH + 36}"'
            f' height="{bottom - 4 - top}" rx="8"/>'
        )
        layers = f"{stack.layers} layer{'s' * (stack.layers > 1)}"
        kinds = {part.kind for part in stack.layer if part.kind}
        is_here = self.place is not None and self.place.kind in kinds
        if is_here and self.place is not None:
            text = f"{stack.name}: layer {self.place.layer} of {stack.layers}"
            self.lines.append(_text(left + 8, top + 17, text, "chosen"))
        else:
            self.lines.append(_text(left + 8, top + 17, f"{stack.name}: {layers}", "soft"))


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "") -> str:
    attributes = f' class="{kind}"' * bool(kind) + f' text-anchor="{anchor}"' * bool(anchor)
    return f'<text x="{x}" y="{y}"{attributes}>{html.escape(text)}</text>'


def _tip(x: float, y: float, towards: str) -> str:
    """The head of an arrow with its tip at a point."""
    sides = {
        "up": [(-4, 6), (4, 6)],
        "right": [(-6, -4), (-6, 4)],
        "left": [(6, -4), (6, 4)],
    }[towards]
    points = " ".join(f"{x + dx},{y + dy}" for dx, dy in ((0, 0), *sides))
    return f'<polygon class="tip" points="{points}"/>'
