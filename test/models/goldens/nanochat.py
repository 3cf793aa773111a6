"""nanochat's GPT written down token by token, as slow and plain as it gets: the reference of `make.py`."""

import math

import torch


def norm(x):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + torch.finfo(x.dtype).eps)


class Nanochat:
    def __init__(self, sequence_len, vocab_size, n_layer, n_head, n_kv_head, n_embd, window_pattern):
        self.vocab_size, self.n_layer, self.n_head, self.n_kv_head = vocab_size, n_layer, n_head, n_kv_head
        self.head_dim = n_embd // n_head
        short = math.ceil(math.ceil(sequence_len / 4) / 128) * 128
        self.windows = [
            sequence_len if window_pattern[i % len(window_pattern)] == "L" or i == n_layer - 1 else short
            for i in range(n_layer)
        ]
        padded = math.ceil(vocab_size / 64) * 64
        kv = n_kv_head * self.head_dim
        shapes = {
            "resid_lambdas": (n_layer,), "x0_lambdas": (n_layer,), "smear_lambda": (1,), "backout_lambda": (1,),
            "transformer.wte.weight": (padded, n_embd), "lm_head.weight": (padded, n_embd),
            "smear_gate.weight": (1, 24),
        }
        for i in range(n_layer):
            block = f"transformer.h.{i}"
            shapes[f"{block}.attn.c_q.weight"] = (n_embd, n_embd)
            shapes[f"{block}.attn.c_k.weight"] = (kv, n_embd)
            shapes[f"{block}.attn.c_v.weight"] = (kv, n_embd)
            shapes[f"{block}.attn.c_proj.weight"] = (n_embd, n_embd)
            shapes[f"{block}.mlp.c_fc.weight"] = (4 * n_embd, n_embd)
            shapes[f"{block}.mlp.c_proj.weight"] = (n_embd, 4 * n_embd)
            if self.has_values(i):
                shapes[f"{block}.attn.ve_gate.weight"] = (n_kv_head, 12)
                shapes[f"value_embeds.{i}.weight"] = (padded, kv)
        self.parameters = {key: torch.zeros(shape, requires_grad=True) for key, shape in shapes.items()}

    def has_values(self, i):
        return i % 2 == (self.n_layer - 1) % 2

    def forward(self, tokens):
        return torch.stack([self.row(row) for row in tokens])

    def row(self, ids):
        w = self.parameters
        embedded = [norm(w["transformer.wte.weight"][token]) for token in ids]
        stream = [embedded[0]]
        for t in range(1, len(ids)):
            gate = torch.sigmoid((w["smear_gate.weight"][0] * embedded[t][:24]).sum())
            stream.append(embedded[t] + w["smear_lambda"] * gate * embedded[t - 1])
        x = x0 = torch.stack(stream)
        for i in range(self.n_layer):
            x = w["resid_lambdas"][i] * x + w["x0_lambdas"][i] * x0
            x = x + self.attention(norm(x), ids, i)
            inner = torch.relu(norm(x) @ w[f"transformer.h.{i}.mlp.c_fc.weight"].T) ** 2
            x = x + inner @ w[f"transformer.h.{i}.mlp.c_proj.weight"].T
            if i == self.n_layer // 2:
                middle = x
        x = norm(x - w["backout_lambda"] * middle)
        return 15 * torch.tanh((x @ w["lm_head.weight"].T)[:, : self.vocab_size] / 15)

    def attention(self, h, ids, i):
        w, block, hd = self.parameters, f"transformer.h.{i}.attn", self.head_dim
        q, k, v = (h @ w[f"{block}.{name}.weight"].T for name in ("c_q", "c_k", "c_v"))
        outputs = []
        for head in range(self.n_head):
            kv_head = head * self.n_kv_head // self.n_head
            columns = slice(kv_head * hd, (kv_head + 1) * hd)
            values = v[:, columns]
            if self.has_values(i):
                gates = 3 * torch.sigmoid(h[:, :12] @ w[f"{block}.ve_gate.weight"][kv_head])
                values = values + gates[:, None] * w[f"value_embeds.{i}.weight"][ids][:, columns]
            queries = torch.stack([1.2 * norm(self.turn(q[t, head * hd : (head + 1) * hd], t)) for t in range(len(ids))])
            keys = torch.stack([1.2 * norm(self.turn(k[t, columns], t)) for t in range(len(ids))])
            rows = []
            for t in range(len(ids)):
                first = max(0, t - self.windows[i])
                scores = keys[first : t + 1] @ queries[t] / math.sqrt(hd)
                rows.append(torch.softmax(scores, 0) @ values[first : t + 1])
            outputs.append(torch.stack(rows))
        return torch.cat(outputs, -1) @ w[f"{block}.c_proj.weight"].T

    def turn(self, x, t):
        half = self.head_dim // 2
        angles = t * torch.tensor([100000 ** (-2 * j / self.head_dim) for j in range(half)])
        first, second, cos, sin = x[:half], x[half:], torch.cos(angles), torch.sin(angles)
        return torch.cat([first * cos + second * sin, -first * sin + second * cos])
