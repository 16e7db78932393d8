"""What every method of adaptive memory predicts for a real training, and what the training then took.

policy_bench.py [--link 24GB/s] [--steps N] [--model gpt|resnet]... [--share 80]... -- TABLE...   decides nothing; prints a table

A training is measured layer by layer; TABLE (the command that prints AdaptiveTable, see ./bench --only policies) plans
those layers by every method; each plan that fits is told to a training of its own, which is then held to the limit.
What ran out of memory under it says so. The limit is what the training needs beside its layers and a share of what they keep. Steps: the mean of those after the
policy and the limit hold, wall time; the peak is the last step's.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from swap_bench import MIB, Told, watcher  # noqa: E402

# Beside the timed steps: eight for the profile at most, six until policy and limit hold, one that is held back.
BEFORE = 15
FIGURES = ("step_ns", "peak_allocated_bytes", "limit_bytes", "other_bytes", "link_bytes_per_second")
TIMES = ("forward_ns", "backward_ns", "saved_bytes", "input_bytes", "copy_out_ns", "copy_in_ns", "steps")


def profile_of(told):
    """What `lacuna layers --json` tells of a training."""
    told.profile()
    layers, reply = [], "more=yes"
    while "more=yes" in reply:
        reply = told.control.ask("profile first=%d" % len(layers))
        for word in (word for word in reply.split() if word.startswith("layer.")):
            name, *numbers, possible = word.split("=", 1)[1].split(":")
            layers.append({"name": name, **dict(zip(TIMES, map(int, numbers))), "possible": possible})
    figures = watcher.values(reply)
    return {**{name: figures[name] for name in FIGURES}, "layers": layers}


def started(model, steps, link, use):
    with tempfile.TemporaryDirectory(prefix="lacuna-bench-") as directory:
        told = Told(directory, model, steps + BEFORE, link)
        try:
            return use(told)
        finally:
            told.end()


def held(model, letters, limit, steps, link):
    """A training under a policy; None where it ran out of memory."""

    def use(told):
        told.profile()
        return told.hold_to(letters, limit, steps)

    try:
        return started(model, steps, link, use)
    except MemoryError as failed:
        if "out of memory" not in str(failed):
            sys.exit(str(failed))
        return None


def plans(lines):
    """(letters) of the plans that fit, once each, from the printed table."""
    cells = ([cell.strip() for cell in line.strip(" |").split("|")] for line in lines if line.startswith("|"))
    return sorted({row[2] for row in cells if len(row) > 3 and set(row[2]) <= set("KSR") and row[3] != "does not fit"})


def compare(model, asked, folder):
    profile = started(model, asked.steps, asked.link, profile_of)
    saved = sum(layer["saved_bytes"] for layer in profile["layers"])
    layers, measured = os.path.join(folder, model + ".json"), os.path.join(folder, model + ".csv")
    with open(layers, "w") as out:
        json.dump(profile, out)
    rows = ["policy,limit_bytes,step_ns,peak_bytes"]
    for share in asked.share or (80, 60, 40):
        limit = profile["other_bytes"] + saved * share // 100
        with open(measured, "w") as out:  # one row tells the table which limit
            out.write("\n".join((rows[0], "%s,%d,1,1" % ("K" * len(profile["layers"]), limit))))
        fitting = plans(table(asked, layers, measured))
        if not fitting:
            print("%s under %.0f MiB: no plan fits" % (model, limit / MIB), flush=True)
        for letters in fitting:
            result = held(model, letters, limit, asked.steps, asked.link)
            if result:
                step = sum(result["seconds"]) / len(result["seconds"]) * 1e9
                rows.append("%s,%d,%d,%d" % (letters, limit, step, result["memory"]["peak"]))
            else:
                rows.append("%s,%d,," % (letters, limit))
    with open(measured, "w") as out:
        out.write("\n".join(rows))
    print("\n%s, link %s, %d steps a plan\n" % (model, asked.link, asked.steps))
    print("\n".join(line for line in table(asked, layers, measured)), flush=True)


def table(asked, layers, measured):
    return subprocess.run(
        [*asked.table, layers, measured], stdout=subprocess.PIPE, universal_newlines=True, check=True
    ).stdout.splitlines()  # fmt: skip


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--link", default="24GB/s,10us")
    arguments.add_argument("--steps", type=int, default=8)
    arguments.add_argument("--model", action="append", choices=("gpt", "resnet"))
    arguments.add_argument("--share", action="append", type=int)
    arguments.add_argument("table", nargs="+")
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="lacuna-bench-") as folder:
        for model in asked.model or ("gpt", "resnet"):
            compare(model, asked, folder)


if __name__ == "__main__":
    main()
