"""Writes python_random.json: what CPython's generator draws, in one sequence per seed. Run with CPython 3.11 or newer."""
import json
import pathlib
import random


def shuffled(generator, items):
    generator.shuffle(items)
    return items


drawn = []
for seed in [0, 1, 42, "lighteval", "", 2**40 + 7, -42]:
    r = random.Random(seed)
    drawn.append(
        {
            "seed": seed,
            "random": [r.random() for _ in range(2)],
            "bits": [r.getrandbits(k) for k in (1, 7, 32, 33, 53)],
            "below": [r.randrange(3, 100, 7) for _ in range(4)],
            "shuffle": shuffled(r, list(range(8))),
            "pool": r.sample(range(21), 5),
            "set": r.sample(range(22), 5),
            "pool6": r.sample(range(85), 6),
            "set6": r.sample(range(86), 6),
            "weights": r.choices("abc", weights=[1, 0, 3], k=6),
            "uniform": r.uniform(-1, 3),
        }
    )
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(drawn, indent=1) + "\n")
