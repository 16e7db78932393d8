"""PyTorch's own tests under the agent: stock, ours off, ours on; what stock passes must pass.

upstream.py TEST_FILE… [--like REGEX]    with the interpreter and the environment of a rung (LADDER_KIND, LADDER_LIBRARY …)

The tests are those of the rung's version, from PyTorch's source: pytest lists and runs them. Each way runs a file's tests in one
process, as PyTorch's own runs do, and in a new one behind a test that ended or stopped it. What stock passes so and ours does not is
tried again in a process of its own each way, twice, and that counts. Prints a line for each that differs, by class what passed, and
ends with 1 where one fails under ours that stock passes.
"""

import argparse
import collections
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading

import ladder
import registry

LIMIT_SECONDS = ladder.LIMIT_SECONDS  # without a word
ALLOCATOR = "mem|alloc|pool|graph|snapshot|oom|out_of|cache|stream|stat|fraction|caching|trace|peer|ipc"
BEGUN = re.compile(r"^\S+?::(\S+::\S+) ?(.*)$")
WORDS = {"PASSED": "passed", "FAILED": "failed", "SKIPPED": "skipped", "XFAIL": "skipped", "XPASS": "passed", "ERROR": "failed"}


def listed(path, like):
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", os.path.basename(path)], cwd=os.path.dirname(path),
        env=dict(os.environ, LD_LIBRARY_PATH=os.environ.get("LADDER_STANDIN", "")), stdout=subprocess.PIPE, universal_newlines=True,
    ).stdout  # fmt: skip
    names = [line.split("::", 1)[1].strip() for line in said.splitlines() if "::" in line]
    chosen = [name for name in names if re.search(like, name, re.IGNORECASE)]
    return chosen or sys.exit("no test of %s is like that\n%s" % (path, said[-2000:]))


def lines_of(stream):
    """As they come; None after LIMIT_SECONDS without one."""
    arrived = queue.Queue()

    def read():
        for line in stream:
            arrived.put(line)
        arrived.put("")

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = arrived.get(timeout=LIMIT_SECONDS)
        except queue.Empty:
            yield None
            return
        if line == "":
            return
        yield line


def run(path, names, way):
    """{name: word} of those that were come to, the name of the one within which the process ended or stopped, and what was said."""
    case = registry.Case("upstream", "tests", None, True, False, False, 2 if "multigpu" in path else 1, 8 << 30, {}, ())
    with tempfile.TemporaryDirectory(prefix="lacuna-upstream-") as directory:
        wanted = os.path.join(directory, "wanted")
        with open(wanted, "w") as text:
            text.write("".join("%s::%s\n" % (os.path.basename(path), name) for name in names))
        start = [] if way == "stock" else ["-m", "lacuna", "--optimisation", way]
        command = [
            sys.executable,
            *start,
            "-m",
            "pytest",
            "-v",
            "--tb=short",
            "-p",
            "no:cacheprovider",
            "-o",
            "console_output_style=classic",
            "@" + wanted,
        ]
        process = subprocess.Popen(
            command, cwd=os.path.dirname(path), env=dict(ladder.environment(case, way, directory, None), PYTHONUNBUFFERED="1"), errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, start_new_session=True,
        )  # fmt: skip
        found, within, said = {}, None, []
        for line in lines_of(process.stdout):
            if line is None:
                os.killpg(process.pid, 9)
                break
            said.append(line)
            begun = BEGUN.match(line)
            if begun and begun.group(1) in found:
                continue  # of a summary of warnings
            words = line.split()
            if begun:
                within = begun.group(1)
            word = next((each for each in words if each in WORDS), None) if begun or within else None
            if word and within and (begun or words[0] == word):
                found[within], within = WORDS[word], None
        status = process.wait()
    if within is not None:
        found[within] = "no end" if status == -9 else "ended with %d" % status
    return found, within, "".join(said)


def together(path, names, way):
    found, left = {}, list(names)
    while left:
        more, ended_within, said = run(path, left, way)
        if not more:
            sys.exit("%s: nothing ran\n%s" % (way, said[-2000:]))
        found.update(more)
        if ended_within is None:
            break
        left = left[left.index(ended_within) + 1 :]
    return found


def alone(path, name, way):
    """The best of two: what stock itself passes by chance is no measure."""
    words = []
    for _ in range(2):
        found, _, said = run(path, [name], way)
        words.append((found.get(name, "not come to"), said))
        if words[-1][0] == "passed":
            break
    return words[-1]


def compared(path, name):
    words, reason = {}, ""
    for way in ladder.WAYS:
        words[way], said = alone(path, name, way)
        if words[way] != "passed":
            reason = reason or next((line for line in said.splitlines() if line.startswith("E  ")), "")
            if way == "stock":
                break
    return words, reason


def of_file(path, like):
    names = listed(path, like)
    found = {way: together(path, names, way) for way in ladder.WAYS}
    passes = {way: {name for name in names if found[way].get(name) == "passed"} for way in ladder.WAYS}
    for name in sorted(passes["stock"] - (passes["off"] & passes["on"])):
        words, reason = compared(path, name)
        for way in ladder.WAYS:
            (passes[way].add if words.get(way) == "passed" else passes[way].discard)(name)
        kind = "differs" if words["stock"] == "passed" and set(words.values()) != {"passed"} else "alone, the same"
        print("%-15s %s: %s %s" % (kind, name, " ".join("%s: %s" % one for one in words.items()), reason.strip()[:200]), flush=True)
    for name in names:
        if found["stock"].get(name) not in ("passed", "skipped"):
            print("stock           %s: %s" % (name, found["stock"].get(name, "not come to")))
    return names, found, passes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--like", default=ALLOCATOR)
    arguments = parser.parse_args()
    lost = 0
    for path in arguments.files:
        path = os.path.abspath(path)
        names, found, passes = of_file(path, arguments.like)
        counts = collections.OrderedDict()
        for name in names:
            counts.setdefault(name.split("::")[0], []).append(name)
        for of_class, each in [*counts.items(), ("all", names)]:
            skipped = sum(found["stock"].get(name) == "skipped" for name in each)
            print(
                "%s %s: of %d, %d skipped in stock; pass in stock %d, off %d, on %d"
                % (os.path.basename(path), of_class, len(each), skipped, *(len(passes[way].intersection(each)) for way in ladder.WAYS)), flush=True,
            )  # fmt: skip
        lost += len(passes["stock"] - (passes["off"] & passes["on"]))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
