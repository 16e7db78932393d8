"""Runs every case three ways, in a process of its own each, and compares outcome by outcome: stock, ours off, ours on.

ladder.py [--quick] [--jobs N] [--verbose] [FAMILY[.CASE]…]

LADDER_KIND is `cuda` (LADDER_STANDIN: its folder), `gpu` (a real one, whose blocks are not painted) or `virtual`, LADDER_LIBRARY the
agent. What stock fails is not counted.
What is in known.py may fail, and must. First the battery is held against a broken agent: what it does not notice ends it.
Prints "N passed, N failed, N skipped" and exits with 1 when one failed, 77 when nothing ran.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import registry
from known import KNOWN, ONLY

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.dirname(os.path.dirname(HERE))
RUNG = os.environ.get("LADDER_RUNG", "here")
WAYS = ("stock", "off", "on")
OURS = ("off", "on")
LIMIT_SECONDS = int(os.environ.get("LADDER_SECONDS", "240"))  # more on a machine that does other work
KIND = os.environ.get("LADDER_KIND", "virtual")
ON_CUDA = KIND in ("cuda", "gpu")
DOOR = os.environ.get("LADDER_DOOR", "front")  # or pluggable
KNOWN_HERE = {entry: why for entry, why in KNOWN[DOOR].items() if RUNG in ONLY.get(DOOR, {}).get(entry, (RUNG,))}
MARK = "===== begin"
ABORTS = "terminate called without an active exception"
NO_LEAK = re.compile(r"resource_tracker: '/mp-\w+': \[Errno 2\] ")

Run = collections.namedtuple("Run", "status outcomes said problems")


# ---------------------------------------------------------------- one process


def environment(case, way, directory, fault):
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("LACUNA_", "LD_PRELOAD", "MEMORY_", "STANDIN_", "PYTORCH_"))}
    inherited.update(
        PYTHONPATH=os.pathsep.join([os.path.join(NATIVE, "python"), HERE]), PYTHONDONTWRITEBYTECODE="1", LADDER_WAY=way,
        OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", TMPDIR=directory, LACUNA_DIR=directory, GLOO_SOCKET_IFNAME="lo", USE_LIBUV="0",
        TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1", TORCHINDUCTOR_CACHE_DIR=os.path.join(directory, "inductor"),
        TORCHINDUCTOR_COMPILE_THREADS="1", STANDIN_DEVICES=str(case.devices), STANDIN_BYTES=str(case.capacity),
        STANDIN_PROBLEMS=os.path.join(directory, "problems"),
    )  # fmt: skip
    if KIND == "cuda":
        inherited["LD_LIBRARY_PATH"] = os.environ["LADDER_STANDIN"]
    if way != "stock":
        library = os.path.join(os.environ["LADDER_STANDIN"], "liblacuna_checked.so") if KIND == "cuda" else os.environ["LADDER_LIBRARY"]
        inherited["LACUNA_LIBRARY"] = library
        inherited["LACUNA_DOOR"] = DOOR
        if KIND == "cuda":
            inherited["LACUNA_EXTENSIONS"] = os.path.join(os.environ["LADDER_STANDIN"], "fronts")
        elif "LADDER_EXTENSIONS" in os.environ:
            inherited["LACUNA_EXTENSIONS"] = os.environ["LADDER_EXTENSIONS"]
    if fault:
        inherited["LADDER_FAULT"] = fault
    inherited.update(case.setting)
    return inherited


def lines(path):
    if not os.path.exists(path):
        return []
    with open(path, errors="replace") as file:
        return file.read().splitlines()


def outcomes(path):
    """The last word on each label: {label: (kind, value)}."""
    found = collections.OrderedDict()
    for line in lines(path):
        one = json.loads(line)
        label = one["label"]
        if one["kind"] == "begun" and label in found:
            continue
        found[label] = (one["kind"], one["value"])
    return found


def command(case, way, results):
    ours = [] if way == "stock" else ["-m", "lacuna", "--optimisation", way]
    if ours and not ON_CUDA:
        ours += ["--capacity", str(case.capacity)]
    return [sys.executable, "-B", *ours, os.path.join(HERE, "worker.py"), results, case.family, case.name]


def run(case, way, fault=None):
    """Again, where the process ends in a way that stock, too, ends in by chance."""
    for _ in range(8):
        found = run_once(case, way, fault)
        if not ends_by_chance(found):
            break
    return found


def ends_by_chance(found):
    """PyTorch aborts: stock one time in six, on a busy machine one in three. Python 3.14 takes a semaphore for leaked that it has removed
    (one that is really left is still there): 6 of 30 loaders without Lacuna."""
    aborts = found.status == -6 and ABORTS in found.said
    return (aborts or NO_LEAK.search(found.said)) and found.outcomes.get("(whole)", ("",))[0] == "did"


def run_once(case, way, fault):
    directory = tempfile.mkdtemp(prefix="lacuna-ladder-")
    results = os.path.join(directory, "results")
    try:
        process = subprocess.Popen(
            command(case, way, results), env=environment(case, way, directory, fault), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        try:
            err, status = process.communicate(timeout=LIMIT_SECONDS)[1], process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            err, status = process.communicate()[1], "no end after %d s" % LIMIT_SECONDS
        return Run(status, outcomes(results), err.decode(errors="replace"), lines(os.path.join(directory, "problems")))
    finally:
        shutil.rmtree(directory, ignore_errors=True)


# ---------------------------------------------------------------- what is compared


def plain(line):
    """Without numbers; of a warning, without who caused it."""
    return re.sub(r"0x[0-9a-f]+|\d+", "N", re.sub(r"^.*?(\w*Warning: )", r"\1", line))


def said_by_lacuna(ours, stock, case):
    """Lines of ours, and warnings that stock does not give."""
    before = {plain(line) for line in stock.said.splitlines()}
    suspicious = [line for line in ours.said.splitlines() if re.search(r"lacuna|Warning:", line) and plain(line) not in before]
    return [line for line in suspicious if not line.startswith(case.said or ("\0",))]


def different(kind, value, reference, way):
    """What is not as in stock, in words; None: nothing."""
    if kind in ("raised", "begun"):
        return value or "never came back"
    if reference[0] != kind:
        return "%s, stock: %s" % (value or kind, reference)
    if kind == "value" and value != reference[1]:
        return "%s, stock: %s" % (value, reference[1])
    if kind == "most" and value > reference[1]:
        return "%s, stock: no more than %s" % (value, reference[1])
    if kind == "stats" and way == "off":
        keys = sorted(key for key in set(value) | set(reference[1]) if value.get(key) != reference[1].get(key))
        return "; ".join("%s is %s, stock: %s" % (key, value.get(key), reference[1].get(key)) for key in keys[:6]) or None
    return None


def failures(case, way, ours, stock):
    """By label, in words."""
    found = collections.OrderedDict()
    for label, reference in stock.outcomes.items():
        if reference[0] in ("raised", "begun", "skipped"):  # what stock fails is not counted
            continue
        kind, value = ours.outcomes.get(label, ("raised", "was never come to"))
        wrong = different(kind, value, reference, way)
        if wrong:
            found[label] = wrong
    if ours.status != stock.status:
        found["(end)"] = "ended with %s, stock: %s" % (ours.status, stock.status)
    problems = [line for line in ours.problems if plain(line) not in {plain(other) for other in stock.problems}]
    if problems:
        found["(memory)"] = "%s (%d such)" % (problems[0], len(problems))
    said = said_by_lacuna(ours, stock, case)
    if said:
        found["(said)"] = said[0]
    return found


def wanted_of_ours(case, ours):
    """A case that stock has nothing like: everything must succeed."""
    stock = Run(0, {label: (kind if kind in ("value", "most", "stats") else "did", value) for label, (kind, value) in ours.outcomes.items()}, "", [])
    return stock._replace(outcomes=collections.OrderedDict(stock.outcomes, **{"(whole)": ("did", None)}))


# ---------------------------------------------------------------- the battery

Verdict = collections.namedtuple("Verdict", "case word ways seconds")


def judged(case, runs, seconds):
    """`ways`: by way, {label: words}."""
    stock = runs.get("stock")
    lacks = [one.outcomes["(whole)"][1] for one in runs.values() if one.outcomes.get("(whole)", ("", ""))[0] == "skipped"]
    if lacks:
        return Verdict(case, "skipped", {"stock": {"(whole)": lacks[0]}}, seconds)
    ways = {way: failures(case, way, runs[way], stock or wanted_of_ours(case, runs[way])) for way in OURS}
    left = {way: {label: words for label, words in found.items() if not is_known(case, label)} for way, found in ways.items()}
    gone = no_longer_known(case, ways, stock)
    for label in gone:
        left["on"][label] = "no longer known: it passes, so take it out of known.py"
    if any(left.values()):
        return Verdict(case, "FAILED", left, seconds)
    if stock is not None and not any(kind not in ("raised", "begun") for kind, _ in stock.outcomes.values()):
        return Verdict(case, "no stock", {"stock": {label: str(value) for label, (_, value) in stock.outcomes.items()}}, seconds)
    return Verdict(case, "known" if any(ways.values()) else "passed", ways, seconds)


def key(case, label):
    return "%s.%s %s" % (case.family, case.name, label)


def is_known(case, label):
    return ON_CUDA and key(case, label) in KNOWN_HERE


def no_longer_known(case, ways, stock):
    """Known, worked in stock, and worked in both of our ways."""
    labels = [entry.split(" ", 1)[1] for entry in KNOWN_HERE if ON_CUDA and entry.split(" ", 1)[0] == "%s.%s" % (case.family, case.name)]
    asked = [label for label in labels if label.startswith("(") or (stock is not None and stock.outcomes.get(label, ("raised",))[0] not in ("raised", "begun"))]
    return [label for label in asked if not any(label in found for found in ways.values())]


def compare(case):
    began = time.monotonic()
    runs = {way: run(case, way) for way in (OURS if case.ours else WAYS)}
    return judged(case, runs, time.monotonic() - began), runs


def unnoticed(pool):
    """Faults of an agent that the battery does not see: each must be told, and the sound agent must not."""
    cases = [case for case in registry.family("faults").values() if not case.cuda or KIND == "cuda"]
    return [words for found in pool.map(missed_of, cases) for words in found]


def missed_of(case):
    stock, missed = run(case, "stock"), []
    # Behind the front the agent serves nothing while it is off, and native what the agent refuses.
    serving, faults = ("on", ["overlap", "scribble", "leak"]) if DOOR == "front" else ("off", ["overlap", "scribble", "leak", "refuse"])
    if case.cuda:
        wrong = failures(case, "on", run(case, "on"), stock)
        missed += ["%s without a fault: %s" % (case.name, wrong)] if wrong else []
    for fault in faults if case.cuda else [None]:
        if not failures(case, serving, run(case, serving, fault), stock):
            missed.append("%s with %s" % (case.name, fault or "a difference"))
    return missed


def chosen(arguments):
    named = [word.split(".") for word in arguments.names]
    found = []
    for name in registry.FAMILIES:
        for case in registry.family(name).values():
            asked = not named or [name] in named or [name, case.name] in named
            if asked and (case.quick or not arguments.quick) and (not case.cuda or ON_CUDA):
                found.append(case)
    return found


def prepare():
    """The front is compiled at the first start, which says so."""
    if ON_CUDA and DOOR == "front":
        case = next(iter(registry.family("memory").values()))
        said = run(case, "on").said
        if "does not compile" in said or "otherwise than PyTorch" in said:
            sys.exit(said)


def show(verdict, runs, verbose):
    print("%-9s %5.0f s  %s.%s" % (verdict.word, verdict.seconds, verdict.case.family, verdict.case.name), flush=True)
    for way, found in verdict.ways.items():
        for label, words in found.items():
            print("              %-5s %s: %s" % (way, label, words[:240]))
    if verdict.word == "FAILED" or verbose:
        for way, one in runs.items():
            text = [line for line in one.said.split(MARK)[-1].splitlines() if line]
            for line in text[-(40 if verbose else 4) :]:
                print("                  %s| %s" % (way, line[:240]))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(usage="ladder.py [--quick] [--jobs N] [--verbose] [FAMILY[.CASE]…]")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    began = time.monotonic()
    counts = collections.Counter()
    prepare()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        missed = unnoticed(pool) if KIND != "gpu" and not arguments.names else []
        if missed:
            sys.exit("the battery does not see what it is to see:\n%s" % "\n".join(missed))
        for verdict, runs in pool.map(compare, chosen(arguments)):
            counts[verdict.word] += 1
            show(verdict, runs, arguments.verbose)
    print("%s: %.0f s, of those that passed %d known to fail in part, %d that stock fails" % (RUNG, time.monotonic() - began, counts["known"], counts["no stock"]))
    print("%d passed, %d failed, %d skipped" % (counts["passed"] + counts["known"], counts["FAILED"], counts["skipped"] + counts["no stock"]))
    ran = counts["passed"] + counts["known"] + counts["FAILED"]
    return 1 if counts["FAILED"] else 0 if ran else 77


if __name__ == "__main__":
    sys.exit(main())
