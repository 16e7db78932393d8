"""Run as a program: puts a front before the allocator of a PyTorch that nothing depends on, and compares answers.

usage: trial.py FRONT AGENT'S-LIBRARY. Exit status 0 where it may be used; else the last line of stdout says why not.
"""

import ctypes
import os
import sys


def answers(torch):
    """What can be asked of an allocator that has served nothing."""
    memory = torch.cuda.memory
    stats = memory.memory_stats(0)
    return {
        "name": memory.get_allocator_backend() if hasattr(memory, "get_allocator_backend") else "",
        "statistics": {key: value for key, value in sorted(stats.items()) if value},
        "devices": torch.cuda.device_count(),
        "snapshot": len(memory.memory_snapshot()),
    }


def serve(torch):
    """One block of ours, and that nothing of it stays."""
    block = torch.empty(3 << 20, dtype=torch.uint8, device="cuda:0")
    if block.data_ptr() % 512 or torch.cuda.memory_allocated(0) < 3 << 20:
        return "a block of 3 MiB is not counted"
    block.record_stream(torch.cuda.Stream())
    del block
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    left = torch.cuda.memory_allocated(0)
    return "%d bytes stay allocated" % left if left else ""


def main(front, library):
    import torch

    ctypes.CDLL(library)
    torch.cuda.init()
    before = answers(torch)
    outcome = ctypes.CDLL(front).lacuna_front_install(os.fsencode(library))
    if outcome != 0:
        return "it cannot be installed (%d)" % outcome
    after = answers(torch)
    if before != after:
        return "%r, not %r" % (after, before)
    return serve(torch)


if __name__ == "__main__":
    reason = main(*sys.argv[1:])
    if reason:
        print(reason)
    sys.exit(1 if reason else 0)
