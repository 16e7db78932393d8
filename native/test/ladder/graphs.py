"""CUDA graphs, by hand and by PyTorch."""

import gc

from registry import case


def model_of(width=256):
    import torch
    from torch import nn

    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width)).cuda()


def warm(model, x):
    import torch

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            model(x).sum().backward()
    torch.cuda.current_stream().wait_stream(side)
    for parameter in model.parameters():
        parameter.grad = None


@case(cuda=True, quick=True)
def capture(t):
    import torch

    model, x, kept = model_of(), torch.randn(64, 256, device="cuda"), {}
    first, second = torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
    t.do("warm up", lambda: warm(model, x))

    def captured():
        with torch.cuda.graph(first):
            kept["y"] = model(x)
            kept["y"].sum().backward()

    def shared():
        with torch.cuda.graph(second, pool=first.pool()):
            kept["z"] = model(x).detach()

    t.do("capture", captured)
    t.do("replay", lambda: [first.replay() for _ in range(3)])
    t.do("a block beside it", lambda: torch.empty(1 << 22, device="cuda"))
    t.do("in the same pool", shared)
    t.do("replay both", lambda: (first.replay(), second.replay()))
    t.same("where it writes stays", lambda: kept["y"].data_ptr() == kept["y"].data_ptr())
    t.do("empty the cache", torch.cuda.empty_cache)
    t.do("replay again", first.replay)
    kept.clear()
    t.do("reset", lambda: (second.reset(), first.reset()))
    gc.collect()
    t.do("go on", lambda: (torch.cuda.empty_cache(), model(x).sum().backward()))
    t.same("given back", lambda: torch.cuda.memory_reserved() < 64 << 20)


def broken(t, act):
    """What a capture does not allow raises, and the process goes on."""
    import torch

    model, x = model_of(), torch.randn(64, 256, device="cuda")
    warm(model, x)

    def captured():
        with torch.cuda.graph(torch.cuda.CUDAGraph()):
            act(model(x))

    t.raises("capture", captured)
    t.do("go on", lambda: model(x).sum().backward())


@case(cuda=True)
def broken_by_a_wait(t):
    import torch

    broken(t, lambda y: torch.cuda.synchronize())


@case(cuda=True)
def broken_by_a_value(t):
    broken(t, lambda y: y.sum().item())


@case(cuda=True)
def streams_in_a_capture(t):
    import torch

    model, x, side = model_of(), torch.randn(64, 256, device="cuda"), torch.cuda.Stream()
    warm(model, x)
    graph, kept = torch.cuda.CUDAGraph(), {}

    def captured():
        with torch.cuda.graph(graph):
            y = model(x)
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                z = model(y)
                y.record_stream(side)
            torch.cuda.current_stream().wait_stream(side)
            kept["z"] = z

    t.do("capture", captured)
    t.do("replay", graph.replay)


@case(cuda=True)
def freed_during_a_capture(t):
    """Blocks from before it, with and without another stream's use."""
    import torch

    model, x, side = model_of(), torch.randn(64, 256, device="cuda"), torch.cuda.Stream()
    warm(model, x)
    before = [torch.empty(1 << 20, device="cuda") for _ in range(4)]
    before[0].record_stream(side)
    graph, kept = torch.cuda.CUDAGraph(), {}

    def captured():
        with torch.cuda.graph(graph):
            before.clear()
            kept["y"] = model(x)

    t.do("capture", captured)
    t.do("replay", graph.replay)
    t.do("blocks afterwards", lambda: [torch.empty(1 << 20, device="cuda") for _ in range(8)])


@case(cuda=True)
def whole_steps(t):
    """Forward, backward and a capturable optimizer in one graph."""
    import torch

    model, x = model_of(), torch.randn(64, 256, device="cuda")
    optimizer = torch.optim.Adam(model.parameters(), capturable=True)
    warm(model, x)
    graph = torch.cuda.CUDAGraph()

    def captured():
        optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            model(x).sum().backward()
            optimizer.step()

    t.do("capture", captured)
    t.do("train", lambda: [graph.replay() for _ in range(5)])


@case(cuda=True)
def graphed_callables(t):
    import torch

    model, x = model_of(), torch.randn(64, 256, device="cuda")
    made = t.do("make", lambda: torch.cuda.make_graphed_callables(model, (x.clone().requires_grad_(),)))
    t.do("train", lambda: [made(x.clone().requires_grad_()).sum().backward() for _ in range(3)])
