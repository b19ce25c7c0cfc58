"""The same Transformer in PyTorch, as fast as possible; benchmarks compare with it.

It has the same operations as the model of configs/tatoeba.yaml: post-normalisation, sinusoidal
positions, and three embedding matrices or a single one. It uses PyTorch's
`scaled_dot_product_attention`, and one product for the queries, keys and values of self-attention.
"""

from collections.abc import Callable, Iterable

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from translator.base.errors import InputError
from translator.base.machine import ALL_CORES
from translator.config.schema import Config, ModelConfig
from translator.data.numpy_batches import MicroBatch
from translator.model.constants import sinusoidal_positions
from translator.tokenizers.subword import Tokenizers


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

    def __init__(self, sizes: ModelConfig, is_decoder: bool) -> None:
        super().__init__()
        kinds = (True, False) if is_decoder else (True,)
        d_model, dff = sizes.d_model, sizes.dff
        self.attention = nn.ModuleList(Attention(d_model, sizes.num_heads, k) for k in kinds)
        self.expand, self.contract = nn.Linear(d_model, dff), nn.Linear(dff, d_model)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model, eps=1e-6) for _ in range(len(kinds) + 1))
        self.dropout = nn.Dropout(sizes.dropout_rate)

    def forward(self, hidden: Tensor, mask: Tensor, memory: Tensor, memory_mask: Tensor) -> Tensor:
        """One layer of (B, T, D)."""
        for attention, norm in zip(self.attention, self.norms):
            keys, allowed = (hidden, mask) if attention.is_self else (memory, memory_mask)
            hidden = norm(hidden + self.dropout(attention(hidden, keys, allowed)))
        inner = self.contract(torch.relu(self.expand(hidden)))
        return self.norms[-1](hidden + self.dropout(inner))


class Transformer(nn.Module):
    """Ids to logits of every next token; with one table of embeddings or three.

    Args:
        config: of the model, post-normalised.
        tokenizers: that know its vocabularies.
    """

    def __init__(self, config: Config, tokenizers: Tokenizers) -> None:
        super().__init__()
        sizes, d_model = config.model, config.model.d_model
        vocab_sizes = [tokenizer.size for tokenizer in tokenizers]
        self.padding_ids = [tokenizer.padding_id for tokenizer in tokenizers]
        self.scale = d_model**0.5
        positions = sinusoidal_positions(config.data.max_length, d_model)
        self.register_buffer("positions", torch.from_numpy(positions))
        self.embeddings = nn.ModuleList(nn.Embedding(size, d_model) for size in vocab_sizes)
        for embedding in self.embeddings:
            nn.init.normal_(embedding.weight, std=d_model**-0.5)
        self.dropout = nn.Dropout(sizes.dropout_rate)
        self.encoder = nn.ModuleList(Layer(sizes, False) for _ in range(sizes.num_layers))
        self.decoder = nn.ModuleList(Layer(sizes, True) for _ in range(sizes.num_layers))
        is_tied = sizes.tied_embeddings == "all"
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


class Step:
    """A step of fused Adam; nothing is read from the device until the last loss of some steps.

    Args:
        config: of the model and its precision.
        tokenizers: that know its vocabularies.
        compiled: whether ``torch.compile`` compiles the model; on a GPU together with its loss, and
            separately for each shape, like JAX.
        on_gpu: whether everything runs on a GPU.

    Raises:
        InputError: there is no GPU.
    """

    def __init__(
        self, config: Config, tokenizers: Tokenizers, compiled: bool, on_gpu: bool
    ) -> None:
        if on_gpu and not torch.cuda.is_available():
            raise InputError("PyTorch finds no GPU")
        torch.set_num_threads(ALL_CORES)
        torch.manual_seed(config.training.seed)
        self.device, self.bfloat16 = (
            "cuda" if on_gpu else "cpu",
            config.training.precision == "bfloat16",
        )
        self.model = Transformer(config, tokenizers).to(self.device)
        self.model.train()
        self.optimiser = torch.optim.Adam(
            self.model.parameters(), 1e-4, betas=(0.9, 0.98), eps=1e-9, fused=True
        )
        self.run: Callable[[Tensor, Tensor], Tensor] = self.model
        self.loss: Callable[[Tensor, Tensor], Tensor] = self.measure
        if compiled and on_gpu:
            torch._dynamo.config.recompile_limit = 100  # shapes; 8 by default
            self.loss = torch.compile(self.measure, dynamic=False)
        elif compiled:
            self.run = torch.compile(self.model, dynamic=True)

    def read(self, batch: MicroBatch) -> tuple[Tensor, Tensor]:
        """(B, S) and (B, T + 1) ids of a batch, without rows of padding alone, which give NaN."""
        (source, target_in), target_out = batch
        real = (source != self.model.padding_ids[0]).any(axis=1)
        target = np.concatenate([target_in[:, :1], target_out], axis=1)
        pair = [torch.from_numpy(ids[real]).long() for ids in (source, target)]
        first, second = (ids.pin_memory() if self.device == "cuda" else ids for ids in pair)
        return first, second

    def measure(self, source: Tensor, target: Tensor) -> Tensor:
        """The mean cross-entropy of a batch."""
        with torch.autocast(self.device, torch.bfloat16, enabled=self.bfloat16):
            logits = self.run(source, target[:, :-1])
        padding_id = self.model.padding_ids[1]
        return functional.cross_entropy(
            logits.flatten(0, 1).float(), target[:, 1:].flatten(), ignore_index=padding_id
        )

    def take(self, pairs: Iterable[tuple[Tensor, Tensor]]) -> float:
        """Takes a step with each of some batches; returns the last loss."""
        for pair in pairs:
            self.optimiser.zero_grad(set_to_none=True)
            loss = self.loss(*(ids.to(self.device, non_blocking=True) for ids in pair))
            loss.backward()
            self.optimiser.step()
        return float(loss.detach())
