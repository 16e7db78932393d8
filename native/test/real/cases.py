"""Real training under the agent, compared with training without it. Started by run.sh."""

import os
import resource
import sys
import time
import unittest

from adaptive_cases import Adaptive  # noqa: F401
from case import heed_signals
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


class Program:
    """Counts like the project's other test programs do."""

    def run(self):
        heed_signals()
        suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
        if len(sys.argv) > 1:
            suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:], sys.modules["__main__"])
        began = time.monotonic()
        result = unittest.TextTestRunner(verbosity=2, resultclass=Timed).run(suite)
        failed = len(result.failures) + len(result.errors)
        sys.stderr.write("%.0f s\n" % (time.monotonic() - began))
        line = "%d passed, %d failed" % (result.testsRun - failed - len(result.skipped), failed)
        print(line + (", %d skipped" % len(result.skipped) if result.skipped else ""))
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(Program().run())
