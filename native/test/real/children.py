"""Tensors in child processes: loaders by fork and spawn, queues, shared weights, a bare fork. Prints one JSON line."""

import json
import os

import torch
import torch.multiprocessing as multiprocessing
from torch.utils.data import DataLoader, Dataset


class Noise(Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, index):
        torch.manual_seed(index)
        return torch.randn(48, 48).matmul(torch.randn(48, 48))


def send(queue, rank):
    queue.put(torch.ones(256, 256) * rank)
    torch.randn(100).sum()


def nudge(rank, model):
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(5):
        optimizer.zero_grad()
        (model(torch.full((8, 16), 0.1 * rank)) ** 2).mean().backward()
        optimizer.step()


def load(method):
    loader = DataLoader(Noise(), batch_size=4, num_workers=2, multiprocessing_context=method)
    return sum(batch.sum().item() for batch in loader).hex()


def queue_sum(method):
    context = multiprocessing.get_context(method)
    queue, release = context.Queue(), context.Event()
    children = [context.Process(target=send_and_wait, args=(queue, rank, release)) for rank in range(2)]
    for child in children:
        child.start()
    total = sum(queue.get().sum().item() for _ in children)
    release.set()
    for child in children:
        child.join()
    return [total, [child.exitcode for child in children]]


def send_and_wait(queue, rank, release):
    send(queue, rank)
    release.wait(20)


def bare_fork():
    kept = torch.arange(10000.0)
    child = os.fork()
    if child == 0:
        own = [torch.randn(1000) for _ in range(200)]
        same = kept.sum().item() == 49995000.0
        kept.fill_(-1)
        del own
        os._exit(0 if same else 1)
    status = os.waitpid(child, 0)[1]
    return [status, kept.sum().item()]


def shared_weights():
    model = torch.nn.Linear(16, 1)
    model.share_memory()
    before = model.weight.clone()
    child = multiprocessing.get_context("spawn").Process(target=nudge, args=(1, model))
    child.start()
    child.join()
    return [child.exitcode, bool((model.weight != before).any())]


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    result = {"fork": load("fork"), "spawn": load("spawn")}
    result["queues"] = [queue_sum("fork"), queue_sum("spawn")]
    result["shared"] = shared_weights()
    result["bare"] = bare_fork()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
