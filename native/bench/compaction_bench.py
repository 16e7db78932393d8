"""What compacting gains in trainings that were switched on in their course: the smallest cap off, on from the start, switched on at
step 20, and compacted too.

compaction_bench.py [--kind NAME]...

Decides nothing; prints the tables of docs/compaction.md. Trainings whose shapes vary moderately are asked for the lowest cap that
serves their last steps, which the agent tells by rehearsal: four trainings a row. Of those whose shapes vary widely the cap is
found by training with ever lower ones, to 2 MiB: some thirty trainings a row.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

NATIVE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REAL = os.path.join(NATIVE, "test", "real")
sys.path.insert(0, REAL)
from case import environment  # noqa: E402

JOBS = os.path.join(REAL, "compaction_jobs.py")
MIB = 1 << 20
CAPACITY_MIB = 2048
LIMIT_SECONDS = 600

REHEARSED = {
    "transformer": "transformer, length varies",
    "perceptron": "perceptron, batch varies",
    "recurrent": "LSTM, length varies",
    "convolution": "convolutions, batch varies",
    "fixed": "transformer, fixed length",
    "frozen": "the same, most weights frozen, length varies",
}
TRAINED = {
    "translation": "encoder and decoder, both lengths vary",
    "segmentation": "U-Net, height and width vary",
    "experts": "eight experts, tokens vary",
    "autoencoder": "autoencoder, batch varies",
}
SWITCHED = ("set,optimisation=on@20",)
# How it begins, and what it is told in its course, in the order of the tables' columns.
WAYS = (("off", ()), ("on", ()), ("off", SWITCHED), ("off", SWITCHED + ("compact,pace=at-once@20",)))


def train(kind, start, *lines):
    """A training of its own; what the agent said, and the weights' digest; None where it ran out of memory."""
    with tempfile.TemporaryDirectory(prefix="lacuna-compaction-") as directory:
        words = ("--capacity", "%dMiB" % CAPACITY_MIB, "--optimisation", start)
        done = subprocess.run(
            [sys.executable, "-m", "lacuna", *words, JOBS, kind, *lines], env=environment(directory), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=LIMIT_SECONDS,
        )  # fmt: skip
    if done.returncode == 0:
        return json.loads(done.stdout)
    if "out of memory" in done.stderr:
        return None
    sys.exit("%s: %s" % (kind, done.stderr))


def rehearsed(kind, start, lines, bits):
    """The lowest cap that serves the last steps, as the agent tells it, in MiB."""
    result = train(kind, start, *lines, "compacted@58", "get@59")
    bits.add(result["bits"])
    return int(result["told"][-1]["lowest_safe_bytes"]) // MIB


def trained(kind, start, lines, bits):
    """The lowest cap, set at step 26, with which all further steps run, in MiB."""
    low, high = 4, 256
    while high - low > 2:
        cap = (low + high) // 4 * 2
        result = train(kind, start, *lines, "set,fraction=%.9f,force=yes@26" % (cap / CAPACITY_MIB))
        if result is None:
            low = cap
        else:
            high = cap
            bits.add(result["bits"])
    return high


def table(title, kinds, smallest):
    print(
        "\n| | %s, MiB | off | on from the start | switched on at step 20 | and compacted |\n| --- | --- | --- | --- | --- | --- |" % title
    )
    for kind, name in kinds.items():
        bits = set()
        caps = [smallest(kind, start, lines, bits) for start, lines in WAYS]
        same = "" if len(bits) == 1 else " (**not the same bits**)"
        print("| %s%s | | %s |" % (name, same, " | ".join(map(str, caps))), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", action="append", choices=(*REHEARSED, *TRAINED))
    asked = parser.parse_args().kind or (*REHEARSED, *TRAINED)
    for title, kinds, smallest in (
        ("smallest cap that serves the last steps", REHEARSED, rehearsed),
        ("smallest cap with which it trains on", TRAINED, trained),
    ):
        chosen = {kind: name for kind, name in kinds.items() if kind in asked}
        if chosen:
            table(title, chosen, smallest)


if __name__ == "__main__":
    main()
