"""Real training under the agent, compared with training without it. Started by run.sh."""

import argparse
import os
import re
import resource
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from adaptive_cases import Adaptive  # noqa: F401
from case import Case, heed_signals
from compaction_cases import Moves, Script, Stays, StaysOnDevices  # noqa: F401
from cuda_cases import Cuda, Front  # noqa: F401
from ending_cases import Endings  # noqa: F401
from foreign_cases import ForeignMemory  # noqa: F401
from host_takeover_cases import HostTakeOver  # noqa: F401
from launcher_cases import Launcher  # noqa: F401
from npu_cases import NpuFront  # noqa: F401
from odd_end_cases import OddEnds, Signals  # noqa: F401
from phase_cases import Phases  # noqa: F401
from policy_cases import Policies, Profiles, Refusals  # noqa: F401
from rescue_cases import OutsideOfModules, Rescue  # noqa: F401
from rule_cases import Rules  # noqa: F401
from run_cases import Run  # noqa: F401
from safe_cases import Safe  # noqa: F401
from swap_cases import Leads, LikePlain, LiveSwap, Swapping, WhatIsSwapped  # noqa: F401
from takeover_cases import TakeOver  # noqa: F401
from thread_cases import Functions, Settings, Threads  # noqa: F401
from training_cases import Children, LiveControl, TrainingIsBitIdentical, WhatLives  # noqa: F401
from trouble_cases import Ends, HostileSurroundings, OutOfMemory  # noqa: F401


def of_processors():
    """Seconds that this process and the children it has waited for took of processors, whatever else ran."""
    used = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(one.ru_utime + one.ru_stime for one in used)


class Timed(unittest.TextTestResult):
    """Tells at the end which tests took longest: whoever shortens the whole begins there. LACUNA_TIMES shows so many."""

    SHOWN = int(os.environ.get("LACUNA_TIMES") or 15)

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic(), of_processors()

    def stopTest(self, test):
        super().stopTest(test)
        self.seconds = getattr(self, "seconds", {})
        self.seconds[test.id()] = of_processors() - self.began[1], time.monotonic() - self.began[0]

    def printErrors(self):
        super().printErrors()
        slowest = sorted(getattr(self, "seconds", {}).items(), key=lambda pair: -pair[1][0])[: self.SHOWN]
        for test, (used, passed) in slowest:
            self.stream.writeln("%6.1f s of processors in %6.1f s  %s" % (used, passed, test))


COUNTED = "passed", "failed", "skipped"


def told(counts):
    """Counts like the project's other test programs do."""
    return ", ".join("%d %s" % (count, word) for word, count in zip(COUNTED, counts) if count or word != "skipped")


def all_of_them():
    """Names of the classes above."""
    return sorted(name for name, each in globals().items() if isinstance(each, type) and issubclass(each, unittest.TestCase) and each is not Case)


def run_here(names):
    heed_signals()
    suite = unittest.defaultTestLoader.loadTestsFromNames(names, sys.modules["__main__"])
    result = unittest.TextTestRunner(verbosity=2, resultclass=Timed).run(suite)
    failed = len(result.failures) + len(result.errors)
    return result.testsRun - failed - len(result.skipped), failed, len(result.skipped)


def run_in_processes(jobs, names):
    """Each in a process of its own, so many at a time; what one says comes when it has ended."""

    def run(name):
        done = subprocess.run(
            [sys.executable, "-B", __file__, name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True
        )
        found = re.search(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", done.stdout, re.M)
        sys.stderr.write(done.stdout if found else "%s%s: ended with status %d\n" % (done.stdout, name, done.returncode))
        return [int(count or 0) for count in found.groups()] if found else (0, 1, 0)

    with ThreadPoolExecutor(jobs) as pool:
        return [sum(counts) for counts in zip(*pool.map(run, names))]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--jobs", type=int, default=1)
    arguments.add_argument("names", nargs="*", default=all_of_them())
    asked = arguments.parse_args()
    began = time.monotonic()
    counts = run_in_processes(asked.jobs, asked.names) if asked.jobs > 1 else run_here(asked.names)
    sys.stderr.write("%.0f s\n" % (time.monotonic() - began))
    print(told(counts))
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
