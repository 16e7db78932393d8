"""The GPU day: everything that only a real NVIDIA GPU can tell, in one command; ../../gpu-day.sh starts it.

Each part is a function below that returns what it found; parts run in order until the time is over, and one that fails
fails alone. Writes day.json and day.md, and copies of what processes said when they failed.
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import time

import figures

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.dirname(os.path.dirname(HERE))
LIBRARY = os.path.join(NATIVE, "build", "liblacuna_torch.so")
MIB = 1 << 20
# PyTorch's thread for backward may be late with what it puts away as the process ends: then it aborts, in stock as well.
ABORTS, TRIES = "terminate called without an active exception", 3

WAYS = ("stock", "expandable", "off", "on")
# What of memory is left, as a share of what stock reserves at its peak.
CAPACITIES = (0.95, 0.9, 0.85)
BUDGETS = (0.8, 0.6, 0.5)
FAMILIES = ("memory", "pools", "streams", "graphs", "training")


class Failed(Exception):
    """What a part did not do; in words."""


class Day:
    def __init__(self, options):
        self.out = os.path.abspath(options.out)
        self.ends = time.monotonic() + 60 * options.minutes
        self.standin = options.standin
        self.small = options.standin is not None
        self.found = collections.OrderedDict()
        os.makedirs(self.out, exist_ok=True)

    def left(self):
        return self.ends - time.monotonic()

    def environment(self, **extra):
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("LACUNA_", "LD_PRELOAD", "PYTORCH_"))}
        inherited.update(LACUNA_EXTENSIONS=os.path.join(self.out, "fronts"), PYTHONDONTWRITEBYTECODE="1")
        inherited.update(PYTHONPATH=os.path.join(NATIVE, "python"), TORCH_CPP_LOG_LEVEL="ERROR")
        if self.standin:
            inherited["LD_LIBRARY_PATH"] = self.standin
        return dict(inherited, **extra)

    def run(self, command, what, limit=120, **extra):
        """Its output. A process that fails, or takes longer, ends the part; what it said stays in a file."""
        for _ in range(TRIES):
            limit = max(1, min(limit, self.left()))
            try:
                done = subprocess.run(
                    command, env=self.environment(**extra), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, universal_newlines=True, timeout=limit,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                raise Failed("%s: no end after %.0f s" % (what, limit))
            if ABORTS not in done.stderr:
                break
        if done.returncode != 0:
            with open(os.path.join(self.out, what.replace(" ", "-") + ".log"), "w") as log:
                log.write(done.stdout + done.stderr)
            last = (done.stderr.strip() or done.stdout.strip() or "-").splitlines()[-1]
            raise Failed("%s: exit status %d: %s" % (what, done.returncode, last[:300]))
        return done.stdout

    def python(self, way, script, *arguments, swap=False, **extra):
        """The last line that the script prints, as JSON; `way` is one of WAYS."""
        start = [sys.executable, "-B"]
        if way in ("off", "on"):
            extra["LACUNA_LIBRARY"] = LIBRARY
            start += ["-m", "lacuna", "--optimisation", way] + (["--swap", "on"] if swap else [])
        if way == "expandable":
            extra["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
        name = "%s %s %s" % (os.path.basename(script), way, " ".join(map(str, arguments)))
        return json.loads(self.run([*start, os.path.join(HERE, script), *map(str, arguments)], name, **extra).splitlines()[-1])

    def train(self, way, *arguments, **extra):
        shape = ["--width", 64, "--layers", 2, "--length", 64, "--batch", 2, "--steps", 3] if self.small else ["--steps", 20]
        return dict(self.python(way, "train.py", *shape, *arguments, **extra), way=way)


# ---------------------------------------------------------------- the parts, in order


def machine(day):
    """What is measured on."""
    about = json.loads(day.run([sys.executable, "-c", ABOUT], "what is here"))
    commit = subprocess.run(["git", "-C", NATIVE, "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    about["commit"] = commit.stdout.decode().strip() or "unknown"
    if not about["cuda"]:
        raise Failed("PyTorch %s sees no GPU" % about["pytorch"])
    return about


ABOUT = """
import json, platform, torch
there = torch.cuda.is_available()
p = torch.cuda.get_device_properties(0) if there else None
print(json.dumps({"pytorch": torch.__version__, "python": platform.python_version(), "cuda": there and torch.version.cuda,
                  "gpu": there and p.name, "memory_bytes": there and p.total_memory}))
"""


def build(day):
    """The agent, its suite and its benches, made here."""
    began = time.monotonic()
    goals = ["all", *(["standin"] if day.small else []), "build/test/backend_suite", "build/bench/remap_cost"]
    day.run(["make", "-s", "-j", str(os.cpu_count()), "-C", NATIVE, *goals], "build", limit=200)
    return {"seconds": round(time.monotonic() - began, 1)}


def suite(day):
    """The conformance suite of the back ends, on this device."""
    place = os.path.join(day.out, "real", "bin")  # in its own folder it finds the stand-ins, from elsewhere the driver
    os.makedirs(place, exist_ok=True)
    shutil.copy(os.path.join(NATIVE, "build", "test", "backend_suite"), place)
    command = [os.path.join(place, "backend_suite"), "gpu"]
    small = {"LACUNA_STANDIN_MEMORY": "memfd", "LD_LIBRARY_PATH": os.path.join(NATIVE, "build", "standin")}
    began = time.monotonic()
    day.run(command, "suite", limit=120, **(small if day.small else {}))
    return {"passed": True, "seconds": round(time.monotonic() - began, 1)}


def front(day):
    """Whether the door before PyTorch's allocator can be made and opened here."""
    began = time.monotonic()
    told = day.python("on", "door.py")
    told["seconds"] = round(time.monotonic() - began, 1)
    if told["door"] != "front":
        raise Failed("not in front of PyTorch's allocator: %s" % told)
    return told


def pairs(day):
    """A request and its free: PyTorch's own, and through the front."""
    return json.loads(day.run([sys.executable, "-B", os.path.join(NATIVE, "bench", "front_bench.py"), LIBRARY], "pairs", limit=120))["pairs"]


def chunks(day):
    """What mapping, unmapping and access cost, by how many chunks at a time."""
    said = day.run([os.path.join(NATIVE, "build", "bench", "remap_cost"), "cuda"], "chunks", limit=60)
    return [json.loads(line) for line in said.splitlines() if line.startswith("{")]


def out_of_memory(day):
    """Filled, refused, freed, filled again: the same under each."""
    found = {way: day.python(way, "full.py") for way in WAYS}
    words = {way: (one["raised"], one["again"]) for way, one in found.items() if way != "expandable"}
    if len(set(words.values())) != 1:
        raise Failed("not the same under all: %s" % found)
    return found


def training(day):
    """Step time and peaks of trainings under each allocator."""
    runs = []
    for workload in ("fixed", "variable", "accumulation", "resnet"):
        same = [day.train(way, "--workload", workload) for way in WAYS]
        losses = [one["loss"] for one in same]
        if not day.small and max(losses) - min(losses) > 0.02 * abs(min(losses)):
            raise Failed("%s: the losses differ: %s" % (workload, losses))
        runs += same
    return runs


def peak_of(day, workload):
    return next(one for one in day.found["training"] if one["way"] == "stock" and one["workload"] == workload)


def capacities(day):
    """Who finishes with less memory."""
    runs = []
    for workload in ("variable", "resnet"):
        stock = peak_of(day, workload)
        for share in CAPACITIES:
            fraction = share * stock["peak_reserved_bytes"] / stock["total_bytes"]
            for way in WAYS:
                runs.append(dict(day.train(way, "--workload", workload, "--fraction", "%.6f" % fraction), share=share))
    return runs


def swapping(day):
    """With real copies, at a part of what it allocates at its peak."""
    runs, stock = [], peak_of(day, "fixed")
    for share in BUDGETS:
        fraction = share * stock["peak_allocated_bytes"] / stock["total_bytes"]
        runs.append(dict(day.train("on", "--workload", "fixed", "--fraction", "%.6f" % fraction, swap=True), share=share))
    return runs


def battery(day):
    """The ladder's cases, three ways each (docs/pytorch.md)."""
    if day.small:
        return {"said": "runs on stand-ins of its own: scripts/ladder.sh"}
    command = [sys.executable, "-B", os.path.join(NATIVE, "test", "ladder", "ladder.py"), "--jobs", str(max(1, os.cpu_count() // 3)), *FAMILIES]
    extra = {"LADDER_KIND": "gpu", "LADDER_LIBRARY": LIBRARY, "LADDER_RUNG": "gpu", "LADDER_EXTENSIONS": os.path.join(day.out, "fronts")}
    said = day.run(command, "battery", limit=day.left() - 5, **extra)
    with open(os.path.join(day.out, "battery.log"), "w") as log:
        log.write(said)
    return {"said": said.strip().splitlines()[-1]}


PARTS = (machine, build, suite, front, pairs, chunks, out_of_memory, training, capacities, swapping, battery)


# ---------------------------------------------------------------- one after the other


def go_through(day, names):
    for part in PARTS:
        if names and part.__name__ not in names and part not in (machine, build):
            continue
        if day.left() < 5:
            day.found[part.__name__] = {"failed": "not reached: the time was over"}
            continue
        began = time.monotonic()
        try:
            day.found[part.__name__] = part(day)
            word = "done"
        except (Failed, KeyError, StopIteration, ValueError) as reason:
            day.found[part.__name__] = {"failed": "%s" % reason if isinstance(reason, Failed) else repr(reason)}
            word = "FAILED: %s" % day.found[part.__name__]["failed"]
        sys.stderr.write("%-14s %5.1f s  %s\n" % (part.__name__, time.monotonic() - began, word))
        if part in (machine, build) and "failed" in day.found[part.__name__]:
            return


def main():
    parser = argparse.ArgumentParser(usage="gpu-day.sh [--out FOLDER] [--minutes N] [--standin LIBRARIES] [PART…]")
    parser.add_argument("--out", default=os.path.join(NATIVE, "build", "gpu-day"))
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--standin", help="a folder of stand-ins for NVIDIA's libraries: what comes out are no figures")
    parser.add_argument("parts", nargs="*", help=", ".join(part.__name__ for part in PARTS))
    options = parser.parse_args()
    unknown = set(options.parts) - {part.__name__ for part in PARTS}
    if unknown:
        parser.error("no part is called %s" % ", ".join(sorted(unknown)))
    day = Day(options)
    go_through(day, options.parts)
    with open(os.path.join(day.out, "day.json"), "w") as file:
        json.dump(day.found, file, indent=1)
    with open(os.path.join(day.out, "day.md"), "w") as file:
        file.write(figures.page(day.found, standin=day.small))
    sys.stderr.write("written: %s, %s\n" % (os.path.join(day.out, "day.json"), os.path.join(day.out, "day.md")))
    return 1 if any(isinstance(one, dict) and "failed" in one for one in day.found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
