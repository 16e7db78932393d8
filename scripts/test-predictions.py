#!/usr/bin/env python3
"""What Lacuna predicts of a training, done: each figure is asked of the product, then measured on a real training.

test-predictions.py [--table]   needs PyTorch and Linux; prints "N passed, N failed" and exits with 1 when one failed

A GPT on sequences of varying length is recorded under PyTorch's rules. From the recording `lacuna replay` predicts what it
reserves with memory to spare, with and without the optimisation, and the smallest card on which it finishes; the training is
then run that way. A smallest card must finish, and one smaller by the tolerance must not. Of a training that holds its cache,
what a switch, other rules, an emptied cache and a lower cap give back at once is predicted from its counters as the window does,
then done, at rest and in mid-training.
--table prints the rows of docs/performance.md. LACUNA_NIGHTLY=1 trains longer, and tries the smallest card with the optimisation, too.
"""

import json
import os
import runpy
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LACUNA = os.environ.get("LACUNA_COMMAND", os.path.join(ROOT, "lacuna"))
NATIVE = os.path.join(ROOT, "native")
WORKLOAD = os.path.join(ROOT, "app/src/main/resources/dev/lacuna/app/demo/train_gpt.py")
PYTHON = os.environ.get("LACUNA_PYTHON", "/usr/bin/python3")
NIGHTLY = bool(os.environ.get("LACUNA_NIGHTLY"))
STEPS = 120 if NIGHTLY else 15
TOKENS = "4096"
MIB = 1 << 20
AMPLE = 16 << 30
PATIENCE = 300


def tolerance(predicted):
    """2 % or 8 MiB, whichever is more."""
    return max(0.02 * predicted, 8 * MIB)


# ---------------------------------------------------------------- the training


def train(begin, end, steps):
    """Trains when the file `begin` is there, tells what came of it, and ends when `end` is there; '-' waits for nothing."""
    import torch

    held = torch.zeros(64 << 20)  # 256 MiB, its first tensor: from here on its agent can be found
    wait_for(begin)
    sys.argv = [WORKLOAD, "--steps", steps, "--tokens", TOKENS]
    message = None
    try:
        runpy.run_path(WORKLOAD, run_name="__main__")
    except RuntimeError as fault:
        if "memory" not in str(fault):
            raise
        message = str(fault)
    import lacuna.memory

    stats = lacuna.memory.memory_stats()
    told = {"finished": message is None, "message": message, "reserved": stats["reserved_bytes.all.peak"]}
    print("told " + json.dumps(told), flush=True)
    wait_for(end)
    del held


def wait_for(path):
    deadline = time.monotonic() + PATIENCE
    while path != "-" and not os.path.exists(path):
        if time.monotonic() > deadline:
            raise TimeoutError(path)
        time.sleep(0.02)


class Training:
    """A training of its own process, under an agent with this capacity."""

    def __init__(self, directory, capacity, optimisation, begin="-", end="-", steps=STEPS):
        surroundings = dict(
            os.environ, LACUNA_DIR=directory, PYTHONPATH=os.path.join(NATIVE, "python"), OMP_NUM_THREADS="1",
            OPENBLAS_NUM_THREADS="1", LACUNA_LIBRARY=os.path.join(NATIVE, "build", "liblacuna_torch.so"),
        )  # fmt: skip
        self.process = subprocess.Popen(
            [PYTHON, "-m", "lacuna", "--capacity", str(capacity), "--optimisation", optimisation,
             os.path.abspath(__file__), "--train", begin, end, str(steps)],
            env=surroundings, universal_newlines=True, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.pid = self.process.pid

    def told(self):
        """What came of it, once it has trained."""
        for line in self.process.stdout:
            if line.startswith("told "):
                return json.loads(line[5:])
        raise RuntimeError("the training ended without a word, status %s" % self.process.wait())

    def over(self):
        told = self.told()
        self.process.stdout.read()
        self.process.wait()
        return told


# ---------------------------------------------------------------- the product


def lacuna(directory, *arguments):
    """A command's JSON."""
    done = subprocess.run(
        [LACUNA, *arguments, "--json"], env=dict(os.environ, LACUNA_DIR=directory), stdout=subprocess.PIPE,
        universal_newlines=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def until_found(directory, pid):
    deadline = time.monotonic() + PATIENCE
    while not any(process["pid"] == pid and process["reach"] == "agent" for process in lacuna(directory, "ps")):
        if time.monotonic() > deadline:
            raise TimeoutError("no agent of process %d" % pid)


def recorded(directory):
    """The trace of a training under PyTorch's rules with memory to spare, and the most that it reserved."""
    begin, trace = os.path.join(directory, "begin"), os.path.join(directory, "run.trace")
    training = Training(directory, AMPLE, "off", begin=begin)
    until_found(directory, training.pid)
    recording = subprocess.Popen(
        [LACUNA, "record", str(training.pid), "-o", trace, "--json"], env=dict(os.environ, LACUNA_DIR=directory),
        stdout=subprocess.PIPE, universal_newlines=True,
    )  # fmt: skip
    wait_for(trace + ".device0.part")
    open(begin, "w").close()
    told = training.over()
    saved = json.loads(recording.communicate()[0])
    if saved["lost_events"]:
        raise RuntimeError("%d events were lost: the recording is not whole" % saved["lost_events"])
    return trace, told["reserved"]


# ---------------------------------------------------------------- the checks


class Checks:
    def __init__(self, table):
        self.table, self.passed, self.failed = table, 0, 0
        if table:
            print("| predicted | by | predicted | measured | apart |\n| --- | --- | ---: | ---: | ---: |")

    def check(self, holds, words):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds or not self.table:
            print("%s  %s" % ("ok  " if holds else "FAIL", words), file=sys.stderr if self.table else sys.stdout)

    def compare(self, what, by, predicted, measured):
        apart = measured - predicted
        share = ", %+.2f %%" % (100 * apart / predicted) if predicted else ""
        self.row(what, by, predicted, mib(measured), "%+.1f MiB%s" % (apart / MIB, share))
        self.check(abs(apart) <= tolerance(predicted), "%s: %s, measured %s" % (what, mib(predicted), mib(measured)))

    def row(self, what, by, predicted, measured, apart):
        if self.table:
            print("| %s | `%s` | %s | %s | %s |" % (what, by, mib(predicted), measured, apart), flush=True)


def mib(size):
    return "%.1f MiB" % (size / MIB)


def check_spare(checks, directory, outcomes, stock_reserved):
    by = "replay --min-capacity"
    checks.compare("reserved with memory to spare, optimisation off", by,
                   outcomes["caching"]["spare_reserved_bytes"], stock_reserved)  # fmt: skip
    on = Training(directory, AMPLE, "on").over()
    checks.compare("reserved with memory to spare, optimisation on", by,
                   outcomes["segregated"]["spare_reserved_bytes"], on["reserved"])  # fmt: skip


def check_smallest(checks, directory, outcome, optimisation):
    """The predicted card must do, the next smaller one beyond the tolerance must not."""
    smallest = outcome["min_capacity_bytes"]
    smaller = int(smallest - tolerance(smallest))
    enough = Training(directory, int(smallest + tolerance(smallest)), optimisation).over()["finished"]
    failed = Training(directory, smaller, optimisation).over()
    little = failed["finished"]
    what = "smallest card that finishes, optimisation %s" % optimisation
    measured = "%s %s, %s %s" % (
        mib(smallest + tolerance(smallest)), "finishes" if enough else "fails",
        mib(smaller), "finishes" if little else "fails",
    )  # fmt: skip
    checks.row(what, "replay --min-capacity", smallest, measured, "")
    checks.check(enough, "%s: finishes on %s and the tolerance" % (what, mib(smallest)))
    checks.check(not little, "%s: fails on %s less the tolerance" % (what, mib(smallest)))
    return smaller, failed


def check_freed(checks, directory, trace, capacity, failed):
    """
    How much the optimisation frees where the training failed is asked of a replay of its recording. What `diagnose` tells of the
    message alone is only what the remedy works on, and says so; it bounds what goes, and the training then finishes.
    """
    log = os.path.join(directory, "failed.log")
    with open(log, "w") as file:
        file.write("RuntimeError: %s\n" % failed["message"])
    remedies = {remedy["id"]: remedy for remedy in lacuna(directory, "diagnose", log)[0]["remedies"]}
    gap = remedies["optimisation-on"]["gain_bytes"]
    replayed = lacuna(directory, "replay", trace, "--policy", "segregated", "--capacity", str(capacity))[0]
    on = Training(directory, capacity, "on").over()
    checks.compare("reserved where the training failed, optimisation on", "replay --capacity",
                   replayed["peak_reserved_bytes"], on["reserved"])  # fmt: skip
    freed = failed["reserved"] - on["reserved"]
    checks.check(on["finished"], "with the optimisation on the training finishes where it failed without")
    checks.check(0 < freed <= gap + tolerance(gap), "no more is freed than the gap: %s of %s" % (mib(freed), mib(gap)))


SIDES = ("stock", "lifetime", "segregated")


def given_back_by(counters, rules):
    """What the window's controls say of a change to these rules: the cache of all others goes."""
    return sum(counters[side + "_cache_bytes"] for side in SIDES if side != rules)


def check_change(checks, what, by, done, rules):
    checks.compare(what, by, given_back_by(done["before"], rules), reserved(done["before"]) - reserved(done["after"]))


def check_given_back(checks, directory):
    """As the control card says before a change, from the counters of the moment."""
    end = os.path.join(directory, "end")
    training = Training(directory, AMPLE, "off", end=end)
    training.told()
    pid = str(training.pid)
    now = lacuna(directory, "set", pid, "fraction=1.0")["after"]
    cap = now["reserved_bytes"] - now["releasable_bytes"] // 2
    lower = lacuna(directory, "set", pid, "fraction=%.9f" % (cap / AMPLE), "force=yes")["after"]
    checks.check(lower["reserved_bytes"] <= cap, "cache goes back at once until a lower cap is reached")
    switched = lacuna(directory, "set", pid, "optimisation=on", "force=yes")
    check_change(checks, "given back at once by turning the optimisation on", "the switch's preview", switched, "segregated")
    now = switched["after"]
    cap = (now["reserved_bytes"] - now["releasable_bytes"]) // 2
    predicted = now["reserved_bytes"] - cap - now["releasable_bytes"]
    least = lacuna(directory, "set", pid, "fraction=%.9f" % (cap / AMPLE), "force=yes")
    checks.compare("in use above a cap, not reached at once", "the slider's preview",
                   predicted, least["unreached_bytes"])  # fmt: skip
    open(end, "w").close()
    training.process.wait()


def check_while_it_trains(checks, directory):
    """The same at moments that nobody chose, while steps come and go: switched, other rules, switched back, cache emptied."""
    begin = os.path.join(directory, "begin-live")
    training = Training(directory, AMPLE, "off", begin=begin, steps=10000)  # it is ended once everything was tried
    until_found(directory, training.pid)
    pid = str(training.pid)
    open(begin, "w").close()
    until_step(directory, pid, 3)
    for asked, rules, what in (
        ("optimisation=on", "segregated", "turning the optimisation on"),
        ("policy=lifetime", "lifetime", "taking MindSpeed's rules"),
        ("policy=segregated", "segregated", "taking Lacuna's rules"),
        ("optimisation=off", "stock", "turning the optimisation off"),
    ):
        done = lacuna(directory, "set", pid, asked, "force=yes")
        check_change(checks, "given back in mid-training by " + what, "the control's preview", done, rules)
        until_step(directory, pid, step_of(directory, pid) + 2)
    emptied = lacuna(directory, "empty-cache", pid)
    checks.compare("given back in mid-training by emptying the cache", "releasable, as Live shows it",
                   emptied["before"]["releasable_bytes"], reserved(emptied["before"]) - reserved(emptied["after"]))  # fmt: skip
    training.process.kill()
    training.process.wait()


def step_of(directory, pid):
    return lacuna(directory, "watch", pid, "--count", "1")["step"]


def until_step(directory, pid, step):
    deadline = time.monotonic() + PATIENCE
    while step_of(directory, pid) < step:
        if time.monotonic() > deadline:
            raise TimeoutError("no step %d of process %s" % (step, pid))


def reserved(counters):
    return counters["reserved_bytes"]


def main():
    checks = Checks("--table" in sys.argv)
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o700)
        trace, stock = recorded(directory)
        replayed = lacuna(directory, "replay", trace, "--policy", "caching,segregated", "--min-capacity")
        outcomes = {outcome["policy"]: outcome for outcome in replayed}
        check_spare(checks, directory, outcomes, stock)
        smaller, failed = check_smallest(checks, directory, outcomes["caching"], "off")
        check_freed(checks, directory, trace, smaller, failed)
        if NIGHTLY or checks.table:  # by day what a capacity does with the optimisation on
            check_smallest(checks, directory, outcomes["segregated"], "on")
        check_given_back(checks, directory)
        check_while_it_trains(checks, directory)
    print("%d passed, %d failed" % (checks.passed, checks.failed), file=sys.stderr if checks.table else sys.stdout)
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--train"]:
        train(*sys.argv[2:5])
    else:
        main()
