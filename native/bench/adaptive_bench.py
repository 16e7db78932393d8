"""``lacuna run --adaptive`` on trainings that do not fit: found policies against measured ones, full recomputation and the next start.

adaptive_bench.py [--card a100|v100|h100] [--steps N] [--each N] [--model gpt|resnet|vit|bert|unet|lstm]... [--share 0.6]...
decides nothing; prints the table of docs/performance.md

The link is played so that copying what a layer keeps takes, over its forward pass, what it would on the card: of a GPT layer of
2048 and sequences of 2048 (34 bytes kept and 24·h + 4·s operations each token and unit of width), by 45 % of the card's peak
and 80 % of its bus. Both ratios are printed. A share is of what the training reserves with memory to spare. A line is a first start, which
searches; then its next start, the same with all memory, full recomputation under the limit, and the five policies that the
planner's simulation names (all policies looked at where there are few), each told to a training that began under the limit, too.
These take their steps by turns, one process at a time, the same step of each: what else the machine does touches all alike, and shapes
that vary are the same for all. Medians of the last steps count. The next start's first steps are over those with all memory.
"""

import argparse
import glob
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from adaptive_race import options_for, race, starting_line, told_to, under_run  # noqa: E402
from swap_bench import CAPACITY, MIB, NATIVE, Told, watcher  # noqa: E402

sys.path.insert(0, os.path.join(NATIVE, "python"))
from lacuna.adaptive import measured  # noqa: E402
from lacuna.adaptive.dial import Agent  # noqa: E402
from lacuna.adaptive.search import fastest  # noqa: E402

CARDS = {"v100": (125e12, 15.754e9), "a100": (312e12, 31.508e9), "h100": (989e12, 63.015e9)}
WIDTH = LENGTH = 2048
MODELS = ("gpt", "resnet", "vit", "bert", "unet", "lstm")
# Rounds that do not count. The next start's watch goes by the clock, in which the others' turns are part of each step: twice ten
# steps until it takes that for the same training on a busier machine, the second look that ends in, and its layers tried again.
SETTLING = 30
FIRST = 10  # steps of the next start that are looked at
BEFORE = 30  # steps of each training before steps are compared: the next start looks once more at what it measured meanwhile


def ratio_of(card):
    flops, bus = CARDS[card]
    return (34 * WIDTH / (0.8 * bus)) / ((24 * WIDTH**2 + 4 * LENGTH * WIDTH) / (0.45 * flops))


def run(directory, model, steps, options):
    """What the training and Lacuna said; whether it ended well, and not by running out of memory."""
    process = under_run(directory, model, steps, options)
    out, said = process.communicate()
    if process.returncode and "out of memory" not in said:
        sys.exit(said)
    return process.returncode == 0, said


def profile_in(training):
    """Once it is measured."""
    training.profile()
    agent = Agent(watcher.files(training.directory, ".sock")[0])
    profile, _ = measured.read(agent)
    agent.close()
    return profile


def profile_of(model, link):
    with tempfile.TemporaryDirectory(prefix="lacuna-bench-") as folder:
        training = Told(folder, model, 16, link)
        try:
            return profile_in(training)
        finally:
            training.end()


def kept_in(directory):
    """Letters of the policy that was kept for the next start."""
    (path,) = glob.glob(os.path.join(directory, "cache", "lacuna", "policies", "*.json"))
    with open(path, encoding="utf-8") as file:
        return json.load(file)["letters"]


def five(profile, limit):
    """The policies that simulation likes best, as letters by layer: processes number layers as they meet them."""
    profile = profile._replace(limit=limit)
    return [dict(zip(profile.names, letters)) for letters, _ in fastest(profile, profile.plannable(), 5)]


def line(model, share, peak, profile, asked, link):
    limit = int(peak * share) // (2 * MIB) * 2 * MIB
    with starting_line() as (folder, add, runners):
        home = folder()
        ended, said = run(home, model, asked.steps, ("--adaptive", *options_for(limit, link)))
        if not ended:
            print("| %s | %.0f %%, %d | out of memory |" % (model, share * 100, limit // MIB), flush=True)
            return
        letters = kept_in(home) if "kept for the next start" in said else "-"
        long = 1000
        again = add("next", under_run(home, model, long, ("--adaptive", *options_for(limit, link)), ("--hold",)))
        whole = add("whole", under_run(folder(), model, long, options_for(CAPACITY), ("--hold",)))
        race((again, whole), 0, FIRST)
        full = add("full", under_run(folder(), model, long, options_for(limit), ("--hold", "--recompute")))
        for choice in five(profile, limit):
            training = told_to(folder(), model, long, link, limit, choice, lambda told: profile_in(told).names)
            if training:
                add("".join(choice.values()), training.process, training.asked)
        race(runners, BEFORE, asked.each + SETTLING)
        told = [(runner.ms(asked.each), runner.name) for runner in runners[3:] if not runner.out]
        best, its = min(told, default=(None, "-"))
        print(cells(model, share, limit, letters, again, whole, full, best, its, asked.each), flush=True)


def cells(model, share, limit, letters, again, whole, full, best, its, each):
    found, keeping, recomputed = (runner.ms(each) for runner in (again, whole, full))
    begins = ["%.2f" % (one / other) for one, other in zip(again.seconds, whole.seconds[:FIRST])]
    return "| %s |" % " | ".join([
        model, "%.0f %%, %d" % (share * 100, limit // MIB), letters, "%.0f" % found if found else "out", "%.0f (%s)" % (best, its) if best else "-",
        "%.3f" % (found / best) if found and best else "-", "%.0f" % recomputed if recomputed else "out",
        "%+.0f %%" % (100 * (recomputed / found - 1)) if found and recomputed else "", "%.2f" % (found / keeping) if found else "",
        " ".join(begins), "yes" if "as at the last start" in again.end() else "no",
    ])  # fmt: skip


def link_of(model, wanted):
    """The link at which copying what layers keep takes so many times their forward pass, and that ratio as it came out."""
    profile = profile_of(model, "24GB/s,10us")
    layers = [layer for layer in profile.layers if "R" in layer.can] or profile.layers
    saved, forward = sum(layer.saved for layer in layers), sum(layer.forward for layer in layers)
    rate = int(saved * 1e9 / (wanted * forward))
    return "%dKB/s" % (rate // 1000), saved * 1e9 / rate / forward


def peak_of(model):
    """What it reserves with memory to spare."""
    with tempfile.TemporaryDirectory(prefix="lacuna-bench-") as folder:
        _, said = run(folder, model, 12, options_for(CAPACITY))
    return int(float(said.split("peak reserved ")[1].split(" ")[0]) * MIB)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--card", choices=sorted(CARDS), default="a100")
    arguments.add_argument("--steps", type=int, default=110)
    arguments.add_argument("--each", type=int, default=9)
    arguments.add_argument("--model", action="append", choices=MODELS)
    arguments.add_argument("--share", action="append", type=float)
    asked = arguments.parse_args()
    wanted = ratio_of(asked.card)
    for model in asked.model or MODELS:
        link, ratio = link_of(model, wanted)
        peak, profile = peak_of(model), profile_of(model, link)
        print("\n%s: copy over forward of a layer %.2f on %s, %.2f here with --link %s; with memory to spare %d MiB\n" % (
            model, wanted, asked.card, ratio, link, peak // MIB))  # fmt: skip
        print("| training | limit, MiB | found | ms | best of five, ms | found : best | full recomputation, ms | faster | : all memory | next start's steps : all memory | reused |")
        print("| --- | --- | --- | ---: | --- | ---: | ---: | ---: | ---: | --- | --- |", flush=True)
        for share in asked.share or (0.8, 0.6, 0.5):
            line(model, share, peak, profile, asked, link)


if __name__ == "__main__":
    main()
