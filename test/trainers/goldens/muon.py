"""Makes muon.json: steps of nanochat's optimizer, written down row by row and column by column from its description.

    /tmp/venv/bin/python test/trainers/goldens/muon.py && npx biome check --write test/trainers/goldens

AdamW is PyTorch's own. Needs torch; the product never runs Python.
"""

import json
import math
import os

import torch

WIDTH, HEADS, VOCABULARY, LAYERS, STEPS = 8, 2, 7, 2, 5
OPTIONS = dict(lr=0.03, momentum=0.9, beta2=0.8, ns_steps=5, weight_decay=0.3,
               embedding_lr=0.25, unembedding_lr=0.006, scalar_lr=0.4, smear_lr=0.15)
POLAR = [
    (8.156554524902461, -22.48329292557795, 15.878769915207462),
    (4.042929935166739, -2.808917465908714, 0.5000178451051316),
    (3.8916678022926607, -2.772484153217685, 0.5060648178503393),
    (3.285753657755655, -2.3681294933425376, 0.46449024233003106),
    (2.3465413258596377, -1.7097828382687081, 0.42323551169305323),
]

SHAPES = {"transformer.wte.weight": (VOCABULARY, WIDTH), "lm_head.weight": (VOCABULARY, WIDTH),
          "resid_lambdas": (LAYERS,), "x0_lambdas": (LAYERS,), "smear_gate.weight": (1, 4), "smear_lambda": (1,),
          "backout_lambda": (1,)}
for layer in range(LAYERS):
    block = f"transformer.h.{layer}"
    SHAPES |= {f"{block}.attn.c_q.weight": (WIDTH, WIDTH), f"{block}.attn.ve_gate.weight": (HEADS, 5),
               f"{block}.mlp.c_fc.weight": (4 * WIDTH, WIDTH), f"{block}.mlp.c_proj.weight": (WIDTH, 4 * WIDTH),
               f"value_embeds.{layer}.weight": (VOCABULARY, WIDTH)}

WIDE = (WIDTH / 768) ** -0.5


def adam_settings(name):
    """rate, betas, decay"""
    if name.startswith("lm_head"):
        return OPTIONS["unembedding_lr"] * WIDE, (0.8, 0.96), 0.01
    if name.startswith("transformer.wte"):
        return OPTIONS["embedding_lr"] * WIDE, (0.8, 0.995), 0.001
    if name.startswith("value_embeds"):
        return OPTIONS["embedding_lr"] * WIDE / 2, (0.8, 0.995), 0.01
    if name == "resid_lambdas":
        return OPTIONS["scalar_lr"] / 100, (0.8, 0.95), 0.05
    if name == "x0_lambdas":
        return OPTIONS["scalar_lr"], (0.96, 0.95), 0.0
    return OPTIONS["smear_lr"], (0.8, 0.95), 0.0


def length(vector):
    return math.sqrt(float((vector * vector).sum()))


class Matrix:
    """Muon of one matrix, in double precision."""

    def __init__(self, weight):
        self.weight = weight.double()
        self.mean = torch.zeros_like(self.weight)
        rows, columns = weight.shape
        self.by_rows = rows >= columns
        self.usual = torch.zeros(rows if self.by_rows else columns, dtype=torch.float64)

    def step(self, gradient, rate, momentum, decay):
        g = gradient.double()
        rows, columns = g.shape
        self.mean = momentum * self.mean + (1 - momentum) * g
        u = (1 - momentum) * g + momentum * self.mean
        root_mean = length(u) / math.sqrt(rows)
        x = torch.stack([row * root_mean / max(length(row), 1e-6) for row in u])
        x = x / (1.01 * length(x) + 1e-6)
        for a, b, c in POLAR[: OPTIONS["ns_steps"]]:
            gram = x @ x.T
            x = a * x + b * gram @ x + c * gram @ gram @ x
        x = x * math.sqrt(min(rows, columns)) / max(length(x), 1e-6)
        lines = list(x) if self.by_rows else list(x.T)
        was = length(x)
        evened = []
        for place, line in enumerate(lines):
            mean_square = float((line * line).mean())
            self.usual[place] = OPTIONS["beta2"] * self.usual[place] + (1 - OPTIONS["beta2"]) * mean_square
            evened.append(line / math.sqrt(max(float(self.usual[place]), 1e-10)))
        x = torch.stack(evened)
        x = x * was / max(length(x), 1e-10)
        x = x if self.by_rows else x.T
        rate = rate * max(1.0, rows / columns) ** 0.5
        for r in range(rows):
            for c in range(columns):
                w, s = self.weight[r, c].item(), x[r, c].item()
                shrink = decay * w if s * w >= 0 else 0.0
                self.weight[r, c] = w - rate * s - rate * shrink


def main():
    generator = torch.Generator().manual_seed(5)

    def drawn(shape, scale):
        # Rounded, so that the file is short and says exactly what was computed with.
        return torch.round(torch.randn(shape, generator=generator) * scale, decimals=3)

    start = {name: drawn(shape, 0.5) for name, shape in SHAPES.items()}
    gradients = [{name: drawn(shape, 0.1 * (step + 1)) for name, shape in SHAPES.items()} for step in range(STEPS)]
    # A first gradient of zero, as behind projections that start at zero.
    gradients[0]["transformer.h.0.attn.c_q.weight"].zero_()
    # rate factor, momentum, decay factor
    plan = [(0.5, 0.85, 1.0), (1.0, 0.87, 0.9), (1.0, 0.9, 0.7), (0.8, 0.9, 0.5), (0.4, 0.88, 0.3)]

    in_blocks = [name for name in SHAPES if ".h." in name]
    matrices = {name: Matrix(start[name]) for name in in_blocks}
    others = {name: value.double().requires_grad_() for name, value in start.items() if name not in matrices}
    adam = {}
    for name, value in others.items():
        rate, betas, decay = adam_settings(name)
        adam[name] = (rate, torch.optim.AdamW([value], lr=rate, betas=betas, eps=1e-10, weight_decay=decay))

    for (factor, momentum, shrink), given in zip(plan, gradients):
        for name, matrix in matrices.items():
            matrix.step(given[name], OPTIONS["lr"] * factor, momentum, OPTIONS["weight_decay"] * shrink)
        for name, value in others.items():
            rate, optimizer = adam[name]
            optimizer.param_groups[0]["lr"] = rate * factor
            value.grad = given[name].double()
            optimizer.step()

    def flat(values, digits=3):
        return {name: [round(number, digits) for number in values[name].flatten().tolist()] for name in SHAPES}

    end = {name: matrices[name].weight if name in matrices else others[name].detach() for name in SHAPES}
    content = {"options": OPTIONS, "shapes": SHAPES, "plan": plan, "start": flat(start),
               "gradients": [flat(step) for step in gradients], "end": flat(end, 7)}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "muon.json"), "w") as file:
        json.dump(content, file)
        file.write("\n")


main()
