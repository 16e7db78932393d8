"""What the battery must report: no PyTorch, and one thing that is different under Lacuna. Run first, each time."""

import os
import signal
import sys

from registry import workload

SWAPS = os.environ.get("LACUNA_SWAP") == "all"


@workload()
def flipped_bit(tell):
    tell(b"\1" if SWAPS else b"\0")


@workload()
def missing_value(tell):
    tell(1.0)
    if not SWAPS:
        tell(2.0)


@workload(alone=True)
def other_status(tell):
    tell(1)
    sys.exit(9 if SWAPS else 0)


@workload(alone=True)
def signal_in_place_of_an_end(tell):
    tell(1)
    if SWAPS:
        os.kill(os.getpid(), signal.SIGSEGV)


@workload(ends=1)
def other_exception(tell):
    tell(1)
    raise ValueError if SWAPS else KeyError


@workload()
def dies_between_others(tell):
    tell(1)
    if SWAPS:
        os.kill(os.getpid(), signal.SIGSEGV)


@workload()
def words_on_stderr(tell):
    if SWAPS:
        sys.stderr.write("lacuna: something broke\n")


@workload()
def words_on_stdout(tell):
    if SWAPS:
        print("more")


@workload()
def the_same(tell):
    tell(1.0, b"\2")
