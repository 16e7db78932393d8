"""Runs workloads of one family in this process, one after the other: worker.py RESULTS FAMILY NAME…

RESULTS gets a line for what happens: `begin NAME`, `told WORDS`, `skipped NAME WHY`, `end NAME`, and `swapped BYTES` where
there is an agent. It is opened for each line, since a workload may close what is open, and die.
"""

import os
import sys

import registry


class Results:
    def __init__(self, path):
        self._path, self._process = path, os.getpid()

    def line(self, *words):
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, (" ".join(words) + "\n").encode())
        finally:
            os.close(file)

    def tell(self, *values):
        self.line("told", *map(registry.digest, values))


def swapped():
    """Bytes that left so far; None without an agent."""
    try:
        import lacuna

        return lacuna.swap_stats("cpu")["swapped_out_bytes"]
    except (ImportError, LookupError):
        return None


def main():
    results = Results(sys.argv[1])
    workloads = registry.family(sys.argv[2])
    for name in sys.argv[3:]:
        lacks = workloads[name].lacks()
        if lacks:
            results.line("skipped", name, lacks)
            continue
        if "torch" in sys.modules:
            sys.modules["torch"].manual_seed(11)
        results.line("begin", name)
        for stream in (sys.stdout, sys.stderr):
            stream.write("%s%s\n" % (registry.MARK, name))
            stream.flush()
        workloads[name].run(results.tell)
        results.line("end", name)
        left = swapped()
        if left is not None:
            results.line("swapped", str(left))


if __name__ == "__main__":
    main()
