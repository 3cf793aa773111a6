"""Training tokens per second of a small GPT in PyTorch, one thread.

usage: gpt_training.py VOCABULARY STEPS REPETITIONS
The network of bench/languageTraining.ts: 4 layers, width 128, 4 heads, context 128, batches of 8, GELU by tanh, a
head of its own, Adam. Seconds are those of the processor. Prints one line of JSON.
"""

import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional

LAYERS, WIDTH, HEADS, CONTEXT, BATCH = 4, 128, 4, 128, 8


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1 = nn.LayerNorm(WIDTH)
        self.attention_in = nn.Linear(WIDTH, 3 * WIDTH)
        self.attention_out = nn.Linear(WIDTH, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH)
        self.dense_in = nn.Linear(WIDTH, 4 * WIDTH)
        self.dense_out = nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, states):
        batch, length, _ = states.shape
        packed = self.attention_in(self.norm1(states)).view(batch, length, 3, HEADS, WIDTH // HEADS)
        queries, keys, values = packed.permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        states = states + self.attention_out(mixed.transpose(1, 2).reshape(batch, length, WIDTH))
        inner = functional.gelu(self.dense_in(self.norm2(states)), approximate="tanh")
        return states + self.dense_out(inner)


class Gpt(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, WIDTH)
        self.places = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, vocabulary, bias=False)

    def forward(self, tokens):
        states = self.tokens(tokens) + self.places.weight[: tokens.shape[1]]
        for block in self.blocks:
            states = block(states)
        return self.head(self.norm(states))


def main():
    vocabulary, steps, repetitions = (int(value) for value in sys.argv[1:4])
    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = Gpt(vocabulary)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    tokens = torch.randint(vocabulary, (BATCH, CONTEXT))
    labels = torch.randint(vocabulary, (BATCH * CONTEXT,))

    def train(count):
        for _ in range(count):
            optimizer.zero_grad()
            functional.cross_entropy(model(tokens).view(-1, vocabulary), labels).backward()
            optimizer.step()

    train(5)
    rates = []
    for _ in range(repetitions):
        start = time.process_time()
        train(steps)
        rates.append(steps * BATCH * CONTEXT / (time.process_time() - start))
    result = {
        "torch": torch.__version__,
        "parameters": sum(one.numel() for one in model.parameters()),
        "tokens_per_second": sorted(rates)[repetitions // 2],
    }
    print(json.dumps(result))


main()
