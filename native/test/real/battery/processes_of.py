"""Runs workloads in processes of their own or several in one, and says what came of each."""

import os
import re
import signal
import subprocess
import sys
import tempfile

from registry import MARK

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(HERE))), "python")
LIMIT_SECONDS = 300  # of a process, on a machine that has other things to do
SMALLEST = "4096"  # bytes of a swapped tensor
WAYS = {
    "plain": None, "off": ("--optimisation", "off"), "on": ("--optimisation", "on"), "swap on": ("--swap", "on"),
    "swap all": ("--swap", "all"),
}  # fmt: skip


class Outcome:
    """What one workload did."""

    def __init__(self):
        self.values, self.skipped, self.swapped = [], None, 0
        self.status, self.out, self.err = None, "", ""  # no status: it was over before its process was

    def exceptions(self):
        """Types of what reached stderr, in order."""
        return re.findall(r"^Traceback \(most recent call last\):\n(?:[ \t].*\n|\n)*([\w.]+)", self.err, flags=re.MULTILINE)

    def said(self):
        """Lacuna's own lines."""
        return [line for line in self.err.splitlines() if line.startswith("lacuna:")]

    def end(self):
        """How its process ended, in words."""
        if self.status is None or self.status == 0:
            return "ended as usual"
        if self.status == "hung":
            return "hung, and was killed after %d s" % LIMIT_SECONDS
        return "died of %s" % signal.Signals(-self.status).name if self.status < 0 else "ended with %d" % self.status


def _environment(way, folder):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LACUNA_", "LD_PRELOAD", "MEMORY_", "PYTHONPATH"))}
    clean["CUDA_VISIBLE_DEVICES"] = ""  # PyTorch lets no child go backward after its parent where there are devices
    clean.update(PYTHONDONTWRITEBYTECODE="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    if WAYS[way] is not None:
        clean.update(PYTHONPATH=PACKAGE, LACUNA_DIR=folder, LACUNA_SWAP_SMALLEST=SMALLEST)
        if "LACUNA_LIBRARY" in os.environ:
            clean["LACUNA_LIBRARY"] = os.environ["LACUNA_LIBRARY"]
    return clean


def command(way, results, family, names):
    worker = [os.path.join(HERE, "worker.py"), results, family, *names]
    return [sys.executable, *worker] if WAYS[way] is None else [sys.executable, "-m", "lacuna", *WAYS[way], *worker]


def _parts(path):
    """What a stream got of each workload. Those that closed their streams, or filled them with odd bytes, may."""
    with open(path, encoding="utf-8", errors="replace") as file:
        pieces = file.read().split(MARK)[1:]
    return dict(piece.partition("\n")[::2] for piece in pieces)


def _started(way, family, names, folder):
    """Exit status, and the outcomes of those that began, in order."""
    paths = [os.path.join(folder, name) for name in ("results", "out", "err")]
    with open(paths[0], "wb"), open(paths[1], "wb") as out, open(paths[2], "wb") as err:
        process = subprocess.Popen(
            command(way, paths[0], family, names), env=_environment(way, folder), stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            start_new_session=True,
        )  # fmt: skip
    try:
        status = process.wait(LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        status = "hung"
    return status, _read(*paths, names[0])


def _read(results, out, err, first):
    """The outcomes by name, and those that were over. Where not even the first began, what was said is of that one."""
    outcomes, over, now = {}, set(), None
    with open(results) as file:
        for line in file:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "begin":
                now = outcomes[rest] = Outcome()
            elif word == "told":
                now.values.append(rest)
            elif word == "end":
                over.add(rest)
            elif word == "swapped":
                now.swapped = int(rest)
            else:
                name, _, why = rest.partition(" ")
                outcomes[name] = Outcome()
                outcomes[name].skipped = why
    for path, stream in ((out, "out"), (err, "err")):
        for name, text in _parts(path).items():
            setattr(outcomes[name], stream, text)
    if not outcomes:
        outcomes[first] = Outcome()
        with open(err, errors="replace") as file:
            outcomes[first].err = file.read()
    return outcomes, over


def run(way, family, names):
    """Outcome of each workload. After one that ends its process the others go on in a new one."""
    left, found = list(names), {}
    while left:
        with tempfile.TemporaryDirectory(prefix="lacuna-battery-") as folder:
            status, (outcomes, over) = _started(way, family, left, folder)
        last = list(outcomes)[-1]
        found.update(outcomes)
        if status != 0 or last not in over:
            found[last].status = status
        left = left[left.index(last) + 1 :] if status != 0 or last in over or found[last].skipped else []
        if status == 0 and left:
            left = [name for name in left if name not in found]
    return found
