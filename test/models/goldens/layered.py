"""Makes layered.json: what PyTorch computes with small ResNets, VGGs and multilayer perceptrons.

    /path/to/python test/models/goldens/layered.py && npx biome check --write test/models/goldens/layered.json

Weights and inputs follow from a formula that the test has too, so the file holds results alone: the outputs, in training
and out of it, the running statistics after one training step, and for each weight two sums over its gradient. Needs
torch; all is computed in double precision. The product never runs Python.
"""

import json
import math
import os

import torch
from torch import nn

ROWS = 3


def number(place, seed):
    """Between -0.5 and 0.5, the same in every language."""
    return ((place * 7919 + seed * 104729) % 1009) / 1009 - 0.5


def numbers(count, seed):
    return torch.tensor([number(place, seed) for place in range(count)], dtype=torch.float64)


def in_our_layout(tensor):
    """Convolutions [height, width, inputs, outputs], dense [inputs, outputs]."""
    if tensor.dim() == 4:
        return tensor.permute(2, 3, 1, 0)
    return tensor.T if tensor.dim() == 2 else tensor


def fill(model):
    """In the order of the state, which is the order of our weights."""
    seed = 0
    for name, tensor in model.state_dict().items():
        if name.endswith("num_batches_tracked"):
            continue
        seed += 1
        ours = in_our_layout(tensor)
        values = numbers(tensor.numel(), seed)
        if tensor.dim() > 1:
            values = values * 4 / math.sqrt(tensor.numel() / tensor.shape[0])
        elif name.endswith("running_var"):
            values = values + 1
        elif ".bn" in name or name.startswith("bn") or is_norm(model, name):
            values = values * 0.5 + (1 if name.endswith("weight") else 0)
        with torch.no_grad():
            # A view of the same numbers, written in our order.
            ours.copy_(values.to(torch.float32).to(torch.float64).reshape(ours.shape))


def is_norm(model, name):
    module = model.get_submodule(name.rsplit(".", 1)[0])
    return isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d))


class Basic(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        shortcut = x if self.downsample is None else self.downsample(x)
        return torch.relu(self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x))))) + shortcut)


class Resnet(nn.Module):
    def __init__(self, width, imagenet):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 7, 2, 3, bias=False) if imagenet else nn.Conv2d(3, width, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.pool = nn.MaxPool2d(3, 2, 1) if imagenet else nn.Identity()
        inputs = width
        for stage in range(4):
            outputs = width * 2 ** stage
            blocks = [Basic(inputs, outputs, 1 if stage == 0 else 2), Basic(outputs, outputs, 1)]
            setattr(self, f"layer{stage + 1}", nn.Sequential(*blocks))
            inputs = outputs
        self.fc = nn.Linear(inputs, 4)

    def forward(self, x):
        x = self.pool(torch.relu(self.bn1(self.conv1(x))))
        return self.fc(self.layer4(self.layer3(self.layer2(self.layer1(x)))).mean((2, 3)))


class Vgg(nn.Module):
    def __init__(self, width):
        super().__init__()
        layers, inputs = [], 3
        for group, count in enumerate([1, 1, 2, 2, 2]):
            layers += [nn.MaxPool2d(2)] if group else []
            for _ in range(count):
                outputs = width * min(2 ** group, 8)
                layers += [nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU()]
                inputs = outputs
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Linear(inputs, 4)

    def forward(self, x):
        return self.classifier(self.features(x).mean((2, 3)))


def perceptron():
    """general_multilayer: layers in Plato's order and by Plato's names."""
    first = nn.Sequential()
    first.add_module("fc", nn.Linear(6, 5))
    first.add_module("bn", nn.BatchNorm1d(5, momentum=0.3, eps=1e-3))
    first.add_module("tanh", nn.Tanh())
    second = nn.Sequential()
    second.add_module("fc", nn.Linear(5, 7))
    second.add_module("sigmoid", nn.Sigmoid())
    third = nn.Sequential()
    third.add_module("fc", nn.Linear(7, 4))
    third.add_module("bn", nn.BatchNorm1d(4))
    third.add_module("log_softmax", nn.LogSoftmax(1))
    model = nn.Sequential()
    for place, layer in enumerate([first, second, third]):
        model.add_module(f"layer{place + 1}", layer)
    return model


def golden(name, parameters, shape, model):
    model = model.double()
    fill(model)
    count = ROWS * math.prod(shape)
    inputs = numbers(count, 77).to(torch.float32).to(torch.float64).reshape(ROWS, *shape)
    given = inputs.permute(0, 3, 1, 2) if len(shape) == 3 else inputs
    model.eval()
    tested = model(given)
    model.train()
    trained = model(given)
    (trained * numbers(trained.numel(), 99).reshape(trained.shape)).sum().backward()
    gradients, statistics = {}, {}
    for weight, tensor in model.named_parameters():
        gradient = in_our_layout(tensor.grad).flatten()
        gradients[weight] = [gradient.abs().sum().item(), (gradient * numbers(gradient.numel(), 55)).sum().item()]
    for buffer, tensor in model.named_buffers():
        if not buffer.endswith("num_batches_tracked"):
            statistics[buffer] = tensor.tolist()
    weights = {weight: list(in_our_layout(tensor).shape) for weight, tensor in model.state_dict().items()
               if not weight.endswith("num_batches_tracked")}
    return {"name": name, "parameters": parameters, "shape": shape, "weights": weights,
            "tested": tested.flatten().tolist(), "trained": trained.flatten().tolist(), "gradients": gradients,
            "statistics": statistics}


def shortened(value):
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [shortened(one) for one in value]
    return {key: shortened(one) for key, one in value.items()} if isinstance(value, dict) else value


def main():
    torch.manual_seed(0)
    mlp = {"hidden_layers_dim": [5, 7], "batch_norms": [{"momentum": 0.3, "eps": 0.001}, None, {}],
           "activations": ["tanh", "sigmoid", "log_softmax"]}
    content = [
        golden("resnet_18", {"width": 2}, [16, 16, 3], Resnet(2, False)),
        golden("resnet_18", {"width": 2, "stem": "imagenet"}, [40, 36, 3], Resnet(2, True)),
        golden("vgg_11", {"width": 2}, [32, 32, 3], Vgg(2)),
        golden("general_multilayer", mlp, [6], perceptron()),
    ]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "layered.json"), "w") as file:
        json.dump(shortened(content), file)
        file.write("\n")


main()
