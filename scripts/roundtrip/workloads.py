"""Small trainings that run out of a device's 8 GiB, each curable by what the diagnosis offers first.

    workloads.py NAME [--size N] [--batch N] [--chunks N] [--fraction F] [--recompute] [--offload] [--drop-loss] …

Run by round-trips.py under PyTorch's own CUDA build on the ladder's stand-in: kernels do nothing, the allocator is real.
"""

import argparse
import ctypes
import os
import sys

import torch

MIB = 1 << 20
GIB = 1 << 30


def tensor(nbytes):
    return torch.empty(nbytes, dtype=torch.uint8, device="cuda")


def split(o):
    """Large segments, each kept by a small block: what is free is in pieces."""
    kept = []
    held = []
    for _ in range(6):
        large = tensor(GIB)
        del large
        kept.append(tensor(o.size * MIB))
        held.append(tensor(GIB - o.size * MIB - 4 * MIB))
    held.clear()
    kept.append(tensor(3 * GIB))


def lengths(o):
    """Sequences of growing length leave the pieces of the shorter ones behind."""
    kept = []
    for i in range(5):
        step = tensor(GIB + i * o.size * MIB)
        kept.append(tensor(32 * MIB))
        del step
    kept.append(tensor(int(2.5 * GIB)))


def oversized(o):
    """One tensor beyond the device; in chunks it passes."""
    total = 16 * GIB + o.size * MIB
    for _ in range(o.chunks):
        chunk = tensor(total // o.chunks)
        del chunk


def capped(o):
    """A cap that is lower than the work needs, on a device with room."""
    torch.cuda.set_per_process_memory_fraction(o.fraction or o.size / 100)
    kept = [tensor(512 * MIB) for _ in range(10)]
    assert kept


def capacity(o):
    """Activations of a batch that is too large."""
    model = torch.nn.Sequential(*[torch.nn.Linear(1024, 1024) for _ in range(16)]).cuda()
    batch = o.batch or o.size * 4096
    for _ in range(2):
        for _ in range(o.accumulate):
            x = torch.empty(batch, 1024, device="cuda")
            for layer in model:
                if o.recompute:
                    x = torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False)
                elif o.offload:
                    with torch.autograd.graph.save_on_cpu():
                        x = torch.relu(layer(x))
                else:
                    x = torch.relu(layer(x))
            x.sum().backward()
        model.zero_grad()


def leak(o):
    """A loss that is added up together with its graph; prints its memory as trainers do."""
    weight = torch.nn.Parameter(torch.empty(256, 256, device="cuda"))
    total = 0.0
    for step in range(200):
        x = torch.empty(o.size * 1024, 256, device="cuda")
        loss = (x @ weight).relu().sum()
        print(f"step {step} memory (MB) | allocated: {torch.cuda.memory_allocated() / MIB}", flush=True)
        if o.drop_loss:
            total += loss.item()
            del loss
        else:
            total = total + loss


def library(o):
    """A library below the framework asks the device itself, while the pool keeps its cache: its own words are NCCL's."""
    if o.fraction:
        torch.cuda.set_per_process_memory_fraction(o.fraction)
    for _ in range(12):
        cache = [tensor(64 * MIB) for _ in range(8)]
    held = []
    try:
        while True:
            held.append(tensor(64 * MIB))
    except torch.OutOfMemoryError:
        held.clear()
    del cache
    runtime = ctypes.CDLL(o.runtime)
    pointer = ctypes.c_void_p()
    wanted = o.size * MIB
    failed = runtime.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(wanted))
    if failed:
        print(torch.cuda.memory_summary(abbreviated=True), file=sys.stderr)
        print("node1:1:2 [0] include/alloc.h:178 NCCL WARN Cuda failure 2 'out of memory'", file=sys.stderr)
        print(f"node1:1:2 [0] include/alloc.h:185 NCCL WARN Failed to CUDA calloc {wanted} bytes", file=sys.stderr)
        sys.exit(1)


def shared(o):
    """Another process holds most of the device."""
    kept = [tensor(256 * MIB) for _ in range(o.size)]
    assert kept


WORKLOADS = {f.__name__: f for f in (split, lengths, oversized, capped, capacity, leak, library, shared)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--accumulate", type=int, default=1)
    parser.add_argument("--chunks", type=int, default=1)
    parser.add_argument("--fraction", type=float, default=0)
    parser.add_argument("--recompute", action="store_true")
    parser.add_argument("--offload", action="store_true")
    parser.add_argument("--drop-loss", action="store_true")
    parser.add_argument("--runtime", default=os.environ.get("ROUND_TRIP_RUNTIME", "libcudart.so.13"))
    options = parser.parse_args()
    WORKLOADS[options.workload](options)
    print("finished", flush=True)
    os._exit(0)  # what PyTorch aborts while it is taken down is not what is asked here


if __name__ == "__main__":
    main()
