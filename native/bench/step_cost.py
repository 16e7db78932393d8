"""What the agent costs a training step: the same steps with and without it, in turns, on this machine.

usage: step_cost.py [--rounds 5] [--steps 20] [--model gpt|resnet ...] [--optimisation on|off]

Prints one line per model: the median step without and with the agent, the spread of the rounds' medians, their ratio.
A benchmark, not a test: it asserts nothing.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.dirname(HERE)


def gpt():
    sys.path.insert(0, os.path.join(NATIVE, "test", "real"))
    import workloads

    return workloads.Gpt(layers=4).batch_loss


def resnet():
    import torch
    import torch.nn.functional as F
    from torch import nn

    class Residual(nn.Module):
        def __init__(self, narrow, wide, stride):
            super().__init__()
            self.first = nn.Conv2d(narrow, wide, 3, stride, 1, bias=False)
            self.second = nn.Conv2d(wide, wide, 3, 1, 1, bias=False)
            self.norms = nn.ModuleList([nn.BatchNorm2d(wide), nn.BatchNorm2d(wide)])
            self.short = nn.Conv2d(narrow, wide, 1, stride, bias=False)

        def forward(self, x):
            y = F.relu(self.norms[0](self.first(x)))
            return F.relu(self.norms[1](self.second(y)) + self.short(x))

    stages = [Residual(3, 32, 1), Residual(32, 32, 1), Residual(32, 64, 2), Residual(64, 128, 2)]
    model = nn.Sequential(*stages, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, 10))

    def batch_loss():
        labels = torch.randint(0, 10, (16,))
        return F.cross_entropy(model(torch.randn(16, 3, 48, 48) + labels.view(16, 1, 1, 1) * 0.3), labels)

    batch_loss.model = model
    return batch_loss


MODELS = {"gpt": gpt, "resnet": resnet}


def train(name, steps):
    """Runs in a process of its own: prints the seconds of each step after a warm-up."""
    import torch

    torch.manual_seed(3)
    random.seed(3)
    batch_loss = MODELS[name]()
    model = getattr(batch_loss, "__self__", None) or batch_loss.model
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    for step in range(steps + 5):
        began = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        batch_loss().backward()
        optimizer.step()
        if step >= 5:
            print(time.perf_counter() - began)


def median_step(name, steps, under):
    command = [sys.executable, *under, os.path.abspath(__file__), "--train", name, "--steps", str(steps)]
    environment = dict(os.environ, OMP_NUM_THREADS="1", PYTHONPATH=os.path.join(NATIVE, "python"))
    output = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    return statistics.median(map(float, output.split()))


def compare(name, rounds, steps, switch):
    plain, with_agent = [], []
    under = ["-m", "lacuna", "--optimisation", switch]
    for turn in range(rounds):
        pairs = [(plain, []), (with_agent, under)]
        for times, prefix in pairs if turn % 2 == 0 else pairs[::-1]:
            times.append(median_step(name, steps, prefix) * 1e3)
    ratios = [b / a for a, b in zip(plain, with_agent)]
    print(
        "%-7s without %7.2f ms (%.2f-%.2f)  with %7.2f ms (%.2f-%.2f)  ratio %.4f (%.4f-%.4f)"
        % (name, statistics.median(plain), min(plain), max(plain), statistics.median(with_agent), min(with_agent),
           max(with_agent), statistics.median(ratios), min(ratios), max(ratios)),
        flush=True,
    )  # fmt: skip


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--steps", type=int, default=20)
    arguments.add_argument("--model", nargs="*", choices=sorted(MODELS), default=sorted(MODELS))
    arguments.add_argument("--optimisation", choices=("on", "off"), default="on")
    arguments.add_argument("--train", choices=sorted(MODELS), help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.train:
        train(asked.train, asked.steps)
        return
    for name in asked.model:
        compare(name, asked.rounds, asked.steps, asked.optimisation)


if __name__ == "__main__":
    main()
