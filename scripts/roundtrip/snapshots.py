"""Makes memory snapshots with the PyTorch at hand, and writes down what PyTorch's own arithmetic says of each.

    snapshots.py FOLDER

Run by the Python of the ladder's rung `wheel` (torch 2.14.1) with its stand-in in LD_LIBRARY_PATH. Each snapshot is a
kind of its own: marks of the program, metadata of blocks, private pools, expandable segments, pinned memory of the host,
compressed forms. `totals.json` holds the sums of torch.cuda._memory_viz.segsum's own fields.
"""

import gzip
import json
import os
import pickle
import subprocess
import sys

import torch
import torch.cuda._memory_viz
from torch.cuda import memory

MIB = 1 << 20
KINDS = ("plain", "annotations", "metadata", "private", "graph", "expandable", "host", "streams", "oom", "compiled")


def tensor(mib):
    return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")


def plain():
    keep = [tensor(n) for n in (1, 3, 30, 5)]
    del keep[1]
    return keep


def annotations():
    with torch.profiler.record_function("forward"):
        keep = plain()
    return keep


def metadata():
    if memory._memory_metadata_supported():
        memory._set_memory_metadata("layer 7")
    return plain()


def private():
    pool = torch.cuda.MemPool()
    with torch.cuda.use_mem_pool(pool):
        inside = [tensor(n) for n in (2, 40)]
    del inside[0]
    return [pool, inside, plain()]


def graph():
    graph = torch.cuda.CUDAGraph()
    x = tensor(8)
    with torch.cuda.graph(graph):
        y = x + 1
    return [graph, x, y]


def expandable():
    return plain()


def host():
    return [torch.empty(6 * MIB, dtype=torch.uint8, pin_memory=True), plain()]


def streams():
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        x = tensor(24)
    x.record_stream(torch.cuda.current_stream())
    y = tensor(3)
    del x
    return [y]


def oom():
    keep = plain()
    try:
        tensor(20_000)
    except torch.OutOfMemoryError:
        return keep
    raise AssertionError("the device is larger than thought")


def compiled():
    weight = torch.nn.Parameter(torch.empty(512, 512, device="cuda"))
    loss = (torch.empty(2048, 512, device="cuda") @ weight).relu().sum()
    loss.backward()
    return [weight, loss]


def totals(snapshot):
    """By the fields that PyTorch's viewer sums, device by device."""
    devices = {}
    for segment in snapshot["segments"]:
        sums = devices.setdefault(segment["device"], dict.fromkeys(
            ("segments", "total_size", "allocated_size", "active_size", "requested_size"), 0))
        sums["segments"] += 1
        for field in ("total_size", "allocated_size", "active_size", "requested_size"):
            sums[field] += segment[field]
    return devices


def one(kind, folder):
    options = {"max_entries": 10_000}
    if kind == "annotations":
        options["global_record_annotations"] = True
    if kind == "host":
        options["record_pinned_host_memory"] = True
    memory._record_memory_history("all", **options)
    held = globals()[kind]()
    snapshot = memory._snapshot()
    path = os.path.join(folder, kind + ".pickle")
    with open(path, "wb") as file:
        pickle.dump(snapshot, file)
    with open(path, "rb") as plain_file, gzip.open(path + ".gz", "wb") as packed:
        packed.write(plain_file.read())
    with open(os.path.join(folder, kind + ".json"), "w", encoding="utf-8") as file:
        said = torch.cuda._memory_viz.segsum(snapshot)
        json.dump({"totals": totals(snapshot), "keys": sorted(snapshot), "segsum": said.splitlines()[:1]}, file)
    assert held


def main():
    if len(sys.argv) == 3:
        return one(sys.argv[2], sys.argv[1])
    folder = sys.argv[1]
    for kind in KINDS:
        more = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"} if kind == "expandable" else {}
        subprocess.run([sys.executable, __file__, folder, kind], env={**os.environ, **more}, check=True)
    gathered = {}
    for kind in KINDS:
        with open(os.path.join(folder, kind + ".json"), encoding="utf-8") as file:
            gathered[kind] = json.load(file)
        os.remove(os.path.join(folder, kind + ".json"))
    with open(os.path.join(folder, "totals.json"), "w", encoding="utf-8") as file:
        json.dump({"torch": torch.__version__, "snapshots": gathered}, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
