#!/usr/bin/env python3
"""Remedies tried: runs a training out of memory, has its log diagnosed, applies the first remedy by program, runs it again.

    scripts/round-trips.py [--jobs N] [--only NAME] [--lacuna COMMAND] [--table]

PyTorch's own CUDA build runs on the ladder's stand-in (rung `wheel` of scripts/ladder.sh): kernels do nothing, the caching
allocator is real. Ends with 0 when every second run finishes, 1 when one does not, 77 where the rung is not set up.
--table prints what docs/diagnosis.md shows.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
LADDER = Path(os.environ.get("LACUNA_LADDER") or CACHE / "lacuna/ladder")
RUNG = LADDER / "wheel"
STANDIN = TOP / "native/build/ladder/wheel"  # which the ladder makes anew in each checkout
WORKLOADS = TOP / "scripts/roundtrip/workloads.py"
LIMIT_S = 300

TRIPS = [
    *(("split", ["--size", str(n)]) for n in (40, 60, 80, 100, 120, 140, 160, 180)),
    *(("oversized", ["--size", str(n)]) for n in (10, 200, 500, 1000)),
    *(("capped", ["--size", str(n)]) for n in (40, 45, 50, 55)),
    *(("capacity", ["--size", str(n)]) for n in (28, 32, 36, 40, 44, 48, 52, 56)),
    *(("leak", ["--size", str(n)]) for n in (64, 96, 128, 192)),
    *(("library", ["--size", str(n)]) for n in (256, 512, 768, 1024)),
]


def variable(remedy, options):
    name, value = remedy["command"].split("=", 1)
    return {name: value}, options


def fraction(remedy, options):
    return {}, [*options, "--fraction", re.search(r"\(([\d.]+)\)", remedy["command"]).group(1)]


def smaller_batch(_, options):
    batch = int(options[1]) * 4096 // 4
    return {}, [*options, "--batch", str(batch), "--accumulate", "4"]


# How a program does what each remedy says.
APPLY = {
    "expandable-segments": variable,
    "max-split-size": variable,
    "gc-threshold": variable,
    "fraction": fraction,
    "raise-limit": fraction,
    "smaller-micro-batch": smaller_batch,
    "split-request": lambda _, options: ({}, [*options, "--chunks", "8"]),
    "delete-loss": lambda _, options: ({}, [*options, "--drop-loss"]),
    "recompute": lambda _, options: ({}, [*options, "--recompute"]),
    "swap": lambda _, options: ({}, [*options, "--offload"]),
}

# Needs another program under the training, so it is no change to this one.
ELSEWHERE = {"optimisation-on"}


def run(name, options, more=None):
    runtime = next((RUNG / "venv").glob("lib/python*/site-packages/nvidia/**/libcudart.so*"), None)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(STANDIN), **(more or {})}
    if runtime and not (STANDIN / "libcudart.so.13").exists():
        environment["ROUND_TRIP_RUNTIME"] = str(runtime)
    done = subprocess.run(
        [RUNG / "venv/bin/python", WORKLOADS, name, *options],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_S)
    return done.returncode == 0, done.stdout


def first_remedy(reports):
    """The last report's first remedy that changes the training itself, and its place in the list."""
    for place, remedy in enumerate(reports[-1]["remedies"], 1):
        if remedy["id"] not in ELSEWHERE:
            return place, remedy
    raise LookupError("no remedy")


def trip(number, folder, lacuna):
    name, options = TRIPS[number]
    finished, log = run(name, options)
    if finished:
        return name, options, "-", "-", "it did not run out of memory"
    path = Path(folder) / f"{number:02}-{name}.txt"
    path.write_text(log, encoding="utf-8")
    said = subprocess.run([*lacuna, "diagnose", "--json", str(path)], stdout=subprocess.PIPE, text=True, timeout=LIMIT_S)
    if said.returncode != 0:
        return name, options, "-", "-", f"the diagnosis ended with {said.returncode}"
    reports = json.loads(said.stdout)
    if not reports:
        return name, options, "-", "-", "no report was found"
    place, remedy = first_remedy(reports)
    if remedy["id"] not in APPLY:
        return name, options, reports[-1]["cause"], remedy["id"], "cannot be applied by program"
    more, changed = APPLY[remedy["id"]](remedy, options)
    finished, again = run(name, changed, more)
    how = " ".join([*(f"{k}={v}" for k, v in more.items()), *changed[len(options):]])
    outcome = "" if finished else "ran out of memory again: " + again.strip().splitlines()[-1][:200]
    return name, options, reports[-1]["cause"], f"{remedy['id']} ({place}.) `{how}`", outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--lacuna", default=str(TOP / "lacuna"))
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if not (RUNG / "venv/bin/python").exists() or not STANDIN.exists():
        print(f"round trips are skipped: {RUNG} is not set up (scripts/ladder.sh wheel)", file=sys.stderr)
        return 77
    chosen = [i for i, (name, _) in enumerate(TRIPS) if options.only in name]
    results = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda i: trip(i, folder, options.lacuna.split()), chosen):
            results.append(result)
            name, asked, cause, remedy, fault = result
            if options.table:
                print(f"| `{name} {' '.join(asked)}` | {cause} | {remedy} | {fault or 'finished'} |", flush=True)
            else:
                verdict = "FAILED" if fault else "passed"
                print(f"{verdict}  {name} {' '.join(asked)}: {cause}, {remedy} {fault}", flush=True)
    failed = sum(1 for r in results if r[4])
    print(f"{len(results) - failed} passed, {failed} failed", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
