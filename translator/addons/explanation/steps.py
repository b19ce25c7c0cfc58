"""The steps from a sentence to the next word, in the order of the model.

Each step has its numbers, their shape, the formula, and an explanation in plain words. NumPy only.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from translator.addons.explanation.tracing import HeadTrace

ROTATION = (
    " Attention does not know the order of the pieces. So R rotates each pair of numbers by an"
    " angle that grows with the position. The product of a query and a key then depends on their"
    " distance."
)
PIECES, HEAD, HEADS, LAYER, WRITING = GROUPS = (
    "from pieces to vectors",
    "inside the head",
    "all heads together",
    "the rest of the layer",
    "what is written",
)
NAMED_BY_WHAT_IS_WRITTEN = " From here on a row is named after the piece that it will write."


class Step(NamedTuple):
    """One step.

    Attributes:
        name: one word or two, unique among the steps.
        text: an explanation in a sentence or two.
        rows: a label for each row.
        columns: a label for each column; None if these are dimensions without a meaning.
        kind: how to show the numbers: signed, share (0 to 1), mask or size (0 and more).
        is_of_keys: whether the rows are the positions that are looked at (keys, not queries).
    """

    name: str
    formula: str
    text: str
    numbers: np.ndarray
    rows: tuple[str, ...]
    columns: tuple[str, ...] | None = None
    kind: str = "signed"
    is_of_keys: bool = False
    group: str = ""

    @property
    def shape(self) -> str:
        """The shape in words, such as ``9 x 32``."""
        rows, columns = self.numbers.shape
        return f"{rows} x {columns}"


class Labels(NamedTuple):
    """The pieces of a sentence pair.

    Attributes:
        source: S pieces, with start and end where the tokenizer has them.
        reads: T pieces that the decoder reads, start included.
        writes: T pieces; each follows the piece in ``reads``.
    """

    source: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]

    def queries(self, kind: str) -> tuple[str, ...]:
        """The labels of the rows of one kind of attention."""
        return self.source if kind == "encoder" else self.reads

    def keys(self, kind: str) -> tuple[str, ...]:
        """The labels of the columns of one kind of attention."""
        return self.reads if kind == "decoder" else self.source


def make_steps(
    trace: "HeadTrace", labels: Labels, num_layers: int, normalizes_first: bool, activation: str
) -> list[Step]:
    """The steps of a head, from the embedding to the decoder's output.

    Args:
        normalizes_first: whether layers normalise before attention and network, not after.
    """
    queries, keys = labels.queries(trace.kind), labels.keys(trace.kind)
    rows = labels.writes if trace.kind == "cross" else queries
    entering = _entering_steps(trace, rows, keys, normalizes_first)
    groups = {
        PIECES: [*_embedding_steps(trace, queries), *entering],
        HEAD: _attention_steps(trace, rows, keys),
        HEADS: _leaving_steps(trace, rows, normalizes_first),
        LAYER: _feed_forward_steps(trace, rows, normalizes_first, activation),
        WRITING: _last_steps(trace, rows, num_layers, normalizes_first),
    }
    return [step._replace(group=group) for group, steps in groups.items() for step in steps]


def _embedding_steps(trace: "HeadTrace", rows: tuple[str, ...]) -> list[Step]:
    width = trace.vectors.shape[1]
    embedding = Step(
        "embedding",
        "E[id] · √D",
        f"Each piece has a learnt vector of {width} numbers, a row of the embedding table. The"
        f" vector is multiplied by √{width}.",
        trace.vectors,
        rows,
    )
    if not _are_added(trace):
        return [embedding]
    return [
        embedding,
        Step(
            "position",
            "sin and cos of position / 10000^(2i/D)",
            "Attention does not know the order of the pieces. So each position has its own pattern"
            " of sines and cosines.",
            trace.positions,
            rows,
        ),
        Step(
            "sum",
            "embedding + position",
            "The sum of both vectors shows the piece and its position.",
            trace.embedded,
            rows,
        ),
    ]


def _are_added(trace: "HeadTrace") -> bool:
    """Whether positions are added to embeddings; else they rotate queries and keys."""
    return bool(trace.positions.any())


def _entering_steps(
    trace: "HeadTrace", rows: tuple[str, ...], keys: tuple[str, ...], normalizes_first: bool
) -> list[Step]:
    kind, layer = trace.kind, trace.layer
    steps = []
    if layer > 1 or kind == "cross":
        before = "the layer before" if layer == 2 else f"{layer - 1} layers"
        through = [f"through {before}"] if layer > 1 else []
        through += ["through this layer's self-attention"] if kind == "cross" else []
        steps.append(
            Step(
                "input",
                "x",
                f"The vectors have gone {' and '.join(through)}, where they took information from"
                f" other positions.{NAMED_BY_WHAT_IS_WRITTEN if kind == 'cross' else ''}",
                trace.attention.x,
                rows,
            )
        )
    if normalizes_first:
        steps.append(
            Step(
                "normalised",
                "LayerNorm(x)",
                "Each vector is brought to mean 0 and variance 1, then scaled and shifted by"
                " learnt numbers.",
                trace.attention.entering,
                rows,
            )
        )
    if kind == "cross":
        steps.append(
            Step(
                "memory",
                "the encoder's output",
                "The encoder's vectors of the source, which the decoder reads here.",
                trace.memory,
                keys,
                is_of_keys=True,
            )
        )
    return steps


def _attention_steps(
    trace: "HeadTrace", rows: tuple[str, ...], keys: tuple[str, ...]
) -> list[Step]:
    """The steps inside the attention. The model divides the queries; here products are divided."""
    inside, number = trace.attention.inside, trace.head - 1
    head_queries = inside.queries[number]
    head_keys, head_values = (array[number] for array in inside.key_values)
    width = head_queries.shape[1]
    products = head_queries @ head_keys.T
    rotates = trace.kind != "cross" and not _are_added(trace)
    memory = "memory" if trace.kind == "cross" else "x"
    hidden = int((~trace.mask).sum())
    mask = {
        "encoder": "In the encoder every piece may look at every piece.",
        "decoder": "A position may look at itself and at earlier positions: later pieces are not"
        " written yet.",
        "cross": "The decoder may look at the whole source.",
    }[trace.kind]
    return [
        Step(
            "queries",
            "Q = R · (x · W_Q + b_Q)" if rotates else "Q = x · W_Q + b_Q",
            f"A query shows what its position looks for: {width} numbers, by a matrix of this head."
            f"{ROTATION * rotates}",
            head_queries,
            rows,
        ),
        Step(
            "keys",
            f"K = R · ({memory} · W_K + b_K)" if rotates else f"K = {memory} · W_K + b_K",
            "A key shows what its position offers: queries that fit the key look at this position."
            f"{' Keys are rotated like queries.' * rotates}",
            head_keys,
            keys,
            is_of_keys=True,
        ),
        Step(
            "values",
            f"V = {memory} · W_V + b_V",
            "A value is what its position gives to the positions that look at it.",
            head_values,
            keys,
            is_of_keys=True,
        ),
        Step(
            "products",
            "Q · Kᵀ",
            "The dot product of each query with each key. It is large if they fit.",
            products,
            rows,
            keys,
        ),
        Step(
            "scaled",
            "Q · Kᵀ / √H",
            f"The products are divided by √{width}. Otherwise long vectors would make them so large"
            " that the softmax has almost no gradient.",
            products * width**-0.5,
            rows,
            keys,
        ),
        Step(
            "mask",
            "may attend",
            f"{mask} {_hidden(hidden)}",
            trace.mask.astype("float32"),
            rows,
            keys,
            "mask",
        ),
        Step(
            "weights",
            "A = softmax(Q · Kᵀ / √H)",
            "Each number's exponential is divided by the sum of the row's exponentials. So a row's"
            " shares sum to 1. This is the heat map of the head.",
            inside.attention_scores[number],
            rows,
            keys,
            "share",
        ),
        Step(
            "weighted sum",
            "A · V",
            "The values are multiplied by their weights and added up. This is the head's result.",
            inside.context[number],
            rows,
        ),
    ]


def _hidden(count: int) -> str:
    if not count:
        return "Nothing is hidden here."
    pairs = "1 pair is" if count == 1 else f"{count} pairs are"
    return f"{pairs} hidden: a very low number is there instead of the product."


def _leaving_steps(trace: "HeadTrace", rows: tuple[str, ...], normalizes_first: bool) -> list[Step]:
    heads = tuple(f"head {i + 1}" for i in range(len(trace.outputs)))
    sizes = np.linalg.norm(trace.outputs, axis=-1).T
    return [
        Step(
            "this head adds",
            "A · V · W_O[head]",
            "The head's rows of the output matrix bring its numbers to the width of the model.",
            trace.outputs[trace.head - 1],
            rows,
        ),
        Step(
            "each head adds",
            "‖A · V · W_O[head]‖",
            "The length of the vector that each head adds. A short vector has little effect.",
            sizes,
            rows,
            heads,
            "size",
        ),
        Step(
            "all heads",
            "sum of all heads + b_O",
            "The output of the attention: the sum of all heads and of a vector that is the same for"
            " all sentences.",
            trace.attention.inside.output,
            rows,
        ),
        Step(
            "residual",
            "x + output" if normalizes_first else "LayerNorm(x + output)",
            "The output is added to the attention's input, so that nothing is lost"
            f"{'.' if normalizes_first else ', and brought to mean 0 and variance 1.'}",
            trace.attention.result,
            rows,
        ),
    ]


def _feed_forward_steps(
    trace: "HeadTrace", rows: tuple[str, ...], normalizes_first: bool, activation: str
) -> list[Step]:
    network, steps = trace.around.feed_forward, []
    if trace.kind == "decoder" and trace.around.cross_attention:
        steps.append(
            Step(
                "cross-attention",
                "the same with the encoder's output as memory",
                "The second attention of the decoder's layer looks at the source.",
                trace.around.cross_attention.result,
                rows,
            )
        )
    if normalizes_first:
        steps.append(
            Step(
                "normalised again",
                "LayerNorm(x)",
                "The vectors are normalised again, with other learnt numbers.",
                network.entering,
                rows,
            )
        )
    width = network.inside.inner.shape[1]
    active = float((network.inside.inner > 0).mean())
    return [
        *steps,
        Step(
            "inner",
            f"{activation}(x · W_1 + b_1)",
            f"The feed-forward network looks at each position alone. It has {width:,} inner"
            f" numbers, of which {active:.0%} are above 0 here.",
            network.inside.inner,
            rows,
        ),
        Step(
            "feed-forward",
            "inner · W_2 + b_2",
            "A second matrix brings them back to the width of the model.",
            network.inside.output,
            rows,
        ),
        Step(
            "layer's result",
            "x + output" if normalizes_first else "LayerNorm(x + output)",
            "The network's output is added to its input. The layer is complete.",
            network.result,
            rows,
        ),
    ]


def _last_steps(
    trace: "HeadTrace", rows: tuple[str, ...], num_layers: int, normalizes_first: bool
) -> list[Step]:
    if trace.kind == "encoder":
        return []
    left = num_layers - trace.layer
    through = f"{left} more layer{'s' * (left > 1)}" if left else ""
    through += " and " * bool(left and normalizes_first) + "a last LayerNorm" * normalizes_first
    if not through:
        return []
    return [
        Step(
            "decoder's output",
            "after the last layer",
            f"The vectors go through {through}.",
            trace.hidden,
            rows,
        )
    ]
