"""The Llama body of ChatTTS as this project runs it: one step for many rows of different lengths, and ragged prefill.

A row's numbers do not depend on its neighbours. On a processor that is exact, bit for bit: products run through weights
packed for oneDNN, whose kernels sum each row alike however many there are (plain `F.linear` switches kernels below four
rows), and attention reads keys in multiples of `BLOCK`, where masked places add exact zeros. Measured in
tests/unit/engines_chattts/test_chattts_body.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F  # noqa: N812 (its name in every torch program)

if TYPE_CHECKING:
    from batchtts.engines.chattts.slots import KeyValues

BLOCK = 32
"""Keys are read in multiples of this many places."""


class Linear:
    """`y = x W^T`, x (n, in), W (out, in)."""

    def __init__(self, weight: torch.Tensor) -> None:
        self._packed = weight.device.type == "cpu" and bool(torch._C._has_mkldnn)
        weight = weight.detach().float().contiguous()
        # 16 rows is what the packing is tuned for; any number may come
        self._weight = torch.ops.mkldnn._reorder_linear_weight(weight, 16) if self._packed else weight

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        if self._packed:
            product: torch.Tensor = torch.ops.mkldnn._linear_pointwise(x, self._weight, None, "none", [], "")
            return product
        return F.linear(x, self._weight)


@dataclass(frozen=True, slots=True)
class _Layer:
    before: torch.Tensor
    qkv: Linear
    out: Linear
    between: torch.Tensor
    gate_up: Linear
    down: Linear


class Body:
    """Runs the layers of a `transformers` LlamaModel; takes its weights and leaves it without them."""

    def __init__(self, llama: Any) -> None:
        config = llama.config
        self.heads = int(config.num_attention_heads)
        self.hidden = int(config.hidden_size)
        self.head_dim = self.hidden // self.heads
        self.positions = int(config.max_position_embeddings)
        self._eps = float(config.rms_norm_eps)
        self._layers = [_take(llama.layers, index) for index in range(len(llama.layers))]
        self._norm = llama.norm.weight.detach()
        self._cos, self._sin = _rotations(llama.rotary_emb.inv_freq, self.positions)

    @property
    def layers(self) -> int:
        return len(self._layers)

    def prefill(self, x: torch.Tensor, sizes: list[int], slots: list[int], kv: KeyValues) -> torch.Tensor:
        """Read whole prompts into empty slots.

        x (sum of sizes, hidden): the prompts' embeddings, one after another. Returns the hidden state of each prompt's
        last place, (len(sizes), hidden).
        """
        place = torch.cat([torch.arange(size, device=x.device) for size in sizes])
        for index, layer in enumerate(self._layers):
            q, k, v = self._qkv(layer, x, place)
            heads = []
            start = 0
            for size, slot in zip(sizes, slots, strict=True):
                own = slice(start, start + size)
                kv.keys[index][slot, :, :size] = k[own].transpose(0, 1)
                kv.values[index][slot, :, :size] = v[own].transpose(0, 1)
                query, key, value = (part[own].transpose(0, 1)[None] for part in (q, k, v))
                seen = F.scaled_dot_product_attention(query, key, value, is_causal=True)
                heads.append(seen[0].transpose(0, 1).reshape(size, self.hidden))
                start += size
            x = self._finish(layer, x, torch.cat(heads))
        ends = torch.tensor(sizes, device=x.device).cumsum(0) - 1
        return self._rms(x[ends], self._norm)

    def step(self, x: torch.Tensor, place: torch.Tensor, longest: int, kv: KeyValues) -> torch.Tensor:
        """One step of the rows in slots 0 to n-1.

        x (n, hidden): embeddings of the last codes; place (n,) int64: where each stands in its row; longest: the
        largest of `place`, plus 1. Returns hidden states (n, hidden).
        """
        rows = len(x)
        seen = min(-(-longest // BLOCK) * BLOCK, kv.capacity)
        every = torch.arange(rows, device=x.device)
        ahead = torch.arange(seen, device=x.device) > place[:, None]
        mask = torch.zeros(rows, 1, 1, seen, device=x.device).masked_fill_(ahead[:, None, None], float("-inf"))
        for index, layer in enumerate(self._layers):
            q, k, v = self._qkv(layer, x, place)
            kv.keys[index][every, :, place] = k
            kv.values[index][every, :, place] = v
            keys, values = kv.keys[index][:rows, :, :seen], kv.values[index][:rows, :, :seen]
            scores = torch.matmul(q[:, :, None] * self.head_dim**-0.5, keys.transpose(2, 3))
            heads = torch.matmul(torch.softmax(scores + mask, dim=-1), values)
            x = self._finish(layer, x, heads.reshape(rows, self.hidden))
        return self._rms(x, self._norm)

    def _qkv(
        self, layer: _Layer, x: torch.Tensor, place: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Queries, keys and values, each (n, heads, head_dim), the first two turned to their places."""
        parts = layer.qkv(self._rms(x, layer.before)).view(len(x), 3, self.heads, self.head_dim)
        cos, sin = self._cos[place][:, None, None], self._sin[place][:, None, None]
        turned = parts[:, :2]
        low, high = turned.chunk(2, dim=-1)
        turned = turned * cos + torch.cat((-high, low), dim=-1) * sin
        return turned[:, 0], turned[:, 1], parts[:, 2]

    def _finish(self, layer: _Layer, x: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        x = x + layer.out(heads)
        gate, up = layer.gate_up(self._rms(x, layer.between)).chunk(2, dim=-1)
        return x + layer.down(F.silu(gate) * up)

    def _rms(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self._eps) * weight


def _take(layers: Any, index: int) -> _Layer:
    """Pack one layer's weights and drop the originals, so that memory holds one copy."""
    layer = layers[index]
    attention, mlp = layer.self_attn, layer.mlp
    taken = _Layer(
        before=layer.input_layernorm.weight.detach(),
        qkv=Linear(torch.cat([part.weight for part in (attention.q_proj, attention.k_proj, attention.v_proj)])),
        out=Linear(attention.o_proj.weight),
        between=layer.post_attention_layernorm.weight.detach(),
        gate_up=Linear(torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight])),
        down=Linear(mlp.down_proj.weight),
    )
    layers[index] = torch.nn.Identity()
    return taken


def _rotations(inv_freq: torch.Tensor, positions: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Cosines and sines of RoPE in fp32, each (positions, head_dim)."""
    angles = torch.arange(positions, device=inv_freq.device).float()[:, None] * inv_freq.float()
    angles = torch.cat((angles, angles), dim=-1)
    return angles.cos(), angles.sin()
