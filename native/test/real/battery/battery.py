"""Runs every workload five ways, in fresh processes, and compares bits and ends: plain, off, on, swap on, swap all.

battery.py [--all | FAMILY[.WORKLOAD]…]

Without arguments a third of the workloads runs three ways (plain, on, swap all), those of a family in one process but for
those that change or end it; LACUNA_NIGHTLY=1 or --all: all, five ways, each in a process of its own. The third is a fixed one, `daily` where a workload is
registered, of every family: a change is judged by the same as the one before it, and what fails can be run again.
Prints "N passed, N failed"; exits with 1 when one failed.
"""

import os
import sys
import time

import registry
from processes_of import WAYS, command, run

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from case import heed_signals  # noqa: E402

FAULTS = "faults"
DAILY_WAYS = ("plain", "on", "swap all")  # the others do less than these


def differences(workload, plain, other):
    """What is not as in the plain run, in words."""
    if plain.skipped is not None or other.skipped is not None:
        return [] if plain.skipped == other.skipped else ["skipped: %s, plainly %s" % (other.skipped, plain.skipped)]
    found = []
    if (other.status or 0) != (plain.status or 0):
        found.append("%s, plainly it %s" % (other.end(), plain.end()))
    if other.exceptions() != plain.exceptions():
        found.append("raised %s, plainly %s" % (other.exceptions(), plain.exceptions()))
    if other.values != plain.values:
        different = [number for number, (a, b) in enumerate(zip(other.values, plain.values)) if a != b]
        found.append("%d values of %d told, plainly %d; others: %s" % (len(other.values), len(plain.values), len(plain.values), different))
    if other.out != plain.out:
        found.append("printed %r, plainly %r" % (other.out[-500:], plain.out[-500:]))
    found += ["said %r" % line for line in other.said() if not line.startswith(workload.said or ("\0",))]
    return found


def compared(plain):
    """How many things are."""
    return 0 if plain.skipped is not None else 3 + sum(len(line.split()) for line in plain.values)


def groups(workloads, packed):
    """Those that may run in one process, and each of the others."""
    together = [workload.name for workload in workloads if packed and not workload.alone]
    return ([together] if together else []) + [[workload.name] for workload in workloads if not packed or workload.alone]


class Battery:
    def __init__(self):
        self.passed = self.failed = self.comparisons = 0
        self.skipped, self.swapped = [], {}

    def family(self, family, workloads, packed, ways):
        for names in groups(workloads, packed):
            outcomes = {way: run(way, family, names) for way in ways}
            for name in names:
                workload = next(workload for workload in workloads if workload.name == name)
                self._workload(workload, {way: outcomes[way][name] for way in ways})

    def _workload(self, workload, outcomes):
        plain, line = outcomes["plain"], "%s.%s" % (workload.family, workload.name)
        failures = []
        if plain.skipped is not None:
            self.skipped.append("%s: no %s" % (line, plain.skipped))
        elif (plain.status or 0) != workload.ends or not plain.values:
            failures.append(("plain", ["%s after telling %d values without Lacuna" % (plain.end(), len(plain.values))], plain))
        for way, other in list(outcomes.items())[1:]:
            different = differences(workload, plain, other)
            self.comparisons += compared(plain)
            self.passed += not different and plain.skipped is None
            if different:
                failures.append((way, different, other))
        self.failed += len(failures)
        self.swapped[workload.family] = max(self.swapped.get(workload.family, 0), outcomes["swap all"].swapped)
        print("%-7s %s" % ("FAILED" if failures else "skipped" if plain.skipped else "ok", line), flush=True)
        for way, different, other in failures:
            self._explain(workload, way, different, other)

    @staticmethod
    def _explain(workload, way, different, other):
        for text in different:
            print("    %s: %s" % (way, text))
        for text in other.err.splitlines()[-12:]:
            print("        %s" % text)
        words = command(way, "/dev/stdout", workload.family, [workload.name])
        print("        again: %s" % " ".join(("LACUNA_SWAP_SMALLEST=4096", *words)), flush=True)

    def nothing_swapped(self):
        """Families of which nothing left where everything was to: there the comparison says nothing."""
        return [family for family, most in self.swapped.items() if family in ("training", "graphs", "storages") and most == 0]

    def line(self):
        return "%d passed, %d failed, %d comparisons" % (self.passed, self.failed, self.comparisons)


def faults_that_are_missed():
    """Each is in one way, and must be reported there alone; the others of its process must not."""
    workloads = registry.family(FAULTS)
    missed = []
    for names in groups(list(workloads.values()), True):
        plain, other, same = (run(way, FAULTS, names) for way in ("plain", "swap all", "on"))
        for name in names:
            wrong, right = (differences(workloads[name], plain[name], found[name]) for found in (other, same))
            if bool(wrong) != (name != "the_same") or right:
                missed.append("%s: %s, %s" % (name, wrong, right))
    return missed


def chosen(arguments):
    """(whether all, the workloads by family)."""
    every = "--all" in arguments or bool(os.environ.get("LACUNA_NIGHTLY"))
    named = [argument.split(".") for argument in arguments if argument != "--all"]
    found = {}
    for family in registry.FAMILIES:
        workloads = list(registry.family(family).values())
        daily = [workload for workload in workloads if workload.daily]
        if 3 * len(daily) < len(workloads):
            sys.exit("less than a third of %s is daily: %d of %d" % (family, len(daily), len(workloads)))
        if named:
            of_family = [words[1:] for words in named if words[0] == family]
            found[family] = [workload for workload in workloads if [] in of_family or [workload.name] in of_family]
        else:
            found[family] = workloads if every else daily
    return every or bool(named), found


def main():
    heed_signals()
    began, battery = time.monotonic(), Battery()
    missed = faults_that_are_missed()
    if missed:
        sys.exit("the battery does not see what it is to see:\n%s" % "\n".join(missed))
    every, families = chosen(sys.argv[1:])
    for family, workloads in families.items():
        battery.family(family, workloads, packed=not every, ways=WAYS if every else DAILY_WAYS)
    nothing = [] if len(sys.argv) > 1 else battery.nothing_swapped()
    for family in nothing:
        print("FAILED  nothing of %s was swapped" % family)
    battery.failed += len(nothing)
    print("%.0f s; skipped: %s" % (time.monotonic() - began, "; ".join(battery.skipped) or "none"))
    print(battery.line())
    return 1 if battery.failed else 0


if __name__ == "__main__":
    sys.exit(main())
