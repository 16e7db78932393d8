"""What a switch of the allocator costs the step in which it falls and the next two, in a training that goes on.

usage: switch_cost.py [--switches 30] [--quiet 9] [--still 3] [--model gpt|resnet ...]

PyTorch's steps on the virtual device; another thread, as an operator's socket would, asks at a random moment of a step for the optimisation
to be turned on, and some steps later off again. The same training, seeds and all, runs some times beside it with the same questions for what
holds already: a step's spread is what it took in those. Prints for the steps about a switch, and for all others, how much longer than the
slowest of those the middle one and the longest took, and how many more than 5 ms; then what the preview told of a switch (what is given
back, by the prices that the process had measured) beside what giving back took in those steps. A benchmark, not a test: it asserts nothing.
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

CHUNK = 2 << 20
RULES = {"on": ("stock", "lifetime"), "off": ("segregated",)}  # whose cache a switch to this gives back
NEAR = 3  # steps, from that in which it falls on: first the switch, then what it left to be taken from the device again


class Operator:
    """Switches, in a thread of its own, while a step runs."""

    def __init__(self):
        (path,) = glob.glob(os.path.join(os.environ["LACUNA_DIR"], "*-%d-*.sock" % os.getpid()))
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.replies = self.socket.makefile()
        self.took, self.told, self.before = [], [], None

    def ask(self, line):
        self.socket.sendall((line + "\n").encode())
        reply = self.replies.readline()
        if not reply.startswith("ok "):
            raise SystemExit(reply)
        return {key: value for key, _, value in (word.partition("=") for word in reply.split() if "=" in word)}

    def switch(self, word, delay):
        def ask():
            time.sleep(delay)
            self.before = self.ask("get"), word
            began = time.perf_counter()
            self.ask("set optimisation=%s force=yes" % word)
            self.took.append(time.perf_counter() - began)

        thread = threading.Thread(target=ask)
        thread.start()
        return thread

    def switched(self):
        """Milliseconds: the least and the most that were told of the last switch, and what giving back took since."""
        before, word = self.before
        if before["optimisation"] == word:
            return
        now, chunks = self.ask("get"), sum(int(before[rules + "_cache_bytes"]) for rules in RULES[word]) / CHUNK
        prices = [chunks * int(before["release_%s_ns" % end]) for end in ("low", "high")]
        self.told.append([ns / 1e6 for ns in (*prices, int(now["given_back_ns"]) - int(before["given_back_ns"]))])


def train(name, switches, quiet, words):
    """Runs in a process of its own; prints the seconds of each step, and those that the answers took."""
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
    operator, seconds = Operator(), []
    for turn in range(switches):
        asking = operator.switch(words[turn % 2], random.random() * usual)
        seconds += [step() for _ in range(NEAR)]
        asking.join()
        operator.switched()
        seconds += [step() for _ in range(quiet)]
    print(json.dumps({"seconds": seconds, "took": operator.took, "told": operator.told}))


def run(name, switches, quiet, asked_for):
    with tempfile.TemporaryDirectory(prefix="lacuna-switch-") as folder:
        environment = dict(os.environ, OMP_NUM_THREADS="1", PYTHONPATH=os.path.join(NATIVE, "python"), LACUNA_DIR=folder)
        words = ["--train", name, "--switches", str(switches), "--quiet", str(quiet), "--ask", *asked_for]
        command = [sys.executable, "-m", "lacuna", "--optimisation", "off", os.path.abspath(__file__), *words]
        said = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    return json.loads(said.splitlines()[-1])


def measure(name, switches, quiet, still):
    others = [run(name, switches, quiet, ["off", "off"])["seconds"] for _ in range(still)]
    told = run(name, switches, quiet, ["on", "off"])
    slowest = [max(same) for same in zip(*others)]
    beyond = {"on": [], "off": [], "others": []}
    for at, (took, most) in enumerate(zip(told["seconds"], slowest)):
        turn, behind = divmod(at, NEAR + quiet)
        kind = "others" if behind >= NEAR else "off" if turn % 2 else "on"
        beyond[kind].append((took - most) * 1e3)
    print("%-7s step %.1f ms without a switch, %.1f with; a step's spread over %d runs %.1f ms in the middle; the answer took %.2f ms, %.2f at most" % (
        name, statistics.median(map(statistics.median, others)) * 1e3, statistics.median(told["seconds"]) * 1e3, still,
        statistics.median(max(same) - min(same) for same in zip(*others)) * 1e3,
        statistics.median(told["took"]) * 1e3, max(told["took"]) * 1e3))  # fmt: skip
    for kind, excess in beyond.items():
        print("        %-6s %+.1f ms beyond the slowest of those runs in the middle, %+.1f at most; more than 5 ms: %d of %d" % (
            kind, statistics.median(excess), max(excess), sum(over > 5 for over in excess), len(excess)), flush=True)  # fmt: skip
    for turn, kind in enumerate(("on", "off")):
        least, most, took = zip(*told["told"][turn::2])
        within = sum(low <= really <= high for low, high, really in told["told"][turn::2])
        print("        %-6s giving back: told %.2f to %.2f ms, took %.2f in the middle; at most told %.2f, took %.2f; within what was told: %d of %d" % (
            kind, *map(statistics.median, (least, most, took)), max(most), max(took), within, len(took)), flush=True)  # fmt: skip


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--switches", type=int, default=30)
    arguments.add_argument("--quiet", type=int, default=9)
    arguments.add_argument("--still", type=int, default=3)
    arguments.add_argument("--model", nargs="*", choices=sorted(MODELS), default=sorted(MODELS))
    arguments.add_argument("--train", choices=sorted(MODELS), help=argparse.SUPPRESS)
    arguments.add_argument("--ask", nargs=2, help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.train:
        train(asked.train, asked.switches, asked.quiet, asked.ask)
        return
    for name in asked.model:
        measure(name, asked.switches, asked.quiet, asked.still)


if __name__ == "__main__":
    main()
