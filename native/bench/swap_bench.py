"""What a step takes when memory is short: swapping at 90 to 50 % of the peak, beside all memory and full recomputation.

swap_bench.py [--link 24GB/s] [--steps N] [--model gpt|resnet]...   decides nothing; prints the table of docs/performance.md

Each line is a training of its own on the virtual device (real PyTorch on the processor; the link is played). The median
step of the second half counts: wall time, and processor time of all threads, which others on the machine hardly touch.
Copying time is what copies took on the link; exposed is what somebody waited for them, and the rest was hidden.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

NATIVE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORKLOADS = os.path.join(NATIVE, "test", "real", "swap_workloads.py")
MIB = 1 << 20
SHARES = (0.9, 0.8, 0.7, 0.6, 0.5)


def train(model, steps, options, words=()):
    """The workload's own report; None where it ran out of memory."""
    with tempfile.TemporaryDirectory(prefix="lacuna-bench-") as directory:
        surroundings = dict(
            os.environ, PYTHONPATH=os.path.join(NATIVE, "python"), LACUNA_DIR=directory, OMP_NUM_THREADS="1",
            LACUNA_LIBRARY=os.path.join(NATIVE, "build", "liblacuna_torch.so"), OPENBLAS_NUM_THREADS="1",
        )  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-m", "lacuna", *options, WORKLOADS, model, str(steps), *words], env=surroundings,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip
    if done.returncode:
        if "out of memory" not in done.stderr:
            sys.exit(done.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])


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


def compare(model, steps, link):
    whole = train(model, steps, ("--capacity", "4GiB"))
    peak = whole["memory"]["peak"]
    print("\n%s, %d steps, link %s, peak %.0f MiB\n" % (model, steps, link, peak / MIB))
    print("| capacity | peak MiB | step ms | processor ms | copied MiB a step | hidden ms | exposed ms | rescues | same bits |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: | --- |")
    line("all", whole, whole, steps)
    for share in SHARES:
        capacity = "%dMiB" % (int(peak * share) // (2 * MIB) * 2)
        options = ("--capacity", capacity, "--swap", "on", "--link", link)
        line("%d %%, swap" % round(share * 100), train(model, steps, options), whole, steps)
    line("full recomputation", train(model, steps, ("--capacity", "4GiB"), ("--recompute",)), whole, steps)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--link", default="24GB/s,10us")
    arguments.add_argument("--steps", type=int, default=16)
    arguments.add_argument("--model", action="append", choices=("gpt", "resnet"))
    asked = arguments.parse_args()
    for model in asked.model or ("gpt", "resnet"):
        compare(model, asked.steps, asked.link)


if __name__ == "__main__":
    main()
