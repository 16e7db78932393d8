#!/usr/bin/env python3
"""Traces through the door before PyTorch's allocator, beside the models: what is predicted is done with real PyTorch.

test-door.py [TRACE…]    needs LACUNA_CUDA_PYTHON (PyTorch for CUDA), with LACUNA_CUDA_LIBRARIES on stand-ins for NVIDIA's

Each request of a trace becomes a tensor. With the optimisation on, the model `segregated` says what is reserved at most, and
the smallest card that finishes; with it off, `caching` does, and PyTorch's own allocator must do the same. With memory to
spare the agent maps more on a device rather than wait for its streams before a chunk moves: what is reserved with it on is
held to 2 % or 8 MiB, all else to the chunk. Without traces a few are made up. Prints "N passed, N failed"; exits with 1 when
one failed, 77 without such a PyTorch.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LACUNA = os.environ.get("LACUNA_COMMAND", os.path.join(ROOT, "lacuna"))
PYTHON = os.environ.get("LACUNA_CUDA_PYTHON", "")
MIB = 1 << 20
AMPLE = 64 << 30
POLICIES = {"on": "segregated", "off": "caching"}
PATIENCE = 600


# ---------------------------------------------------------------- in the process that plays


def play(path):
    """Runs the commands of a trace text; prints what came of it."""
    import ctypes

    import torch

    agent = ctypes.CDLL(os.environ["LACUNA_LIBRARY"])
    phases = {"setup": 0, "forward": 1, "step": 2}
    torch.empty(0, device="cuda")
    streams, live, failed = {"0": torch.cuda.default_stream()}, {}, 0
    with open(path) as commands:
        for line in commands:
            words = line.split("\t")[0].split()
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "alloc":
                stream = words[3] if len(words) > 3 else "0"
                with torch.cuda.stream(streams.setdefault(stream, None) or streams.update({stream: torch.cuda.Stream()}) or streams[stream]):
                    try:
                        live[words[1]] = torch.empty(int(words[2]), dtype=torch.uint8, device="cuda")
                    except torch.OutOfMemoryError:
                        failed += 1
            elif words[0] == "free":
                live.pop(words[1], None)
            elif words[0] == "phase":
                agent.lacuna_process_phase(phases[words[1]], int(words[2] == "begin"))
            elif words[0] == "empty-cache":
                torch.cuda.empty_cache()
    stats = torch.cuda.memory_stats()
    print(json.dumps({"reserved": stats["reserved_bytes.all.peak"], "allocated": stats["allocated_bytes.all.peak"], "failed": failed}))


# ---------------------------------------------------------------- what is predicted, and done


def asked(*arguments):
    done = subprocess.run([LACUNA, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=PATIENCE)
    if done.returncode not in (0, 1):
        sys.exit("%s: %s" % (" ".join(arguments), done.stderr))
    return done.stdout


def done_by(commands, switch, capacity, folder):
    libraries = os.environ.get("LACUNA_CUDA_LIBRARIES")
    environment = dict(os.environ, LACUNA_DIR=folder, PYTHONPATH=os.path.join(ROOT, "native", "python"), STANDIN_BYTES=str(AMPLE))
    environment["LACUNA_LIBRARY"] = os.path.join(ROOT, "native", "build", "liblacuna_torch.so")
    environment["TORCH_CPP_LOG_LEVEL"] = "ERROR"
    if libraries:
        environment["LD_LIBRARY_PATH"] = libraries
    command = [PYTHON, "-B", "-m", "lacuna", "--optimisation", switch, "--capacity", str(capacity), os.path.abspath(__file__), "--play", commands]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=PATIENCE)
    if done.returncode != 0:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr))
    return json.loads(done.stdout.splitlines()[-1])


def compared(trace, switch, folder):
    """What differs from what was predicted, in words."""
    policy = POLICIES[switch]
    common = ["replay", trace, "--policy", policy, "--capacity", str(AMPLE)]
    predicted = json.loads(asked(*common, "--json", "--min-capacity"))[0]
    commands = os.path.join(folder, "commands.trace")
    with open(commands, "w") as file:
        file.write(asked(*common, "--placements"))
    ample = done_by(commands, switch, AMPLE, folder)
    least = predicted["min_capacity_bytes"]
    there, below = (done_by(commands, switch, capacity, folder) for capacity in (least, least - 2 * MIB))
    figures = "reserved %.1f of %.1f MiB predicted, smallest card %.1f MiB" % (ample["reserved"] / MIB, predicted["peak_reserved_bytes"] / MIB, least / MIB)
    wrong = []
    most = 0 if switch == "off" else max(8 * MIB, 0.02 * predicted["peak_reserved_bytes"])
    if abs(ample["reserved"] - predicted["peak_reserved_bytes"]) > most or ample["failed"]:
        wrong.append("reserves otherwise")
    if there["failed"]:
        wrong.append("does not finish on the smallest card")
    if not below["failed"]:
        wrong.append("finishes on less")
    return figures, wrong


def made_up(folder, seed):
    """A training of some layers on sequences of varying length, as CSV."""
    chance, rows, clock, address = random.Random(seed), [], 0, 0

    def row(op, at, size):
        nonlocal clock
        clock += 1000
        rows.append("%d,%s,%x,%d,1" % (clock, op, at, size))

    def take(size):
        nonlocal address
        address += 1 << 32
        row("A", address, size)
        return address

    weights = [(take(size), size) for size in (chance.randrange(2048, 6 * MIB) for _ in range(12))]
    for step in range(12):
        row("M", 0, step * 10)
        length = chance.randrange(16, 96)
        kept = [(take(length * 40000 + n * 512), n) for n in range(16)]
        row("M", 0, step * 10 + 1)
        grads = []
        for at, n in reversed(kept):
            grads.append(take(weights[n % 12][1]))
            row("F", at, 0)
        row("M", 0, step * 10 + 2)
        for at in grads:
            row("F", at, 0)
        row("M", 0, step * 10 + 3)
    path = os.path.join(folder, "made-up-%d.csv" % seed)
    with open(path, "w") as file:
        file.write("ts_ns,op,addr,size,thread\n" + "\n".join(rows) + "\n")
    return path


def main(traces):
    if not PYTHON:
        print("skipped: LACUNA_CUDA_PYTHON names no Python with PyTorch for CUDA")
        return 77
    failed = passed = 0
    with tempfile.TemporaryDirectory(prefix="lacuna-door-") as folder:
        for trace in traces or [made_up(folder, seed) for seed in range(3)]:
            for switch in POLICIES:
                figures, wrong = compared(trace, switch, folder)
                failed, passed = failed + bool(wrong), passed + (not wrong)
                print("%-6s %-3s %-24s %s%s" % ("FAILED" if wrong else "passed", switch, os.path.basename(trace), figures, "".join("; " + word for word in wrong)), flush=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--play"]:
        play(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1:]))
