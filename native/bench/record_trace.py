#!/usr/bin/env python3
"""Records the tensors of a PyTorch training as a trace that `lacuna replay` reads (CSV; sizes as they were asked for).

record_trace.py OUT.csv SCRIPT [args…]     trains SCRIPT under the agent until it ends and writes what it asked for

What a trace is for: measuring allocators on programs that they were not tuned on. History that was overwritten before it
could be read ends the recording with an error; a recording is whole or is none.
"""

import sys
from pathlib import Path

NATIVE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(NATIVE / "test" / "real"))
from recorded import ALLOC, FREE, PHASE, STEP_BEGINS, STEP_ENDS, NotWhole, events  # noqa: E402


class Writer:
    """Rows of the CSV format; marks are step * 10 + code, 0 begins and 3 ends a step."""

    def __init__(self, out):
        self.out, self.step, self.began = out, 0, None
        out.write("ts_ns,op,addr,size,thread\n")

    def row(self, event):
        self.began = self.began if self.began is not None else event.time_ns
        at = event.time_ns - self.began
        if event.kind in (ALLOC, FREE):
            operation = "A" if event.kind == ALLOC else "F"
            self.out.write("%d,%s,%x,%d,0\n" % (at, operation, event.address, event.size if operation == "A" else 0))
        elif event.kind == PHASE and event.size in (STEP_BEGINS, STEP_ENDS):
            self.step += event.size == STEP_BEGINS
            self.out.write("%d,M,0,%d,0\n" % (at, self.step * 10 + (0 if event.size == STEP_BEGINS else 3)))


def record(target, command):
    with open(target, "w") as out:
        writer = Writer(out)
        for event in events(command):
            writer.row(event)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        record(sys.argv[1], sys.argv[2:])
    except NotWhole as why:
        sys.exit("record_trace: %s" % why)
