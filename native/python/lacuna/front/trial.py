"""Run as a program: puts a front before the allocator of a PyTorch that nothing depends on, and compares answers.

usage: trial.py cuda|npu FRONT AGENT'S-LIBRARY. Exit status 0 where it may be used; else the last line of stdout says why not.
"""

import ctypes
import os
import sys


def answers(accelerator):
    """What can be asked of an allocator that has served nothing."""
    memory = accelerator.memory
    stats = memory.memory_stats(0)
    return {
        "name": memory.get_allocator_backend() if hasattr(memory, "get_allocator_backend") else "",
        "statistics": {key: value for key, value in sorted(stats.items()) if value},
        "devices": accelerator.device_count(),
        "snapshot": len(memory.memory_snapshot()),
    }


def serve(torch, accelerator, kind):
    """One block of ours, and that nothing of it stays."""
    block = torch.empty(3 << 20, dtype=torch.uint8, device=kind + ":0")
    if block.data_ptr() % 512 or accelerator.memory_allocated(0) < 3 << 20:
        return "a block of 3 MiB is not counted"
    block.record_stream(accelerator.Stream())
    del block
    accelerator.synchronize()
    accelerator.empty_cache()
    left = accelerator.memory_allocated(0)
    return "%d bytes stay allocated" % left if left else ""


def framework(kind):
    """The module of tensors, and that of the device."""
    import torch

    if kind == "cuda":
        return torch, torch.cuda
    import torch_npu

    return torch, torch_npu.npu


def main(kind, front, library):
    torch, accelerator = framework(kind)
    ctypes.CDLL(library)
    accelerator.init()
    before = answers(accelerator)
    outcome = ctypes.CDLL(front).lacuna_front_install(os.fsencode(library))
    if outcome != 0:
        return "it cannot be installed (%d)" % outcome
    after = answers(accelerator)
    if before != after:
        return "%r, not %r" % (after, before)
    return serve(torch, accelerator, kind)


if __name__ == "__main__":
    reason = main(*sys.argv[1:])
    if reason:
        print(reason)
    sys.exit(1 if reason else 0)
