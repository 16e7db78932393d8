"""PyTorch's own tests under the agent: each in a process of its own, stock, ours off, ours on; what stock passes must pass.

upstream.py TEST_FILE [--jobs N] [--like REGEX]    with the interpreter and the environment of a rung (LADDER_KIND, LADDER_LIBRARY …)

The tests are those of the rung's version, from PyTorch's source: pytest lists and runs them. Prints a line for each that differs
and "N pass in stock, N off, N on of N"; ends with 1 where one fails under ours that stock passes.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import ladder
import registry

LIMIT_SECONDS = 180
ALLOCATOR = "mem|alloc|pool|graph|snapshot|oom|out_of|cache|stream|stat|fraction|caching|trace|peer|ipc"


def listed(path, like):
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", os.path.basename(path)], cwd=os.path.dirname(path),
        env=dict(os.environ, LD_LIBRARY_PATH=os.environ.get("LADDER_STANDIN", "")), stdout=subprocess.PIPE, universal_newlines=True,
    ).stdout  # fmt: skip
    names = [line.split("::", 1)[1] for line in said.splitlines() if "::" in line]
    return [name for name in names if re.search(like, name, re.IGNORECASE)]


def outcome(path, name, way):
    """passed, failed, skipped, or how the process ended."""
    case = registry.Case("upstream", name, None, True, False, False, 1, 8 << 30, {}, ())
    with tempfile.TemporaryDirectory(prefix="lacuna-upstream-") as directory:
        start = [] if way == "stock" else ["-m", "lacuna", "--optimisation", way]
        command = [sys.executable, *start, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "%s::%s" % (os.path.basename(path), name)]
        try:
            done = subprocess.run(
                command, cwd=os.path.dirname(path), env=ladder.environment(case, way, directory, None), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_SECONDS,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "no end", ""
    text = done.stdout.decode(errors="replace")
    if done.returncode == 0:
        return ("passed" if re.search(r"\d+ passed", text) else "skipped"), text
    return ("failed" if done.returncode == 1 else "ended with %d" % done.returncode), text


def compared(path, name):
    stock, said = outcome(path, name, "stock")
    if stock != "passed":
        return name, {"stock": stock}, said
    ours = {way: outcome(path, name, way) for way in ladder.OURS}
    return name, dict({"stock": stock}, **{way: ours[way][0] for way in ours}), "\n".join(text for word, text in ours.values() if word != "passed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--like", default=ALLOCATOR)
    arguments = parser.parse_args()
    path = os.path.abspath(arguments.file)
    names = listed(path, arguments.like)
    counts = {"stock": 0, "off": 0, "on": 0}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for name, found, said in pool.map(lambda each: compared(path, each), names):
            for way, word in found.items():
                counts[way] += word == "passed"
            if set(found.values()) != {"passed"}:
                reason = [line for line in said.splitlines() if line.startswith("E  ")][:1]
                print("%-90s %s %s" % (name, " ".join("%s: %s" % one for one in found.items()), "".join(reason)[:160]), flush=True)
    print("%d pass in stock, %d off, %d on of %d" % (counts["stock"], counts["off"], counts["on"], len(names)))
    return 1 if min(counts["off"], counts["on"]) < counts["stock"] else 0


if __name__ == "__main__":
    sys.exit(main())
