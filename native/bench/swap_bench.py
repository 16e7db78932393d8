"""What a step takes when memory is short: swapping at 90 to 50 % of the peak, beside all memory and full recomputation.

swap_bench.py [--link 24GB/s] [--steps N] [--model gpt|resnet]... [--share 0.6]...   decides nothing; prints the table of
docs/performance.md

Each line is a training of its own on the virtual device (real PyTorch on the processor; the link is played). The median
step of the second half counts: wall time, and processor time of all threads, which others on the machine hardly touch.
Copying time is what copies took on the link; exposed is what somebody waited for them, and the rest was hidden.

Mixed is the fastest of a few policies, each told to a running training after its layers were measured, and then held to the
limit: the earliest layers swapped, the cheapest recomputed, and both in turn.
"""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile

NATIVE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REAL = os.path.join(NATIVE, "test", "real")
WORKLOADS = os.path.join(REAL, "swap_workloads.py")
sys.path.insert(0, REAL)
import watcher  # noqa: E402

LIBRARY = os.path.join(NATIVE, "build", "liblacuna_torch.so")
MIB = 1 << 20
CAPACITY = 4 << 30
SPARE = 0.95  # of a limit: what a policy is to fill, for the allocator's rounding
SHARES = (0.9, 0.8, 0.7, 0.6, 0.5)


def surroundings_in(directory):
    return dict(
        os.environ, PYTHONPATH=os.path.join(NATIVE, "python"), LACUNA_DIR=directory, OMP_NUM_THREADS="1",
        LACUNA_LIBRARY=LIBRARY, OPENBLAS_NUM_THREADS="1",
    )  # fmt: skip


def train(model, steps, options, words=()):
    """The workload's own report; None where it ran out of memory."""
    with tempfile.TemporaryDirectory(prefix="lacuna-bench-") as directory:
        surroundings = surroundings_in(directory)
        done = subprocess.run(
            [sys.executable, "-m", "lacuna", *options, WORKLOADS, model, str(steps), *words], env=surroundings,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip
    if done.returncode:
        if "out of memory" not in done.stderr:
            sys.exit(done.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])


# ---------------------------------------------------------------- policies


class Told:
    """A training that is measured, told a policy, then held to a limit."""

    COUNTED = ("swapped_out_bytes", "swapped_in_bytes", "copy_ns", "stall_ns", "rescues")

    def __init__(self, directory, model, steps, link, capacity=CAPACITY):
        self.directory, self.asked, self.capacity = directory, 0, capacity
        options = ("--capacity", "%dMiB" % (capacity // MIB), "--swap", "on", "--link", link)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lacuna", *options, WORKLOADS, model, str(steps), "--hold"], stdin=subprocess.PIPE,
            env=surroundings_in(directory), stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip
        self.step()
        (socket,) = watcher.wait_for(lambda: watcher.files(directory, ".sock"))
        self.control = watcher.Control(socket)

    def step(self, count=1):
        for _ in range(count):
            if not self.process.stdout.readline().startswith("step "):
                raise MemoryError(self.process.communicate()[1])
            self.process.stdin.write("\n")
            self.process.stdin.flush()
            self.asked += 1

    def profile(self):
        """(layers as (number, forward ns, saved bytes, letters it can), bytes beside them)."""
        while "measuring=yes" in self.control.ask("profile"):
            self.step()
        layers, reply = [], "more=yes"
        while "more=yes" in reply:
            reply = self.control.ask("profile first=%d" % len(layers))
            for word in (word for word in reply.split() if word.startswith("layer.")):
                parts = word.split(":")
                layers.append((len(layers), int(parts[1]), int(parts[3]), parts[8]))
        return layers, watcher.values(reply)["other_bytes"]

    def settle(self, letters, limit):
        """Until policy and limit hold."""
        self._expect("policy by=bench kinds=" + letters)
        self.step(4)
        if limit != self.capacity:
            self._expect("set by=bench force=yes fraction=%.9f" % (limit / self.capacity))
            self.step(2)

    def hold_to(self, letters, limit, steps):
        """The report of the steps after policy and limit hold."""
        self.settle(letters, limit)
        before = watcher.values(self.control.ask("get"))
        self.step(steps)
        (box,) = watcher.files(self.directory, ".mem")
        peak = watcher.Telemetry(box, watcher.layout(LIBRARY)).device("last_step_peak_allocated_bytes")
        out, err = self.process.communicate("\n" * 1000)
        if self.process.returncode:
            raise MemoryError(err)
        result = json.loads(out.splitlines()[-1])
        memory = {name: result["memory"][name] - before[name] for name in self.COUNTED}
        timed = {clock: result[clock][-steps:] for clock in ("seconds", "processor")}
        return {**result, **timed, "memory": {**memory, "peak": peak}, "letters": letters}

    def _expect(self, request):
        reply = self.control.ask(request)
        if not reply.startswith("ok "):
            sys.exit(request + ": " + reply)

    def end(self):
        self.process.kill()
        self.process.communicate()


def policies(layers, other, limit):
    """Letters for the layers so that what stays fits; the earliest swapped, the cheapest recomputed, both in turn."""
    too_much = other + sum(saved for _, _, saved, _ in layers) - limit * SPARE
    swaps = sorted(layers, key=lambda layer: layer[0])
    again = sorted((layer for layer in layers if "R" in layer[3] and layer[2]), key=lambda layer: layer[1] / layer[2])
    both = [layer for pair in zip(swaps, again) for layer in pair]
    for order, letters in ((swaps, "S"), (again, "R"), (both, "SR")):
        told, left = ["K"] * len(layers), too_much
        for turn, (number, _, saved, _) in enumerate(order):
            if left > 0 and told[number] == "K" and saved >= MIB // 2:
                told[number] = letters[turn % len(letters)]
                left -= saved
        yield "".join(told)


def mixed(model, steps, limit, link, whole_steps):
    """The fastest that fits; None where none does."""
    best, tried = None, set()
    for choice in range(3):
        with tempfile.TemporaryDirectory(prefix="lacuna-bench-") as directory:
            told = Told(directory, model, whole_steps, link)
            try:
                letters = list(policies(*told.profile(), limit))[choice]
                if letters in tried:
                    continue
                tried.add(letters)
                result = told.hold_to(letters, limit, steps)
                if best is None or median_step(result) < median_step(best):
                    best = result
            except MemoryError as failed:
                if "out of memory" not in str(failed):
                    sys.exit(str(failed))
            finally:
                told.end()
    return best


# ---------------------------------------------------------------- the table


def median_step(result, clock="seconds"):
    seconds = result[clock]
    return statistics.median(seconds[len(seconds) // 2 :])


def line(name, result, whole, steps):
    if result is None:
        print("| %s | does not fit | | | | | | | |" % name)
        return
    memory, step, processor = result["memory"], median_step(result), median_step(result, "processor")
    copied = memory["swapped_out_bytes"] + memory["swapped_in_bytes"]
    copying, exposed = memory["copy_ns"] / steps / 1e6, memory["stall_ns"] / steps / 1e6
    same = "yes" if (result["losses"], result["weights"]) == (whole["losses"], whole["weights"]) else "no"
    print(
        "| %s | %.0f | %.0f | %.0f (%+.0f %%) | %.0f | %.1f | %.1f | %d | %s |"
        % (
            name, memory["peak"] / MIB, step * 1e3, processor * 1e3,
            (processor / median_step(whole, "processor") - 1) * 100, copied / steps / MIB,
            max(0, copying - exposed), exposed, memory["rescues"], same,
        ),
        flush=True,
    )  # fmt: skip


def compare(model, steps, link, shares):
    whole = train(model, steps, ("--capacity", "4GiB"))
    # Beside the timed steps: eight for the profile at most, six until policy and limit hold, one that is held back.
    whole_steps = steps + 15
    longer = train(model, whole_steps, ("--capacity", "4GiB"))
    peak = whole["memory"]["peak"]
    print("\n%s, %d steps, link %s, peak %.0f MiB\n" % (model, steps, link, peak / MIB))
    print("| capacity | peak MiB | step ms | processor ms | copied MiB a step | hidden ms | exposed ms | rescues | same bits |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: | --- |")
    line("all", whole, whole, steps)
    for share in shares:
        capacity = "%dMiB" % (int(peak * share) // (2 * MIB) * 2)
        options = ("--capacity", capacity, "--swap", "on", "--link", link)
        line("%d %%, swap" % round(share * 100), train(model, steps, options), whole, steps)
        limit = int(peak * share) // (2 * MIB) * 2 * MIB
        best = mixed(model, steps, limit, link, whole_steps)
        line("%d %%, mixed %s" % (round(share * 100), shortened(best)), best, {**longer, **timed(whole)}, steps)
    line("full recomputation", train(model, steps, ("--capacity", "4GiB"), ("--recompute",)), whole, steps)


def timed(result):
    return {clock: result[clock] for clock in ("seconds", "processor")}


def shortened(result):
    """Letters of the layers as counts in a row: 2K 3S 1R."""
    if result is None:
        return ""
    return "(" + " ".join("%d%s" % (len(list(run)), kind) for kind, run in itertools.groupby(result["letters"])) + ")"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--link", default="24GB/s,10us")
    arguments.add_argument("--steps", type=int, default=16)
    arguments.add_argument("--model", action="append", choices=("gpt", "resnet"))
    arguments.add_argument("--share", action="append", type=float)
    asked = arguments.parse_args()
    for model in asked.model or ("gpt", "resnet"):
        compare(model, asked.steps, asked.link, asked.share or SHARES)


if __name__ == "__main__":
    main()
