"""Trains layers of which something changes after each forward, before its backward; told to recompute all, where there is an agent.

Prints losses with the gradients of what can be undone, what each layer did by its class, and by class the error of what cannot.
"""

import json
import types

import torch
from odd_layers import WIDTH, agent, tell
from policy_cases import layers_of
from torch import nn

CONFIG = types.SimpleNamespace(scale=1.0)
TEMPERATURE = 1.0


class Still(nn.Module):
    """`change` is called between forward and backward."""

    def __init__(self):
        super().__init__()
        self.inside, self.drop = nn.Linear(WIDTH, WIDTH), nn.Dropout(0.1)
        self.register_buffer("scale", torch.ones(WIDTH))
        self.plain, self.factor, self.mask = torch.ones(WIDTH), 1.0, None

    def forward(self, x):
        y = self.drop(self.inside(x)) * self.factor * self.scale * self.plain
        return y.tanh() * y.sigmoid()

    def change(self, x):
        pass


class AttributeSet(Still):
    def change(self, x):
        self.factor *= 0.7


class SeveralCalls(Still):
    """Shared by calls that find another attribute each."""


class DropoutSet(Still):
    def change(self, x):
        self.drop.p = 0.9 - self.drop.p


class BufferReplaced(Still):
    def change(self, x):
        self.scale = self.scale * 0.7


class AttributeReplaced(Still):
    def change(self, x):
        self.plain = self.plain * 0.7


class ParameterReplaced(Still):
    def change(self, x):
        self.inside.bias = nn.Parameter(self.inside.bias.detach() * 0.9)


class ReadsConfig(Still):
    def forward(self, x):
        return super().forward(x) * CONFIG.scale * TEMPERATURE

    def change(self, x):
        global TEMPERATURE
        CONFIG.scale *= 0.7
        TEMPERATURE *= 0.7


class WeightWritten(Still):
    def change(self, x):
        self.inside.weight.data.mul_(0.9)


class WeightReplaced(Still):
    def change(self, x):
        self.inside.weight.data = self.inside.weight.data * 0.9


class BufferWritten(Still):
    def change(self, x):
        self.scale.data.mul_(0.7)


class AttributeWritten(Still):
    def change(self, x):
        self.plain.data.mul_(0.7)


class InputWritten(Still):
    def change(self, x):
        x.detach().numpy()[:] = 3


class LargeWritten(Still):
    """More than the agent sums up at once: PyTorch does."""

    def __init__(self):
        super().__init__()
        self.plain = torch.ones(5000 * WIDTH)

    def forward(self, x):
        return self.inside(x) * self.plain.view(-1, WIDTH)[-1]

    def change(self, x):
        self.plain.data[-1] = 3


UNDONE = (AttributeSet, SeveralCalls, DropoutSet, BufferReplaced, AttributeReplaced, ParameterReplaced, ReadsConfig)
REFUSED = (WeightWritten, WeightReplaced, BufferWritten, AttributeWritten, LargeWritten, InputWritten)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([kind() for kind in UNDONE + REFUSED])

    def forward(self, x, kinds=UNDONE + REFUSED):
        for block in self.blocks:
            if type(block) not in kinds:
                continue
            for call in range(3 if type(block) is SeveralCalls else 1):
                if type(block) is SeveralCalls:
                    block.factor = 1 / (1 + call)
                x = block(x)
        return x


def train(model, steps, kinds, losses):
    """With what can be undone changed in each step, and backwards of two micro-batches in turn."""
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(steps):
        model.zero_grad()
        for outcome in [model(torch.randn(WIDTH, WIDTH)).square().mean() for _ in range(2)]:
            for block in model.blocks:
                if type(block) in kinds:
                    block.change(None)
            outcome.backward()
            losses.append(outcome.item().hex())
        optimizer.step()
        losses.append([None if p.grad is None else p.grad.double().sum().item().hex() for p in model.parameters()])
        yield


def fail(model, kind):
    """The error of a backward after such a change; empty where there is none."""
    x = torch.randn(WIDTH, WIDTH)
    outcome = model(x, (kind,)).square().mean()
    next(block for block in model.blocks if type(block) is kind).change(x)
    try:
        outcome.backward()
    except RuntimeError as error:
        return str(error)
    return ""


def main():
    torch.manual_seed(3)
    model, losses, control, told = Model(), [], None, False
    for _ in train(model, 12, (), losses):
        control = control or agent()
        told = told or (control is not None and tell(control))
    for _ in train(model, 3, UNDONE, losses):
        pass
    does = {}
    if control is not None:
        for name, parts in layers_of(control.ask("layers")):
            if name.startswith("blocks."):
                does[type(model.blocks[int(name.split(".")[1])]).__name__] = parts[5]
    errors = {kind.__name__: fail(model, kind) for kind in REFUSED}
    print(json.dumps({"losses": losses, "does": does, "errors": errors}))


if __name__ == "__main__":
    main()
