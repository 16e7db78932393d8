"""Loaders, children, tensors between processes, and groups of them."""

import os

from registry import case
from told import DEVICE, Skipped


class _Parts:
    """What needs PyTorch, which the program that starts the workers does without."""

    def __getattr__(self, name):
        import models_of_processes

        return getattr(models_of_processes, name)


parts = _Parts()


def loader(t, way):
    import torch

    def run():
        made = torch.utils.data.DataLoader(
            parts.Numbers(), batch_size=8, num_workers=2, pin_memory=DEVICE == "cuda", multiprocessing_context=way, persistent_workers=True
        )
        return [sum(int(batch.to(DEVICE, non_blocking=True).cpu().sum()) for batch in made) for _ in range(2)]

    torch.ones(1, device=DEVICE)
    t.same("read", run)
    t.stats()


@case()
def loader_fork(t):
    loader(t, "fork")


@case()
def loader_spawn(t):
    loader(t, "spawn")


@case()
def loader_forkserver(t):
    loader(t, "forkserver")


@case()
def spawned(t):
    import torch.multiprocessing as processes

    t.do("train in two", lambda: processes.spawn(parts.trains, args=(t.path,), nprocs=2))


@case()
def forked(t):
    """A child of a process that has used the device."""
    import torch

    kept = torch.ones(1 << 20, device=DEVICE)
    child = os.fork()
    if child == 0:
        t.same("in the child, the host", lambda: torch.arange(10).sum().item())
        if DEVICE == "cuda":
            t.raises("in the child, the device", lambda: torch.ones(10, device="cuda"))
        del kept
        t.do("in the child, its parent's tensor is gone", lambda: None)
        os._exit(0)
    t.same("the child's end", lambda: os.waitpid(child, 0)[1])
    t.do("the parent goes on", lambda: kept + 1)
    t.stats()


def tensors_between(t, way):
    """Sent, read, written to, and seen by who sent them."""
    import torch.multiprocessing as processes

    context = processes.get_context(way)
    queue, answers = context.Queue(), context.Queue()
    child = context.Process(target=parts.sends, args=(queue, answers))
    child.start()
    got = t.do("got", lambda: queue.get(timeout=60))
    if got is None:
        child.terminate()
    else:
        t.same("what it holds", lambda: got.cpu().sum().item())
        t.do("written", lambda: got.copy_(parts.sevens(got)))
        answers.put("done")
        t.same("seen there", lambda: queue.get(timeout=60))
        answers.put("end")
    got = None
    child.join(60)


@case()
def tensors_between_processes(t):
    tensors_between(t, "spawn")


@case(cuda=True)
def events_between_processes(t):
    import torch

    event = torch.cuda.Event(interprocess=True)
    event.record()
    t.do("handle", event.ipc_handle)
    t.do("collect", torch.cuda.ipc_collect)


def group(t, train, backend):
    import torch
    import torch.distributed as distributed
    import torch.multiprocessing as processes

    if not distributed.is_available() or not getattr(distributed, "is_%s_available" % backend, lambda: True)():
        raise Skipped("no " + backend)
    if backend == "nccl" and DEVICE == "cpu":
        raise Skipped("no device for nccl")
    if DEVICE == "cuda":
        torch.cuda.init()
    store = "file://" + os.path.join(os.environ["TMPDIR"], "store")
    t.do("train in two", lambda: processes.spawn(train, args=(2, backend, store, t.path), nprocs=2))


@case(devices=2)
def ddp_gloo(t):
    group(t, parts.data_parallel, "gloo")


@case(devices=2, cuda=True)
def ddp_nccl(t):
    group(t, parts.data_parallel, "nccl")


@case(devices=2, cuda=True)
def fsdp_nccl(t):
    group(t, parts.fully_sharded, "nccl")


@case(devices=2, cuda=True)
def fsdp_gloo(t):
    group(t, parts.fully_sharded, "gloo")


@case(devices=2, cuda=True)
def fsdp2(t):
    group(t, parts.sharded_by_layer, "nccl")


@case(devices=2)
def torchrun(t):
    import subprocess
    import sys

    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "models_of_processes.py")
    words = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2", path]
    t.same("ends with", lambda: subprocess.run(words, stdout=subprocess.DEVNULL, timeout=200).returncode)
