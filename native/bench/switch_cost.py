"""What a switch of the allocator costs the step in which it falls and the next two, in a training that goes on.

usage: switch_cost.py [--switches 30] [--quiet 9] [--model gpt|resnet ...]

PyTorch's steps on the virtual device; another thread, as an operator's socket would, asks at a random moment of a step for the optimisation
to be turned on, and some steps later off again. Prints a line a model: the usual step and its spread (the slowest of the steps that are
three and more behind a switch), then by how much the slowest and the middle one of the steps about a switch exceed that slowest. A
benchmark, not a test: it asserts nothing.
"""

import argparse
import glob
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from step_cost import MODELS, NATIVE

NEAR = 3  # steps, from that in which it falls on: first the switch, then what it left to be taken from the device again


class Operator:
    """Switches, in a thread of its own, while a step runs."""

    def __init__(self):
        (path,) = glob.glob(os.path.join(os.environ["LACUNA_DIR"], "*-%d-*.sock" % os.getpid()))
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.replies = self.socket.makefile()
        self.took = []

    def switch(self, word, delay):
        def ask():
            time.sleep(delay)
            began = time.perf_counter()
            self.socket.sendall(("set optimisation=%s force=yes\n" % word).encode())
            reply = self.replies.readline()
            if not reply.startswith("ok "):
                raise SystemExit(reply)
            self.took.append(time.perf_counter() - began)

        thread = threading.Thread(target=ask)
        thread.start()
        return thread


def train(name, switches, quiet):
    """Runs in a process of its own; prints the seconds of each step, those about a switch by which."""
    import torch

    torch.manual_seed(3)
    random.seed(3)
    batch_loss = MODELS[name]()
    model = getattr(batch_loss, "__self__", None) or batch_loss.model
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)

    def step():
        began = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        batch_loss().backward()
        optimizer.step()
        return time.perf_counter() - began

    usual = statistics.median([step() for _ in range(8)][3:])
    operator, calm, near = Operator(), [], {"on": [], "off": []}
    for turn in range(switches):
        word = "off" if turn % 2 else "on"
        asking = operator.switch(word, random.random() * usual)
        near[word].append([step() for _ in range(NEAR)])
        asking.join()
        calm += [step() for _ in range(quiet)]
    print(json.dumps({"calm": calm, "near": near, "took": operator.took}))


def measure(name, switches, quiet):
    with tempfile.TemporaryDirectory(prefix="lacuna-switch-") as folder:
        environment = dict(os.environ, OMP_NUM_THREADS="1", PYTHONPATH=os.path.join(NATIVE, "python"), LACUNA_DIR=folder)
        words = ["--train", name, "--switches", str(switches), "--quiet", str(quiet)]
        command = [sys.executable, "-m", "lacuna", "--optimisation", "off", os.path.abspath(__file__), *words]
        said = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    told = json.loads(said.splitlines()[-1])
    calm = [second * 1e3 for second in told["calm"]]
    slowest = max(calm)
    print("%-7s step %.1f ms, slowest of %d %.1f ms; the answer took %.2f ms, %.2f at most" % (
        name, statistics.median(calm), len(calm), slowest, statistics.median(told["took"]) * 1e3, max(told["took"]) * 1e3))  # fmt: skip
    for word, runs in told["near"].items():
        longest = [max(run) * 1e3 for run in runs]
        print("        %-3s slowest step %.1f ms in the middle, %.1f at most of %d switches: %+.1f ms beyond the slowest of the others" % (
            word, statistics.median(longest), max(longest), len(longest), max(longest) - slowest), flush=True)  # fmt: skip


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--switches", type=int, default=30)
    arguments.add_argument("--quiet", type=int, default=9)
    arguments.add_argument("--model", nargs="*", choices=sorted(MODELS), default=sorted(MODELS))
    arguments.add_argument("--train", choices=sorted(MODELS), help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.train:
        train(asked.train, asked.switches, asked.quiet)
        return
    for name in asked.model:
        measure(name, asked.switches, asked.quiet)


if __name__ == "__main__":
    main()
