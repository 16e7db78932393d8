"""Streams, events, threads and several devices."""

import threading

from registry import MIB, case


def empty(megabytes, device="cuda"):
    import torch

    return torch.empty(int(megabytes * MIB), dtype=torch.uint8, device=device)


@case(cuda=True, quick=True)
def record_stream(t):
    import torch

    one, other = torch.cuda.Stream(), torch.cuda.Stream(priority=-1)

    def life():
        for number in range(200):
            kept = empty(1 + number % 7)
            with torch.cuda.stream(one):
                one.wait_stream(torch.cuda.current_stream())
                made = empty(2)
                kept.record_stream(one)
            del kept
            with torch.cuda.stream(other):
                other.wait_stream(one)
                made.record_stream(other)
                empty(0.7)
            del made
        torch.cuda.synchronize()

    t.do("life", life)
    t.same("allocated", torch.cuda.memory_allocated)
    t.stats(apart="requested_bytes")
    t.same("given back", lambda: (torch.cuda.empty_cache(), torch.cuda.memory_reserved())[1])


@case(cuda=True, said=("lacuna: CUDA memory stays with PyTorch's own allocator",))
def prefetch(t):
    """Pinned memory before the first tensor on the device has PyTorch start CUDA from within, past the agent."""
    import torch

    side, event = torch.cuda.Stream(), torch.cuda.Event(enable_timing=True)
    host = torch.arange(1 << 18).pin_memory()

    def life():
        for _ in range(20):
            with torch.cuda.stream(side):
                there = host.to("cuda", non_blocking=True)
                event.record(side)
            torch.cuda.current_stream().wait_event(event)
            there.record_stream(torch.cuda.current_stream())
        return there.cpu().sum().item()

    t.same("what came", life)
    t.same("time passes", lambda: event.elapsed_time(event))
    t.stats(apart="requested_bytes")


@case(cuda=True)
def external_stream(t):
    import torch

    made = torch.cuda.Stream()
    external = torch.cuda.ExternalStream(made.cuda_stream)

    def use():
        with torch.cuda.stream(external):
            return empty(20).shape

    t.same("use", use)
    t.stats()


@case(cuda=True)
def threads(t):
    import torch

    wrong = []

    def work(number):
        try:
            with torch.cuda.stream(torch.cuda.Stream()):
                for step in range(300):
                    empty((number + 1) * 0.1 + step * 0.01)
        except RuntimeError as error:
            wrong.append(str(error))

    def run():
        workers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return wrong

    t.same("wrong", run)
    torch.cuda.synchronize()
    t.same("allocated", torch.cuda.memory_allocated)


@case()
def freed_elsewhere(t):
    import torch
    from told import DEVICE

    kept = [torch.ones(1 << 18, device=DEVICE) for _ in range(20)]
    thread = threading.Thread(target=kept.clear)
    thread.start()
    thread.join()
    t.stats()


def how_it_ends(act):
    try:
        act()
    except RuntimeError as error:
        assert "out of memory" in str(error), error
    else:
        raise AssertionError("nothing was raised")


def two_devices(t):
    import torch
    from torch import nn

    t.same("count", torch.cuda.device_count)
    here, there = torch.arange(1 << 16, device="cpu").to("cuda:0"), torch.arange(1 << 16, device="cpu").to("cuda:1")
    t.same("each has its own", lambda: [torch.cuda.memory_allocated(d) for d in range(2)])
    t.same("copied", lambda: here.to("cuda:1").cpu().sum().item())
    t.same("copied back", lambda: there.to("cuda:0", non_blocking=True).cpu().sum().item())
    t.do("a model over both", lambda: nn.Linear(64, 64).to("cuda:1")(nn.Linear(64, 64).to("cuda:0")(torch.randn(8, 64, device="cuda:0")).to("cuda:1")).sum().backward())
    t.do("DataParallel", lambda: nn.DataParallel(nn.Linear(128, 128).cuda())(torch.randn(32, 128, device="cuda")).sum().backward())
    t.same("free", lambda: [torch.cuda.mem_get_info(d)[1] for d in range(2)])

    def raised():
        with torch.cuda.device(1):
            empty(1 << 20)

    t.do("out of memory there", lambda: how_it_ends(raised))
    torch.cuda.empty_cache()
    t.stats()


@case(cuda=True, devices=2)
def devices(t):
    two_devices(t)


@case(cuda=True, devices=2, setting={"STANDIN_PEER": "1"})
def peers(t):
    two_devices(t)
