"""What scripts ask of PyTorch about memory, and what happens when it runs out."""

import gc
import os

import told
from registry import MIB, case


def torch_here():
    import torch

    return torch


def block(megabytes):
    return torch_here().empty(int(megabytes * MIB), dtype=torch_here().uint8, device="cuda")


def some_work():
    import models

    return models.train(models.transformer(), steps=2)


# What each function of torch.cuda.memory is called with; those without arguments are not here.
ARGUMENTS = {
    "caching_allocator_alloc": lambda: (MIB,), "set_per_process_memory_fraction": lambda: (0.9,),
    "caching_allocator_enable": lambda: (True,),
}  # fmt: skip
ELSEWHERE = {"caching_allocator_delete", "change_current_allocator", "MemPool", "use_mem_pool", "CUDAPluggableAllocator"}


@case(cuda=True, quick=True)
def every_function(t):
    """All that torch.cuda.memory gives to scripts, by its own list: a new one is called, too."""
    memory = torch_here().cuda.memory
    some_work()
    for name in sorted(set(memory.__all__) - ELSEWHERE):
        if hasattr(memory, name):
            t.do(name, lambda name=name: getattr(memory, name)(*ARGUMENTS.get(name, tuple)()))
    address = memory.caching_allocator_alloc(MIB)
    t.do("caching_allocator_delete", lambda: memory.caching_allocator_delete(address))
    t.do("goes on", some_work)


@case(cuda=True)
def accelerator(t):
    """torch.accelerator's figures are those of torch.cuda."""
    torch = torch_here()
    accelerator = getattr(torch, "accelerator", None)
    if not hasattr(accelerator, "memory_allocated"):
        raise told.Skipped("no torch.accelerator.memory_allocated")
    kept = block(100)
    for name in ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"):
        t.same(name, lambda name=name: getattr(accelerator, name)() == getattr(torch.cuda, name)() > 0)
    t.same("memory_stats", lambda: accelerator.memory_stats()["requested_bytes.all.current"])
    t.same("get_memory_info", lambda: accelerator.get_memory_info() == torch.cuda.mem_get_info())
    del kept
    t.same("empty_cache", lambda: (accelerator.empty_cache(), torch.cuda.memory_reserved())[1])
    accelerator.reset_peak_memory_stats()
    t.same("reset_peak_memory_stats", accelerator.max_memory_allocated)
    t.do("reset_accumulated_memory_stats", accelerator.reset_accumulated_memory_stats)


def hash_of(names):
    import hashlib

    return "%d, %s" % (len(names), hashlib.sha256(" ".join(names).encode()).hexdigest()[:8])


@case(cuda=True)
def figures(t):
    torch = torch_here()
    kept = [block(3), block(0.001), block(40)]
    t.stats("statistics with blocks")
    t.same("keys", lambda: hash_of(sorted(torch.cuda.memory_stats())))
    t.same("allocated", torch.cuda.memory_allocated)
    t.same("summary", lambda: "CUDA OOMs" in torch.cuda.memory_summary() and len(torch.cuda.memory_summary().splitlines()))
    del kept[2]
    torch.cuda.reset_peak_memory_stats()
    t.same("peak after a reset", torch.cuda.max_memory_allocated)
    t.stats("statistics after a reset")
    torch.cuda.empty_cache()
    t.same("left on the device", lambda: torch.cuda.mem_get_info()[1])
    t.stats()


@case(cuda=True)
def accumulated(t):
    torch = torch_here()
    some_work()
    torch.cuda.reset_accumulated_memory_stats()
    kept = block(5)
    t.same("allocated since", lambda: torch.cuda.memory_stats()["allocated_bytes.all.allocated"])
    t.stats()
    assert kept is not None


def fill(kept, megabytes):
    while True:
        kept.append(block(megabytes))


@case(cuda=True, quick=True, capacity=1024 * MIB)
def out_of_memory(t):
    torch, kept = torch_here(), []
    t.raises("raises", lambda: fill(kept, 100))
    t.same("how many fit", lambda: len(kept))
    t.same("is torch.OutOfMemoryError", lambda: is_out_of_memory(torch, lambda: fill(kept, 100)))
    t.same("says how much", lambda: "Tried to allocate 100.00 MiB" in text_of(lambda: fill(kept, 100)))
    t.same("num_ooms", lambda: torch.cuda.memory_stats()["num_ooms"])
    t.stats("statistics when full")
    kept.clear()
    t.do("goes on", some_work)
    t.same("the same again", lambda: how_many_fit(100))
    t.stats()


def text_of(act):
    try:
        act()
    except RuntimeError as error:
        return str(error)
    return ""


def is_out_of_memory(torch, act):
    own = getattr(torch, "OutOfMemoryError", None) or torch.cuda.OutOfMemoryError
    try:
        act()
    except own:
        return True
    except RuntimeError:
        return False


def how_many_fit(megabytes):
    kept = []
    text_of(lambda: fill(kept, megabytes))
    number = len(kept)
    kept.clear()
    gc.collect()
    return number


@case(cuda=True, capacity=512 * MIB)
def out_of_memory_in_backward(t):
    torch = torch_here()
    layers = torch.nn.Sequential(*[torch.nn.Linear(2048, 2048) for _ in range(6)]).cuda()

    def step(rows):
        torch.nn.functional.gelu(layers(torch.empty(rows, 2048, device="cuda"))).sum().backward()
        return True

    t.raises("raises", lambda: step(1 << 15))
    gc.collect()
    t.do("a smaller batch", lambda: step(256))
    t.same("found by halving", lambda: by_halving(step, 1 << 15))


def by_halving(step, rows):
    """What accelerate's find_executable_batch_size and many scripts do."""
    while rows:
        try:
            step(rows)
            return rows
        except RuntimeError as error:
            if "out of memory" not in str(error):
                raise
            rows //= 2
            gc.collect()
            torch_here().cuda.empty_cache()


@case(cuda=True, capacity=1024 * MIB)
def num_oom_rejections(t):
    """Of 2.14's statistics: those of requests that another kind of limit refused."""
    torch = torch_here()
    block(1)
    t.same("is there", lambda: "num_oom_rejections" in torch.cuda.memory_stats())
    t.same("is none", lambda: torch.cuda.memory_stats()["num_oom_rejections"])


@case(cuda=True, capacity=1024 * MIB, quick=True)
def fraction(t):
    torch = torch_here()
    t.same("at first", lambda: torch.cuda.get_per_process_memory_fraction())
    t.do("set", lambda: torch.cuda.set_per_process_memory_fraction(0.5))
    t.same("get", lambda: torch.cuda.get_per_process_memory_fraction())
    t.same("how many fit", lambda: how_many_fit(100))
    t.do("set another", lambda: torch.cuda.set_per_process_memory_fraction(0.25, 0))
    t.same("get another", lambda: torch.cuda.get_per_process_memory_fraction(0))
    t.do("set to all", lambda: torch.cuda.set_per_process_memory_fraction(1.0))
    t.same("how many fit then", lambda: how_many_fit(100))
    t.raises("set to too much", lambda: torch.cuda.set_per_process_memory_fraction(1.5))


@case(cuda=True, capacity=512 * MIB)
def tight(t):
    """Blocks come and go where there is hardly room: as many fit as in stock, or more. None of the small pool, which with the
    optimisation off may be served from the large one before it fails (docs/allocator.md)."""
    import random

    torch, numbers, failed = torch_here(), random.Random(7), 0
    live = []
    for _ in range(3000):
        if len(live) > 70:
            live.pop(numbers.randrange(len(live)))
        size = numbers.choice((3, 4, 6, 9, 12)) * numbers.uniform(0.5, 1.5)
        try:
            live.append(block(size))
        except RuntimeError:
            failed += 1
            live.pop(numbers.randrange(len(live)))
    t.most("requests that failed", failed)
    t.stats(apart="num_sync_all_streams")
    live.clear()
    torch.cuda.empty_cache()
    t.same("nothing left", torch.cuda.memory_reserved)


@case(cuda=True, said=("lacuna: CUDA memory stays with PyTorch's own allocator",))
def history(t):
    """Asked for before the first tensor, it starts PyTorch's own allocator."""
    recorded(t)


@case(cuda=True)
def history_of_what_runs(t):
    block(1)
    recorded(t)


def recorded(t):
    memory = torch_here().cuda.memory
    t.do("record", lambda: memory._record_memory_history())
    kept = block(20)
    t.same("snapshot", lambda: sorted(memory._snapshot()))
    t.same("finds the block", lambda: any(b["size"] == 20 * MIB for s in memory._snapshot()["segments"] for b in s["blocks"]))
    t.same("with its stack", lambda: any(b["frames"] for s in memory._snapshot()["segments"] for b in s["blocks"] if b["size"] == 20 * MIB))
    del kept
    t.same("traced", lambda: traced(memory._snapshot(), 20 * MIB))
    kept = block(10)
    path = os.path.join(os.environ["TMPDIR"], "snapshot.pickle")
    t.same("dump", lambda: (memory._dump_snapshot(path), os.path.getsize(path) > 1000)[1])
    t.do("stop", lambda: memory._record_memory_history(enabled=None))
    t.same("segments", lambda: len(memory.memory_snapshot()) > 0)
    assert kept is not None


def traced(snapshot, size):
    """What befell blocks of one size, and whether it is known where each was asked for."""
    return [(e["action"], bool(e["frames"])) for e in snapshot["device_traces"][0] if e["size"] == size and not e["action"].startswith("segment")]


@case(cuda=True)
def history_begun_again(t):
    """With other stacks, while it is on: what was recorded before stays."""
    memory = torch_here().cuda.memory
    block(1)
    for size, context in ((20, "all"), (21, None), (22, "all")):
        t.do("record for %d" % size, lambda context=context: memory._record_memory_history(context=context, stacks="python"))
        block(size)
    for size in (20, 21, 22):
        t.same("traced %d" % size, lambda size=size: traced(memory._snapshot(), size * MIB))


@case(cuda=True, capacity=512 * MIB)
def observer(t):
    torch, seen = torch_here(), []
    block(1)
    t.do("attach", lambda: torch._C._cuda_attach_out_of_memory_observer(lambda *figures: seen.append(figures)))
    text_of(lambda: block(1000))
    t.same("calls", lambda: len(seen))


@case(cuda=True)
def storages(t):
    torch = torch_here()
    kept = torch.empty(MIB, device="cuda")
    t.do("shrink", lambda: kept.untyped_storage().resize_(0))
    t.do("grow", lambda: kept.untyped_storage().resize_(16 * MIB))
    t.same("deepcopy", lambda: __import__("copy").deepcopy(torch.ones(5, device="cuda")).shape)
    t.do("an empty one", lambda: torch.empty(0, device="cuda"))
    t.same("of the CPU and back", lambda: torch.arange(5000).cuda().cpu().sum().item())
    t.same("pinned", lambda: torch.arange(5000).pin_memory().cuda(non_blocking=True).cpu().sum().item())
    t.stats()


@case(cuda=True, setting={"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"})
def uncached(t):
    torch = torch_here()
    t.do("a block", lambda: block(5))
    t.do("work", some_work)
    t.do("free", torch.cuda.empty_cache)


@case(cuda=True, setting={"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True", "PYTORCH_ALLOC_CONF": "expandable_segments:True"})
def expandable_segments(t):
    torch = torch_here()
    t.do("work", some_work)
    t.same("how many fit", lambda: how_many_fit(512))
    t.do("empty", torch.cuda.empty_cache)


@case(cuda=True)
def backend(t):
    torch = torch_here()
    t.same("name", torch.cuda.get_allocator_backend)
    block(1)
    t.do("settings", lambda: getattr(torch._C, "_accelerator_setAllocatorSettings", torch.cuda.memory._set_allocator_settings)("garbage_collection_threshold:0.8"))
