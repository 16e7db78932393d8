"""Trains a model of layers of which some cannot be computed again; is told to recompute all that can, where there is an agent.

Prints losses and weights, and what each layer did by its class, as JSON. odd_layers.py [again|look|beside|tight|crowded]: again: at the end
backward runs twice, once in a child, with everything recomputed; look: layers are measured, and nothing is told; beside:
another thread trains too, from when everything is recomputed on; tight: no layer fits twice;
crowded: each trial runs out of memory.
"""

import copy
import io
import json
import os
import random
import sys
import threading
import time

import torch
import watcher
from policy_cases import layers_of
from torch import nn
from torch.utils.checkpoint import checkpoint

WIDTH = 64


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.inside, self.count, self.seen = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh()), 0, []
        self.register_buffer("scale", torch.ones(WIDTH))

    def forward(self, x):
        return self.inside(x)


class Statistics(Plain):
    """Dropout is the same again, and running statistics move once."""

    def __init__(self):
        super().__init__()
        self.inside = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.BatchNorm1d(WIDTH), nn.Dropout(0.3))

    def forward(self, x):
        return self.inside(x) + x


class ChangingBuffer(Plain):
    """The result depends on a buffer that each forward changes."""

    def forward(self, x):
        self.scale.mul_(1.01)
        return self.inside(x) * self.scale.clone()


class Shared(Plain):
    def forward(self, x):
        return self.inside(self.inside(x))


class Named(Plain):
    """Takes arguments by name, in containers."""

    def forward(self, x, *, pair=None):
        return self.inside(x + pair[0]["more"] * pair[1])


class ChangesInput(Plain):
    def forward(self, x):
        y = self.inside(x + 1)
        x.add_(1)
        return y + x


class InputChangedLater(Plain):
    def forward(self, x):
        return (x * 2).sigmoid()


class Counts(Plain):
    def forward(self, x):
        self.count += 1
        return self.inside(x) * self.count


class Remembers(Plain):
    def forward(self, x):
        self.seen.append(1)
        return self.inside(x)


class OwnDice(Plain):
    def forward(self, x):
        return self.inside(x) * random.random()


class OwnGenerator(Plain):
    def __init__(self):
        super().__init__()
        self.dice = torch.Generator().manual_seed(5)

    def forward(self, x):
        return self.inside(x) * (torch.rand(x.shape, generator=self.dice) > 0.1)


class HiddenAverage(Plain):
    """Of a tensor that is no buffer, and moved past autograd as well."""

    def __init__(self):
        super().__init__()
        self.average = torch.zeros(WIDTH)

    def forward(self, x):
        self.average.data.mul_(0.9).add_(x.detach().mean(0), alpha=0.1)
        return self.inside(x) - self.average.clone()


class WritesWeight(Plain):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH), requires_grad=False)

    def forward(self, x):
        self.weight.data.mul_(0.9)
        return self.inside(x) * self.weight.clone()


class CountsInList(Plain):
    def __init__(self):
        super().__init__()
        self.calls = [0]

    def forward(self, x):
        self.calls[0] += 1
        return self.inside(x) * (1 + 0.01 * self.calls[0])


CALLS = {"count": 0}


def count_call():
    CALLS["count"] += 1
    return CALLS["count"]


class CountsGlobally(Plain):
    def forward(self, x):
        return self.inside(x) * (1 + 0.01 * count_call())


class CountsInClass(Plain):
    calls = 0

    def forward(self, x):
        type(self).calls += 1
        return self.inside(x) * (1 + 0.01 * self.calls)


class HiddenStatistics(Plain):
    """Modules in a list are no parts."""

    def __init__(self):
        super().__init__()
        self.hidden = [nn.BatchNorm1d(WIDTH)]

    def forward(self, x):
        return self.hidden[0](self.inside(x)) + self.hidden[0].running_mean.clone()


class Prints(Plain):
    def forward(self, x):
        print("a layer runs", file=NOWHERE)
        return self.inside(x)


NOWHERE = io.StringIO()


class Clocked(Plain):
    """Saves what is different each time, and nothing tells but a comparison; what it gives is the same."""

    def forward(self, x):
        y = self.inside(x)
        return y + y * torch.full_like(y, float(time.monotonic_ns() % 65521)) * 0


class Sparse(Plain):
    """Saves what has no elements in a row."""

    def forward(self, x):
        return torch.sparse.mm(torch.eye(WIDTH).to_sparse(), self.inside(x))


class Hooked(Plain):
    def __init__(self):
        super().__init__()
        self.inside[0].register_forward_hook(lambda *_: None)


class OddArgument(Plain):
    def forward(self, x, anything=None):
        return self.inside(x)


class Checkpointed(Plain):
    pass


class CheckpointedReentrant(Plain):
    pass


class ChecksInside(Plain):
    def forward(self, x):
        return checkpoint(self.inside, x, use_reentrant=False)


class ChecksInsideReentrant(Plain):
    def forward(self, x):
        return checkpoint(self.inside, x, use_reentrant=True)


KINDS = (
    Plain, Statistics, ChangingBuffer, Shared, Named, ChangesInput, InputChangedLater, Counts, Remembers, OwnDice, Hooked,
    OddArgument, Checkpointed, CheckpointedReentrant, ChecksInside, ChecksInsideReentrant, OwnGenerator, HiddenAverage, WritesWeight,
    CountsInList, CountsGlobally, CountsInClass, HiddenStatistics, Prints, Clocked, Sparse,
)  # fmt: skip


class Model(nn.Module):
    def __init__(self, kinds):
        super().__init__()
        self.blocks = nn.ModuleList([kind() for kind in kinds])

    def forward(self, x):
        for block in self.blocks:
            x = self.call(block, x)
        return x

    def call(self, block, x):
        if type(block) in (Checkpointed, CheckpointedReentrant):
            return checkpoint(block, x, use_reentrant=type(block) is CheckpointedReentrant)
        if type(block) is Named:
            return block(x, pair=({"more": x.detach() * 0.5}, 2.0))
        if type(block) is OddArgument:
            return block(x, anything=object())
        if type(block) is InputChangedLater:
            x = x * 1
            y = block(x)
            x.add_(1)
            return y
        return block(x * 1)


def agent():
    place = os.environ.get("LACUNA_DIR")
    sockets = watcher.files(place, ".sock") if place else []
    return watcher.Control(sockets[0]) if sockets else None


def tell(control):
    """Tells all to recompute that can, once they were measured; False until then."""
    reply = control.ask("profile")
    if "measuring=yes" in reply:
        return False
    kinds = "".join("R" if "R" in parts[-1] else "K" for _, parts in layers_of(reply))
    return control.ask("policy kinds=" + kinds).startswith("ok ")


def train(model, steps, look):
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    control, told, losses = None, False, []
    for step in range(steps):
        optimizer.zero_grad()
        loss = model(torch.randn(WIDTH, WIDTH)).square().mean()
        if step % 2:
            model.eval()  # between forward and backward
        loss.backward()
        model.train()
        optimizer.step()
        losses.append(loss.item().hex())
        control = control or agent()
        if look and control is not None:
            control.ask("profile")
        else:
            told = told or (control is not None and tell(control))
    return losses, control


def train_beside(model):
    """More steps, after another thread has begun to train a model of its own."""
    begun, over, model_beside = threading.Event(), threading.Event(), Plain()
    inputs = torch.randn(WIDTH, WIDTH)

    def beside():
        model_beside(inputs).sum().backward()
        begun.set()
        over.wait()

    thread = threading.Thread(target=beside)
    thread.start()
    begun.wait()
    try:
        return train(model, 6, True)[0]  # with what was told
    finally:
        over.set()
        thread.join()


def backward_twice(model):
    """With a second backward in a child and here, and copies of the model in between."""
    loss = model(torch.randn(WIDTH, WIDTH)).sum()
    model.zero_grad()
    loss.backward(retain_graph=True)
    once = [p.grad.clone() for p in model.parameters()]
    torch.save(model, io.BytesIO())
    copy.deepcopy(model)
    pid = os.fork()
    loss.backward()
    same = all(torch.equal(p.grad, first + first) for p, first in zip(model.parameters(), once))
    if pid == 0:
        model(torch.randn(WIDTH, WIDTH)).sum().backward()
        os._exit(0 if same else 1)
    return same and os.waitpid(pid, 0)[1] == 0


def leave_no_room():
    """So that what layers saved is known by sums alone: as under a limit that holds it only once."""
    native = sys.modules["_lacuna_swap.engine"].Native
    native.room, native.movable = lambda self: 0, lambda self: 1 << 40


def run_out_of_memory():
    """In each trial of a layer; what comes back counts them."""
    tried = []

    def compute(again):
        tried.append(again.layer.name)
        raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 MiB")

    sys.modules["_lacuna_swap.recompute"].Checkpoint.compute = compute
    return tried


def main():
    torch.manual_seed(3)
    random.seed(3)
    if sys.argv[1:] == ["tight"]:
        leave_no_room()
    tried = run_out_of_memory() if sys.argv[1:] == ["crowded"] else []
    again = sys.argv[1:] == ["again"]
    beside = sys.argv[1:] == ["beside"]
    model = Model((Plain, Statistics, Shared) if again or beside else KINDS)
    losses, control = train(model, 12, sys.argv[1:] == ["look"])
    if beside:
        losses += train_beside(model)
    does = {}
    if control is not None:
        can = dict(layers_of(control.ask("profile")))
        for name, parts in layers_of(control.ask("layers")):
            if name.startswith("blocks."):
                kind = type(model.blocks[int(name.split(".")[1])]).__name__
                does[kind] = can[name][-1] + ":" + ":".join(parts[5:] if beside else parts[5:6])
    weights = [float(value.double().sum()).hex() for value in model.state_dict().values()]
    same = backward_twice(model) if again else True
    print(json.dumps({"bits": [losses, weights, NOWHERE.tell(), CALLS["count"]], "does": does, "same": same, "tried": tried}))


if __name__ == "__main__":
    main()
