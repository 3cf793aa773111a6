"""Makes pytorch.json: steps of PyTorch's optimizers, learning rates of its schedules, values and gradients of its losses.

    /path/to/python test/trainers/goldens/pytorch.py && npx biome check --write test/trainers/goldens

Needs torch; all is computed in double precision. The product never runs Python.
"""

import json
import os
import warnings

import torch
from torch import nn, optim
from torch.optim import lr_scheduler as schedules

warnings.filterwarnings("ignore")
START = [1.0, -0.7, 0.3, -2.5]
GRADIENTS = [[0.5, -0.25, 0.1, 1.5], [-0.25, -0.5, 0.1, 0.75], [0.125, 0.0, -0.3, 0.2], [1.0, -0.1, 0.4, -0.6],
             [0.3, 0.2, -0.05, 0.9], [-0.7, 0.6, 0.2, -0.1], [0.2, -0.9, 0.35, 0.45]]

OPTIMIZERS = [
    ("SGD", {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}),
    ("SGD", {"lr": 0.1, "momentum": 0.8, "nesterov": True}),
    ("Adam", {"lr": 0.05, "weight_decay": 0.02}),
    ("AdamW", {"lr": 0.05}),
    ("RMSprop", {}),
    ("RMSprop", {"lr": 0.05, "alpha": 0.8, "eps": 1e-4, "weight_decay": 0.03}),
    ("RMSprop", {"lr": 0.02, "momentum": 0.7}),
    ("RMSprop", {"lr": 0.02, "momentum": 0.7, "centered": True, "alpha": 0.9}),
    ("Adagrad", {}),
    ("Adagrad", {"lr": 0.2, "lr_decay": 0.1, "weight_decay": 0.03, "initial_accumulator_value": 0.5, "eps": 1e-3}),
    ("Adadelta", {}),
    ("Adadelta", {"lr": 0.5, "rho": 0.7, "eps": 1e-3, "weight_decay": 0.03}),
    ("NAdam", {}),
    ("NAdam", {"lr": 0.05, "betas": [0.8, 0.95], "momentum_decay": 0.1, "weight_decay": 0.03}),
    ("NAdam", {"lr": 0.05, "weight_decay": 0.03, "decoupled_weight_decay": True}),
    ("RAdam", {}),
    ("RAdam", {"lr": 0.05, "betas": [0.8, 0.9], "eps": 1e-3, "weight_decay": 0.03}),
    ("RAdam", {"lr": 0.05, "betas": [0.8, 0.9], "weight_decay": 0.03, "decoupled_weight_decay": True}),
]


def walk(name, options):
    weight = torch.tensor(START, dtype=torch.float64, requires_grad=True)
    made = getattr(optim, name)([weight], **options)
    walked = []
    for gradient in GRADIENTS:
        weight.grad = torch.tensor(gradient, dtype=torch.float64)
        made.step()
        walked.append(rounded(weight))
    return {"name": name, "options": options, "walked": walked}


EPOCHS = 14
SCHEDULES = [
    ("StepLR", {"step_size": 3, "gamma": 0.5}),
    ("MultiStepLR", {"milestones": [2, 5, 5, 9], "gamma": 0.5}),
    ("MultiStepLR", {"milestones": [3]}),
    ("ExponentialLR", {"gamma": 0.9}),
    ("LinearLR", {}),
    ("LinearLR", {"start_factor": 1.0, "end_factor": 0.2, "total_iters": 8}),
    ("PolynomialLR", {}),
    ("PolynomialLR", {"total_iters": 10, "power": 2.5}),
    ("CosineAnnealingLR", {"T_max": 14, "eta_min": 0.01}),
    ("CosineAnnealingWarmRestarts", {"T_0": 4}),
    ("CosineAnnealingWarmRestarts", {"T_0": 2, "T_mult": 2, "eta_min": 0.01}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.3, "step_size_up": 3}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.3, "step_size_up": 2, "step_size_down": 4, "mode": "triangular2",
                  "base_momentum": 0.7, "max_momentum": 0.95}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.3, "step_size_up": 4, "mode": "exp_range", "gamma": 0.9,
                  "cycle_momentum": False}),
]


def follow(name, options):
    weight = torch.zeros(1, requires_grad=True)
    optimizer = optim.SGD([weight], lr=0.4, momentum=0.5)
    made = getattr(schedules, name)(optimizer, **options)
    rates, momenta = [], []
    for _ in range(EPOCHS):
        rates.append(optimizer.param_groups[0]["lr"])
        momenta.append(optimizer.param_groups[0]["momentum"])
        optimizer.step()
        made.step()
    return {"name": name, "options": options, "rates": rates, "momenta": momenta}


LOSSES = [2.0, 1.5, 1.5, 1.49999, 1.6, 1.2, 1.3, 1.25, 1.25, 1.21, 1.3, 1.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
PLATEAUS = [
    {"patience": 1},
    {"patience": 0, "factor": 0.5, "cooldown": 2, "min_lr": 0.06},
    {"patience": 2, "factor": 0.3, "threshold": 0.1, "threshold_mode": "abs"},
    {"patience": 1, "factor": 0.5, "mode": "max", "threshold": 0.05},
    {"patience": 0, "factor": 0.5, "eps": 0.03},
]


def plateau(options):
    weight = torch.zeros(1, requires_grad=True)
    optimizer = optim.SGD([weight], lr=0.4)
    made = schedules.ReduceLROnPlateau(optimizer, **options)
    rates = []
    for loss in LOSSES:
        rates.append(optimizer.param_groups[0]["lr"])
        made.step(loss)
    return {"options": options, "rates": rates}


LOGITS = [[0.0, 1.5, -2.0], [3.0, -0.5, 0.0], [-40.0, 0.25, 60.0], [0.1, 0.2, 0.3]]
CLASSES = [1, 0, 0, 2]
MARKS = [[1, 0, 1], [0, 0, 1], [1, 1, 0], [0, 1, 0]]


def loss_of(name, options, outputs, labels):
    given = torch.tensor(outputs, dtype=torch.float64, requires_grad=True)
    tensors = {key: torch.tensor(value, dtype=torch.float64) for key, value in options.items()}
    value = getattr(nn, name)(**tensors)(given, labels)
    value.backward()
    return {"name": name, "options": options, "outputs": outputs, "labels": labels.tolist(), "value": value.item(),
            "gradient": rounded(given.grad.flatten())}


def rounded(tensor):
    return [round(number, 9) for number in tensor.tolist()]


def main():
    classes = torch.tensor(CLASSES)
    marks = torch.tensor(MARKS, dtype=torch.float64)
    sure = [[round(number, 6) for number in row] for row in torch.log_softmax(torch.tensor(LOGITS) / 8, 1).tolist()]
    values = [[0.5], [2.0], [-1.0], [3.5]]
    losses = [
        loss_of("MSELoss", {}, values, torch.tensor([[1.0], [2.0], [0.5], [-1.0]], dtype=torch.float64)),
        loss_of("BCEWithLogitsLoss", {}, LOGITS, marks),
        loss_of("BCEWithLogitsLoss", {"pos_weight": [2.0, 0.5, 3.0]}, LOGITS, marks),
        loss_of("BCEWithLogitsLoss", {"pos_weight": 4.0}, LOGITS, marks),
        loss_of("NLLLoss", {}, sure, classes),
        loss_of("NLLLoss", {"weight": [1.0, 0.5, 3.0]}, sure, classes),
        loss_of("CrossEntropyLoss", {}, LOGITS, classes),
    ]
    content = {"start": START, "gradients": GRADIENTS,
               "optimizers": [walk(name, options) for name, options in OPTIMIZERS],
               "schedules": [follow(name, options) for name, options in SCHEDULES],
               "losses_of_epochs": LOSSES, "plateaus": [plateau(options) for options in PLATEAUS], "losses": losses}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pytorch.json"), "w") as file:
        json.dump(content, file)
        file.write("\n")


main()
