"""An allocator of blocks of whole MiB in one segment each. Numbers are those that PyTorch's statistics have."""

import os
import pickle

import torch

MIB = 1 << 20
blocks, cached, counts = {}, {}, {"allocated": 0, "freed": 0, "segments": 0, "ooms": 0, "retries": 0, "gone": 0}
peak, next_address, history = [0, 0], 0x7F0000000000, []
looks = []  # at each snapshot of the blocks: whether with traces


def allocate(size):
    global next_address
    room = -(-size // MIB) * MIB
    address = next((a for a, n in cached.items() if n == room), None)
    if address is None:
        address, next_address = next_address, next_address + room
        counts["segments"] += 1
    else:
        del cached[address]
    blocks[address] = (room, size)
    counts["allocated"] += 1
    peak[0] = max(peak[0], sum(n for n, _ in blocks.values()))
    peak[1] = max(peak[1], peak[0] + sum(cached.values()))
    return address


def free(address):
    cached[address] = blocks.pop(address)[0]
    counts["freed"] += 1


def empty():
    counts["gone"] += len(cached)
    cached.clear()


def _figure(current, highest=0, **more):
    figure = dict({"current": current, "peak": max(current, highest), "allocated": 0, "freed": 0}, **more)
    return {"all": figure, "large_pool": figure, "small_pool": dict.fromkeys(figure, 0)}


def stats(device):
    if os.environ.get("FAKE_STATS") == "fail":
        raise RuntimeError("no figures")
    if device != 0:
        return {"reserved_bytes": _figure(0)}
    allocated, held = sum(n for n, _ in list(blocks.values())), sum(list(cached.values()))
    return {
        "allocation": _figure(len(blocks), allocated=counts["allocated"], freed=counts["freed"]),
        "segment": _figure(len(blocks) + len(cached), allocated=counts["segments"], freed=counts["gone"]),
        "allocated_bytes": _figure(allocated, peak[0]), "active_bytes": _figure(allocated, peak[0]),
        "reserved_bytes": _figure(allocated + held, peak[1]), "requested_bytes": _figure(sum(n for _, n in list(blocks.values()))),
        "inactive_split_bytes": _figure(0), "num_ooms": counts["ooms"], "num_alloc_retries": counts["retries"],
    }  # fmt: skip


def snapshot():
    held = [(a, room, size, "active_allocated") for a, (room, size) in list(blocks.items())]
    held += [(a, room, 0, "inactive") for a, room in list(cached.items())]
    return [
        {"device": 0, "address": a, "total_size": room, "stream": 0, "segment_type": "large",
         "blocks": [{"address": a, "size": room, "requested_size": size, "state": state}]}
        for a, room, size, state in held
    ]  # fmt: skip


def _record_memory_history(enabled="all", max_entries=1, stacks="all"):
    history.append((enabled, max_entries))
    torch._C.history = enabled is not None


if torch.VERSION < (2, 1):

    def _record_memory_history(enabled, trace_alloc_max_entries=1, trace_alloc_record_context=False):  # noqa: F811
        history.append((enabled, trace_alloc_max_entries))
        torch._C.history = enabled


def _snapshot(device=None):
    traces = [[{"action": "alloc"}] if torch._C.history else []]
    return snapshot() if torch.OLD else {"segments": snapshot(), "device_traces": traces}


def _dump_snapshot(path):
    with open(path, "wb") as file:
        pickle.dump(_snapshot(), file)
