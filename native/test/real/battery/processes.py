"""Training that has children, threads and other ranks."""

import os
import sys
import tempfile
import threading

import torch
import torch.distributed
import torch.multiprocessing
from registry import digest, workload
from torch import nn

N = 64


def blocks(count=3):
    return nn.Sequential(*(nn.Sequential(nn.Linear(N, N), nn.Tanh()) for _ in range(count)))


def trained(seed, steps=2, model=None):
    """Digests of what came of it."""
    torch.manual_seed(seed)
    model = model or blocks()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(200, N)).square().mean().backward()
        optimizer.step()
    return [digest(value) for value in model.state_dict().values()]


def _spawned(rank, queue, shared):
    shared[rank] += rank + 1
    queue.put((rank, trained(rank), torch.full((200, N), float(rank)).share_memory_()))
    queue.join()


@workload(alone=True)
def spawn(tell):
    context = torch.multiprocessing.get_context("spawn")
    queue, shared = context.JoinableQueue(), torch.zeros(2, 2048).share_memory_()
    tell(*trained(7))
    children = [context.Process(target=_spawned, args=(rank, queue, shared)) for rank in range(2)]
    for child in children:
        child.start()
    found = sorted((queue.get() for _ in children), key=lambda item: item[0])
    model = blocks()
    for rank, values, received in found:
        (model(received) * received).sum().backward()
        tell(rank, *values, received, *(parameter.grad for parameter in model.parameters()))
    for _ in found:
        queue.task_done()
    for child in children:
        child.join()
    tell(shared, [child.exitcode for child in children])


def _pooled(job):
    seed, given = job
    return seed, trained(seed), given * 2


@workload(alone=True, daily=True)
def fork_pool(tell):
    tell(*trained(7))
    x = torch.randn(300, N)
    model = blocks()
    loss = (model(x) * x).sum()  # its graph waits meanwhile
    with torch.multiprocessing.get_context("fork").Pool(2) as pool:
        for seed, values, doubled in pool.map(_pooled, [(seed, x) for seed in range(4)]):
            tell(seed, *values, doubled)
    loss.backward()
    tell(*(parameter.grad for parameter in model.parameters()), *trained(8))


@workload(alone=True, daily=True)
def os_fork(tell):
    """Between forward and backward: both go on with the same graph."""
    model, x = blocks(), torch.randn(300, N)
    trained(3)
    loss = model(x).square().mean()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "child")
        child = os.fork()
        if child == 0:
            loss.backward()
            values = [digest(parameter.grad) for parameter in model.parameters()] + trained(4)
            with open(path, "w") as file:
                file.write("\n".join(values))
            os._exit(0)
        tell(os.waitpid(child, 0)[1])
        loss.backward()
        with open(path) as file:
            tell(file.read())
    tell(*(parameter.grad for parameter in model.parameters()), *trained(5))


@workload(alone=True)
def fork_in_a_fork_that_exits_as_usual(tell):
    trained(3)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        grandchild = os.fork()
        trained(4 if grandchild else 5)
        sys.exit(1 + (os.waitpid(grandchild, 0)[1] >> 8) if grandchild else 6)
    tell(os.waitpid(child, 0)[1] >> 8, *trained(6))


@workload(alone=True)
def shared_model_that_children_train(tell):
    context = torch.multiprocessing.get_context("fork")
    model = blocks().share_memory()
    for seed in range(2):  # one after the other, so that the result is one
        child = context.Process(target=trained, args=(seed, 2, model))
        child.start()
        child.join()
        tell(child.exitcode, *model.state_dict().values())
    tell(*trained(9, 2, model))


def _rank(rank, folder):
    torch.distributed.init_process_group("gloo", init_method="file://" + os.path.join(folder, "meet"), rank=rank, world_size=2)
    torch.manual_seed(1)
    model = nn.parallel.DistributedDataParallel(blocks(), bucket_cap_mb=0.05)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    torch.manual_seed(rank)
    for step in range(3):
        optimizer.zero_grad()
        with model.no_sync() if step == 1 else torch.enable_grad():
            model(torch.randn(200, N)).square().mean().backward()
        optimizer.step()
    gathered = [torch.empty(N, N) for _ in range(2)]
    torch.distributed.all_gather(gathered, model.module[0][0].weight.detach())
    with open(os.path.join(folder, "rank%d" % rank), "w") as file:
        file.write("\n".join(digest(value) for value in (*gathered, *model.state_dict().values())))
    del model  # plain PyTorch 1.13 hangs now and then where a group is gone before what reduces over it
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


def _lacks_gloo():
    distributed = torch.distributed
    return None if distributed.is_available() and getattr(distributed, "is_gloo_available", lambda: True)() else "gloo"


@workload(alone=True, daily=True, lacks=_lacks_gloo)
def distributed_data_parallel_of_two_ranks(tell):
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(_rank, args=(folder,), nprocs=2)
        for rank in range(2):
            with open(os.path.join(folder, "rank%d" % rank)) as file:
                tell(file.read())


@workload()
def threads_that_train_models_of_their_own(tell):
    found = {}
    dice = [[torch.randn(200, N) for _ in range(6)] for _ in range(3)]
    models = [blocks() for _ in dice]

    def train(number):
        optimizer = torch.optim.SGD(models[number].parameters(), 0.1)
        for x in dice[number]:
            optimizer.zero_grad()
            models[number](x).square().mean().backward()
            optimizer.step()
        found[number] = [digest(value) for value in models[number].state_dict().values()]

    threads = [threading.Thread(target=train, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tell(sorted(found.items()))


@workload(daily=True)
def threads_that_go_backward_through_one_graph(tell):
    model, x = blocks(5), torch.randn(200, N)
    y = model(x)
    found = {}

    def backward(number):
        found[number] = torch.autograd.grad(y, list(model.parameters()), torch.full_like(y, number + 1.0), retain_graph=True)

    threads = [threading.Thread(target=backward, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(4):
        tell(*found[number])


@workload()
def forward_in_one_thread_and_backward_in_another(tell):
    model, x = blocks(), torch.randn(200, N)
    losses = []
    for call in (lambda: losses.append(model(x).square().mean()), lambda: losses[0].backward()):
        thread = threading.Thread(target=call)
        thread.start()
        thread.join()
    del losses[:]
    tell(*(parameter.grad for parameter in model.parameters()))


@workload(alone=True)
def loaders_that_are_left_in_the_middle(tell):
    from training import Cnn, Pictures, picture_loss

    model = Cnn()
    for context in ("fork", "spawn"):
        loader = torch.utils.data.DataLoader(Pictures(), 16, num_workers=1, multiprocessing_context=context, prefetch_factor=2)
        for number, batch in enumerate(loader):
            picture_loss(model, batch).backward()
            if number == 2:
                break
    tell(*(parameter.grad for parameter in model.parameters()))
