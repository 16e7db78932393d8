"""What becomes of a training at a share of its peak, with busy neighbours: for rescue_cases.py and bench/rescue_bench.py."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time

from case import HERE, environment

JOBS = os.path.join(HERE, "rescue_jobs.py")
MODELS = ("mlp", "cnn", "transformer", "lstm", "gan", "functional")
MIB = 1 << 20
PLENTY = "2GiB"
NEIGHBOURS = 2
LIMIT_SECONDS = 300


@contextlib.contextmanager
def busy_neighbours(count=NEIGHBOURS):
    """Processes that want a processor each all the time, and go through memory."""
    text = "import os\nwhile os.getppid() == %d:\n room = bytearray(8 << 20)\n room[::4096] = bytes(len(room) // 4096)\n sum(range(100000))"
    started = [subprocess.Popen([sys.executable, "-c", text % os.getpid()]) for _ in range(count)]
    try:
        yield
    finally:
        for neighbour in started:
            neighbour.kill()
            neighbour.wait()


class Outcome:
    """How one training ended: `said` is what it wrote on stderr; `result` is None where it did not finish."""

    def __init__(self, status, out, said, seconds):
        self.status, self.said, self.seconds = status, said, seconds
        self.result = json.loads(out.splitlines()[-1]) if status == 0 else None

    @property
    def bits(self):
        return self.result["losses"], self.result["weights"]


def train(model, steps, options, varying=False, seed=7, **extra):
    words = [model, str(steps), "--seed", str(seed)] + ["--varying"] * varying
    with tempfile.TemporaryDirectory(prefix="lacuna-rescue-") as directory:
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "lacuna", *options, JOBS, *words], env=environment(directory, **extra),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip
        try:
            out, said = process.communicate(timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            out, said = process.communicate()
            return Outcome("never finished", out, said, LIMIT_SECONDS)
        return Outcome(process.returncode, out, said, time.monotonic() - began)


def at_share(whole, share):
    """The capacity in whole MiB of 2, as an option says it."""
    return "%dMiB" % (int(whole.result["memory"]["peak"] * share) // (2 * MIB) * 2)


def rescued(whole, model, steps, share, varying=False, seed=7, **extra):
    return train(model, steps, ("--capacity", at_share(whole, share), "--swap", "on"), varying, seed, **extra)
