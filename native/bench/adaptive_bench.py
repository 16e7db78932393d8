"""``lacuna run --adaptive`` on trainings that do not fit: found policies against measured ones, full recomputation and the next start.

adaptive_bench.py [--card a100|v100|h100] [--steps N] [--model gpt|resnet]... [--share 0.6]...   decides nothing; prints the table
of docs/performance.md

The link is played so that copying what a layer keeps takes, over its forward pass, what it would on the card: of a GPT layer of
2048 and sequences of 2048 (34 bytes kept and 24·h + 4·s operations each token and unit of width), by 45 % of the card's peak
and 80 % of its bus. Both ratios are printed. A share is of what the training reserves with memory to spare. Every line is a training of its own; the
median step of the last quarter counts. *Best of five* are the five policies that the planner's simulation names, all policies
looked at where there are few, each told to a training and then held to the limit.
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from swap_bench import LIBRARY, MIB, NATIVE, WORKLOADS, Told, watcher  # noqa: E402

sys.path.insert(0, os.path.join(NATIVE, "python"))
from lacuna.adaptive import measured  # noqa: E402
from lacuna.adaptive.dial import Agent  # noqa: E402
from lacuna.adaptive.search import fastest  # noqa: E402

CARDS = {"v100": (125e12, 15.754e9), "a100": (312e12, 31.508e9), "h100": (989e12, 63.015e9)}
WIDTH = LENGTH = 2048
BEFORE = 15


def ratio_of(card):
    flops, bus = CARDS[card]
    return (34 * WIDTH / (0.8 * bus)) / ((24 * WIDTH**2 + 4 * LENGTH * WIDTH) / (0.45 * flops))


def run(folder, model, steps, options=(), words=()):
    """(seconds of each step, stderr); None where it ran out of memory."""
    environment = dict(
        os.environ, LACUNA_DIR=folder, LACUNA_LIBRARY=LIBRARY, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
        XDG_CACHE_HOME=os.path.join(folder, "cache"), LC_ALL="C.UTF-8",
    )  # fmt: skip
    start = os.path.join(NATIVE, "python", "lacuna", "run", "start.py")
    done = subprocess.run(
        [sys.executable, "-B", start, "lacuna", *options, "--", sys.executable, WORKLOADS, model, str(steps), *words],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
    )  # fmt: skip
    if done.returncode:
        if "out of memory" not in done.stderr:
            sys.exit(done.stderr)
        return None, done.stderr
    return json.loads(done.stdout.splitlines()[-1])["seconds"], done.stderr


def settled(seconds):
    return statistics.median(seconds[-max(1, len(seconds) // 4) :]) * 1e3


@contextlib.contextmanager
def told(model, steps, link):
    with tempfile.TemporaryDirectory(prefix="lacuna-bench-") as folder:
        training = Told(folder, model, steps + BEFORE, link)
        try:
            yield training
        finally:
            training.end()


def profile_in(training):
    """Once it is measured."""
    training.profile()
    agent = Agent(watcher.files(training.directory, ".sock")[0])
    profile, _ = measured.read(agent)
    agent.close()
    return profile


def profile_of(model, link):
    with told(model, 8, link) as training:
        return profile_in(training)


def best_of_five(model, profile, limit, link, steps):
    """The fastest of five as they run: (letters, milliseconds)."""
    found = []
    for letters, _ in fastest(profile._replace(limit=limit), profile._replace(limit=limit).plannable(), 5):
        try:
            with told(model, steps, link) as training:
                of = dict(zip(profile.names, letters))
                there = "".join(of.get(name, "K") for name in profile_in(training).names)  # processes number layers as they meet them
                found.append((statistics.median(training.hold_to(there, limit, steps)["seconds"]) * 1e3, letters))
        except MemoryError:
            pass  # it did not hold: not among the best
    return min(found, default=(None, "-"))


def line(model, share, peak, profile, asked, link):
    limit = int(peak * share) // (2 * MIB) * 2 * MIB
    options = ("--adaptive", "--capacity", "%dMiB" % (limit // MIB), "--link", link)
    with tempfile.TemporaryDirectory(prefix="lacuna-bench-") as folder:
        first, said = run(folder, model, asked.steps, options)
        second, again = run(folder, model, asked.steps // 2, options) if first else (None, "")
        full, _ = run(folder, model, 12, ("--capacity", "%dMiB" % (limit // MIB)), ("--recompute",))
    words = [word.partition(": layers ")[2].partition(":")[0] for word in said.splitlines() if ": layers " in word]
    best, letters = best_of_five(model, profile, limit, link, asked.each)
    cells = [
        model, "%.0f %%, %d" % (share * 100, limit // MIB), words[-1] if words else "-", "%.0f" % settled(first) if first else "out",
        "%.0f (%s)" % (best, letters) if best else "-", "%.3f" % (settled(first) / best) if first and best else "-", "%.0f" % settled(full) if full else "out", "%+.0f %%" % (100 * (settled(full) / settled(first) - 1)) if first and full else "",
        " ".join("%.0f" % (1e3 * each) for each in second[:5]) + ", then %.0f" % settled(second) if second else "", "yes" if "as at the last start" in again else "no",
    ]  # fmt: skip
    print("| %s |" % " | ".join(cells), flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--card", choices=sorted(CARDS), default="a100")
    arguments.add_argument("--steps", type=int, default=80)
    arguments.add_argument("--each", type=int, default=6)
    arguments.add_argument("--model", action="append", choices=("gpt", "resnet"))
    arguments.add_argument("--share", action="append", type=float)
    asked = arguments.parse_args()
    wanted = ratio_of(asked.card)
    for model in asked.model or ("gpt", "resnet"):
        profile = profile_of(model, "24GB/s,10us")
        layers = [layer for layer in profile.layers if "R" in layer.can]
        saved, forward = sum(layer.saved for layer in layers), sum(layer.forward for layer in layers)
        rate = int(saved * 1e9 / (wanted * forward))
        link = "%dKB/s" % (rate // 1000)
        print("\n%s: copy over forward of a layer %.2f on %s, %.2f here with --link %s\n" % (
            model, wanted, asked.card, saved * 1e9 / rate / forward, link))  # fmt: skip
        profile = profile_of(model, link)
        with tempfile.TemporaryDirectory(prefix="lacuna-bench-") as folder:
            plain, said = run(folder, model, 12, ("--capacity", "4GiB"))
        peak = int(float(said.split("peak reserved ")[1].split(" ")[0]) * MIB)
        print("with memory to spare: %.0f ms, %d MiB\n" % (settled(plain), peak // MIB))
        print("| training | limit, MiB | found | ms | best of five, ms | found : best | full recomputation, ms | faster | next start's first steps, ms | reused |")
        print("| --- | --- | --- | ---: | --- | ---: | ---: | ---: | --- | --- |", flush=True)
        for share in asked.share or (0.8, 0.6, 0.5):
            line(model, share, peak, profile, asked, link)


if __name__ == "__main__":
    main()
