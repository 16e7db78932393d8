"""Memory that is shared with numpy, files and others, that changes its size, that is nothing or very much."""

import copy
import io
import os
import tempfile
import time

import numpy
import torch
from registry import workload
from torch import nn

N = 64


def blocks(count=3):
    return nn.Sequential(*(nn.Sequential(nn.Linear(N, N), nn.Tanh()) for _ in range(count)))


def step(tell, model, x):
    model.zero_grad()
    (model(x) * x).square().mean().backward()
    tell(x, *(parameter.grad for parameter in model.parameters()))


def numbers(seed, rows=80):
    return numpy.random.default_rng(seed).standard_normal((rows, N)).astype(numpy.float32)


@workload(daily=True)
def from_numpy(tell):
    model = blocks()
    for rows in (80, 2048):
        array = numbers(rows, rows)
        for number in range(2):
            step(tell, model, torch.from_numpy(array))
            array += number
    step(tell, model, torch.from_numpy(numbers(1)[::2].copy()).repeat(2, 1))
    tell(array.tobytes())


@workload(daily=True)
def to_numpy(tell):
    """Views of the agent's memory, written by numpy, and made a tensor again under another storage."""
    model, x = blocks(), torch.randn(80, N)
    view = x.numpy()
    for number in range(2):
        step(tell, model, x)
        view[number] = 7
        step(tell, model, torch.from_numpy(view))
    del x
    step(tell, model, torch.from_numpy(view * 2))
    y = torch.from_numpy(view)
    loss = model(y).sum()
    view += 1  # past autograd, before backward
    loss.backward()
    tell(y, *(parameter.grad for parameter in model.parameters()))


def _lacks_resizable():
    return None if hasattr(torch.UntypedStorage, "resizable") else "UntypedStorage.resizable"


@workload(lacks=_lacks_resizable)
def numpy_writes_to_what_nothing_else_holds(tell):
    """The agent's memory, saved under numpy's storage, which nobody has any more but the graph."""
    model, view = blocks(), torch.randn(80, N).numpy()
    for _ in range(2):
        loss = model(torch.from_numpy(view)).square().sum()
        time.sleep(0.1)  # in which a copy would have left
        model(torch.randn(80, N))
        view += 1
        loss.backward()
        tell(view.tobytes(), *(parameter.grad for parameter in model.parameters()))


@workload()
def arrays_and_buffers(tell):
    model = blocks()
    step(tell, model, torch.frombuffer(bytearray(numbers(2).tobytes()), dtype=torch.float32).view(80, N))
    step(tell, model, torch.as_tensor(numbers(3)))
    step(tell, model, torch.tensor(numbers(4).tolist()))
    step(tell, model, torch.from_dlpack(numbers(5)))
    step(tell, model, torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(torch.from_numpy(numbers(6)) + 1)))


@workload(daily=True)
def memory_maps(tell):
    model = blocks()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "numbers")
        numbers(3, 2048).tofile(path)
        for shared in (False, True):
            step(tell, model, torch.from_file(path, shared=shared, size=2048 * N, dtype=torch.float32).view(2048, N))
        for mode in ("c", "r+"):
            mapped = numpy.memmap(path, numpy.float32, mode, shape=(2048, N))
            x = torch.from_numpy(mapped)
            step(tell, model, x)
            mapped[0] = 3
            step(tell, model, x)
        del x, mapped
        with open(path, "rb") as file:
            tell(file.read())


@workload()
def shared_tensors(tell):
    model, x = blocks().share_memory(), torch.randn(2048, N).share_memory_()
    step(tell, model, x)
    y = torch.randn(2048, N)
    loss = (model(y) * y).sum()
    y.share_memory_()  # moves what was saved
    loss.backward()
    tell(x.is_shared(), y, *(parameter.grad for parameter in model.parameters()))


@workload(daily=True)
def save_and_load(tell):
    model = blocks()
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)

    def steps(model, optimizer):
        for _ in range(2):
            optimizer.zero_grad()
            model(torch.randn(80, N)).square().mean().backward()
            optimizer.step()

    steps(model, optimizer)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "state.pt")
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "dice": torch.get_rng_state()}, path)
        for old in (True, False):
            state = torch.load(path)
            other = blocks()
            other.load_state_dict(state["model"])
            its = torch.optim.Adam(other.parameters(), 1e-2)
            its.load_state_dict(state["optimizer"])
            torch.set_rng_state(state["dice"])
            steps(other, its)
            tell(*other.state_dict().values())
            torch.save(state, path, _use_new_zipfile_serialization=old)
    loss = model(torch.randn(80, N)).sum()  # with a graph that waits
    for whole in (copy.deepcopy(model), _through_a_file(model)):
        step(tell, whole, torch.randn(80, N))
    loss.backward()
    tell(*(parameter.grad for parameter in model.parameters()))


def _through_a_file(model):
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    try:
        return torch.load(file, weights_only=False)
    except TypeError:  # before 1.13
        return torch.load(file)


def _untyped(tensor):
    return tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage().untyped()


@workload(daily=True)
def storages_that_are_resized(tell):
    """As sharded training frees and fills again what layers save."""
    gathered = torch.empty(80 * N)
    values = torch.randn(80 * N)

    class Gathers(nn.Module):
        def forward(self, x):
            _untyped(gathered).resize_(values.numel() * 4)
            gathered.data.copy_(values)
            return x * gathered.view(80, N)

    class Frees(nn.Module):
        def forward(self, x):
            _untyped(gathered).resize_(0)
            return x + 1

    model = nn.Sequential(nn.Linear(N, N), Gathers(), nn.Tanh(), Frees(), nn.Linear(N, N))
    for _ in range(2):
        loss = model(torch.randn(80, N)).square().mean()
        _untyped(gathered).resize_(values.numel() * 4)
        gathered.data.copy_(values)
        loss.backward()
    tell(*(parameter.grad for parameter in model.parameters()))
    x = torch.randn(80, N)
    x.resize_(200, N)[80:] = 0
    step(tell, blocks(), x)
    y = torch.randn(40, N)
    y.set_(x)
    y.data = torch.ones(80, N)
    step(tell, blocks(), y)


@workload(daily=True)
def tensors_of_nothing(tell):
    model = blocks()
    for rows in (0, 80, 0):
        step(tell, model, torch.randn(rows, N))
    empty = torch.empty(0, 3, requires_grad=True)
    nn.Sequential(nn.Linear(3, 0), nn.Tanh())(empty).sum().backward()
    tell(empty.grad, torch.cat([empty, torch.ones(1, 3)]), torch.empty(0).sum(), torch.zeros(0, N) @ torch.zeros(N, 0))


@workload()
def a_very_large_tensor(tell):
    """256 MiB, of which views are saved, and more than any machine has."""
    whole = torch.zeros(64 << 20)
    whole[::4096] = 2.5

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(torch.full((1,), 1.5))

        def forward(self, x):
            return (x * self.scale)[::4096].square()

    model = Model()
    loss = model(whole).sum()
    loss.backward()
    tell(loss, model.scale.grad)
    for size in (1 << 45, 1 << 60):
        try:
            torch.empty(size)
        except RuntimeError as error:
            tell(isinstance(error, RuntimeError))
    model(whole).sum().backward()
    tell(model.scale.grad)


@workload()
def views_and_types_of_all_kinds(tell):
    class Keep(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, *kept):
            ctx.save_for_backward(*kept)
            return x * 1

        @staticmethod
        def backward(ctx, gradient):
            kept = ctx.saved_tensors
            tell(*kept)
            tell(*((tensor.dtype, tensor.stride(), tensor.storage_offset()) for tensor in kept))
            return (gradient, *(None for _ in kept))

    class Model(nn.Module):
        def forward(self, x):
            whole = torch.randn(128, 128)
            kept = (
                whole.t(), whole[5:90:3, ::2], whole.as_strided((70, 30), (128, 3), 77), whole[3].expand(96, -1), whole.double(),
                whole.bfloat16()[::2], whole.to(torch.complex64).t(), whole > 0, whole.half().t(), whole.reshape(2, 8, 32, 32).to(memory_format=torch.channels_last),
                whole.long(), (whole * 100).to(torch.uint8), (whole * 100).to(torch.int16), whole.view(torch.int32),
            )  # fmt: skip
            return Keep.apply(x, *(tensor.detach() for tensor in kept))

    model = nn.Sequential(Model(), Model())
    x = torch.ones(4, requires_grad=True)
    model(x).sum().backward()
    tell(x.grad)
