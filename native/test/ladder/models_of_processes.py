"""What runs in the children of cases; as a program, what torchrun starts."""

import torch
from told import DEVICE, Told
from torch import nn


class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        return torch.full((3, 16, 16), i)


def layers():
    torch.manual_seed(2)
    return nn.Sequential(*[nn.Linear(256, 256) for _ in range(4)])


def steps(model, optimizer=None):
    optimizer = optimizer or torch.optim.AdamW(model.parameters())
    for step in range(3):
        optimizer.zero_grad()
        model(torch.full((32, 256), float(step), device=here())).sum().backward()
        optimizer.step()
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def here():
    return torch.device(DEVICE, torch.cuda.current_device()) if DEVICE == "cuda" else torch.device("cpu")


def trains(rank, path):
    model = layers().to(DEVICE)
    steps(model)
    Told(path).bits("weights %d" % rank, *model.parameters())


def sevens(like):
    return torch.full(like.shape, 7.0)


def sends(queue, answers):
    tensor = torch.arange(1000).float().to(DEVICE)
    queue.put(tensor)
    answers.get(timeout=60)
    queue.put(tensor.cpu().sum().item())
    answers.get(timeout=60)


def joined(rank, world, backend, store):
    import torch.distributed as distributed

    if DEVICE == "cuda":
        torch.cuda.set_device(rank % torch.cuda.device_count())
    distributed.init_process_group(backend, init_method=store, rank=rank, world_size=world)
    return distributed


def data_parallel(rank, world, backend, store, path):
    distributed = joined(rank, world, backend, store)
    t = Told(path)
    model = nn.parallel.DistributedDataParallel(layers().to(here()), device_ids=[here().index] if DEVICE == "cuda" else None)
    t.do("steps %d" % rank, lambda: steps(model))
    t.bits("weights %d" % rank, *model.parameters())
    total = torch.ones(100).to(here())
    t.do("all_reduce %d" % rank, lambda: distributed.all_reduce(total))
    gathered = [torch.empty_like(total) for _ in range(world)]
    t.do("all_gather %d" % rank, lambda: distributed.all_gather(gathered, total))
    t.do("barrier %d" % rank, distributed.barrier)
    distributed.destroy_process_group()


def fully_sharded(rank, world, backend, store, path):
    distributed = joined(rank, world, backend, store)
    from torch.distributed.fsdp import FullyShardedDataParallel

    t = Told(path)
    model = t.do("wrap %d" % rank, lambda: FullyShardedDataParallel(layers(), device_id=here()))
    t.do("steps %d" % rank, lambda: steps(model))
    t.do("state %d" % rank, lambda: model.state_dict())
    distributed.destroy_process_group()


def sharded_by_layer(rank, world, backend, store, path):
    distributed = joined(rank, world, backend, store)
    t = Told(path)

    def wrapped():
        from torch.distributed.fsdp import fully_shard

        model = layers().to(here())
        for layer in model:
            fully_shard(layer)
        return fully_shard(model) or model

    model = t.do("wrap %d" % rank, wrapped)
    t.do("steps %d" % rank, lambda: steps(model))
    distributed.destroy_process_group()


def main():
    import torch.distributed as distributed

    distributed.init_process_group("gloo")
    if DEVICE == "cuda":
        torch.cuda.set_device(distributed.get_rank())
    steps(nn.parallel.DistributedDataParallel(layers().to(here())))
    distributed.destroy_process_group()


if __name__ == "__main__":
    main()
