"""Trains a model whose activations outweigh its weights; prints losses and weights to the bit, times and memory as JSON.

swap_workloads.py gpt|small-gpt|resnet|vit|bert|unet|lstm STEPS [--micro N] [--hold] [--recompute] [--until PATTERN]
--micro N   each step runs N forwards before their backwards, as the warm-up of a pipeline does
--hold      before each step waits for a line on stdin
--recompute blocks keep their inputs alone, as full recomputation does
--until     ends three steps after there is a file of this pattern, if STEPS are not over before
"""

import argparse
import glob
import hashlib
import json
import random
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from known_shapes import KNOWN_SHAPES
from torch.utils.checkpoint import checkpoint
from workloads import Block


class Gpt(nn.Module):
    recompute = False

    def __init__(self, words=256, width=128, layers=8, longest=128):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(longest, width)
        self.blocks = nn.Sequential(*(Block(width, 4) for _ in range(layers)))
        self.head = nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1]))
        for block in self.blocks:
            x = checkpoint(block, x) if self.recompute else block(x)
        return self.head(x)

    def loss(self):
        tokens = (torch.randint(0, 256, (16, 1)) + torch.randint(1, 4, (16, 1)) * torch.arange(129)) % 256
        return F.cross_entropy(self(tokens[:, :-1]).reshape(-1, 256), tokens[:, 1:].reshape(-1))


class Residual(nn.Module):
    """Convolution, normalisation and an in-place ReLU, twice, around a shortcut."""

    def __init__(self, inside, outside, stride=1):
        super().__init__()
        self.first = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.second = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(outside), nn.BatchNorm2d(outside)])
        self.relu = nn.ReLU(inplace=True)
        self.shortcut = nn.Conv2d(inside, outside, 1, stride, bias=False) if stride > 1 else nn.Identity()

    def forward(self, x):
        y = self.relu(self.norms[0](self.first(x)))
        return self.relu(self.norms[1](self.second(y)) + self.shortcut(x))


class Resnet(nn.Module):
    recompute = False

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(inplace=True))
        self.blocks = nn.ModuleList([
            Residual(16, 16), Residual(16, 16), Residual(16, 32, 2), Residual(32, 32), Residual(32, 64, 2), Residual(64, 64),
        ])  # fmt: skip
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = checkpoint(block, x) if self.recompute else block(x)
        return self.head(x.mean((2, 3)))

    def loss(self):
        labels = torch.randint(0, 10, (24,))
        return F.cross_entropy(self(torch.randn(24, 3, 64, 64) + labels.view(24, 1, 1, 1) * 0.3), labels)


MODELS = {"gpt": Gpt, "small-gpt": lambda: Gpt(width=64, layers=6), "resnet": Resnet, **KNOWN_SHAPES}


def memory():
    """The agent's own figures; empty without one."""
    try:
        import lacuna

        stats = lacuna.memory_stats("cpu")
    except (ImportError, LookupError):
        return {}
    wanted = ("allocated_bytes.all.peak", "allocated_bytes.all.current")
    return {**{name.split(".")[-1]: stats[name] for name in wanted}, **lacuna.swap_stats("cpu")}


def train(model, steps, micro, hold, until):
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    losses, seconds, processor, end = [], [], [], steps
    for step in range(steps):
        if until and end == steps and glob.glob(until):
            end = step + 3
        if step == end:
            break
        if hold:
            print("step", step, flush=True)
            sys.stdin.readline()
        began, began_processor = time.monotonic(), time.process_time()
        optimizer.zero_grad(set_to_none=True)
        outcomes = [model.loss() / micro for _ in range(micro)]
        for loss in outcomes:
            loss.backward()
        optimizer.step()
        seconds.append(time.monotonic() - began)
        processor.append(time.process_time() - began_processor)
        losses.append(sum(loss.item() for loss in outcomes))
        del outcomes, loss
    return losses, seconds, processor


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("model", choices=MODELS)
    arguments.add_argument("steps", type=int)
    arguments.add_argument("--micro", type=int, default=1)
    arguments.add_argument("--hold", action="store_true")
    arguments.add_argument("--recompute", action="store_true")
    arguments.add_argument("--until")
    asked = arguments.parse_args()
    torch.manual_seed(7)
    random.seed(7)
    model = MODELS[asked.model]()
    model.recompute = asked.recompute
    losses, seconds, processor = train(model, asked.steps, asked.micro, asked.hold, asked.until)
    digest = hashlib.sha256()
    for weights in model.state_dict().values():
        digest.update(weights.detach().contiguous().numpy().tobytes())
    print(json.dumps({
        "losses": [loss.hex() for loss in losses], "weights": digest.hexdigest(), "seconds": seconds, "processor": processor,
        "memory": memory(),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
