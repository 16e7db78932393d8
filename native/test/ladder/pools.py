"""Pools of a user's own."""

import gc

import told
from registry import MIB, case


def pool_of(t, *arguments):
    import torch

    if not hasattr(torch.cuda, "MemPool"):
        raise told.Skipped("no MemPool")
    torch.empty(1, device="cuda")
    return t.do("make", lambda: torch.cuda.MemPool(*arguments))


@case(cuda=True)
def mem_pool(t):
    import torch

    pool = pool_of(t)

    def use():
        with torch.cuda.use_mem_pool(pool):
            return [torch.empty(20 * MIB, dtype=torch.uint8, device="cuda") for _ in range(3)]

    kept = t.do("use", use)
    t.do("use again", use)
    t.same("snapshot", lambda: len(pool.snapshot()) > 0)
    t.same("its users", lambda: pool.use_count())
    assert kept is None or len(kept) == 3
    kept = pool = None
    gc.collect()
    t.same("given back", lambda: (torch.cuda.empty_cache(), torch.cuda.memory_reserved() < 10 * MIB)[1])


@case(cuda=True)
def pool_of_a_graph(t):
    import torch

    handle = torch.cuda.graph_pool_handle()
    graphs = [torch.cuda.CUDAGraph() for _ in range(3)]

    def capture(graph):
        with torch.cuda.graph(graph, pool=handle):
            return torch.empty(5 * MIB, dtype=torch.uint8, device="cuda").add_(1)

    kept = t.do("capture", lambda: [capture(graph) for graph in graphs])
    t.do("replay", lambda: [graph.replay() for graph in graphs])
    assert kept is None or len(kept) == 3


@case(cuda=True, said=("lacuna: CUDA memory stays with the allocator that the script has installed",))
def own_allocator(t):
    """A script that brings one: it stays where it is, and its memory too."""
    import ctypes

    import torch

    memory = torch.cuda.memory
    if not hasattr(memory, "CUDAPluggableAllocator"):
        raise told.Skipped("no CUDAPluggableAllocator")
    source = own_library()
    t.do("install", lambda: memory.change_current_allocator(memory.CUDAPluggableAllocator(source, "own_malloc", "own_free")))
    kept = t.do("a block", lambda: torch.empty(5 * MIB, dtype=torch.uint8, device="cuda"))
    t.same("is its own", lambda: ctypes.CDLL(source).own_blocks())
    assert kept is not None


def own_library():
    import os
    import subprocess

    text = """
        extern int cudaMalloc(void **, unsigned long), cudaFree(void *);
        static int blocks;
        int own_blocks(void) { return blocks; }
        void *own_malloc(unsigned long n, int d, void *s) { void *p = 0; (void)d, (void)s; blocks++; cudaMalloc(&p, n); return p; }
        void own_free(void *p, unsigned long n, int d, void *s) { (void)n, (void)d, (void)s; blocks--; cudaFree(p); }
    """
    path = os.path.join(os.environ["TMPDIR"], "own.so")
    subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", path], input=text.encode(), check=True)
    return path
