"""What a request through the front costs beside PyTorch's own allocator, in one process, taken in turns; prints JSON.

front_bench.py AGENT'S-LIBRARY      with a PyTorch for CUDA, on a GPU or on stand-ins for its libraries: nothing is computed.

For each kind of requests: nanoseconds of a request and its free, native's, through the front with the optimisation off and on,
and the median of the ratios of neighbouring turns; then what native's own takes longer once it is followed (somebody watches).
"""

import ctypes
import json
import os
import statistics
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python", "lacuna"))

import torch  # noqa: E402
from front import build, identity, install  # noqa: E402

KIB, MIB = 1 << 10, 1 << 20
CUDA = 2
KINDS = {
    "one small size": ([4 * KIB], 1),
    "one large size": ([4 * MIB], 1),
    "sixteen sizes, each held for 24 requests": ([(3 + n * n) * 96 * KIB for n in range(16)], 24),
}
TURNS, ROUNDS = 31, 20000


def compiled():
    """The library of front_bench.cpp for this PyTorch."""
    who, folder = identity.of(torch), tempfile.mkdtemp(prefix="lacuna-front-bench-")
    out = os.path.join(folder, "front_bench.so")
    for standard in build.STANDARDS:
        command = [build._compiler(), *build._flags(who, standard), "-O2", "-fPIC", "-shared", os.path.join(HERE, "front_bench.cpp"), "-o", out]
        try:
            build._run(command + list(who.libraries), "front_bench.cpp does not compile")
            return ctypes.CDLL(out)
        except build.Failed as refused:
            why = refused
    sys.exit(str(why))


def main(library):
    agent_library = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
    agent_library.lacuna_process_device.restype = ctypes.c_void_p
    torch.cuda.init()
    bench = compiled()
    bench.bench_pair.restype = ctypes.c_double
    bench.bench_remember()
    install(torch, library)
    torch.empty(1, device="cuda")
    agent = ctypes.c_void_p(agent_library.lacuna_process_device(CUDA, 0))

    def turn(now, sizes, held, switch=0):
        agent_library.lacuna_set_optimisation(agent, switch, None)
        words = (ctypes.c_size_t * len(sizes))(*sizes)
        return bench.bench_pair(now, words, len(sizes), held, ROUNDS)

    def all_ways(turn, sizes, held, order):
        """Native's cache is empty after a switch: one turn is not counted. What lies where differs from turn to turn."""
        turn(0, sizes, held)
        forwarding = {now: turn(now, sizes, held) for now in ((0, 1) if order else (1, 0))}
        return forwarding[0], forwarding[1], turn(1, sizes, held, 1)

    found = {}
    for kind, (sizes, held) in KINDS.items():
        turns = [all_ways(turn, sizes, held, number % 2) for number in range(TURNS)]
        native, off, on = (statistics.median(column) for column in zip(*turns))
        found[kind] = {
            "native_ns": round(native, 1), "off_ns": round(off, 1), "on_ns": round(on, 1),
            "forwarding_ns": round(statistics.median(t[1] - t[0] for t in turns), 1),
            "on_to_native": round(statistics.median(t[2] / t[0] for t in turns), 3),
        }  # fmt: skip
    # At last, for it cannot be undone: somebody watches.
    for kind, (sizes, held) in KINDS.items():
        before = [turn(0, sizes, held) for _ in range(TURNS)]
        found[kind]["alone_ns"] = statistics.median(before)
    if agent_library.lacuna_follow(agent) != 0:
        sys.exit("the front does not follow native")
    for kind, (sizes, held) in KINDS.items():
        followed = []
        for _ in range(TURNS):
            followed.append(turn(0, sizes, held))
            agent_library.lacuna_catch_up(agent)  # or the ring is full, and no more is noted
        found[kind]["followed_ns"] = round(statistics.median(followed) - found[kind].pop("alone_ns"), 1)
    print(json.dumps({"pytorch": torch.__version__, "pairs": found}))


if __name__ == "__main__":
    main(sys.argv[1])
