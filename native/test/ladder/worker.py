"""Runs one case in this process: worker.py RESULTS FAMILY NAME."""

import ctypes
import gc
import os
import sys

import registry
import told

MARK = "===== begin"  # on stderr: what comes after it is the case's


def look_at_blocks():
    """Those that are still used, by the library that stands in front of the agent."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        driver.standin_block_check_all.restype = ctypes.c_uint64
        return driver.standin_block_check_all()
    except (OSError, AttributeError):
        return 0


def main():
    gc.disable()  # when it runs differs between two runs, and with it what statistics say; told.py collects before it asks
    t = told.Told(sys.argv[1])
    case = registry.family(sys.argv[2])[sys.argv[3]]
    sys.stderr.write(MARK + "\n")
    sys.stderr.flush()
    t.line("(whole)", "begun")
    try:
        case.run(t)
    except told.Skipped as lacking:
        t.line("(whole)", "skipped", str(lacking))
        return
    if told.DEVICE == "cuda" and os.environ.get("LACUNA_LIBRARY"):
        look_at_blocks()
    t.line("(whole)", "did")


if __name__ == "__main__":
    main()
