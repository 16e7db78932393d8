"""Trains on memory that is not the agent's; prints one line a kind: how it is called, and losses, gradients and inputs to the bit.

foreign_workloads.py [--hold]
--hold  after the first half of each kind's steps waits for a line on stdin
"""

import hashlib
import os
import sys
import tempfile

import numpy
import torch
import torch.multiprocessing
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torch.utils.dlpack import from_dlpack, to_dlpack

ROWS, WIDTH, STEPS = 512, 384, 4  # 768 KiB a batch


class Pictures(Dataset):
    def __len__(self):
        return ROWS * STEPS

    def __getitem__(self, number):
        return torch.arange(WIDTH, dtype=torch.float32).add_(number).mul_(0.37).sin_()


def filled(step):
    return numpy.random.default_rng(step).standard_normal((ROWS, WIDTH)).astype(numpy.float32)


def loaded():
    """A batch that workers collate lies in shared memory."""
    for batch in DataLoader(Pictures(), ROWS, num_workers=2):
        assert batch.is_shared()
        yield batch


def kept_workers():
    """The same as views, each batch while the next is prefetched, from workers that stay."""
    for batch in DataLoader(Pictures(), ROWS, num_workers=1, persistent_workers=True, prefetch_factor=2):
        yield batch.view(WIDTH, ROWS).t()


def from_numpy():
    for step in range(STEPS):
        yield torch.from_numpy(filled(step))


def of_a_buffer():
    for step in range(STEPS):
        yield torch.frombuffer(bytearray(filled(step).tobytes()), dtype=torch.float32).view(ROWS, WIDTH)


def mapped():
    """A file, mapped by PyTorch and by numpy by turns, for reading and to be written back."""
    with tempfile.TemporaryDirectory() as folder:
        for step in range(STEPS):
            path = os.path.join(folder, "batch%d" % step)
            filled(step).tofile(path)
            if step % 2:
                yield torch.from_file(path, shared=step > 2, size=ROWS * WIDTH, dtype=torch.float32).view(ROWS, WIDTH)
            else:
                yield torch.from_numpy(numpy.memmap(path, numpy.float32, "r+" if step else "c", shape=(ROWS, WIDTH)))


def by_dlpack():
    """Of numpy's memory, and of the agent's under another storage."""
    for step in range(STEPS):
        if step % 2:
            yield from_dlpack(to_dlpack(torch.from_numpy(filled(step)) * 2))
        else:
            yield torch.from_dlpack(filled(step))


def shared():
    for step in range(STEPS):
        batch = torch.from_numpy(filled(step)) * 1
        yield batch.share_memory_()


def _send(queue, over):
    for step in range(STEPS):
        queue.put(torch.from_numpy(filled(step)) * 3)
    over.wait()


def received():
    """Tensors that another process made."""
    context = torch.multiprocessing.get_context("fork")
    queue, over = context.Queue(), context.Event()
    sender = context.Process(target=_send, args=(queue, over), daemon=True)
    sender.start()
    for _ in range(STEPS):
        yield queue.get()
    over.set()
    sender.join()


def refilled():
    """One array of numpy's, written anew for each step once its backward is over."""
    array = filled(0)
    batch = torch.from_numpy(array)
    for step in range(STEPS):
        array[:] = filled(step)
        yield batch


KINDS = (loaded, kept_workers, from_numpy, of_a_buffer, mapped, by_dlpack, shared, received, refilled)


def train(kind, hold):
    torch.manual_seed(5)
    model = nn.Sequential(*(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh()) for _ in range(3)))
    whole, losses = hashlib.sha256(), []
    for step, batch in enumerate(kind()):
        if hold and step == STEPS // 2:
            print("half of", kind.__name__, flush=True)
            sys.stdin.readline()
        model.zero_grad()
        loss = (model(batch) * batch).square().mean()  # saved by a layer, and after the model
        loss.backward()
        losses.append(loss.item().hex())
        for tensor in (batch, *(weight.grad for weight in model.parameters())):
            whole.update(tensor.contiguous().numpy().tobytes())
    print(kind.__name__, *losses, whole.hexdigest(), flush=True)


def swapped():
    """Bytes that left so far; nothing without an agent."""
    try:
        import lacuna

        return lacuna.swap_stats("cpu")["swapped_out_bytes"]
    except (ImportError, LookupError):
        return None


def main():
    hold = sys.argv[1:] == ["--hold"]
    for kind in KINDS:
        train(kind, hold)
    left = swapped()
    if left is not None:
        print("swapped", left, flush=True)


if __name__ == "__main__":
    main()
