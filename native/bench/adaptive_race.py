"""Trainings whose steps are taken by turns, one at a time, so that whatever else the machine does touches all alike."""

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time

from swap_bench import MIB, NATIVE, WORKLOADS, Told, surroundings_in

START = os.path.join(NATIVE, "python", "lacuna", "run", "start.py")


def options_for(limit, link=None):
    return ("--capacity", "%dMiB" % (limit // MIB), *(("--link", link) if link else ()))


class Runner:
    """A training that waits before each step."""

    def __init__(self, name, process, taken=0):
        self.name, self.process, self.taken = name, process, taken
        self.seconds, self.out = [], False
        self._waits, self._said = False, None

    def turn(self):
        """One step, timed from outside."""
        if self.out or not (self._waits or self._wait()):
            return
        began = time.monotonic()
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        if self._wait():
            self.seconds.append(time.monotonic() - began)
            self.taken += 1

    def _wait(self):
        self._waits = self.process.stdout.readline().startswith("step ")
        if not self._waits:
            self._said = self.process.communicate()[1]
            if "out of memory" not in self._said:
                sys.exit(self.name + ": " + self._said)
            self.out = True
        return self._waits

    def ms(self, steps):
        """Of a step, the median of the last so many; None where it ran out of memory."""
        return None if self.out else statistics.median(self.seconds[-steps:]) * 1e3

    def end(self):
        """What it has said. A killed `lacuna run` would leave its training behind."""
        if self._said is None:
            self.process.terminate()
            self._said = self.process.communicate()[1]
        return self._said


def under_run(directory, model, steps, options, words=()):
    """`lacuna run` of a training."""
    environment = dict(surroundings_in(directory), XDG_CACHE_HOME=os.path.join(directory, "cache"), LC_ALL="C.UTF-8")
    return subprocess.Popen(
        [sys.executable, "-B", START, "lacuna", *options, "--", sys.executable, WORKLOADS, model, str(steps), *words],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
    )  # fmt: skip


def told_to(directory, model, steps, link, limit, letters, measured):
    """A training within the limit from its start on, as one that is found a policy for, measured and told letters by the names of
    layers; None where it does not hold."""
    training = None
    try:
        training = Told(directory, model, steps, link, limit)
        names = measured(training)
        training.settle("".join(letters.get(name, "K") for name in names), limit)
    except MemoryError as failed:
        if training:
            training.end()
        if "out of memory" not in str(failed):
            sys.exit(str(failed))
        return None
    return training


@contextlib.contextmanager
def starting_line():
    """Where runners are added, each with a folder of its own; they end with it."""
    with contextlib.ExitStack() as stack:
        runners = []

        def folder():
            return stack.enter_context(tempfile.TemporaryDirectory(prefix="lacuna-bench-"))

        def add(name, process, taken=0):
            runners.append(Runner(name, process, taken))
            return runners[-1]

        try:
            yield folder, add, runners
        finally:
            for runner in runners:
                runner.end()


def race(runners, start, rounds):
    """All go on to the same step, so that shapes that vary are the same for all; then by turns."""
    for runner in runners:
        while runner.taken < start and not runner.out:
            runner.turn()
    for _ in range(rounds):
        for runner in runners:
            runner.turn()
