"""The same Transformer in PyTorch, as fast as PyTorch makes it: what the benchmarks compare with.

Post-normalised, sinusoidal positions, three separate embedding matrices or a single one: the model
of configs/tatoeba.yaml, operation for operation. Attention is
`scaled_dot_product_attention`, queries, keys and values of self-attention are one product.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional


class Attention(nn.Module):
    """Multi-head attention; (B, T, D) queries over (B, S, D) memory."""

    def __init__(self, d_model: int, num_heads: int, is_self: bool) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.is_self = is_self
        self.inputs = nn.Linear(d_model, 3 * d_model)
        self.output = nn.Linear(d_model, d_model)

    def forward(self, queries: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """Attends where ``mask``, broadcast to (B, N, T, S), is True."""
        if self.is_self:
            query, key, value = self.inputs(queries).chunk(3, dim=-1)
        else:
            d_model = queries.shape[-1]
            weight, bias = self.inputs.weight, self.inputs.bias
            query = functional.linear(queries, weight[:d_model], bias[:d_model])
            key, value = functional.linear(memory, weight[d_model:], bias[d_model:]).chunk(2, -1)
        query, key, value = (
            part.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for part in (query, key, value)
        )
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return self.output(mixed.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """An encoder layer, or with cross-attention a decoder layer."""

    def __init__(
        self, d_model: int, num_heads: int, dff: int, dropout_rate: float, is_decoder: bool
    ) -> None:
        super().__init__()
        kinds = (True, False) if is_decoder else (True,)
        self.attention = nn.ModuleList(Attention(d_model, num_heads, kind) for kind in kinds)
        self.expand, self.contract = nn.Linear(d_model, dff), nn.Linear(dff, d_model)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model, eps=1e-6) for _ in range(len(kinds) + 1))
        self.dropout = nn.Dropout(dropout_rate)

    def forward(self, hidden: Tensor, mask: Tensor, memory: Tensor, memory_mask: Tensor) -> Tensor:
        """One layer of (B, T, D)."""
        for attention, norm in zip(self.attention, self.norms):
            keys, allowed = (hidden, mask) if attention.is_self else (memory, memory_mask)
            hidden = norm(hidden + self.dropout(attention(hidden, keys, allowed)))
        inner = self.contract(torch.relu(self.expand(hidden)))
        return self.norms[-1](hidden + self.dropout(inner))


class Transformer(nn.Module):
    """Ids to logits of every next token.

    Args:
        vocab_sizes: V of the source and of the target side.
        padding_ids: of both sides.
        positions: (max_length, D) table.
        num_layers: of encoder and decoder each.
        num_heads: N.
        dff: inner width.
        dropout_rate: of embeddings and sub-layers.
        is_tied: whether one table of embeddings serves source, target and output.
    """

    def __init__(
        self,
        vocab_sizes: tuple[int, int],
        padding_ids: tuple[int, int],
        positions: Tensor,
        num_layers: int,
        num_heads: int,
        dff: int,
        dropout_rate: float,
        is_tied: bool = False,
    ) -> None:
        super().__init__()
        d_model = positions.shape[1]
        self.padding_ids = padding_ids
        self.scale = d_model**0.5
        self.register_buffer("positions", positions)
        self.embeddings = nn.ModuleList(nn.Embedding(size, d_model) for size in vocab_sizes)
        for embedding in self.embeddings:
            nn.init.normal_(embedding.weight, std=d_model**-0.5)
        self.dropout = nn.Dropout(dropout_rate)
        sizes = (d_model, num_heads, dff, dropout_rate)
        self.encoder = nn.ModuleList(Layer(*sizes, False) for _ in range(num_layers))
        self.decoder = nn.ModuleList(Layer(*sizes, True) for _ in range(num_layers))
        self.projection = nn.Linear(d_model, vocab_sizes[1], bias=not is_tied)
        if is_tied:
            self.embeddings[0].weight = self.projection.weight = self.embeddings[1].weight

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """(B, S) and (B, T) ids to (B, T, V) logits."""
        memory, hidden = self._embed(source, 0), self._embed(target, 1)
        source_mask = (source != self.padding_ids[0])[:, None, None]
        target_mask = (target != self.padding_ids[1])[:, None, None] & _lower_triangle(hidden)
        for layer in self.encoder:
            memory = layer(memory, source_mask, memory, source_mask)
        for layer in self.decoder:
            hidden = layer(hidden, target_mask, memory, source_mask)
        return self.projection(hidden)

    def _embed(self, ids: Tensor, side: int) -> Tensor:
        vectors = self.embeddings[side](ids) * self.scale
        return self.dropout(vectors + self.positions[: ids.shape[1]])


def _lower_triangle(hidden: Tensor) -> Tensor:
    """(T, T), True where a position of (B, T, D) may see another."""
    length = hidden.shape[1]
    return torch.ones(length, length, dtype=torch.bool, device=hidden.device).tril()


def make_step(
    model: Transformer,
    learning_rate: float,
    bfloat16: bool,
    compiled: bool,
    with_loss: bool = False,
) -> Callable[[Tensor, Tensor], Tensor]:
    """A function from (source, target) ids to the loss, which takes one step of fused Adam.

    Args:
        model: on the device of the ids.
        learning_rate: of Adam.
        bfloat16: whether products are computed in it.
        compiled: whether ``torch.compile`` compiles the model.
        with_loss: whether the loss is compiled together with it, and each shape for itself, as
            JAX does.

    Returns:
        The function. Its loss is a tensor; reading that waits for the device.
    """
    optimiser = torch.optim.Adam(
        model.parameters(), learning_rate, betas=(0.9, 0.98), eps=1e-9, fused=True
    )
    run = torch.compile(model, dynamic=True) if compiled and not with_loss else model
    model.train()

    def measure(source: Tensor, target: Tensor) -> Tensor:
        with torch.autocast(source.device.type, torch.bfloat16, enabled=bfloat16):
            logits = run(source, target[:, :-1])
        return functional.cross_entropy(
            logits.flatten(0, 1).float(), target[:, 1:].flatten(), ignore_index=model.padding_ids[1]
        )

    run_and_measure = measure
    if compiled and with_loss:
        torch._dynamo.config.recompile_limit = 100  # shapes; 8 by default
        run_and_measure = torch.compile(measure, dynamic=False)

    def step(source: Tensor, target: Tensor) -> Tensor:
        optimiser.zero_grad(set_to_none=True)
        loss = run_and_measure(source, target)
        loss.backward()
        optimiser.step()
        return loss.detach()

    return step
