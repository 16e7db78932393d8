"""The smallest cap of a training that is switched in its course and compacted: for compaction_cases.py and bench/compaction_bench.py."""

import json
import os
import subprocess
import sys
import tempfile

from case import HERE, environment
from compaction_steps import CAPPED, SWITCHED, TOLD

JOBS = os.path.join(HERE, "compaction_jobs.py")
MIB = 1 << 20
CHUNK_MIB = 2
CAPACITY_MIB = 2048
LIMIT_SECONDS = 900


class Way:
    """How a training begins, and what it is told in its course."""

    def __init__(self, start, *lines):
        self.start, self.lines = start, lines


def switched(to):
    return Way("off" if to == "on" else "on", "set,optimisation=%s@%d" % (to, SWITCHED))


def compacted(to, pace="at-once"):
    way = switched(to)
    return Way(way.start, *way.lines, "compact,pace=%s@%d" % (pace, SWITCHED))


def train(kind, way, *lines):
    """A training of its own; what the agent said, and the weights' digest; None where it ran out of memory."""
    with tempfile.TemporaryDirectory(prefix="lacuna-compaction-") as directory:
        words = ("--capacity", "%dMiB" % CAPACITY_MIB, "--optimisation", way.start)
        done = subprocess.run(
            [sys.executable, "-m", "lacuna", *words, JOBS, kind, *way.lines, *lines], env=environment(directory), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=LIMIT_SECONDS,
        )  # fmt: skip
    if done.returncode == 0 and not done.stderr:
        return json.loads(done.stdout)
    if "out of memory" in done.stderr:
        return None
    raise AssertionError("%s: %s" % (kind, done.stderr))


def rehearsed(kind, way):
    """(the lowest cap that serves the last steps, as the agent tells it, in MiB; what became of the compaction; the weights' digest)"""
    result = train(kind, way, "compacted@%d" % TOLD, "get@%d" % TOLD)
    of_compaction, told = result["told"][-2:]
    return int(told["lowest_safe_bytes"]) // MIB, of_compaction, result["bits"]


def trains(kind, way, cap, bits=None):
    """Whether all further steps run with this cap in MiB, set some steps after the switch."""
    result = train(kind, way, "set,fraction=%.9f,force=yes@%d" % (cap / CAPACITY_MIB, CAPPED))
    if result is not None and bits is not None:
        bits.add(result["bits"])
    return result is not None


def trained(kind, way, bits=None, guess=None):
    """The lowest cap, set some steps after the switch, with which all further steps run, in MiB; looked for about what the agent tells."""
    return smallest(lambda cap: trains(kind, way, cap, bits), guess or rehearsed(kind, way)[0])


def smallest(serves, guess):
    """The smallest cap, in whole chunks, that `serves`: away from the guess by strides that double, then by halves."""
    low, high, stride, cap = 0, None, CHUNK_MIB, guess // CHUNK_MIB * CHUNK_MIB
    while high is None or high - low > CHUNK_MIB:
        if serves(cap):
            high = cap
        else:
            low = cap
        if high is None or low == 0:
            cap = low + stride if high is None else max(CHUNK_MIB, high - stride)
            stride *= 2
        else:
            cap = (low + high) // (2 * CHUNK_MIB) * CHUNK_MIB
    return high
