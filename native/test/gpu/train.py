"""A small GPT, or a ResNet, that trains for some steps and tells, in one line of JSON, what its memory came to.

Run by day.py once per allocator; which one serves is decided outside: PyTorch's own, its expandable segments
(PYTORCH_CUDA_ALLOC_CONF), or Lacuna (python3 -m lacuna). The same seed gives the same batches, so the losses of all of
them must agree.
"""

import argparse
import ctypes
import json
import os
import statistics
import time

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def attend(self, x):
        batch, length, width = x.shape
        q, k, v = (p.view(batch, length, self.heads, -1).transpose(1, 2) for p in self.qkv(x).chunk(3, dim=-1))
        scores = q @ k.transpose(-2, -1) / (width // self.heads) ** 0.5
        mask = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        weights = scores.masked_fill(mask, float("-inf")).softmax(-1)
        return self.out((weights @ v).transpose(1, 2).reshape(batch, length, width))

    def forward(self, x):
        x = x + self.attend(self.before(x))
        return x + self.mlp(self.after(x))


class Gpt(nn.Module):
    def __init__(self, vocabulary, longest, width, layers, heads):
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, width), nn.Embedding(longest, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class Residual(nn.Module):
    def __init__(self, inside, outside, stride):
        super().__init__()
        self.path = nn.Sequential(
            nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(),
            nn.Conv2d(outside, outside, 3, 1, 1, bias=False), nn.BatchNorm2d(outside),
        )  # fmt: skip
        self.short = nn.Identity() if stride == 1 and inside == outside else nn.Conv2d(inside, outside, 1, stride, bias=False)

    def forward(self, x):
        return nn.functional.relu(self.path(x) + self.short(x))


def resnet(width):
    """Eighteen layers deep, as in the first paper; its widths begin with this one."""
    blocks, inside = [nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(3, 2, 1)], width
    for stage in range(4):
        for number in range(2):
            blocks.append(Residual(inside, width << stage, 2 if stage > 0 and number == 0 else 1))
            inside = width << stage
    return nn.Sequential(*blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inside, 1000))


def losses(options, device, random):
    """For each step, the losses of its micro-batches, which are computed as they are asked for; and the model."""
    if options.workload == "resnet":
        model = resnet(max(8, options.width // 16)).to(device)

        def images():
            pictures = torch.randn(4 * options.batch, 3, 224, 224, generator=random).to(device)
            kinds = torch.randint(0, 1000, (4 * options.batch,), generator=random).to(device)
            yield nn.functional.cross_entropy(model(pictures), kinds)

        return model, images
    model = Gpt(8192, options.length, options.width, options.layers, options.width // 64).to(device)

    def texts():
        for length in lengths(options.workload, options.length, random):
            tokens = torch.randint(0, 8192, (options.batch, length + 1), generator=random).to(device)
            logits = model(tokens[:, :-1])
            yield nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())

    return model, texts


def lengths(workload, longest, random):
    """The sequence lengths of one step's micro-batches."""
    if workload == "fixed":
        return [longest]
    if workload == "variable":
        return [int(torch.randint(longest // 16, longest, (1,), generator=random))]
    return [longest * (2 + int(torch.randint(0, 3, (1,), generator=random))) // 4 for _ in range(4)]


def lacuna_counters(names):
    """Lacuna's own counters of the first GPU, None under another allocator."""
    if "LACUNA_LIBRARY" not in os.environ:
        return None

    class Field(ctypes.Structure):
        _fields_ = [("name", ctypes.c_char_p), ("offset", ctypes.c_uint32), ("size", ctypes.c_uint32)]

    library = ctypes.CDLL(os.environ["LACUNA_LIBRARY"])
    library.lacuna_layout.restype = ctypes.POINTER(Field)
    library.lacuna_process_device.restype = ctypes.c_void_p
    agent = library.lacuna_process_device(2, 0)
    if not agent:
        return None
    fields, entry = {}, 0
    layout = library.lacuna_layout()
    while layout[entry].name:
        fields[layout[entry].name.decode()] = layout[entry].offset
        entry += 1
    record = ctypes.create_string_buffer(512)
    library.lacuna_counters(ctypes.c_void_p(agent), record)
    return {n: int.from_bytes(record.raw[fields["device." + n]:][:8], "little") for n in names}


def train(options):
    torch.manual_seed(1)
    random = torch.Generator().manual_seed(2)
    device = torch.device(options.device)
    cuda = device.type == "cuda"
    if cuda and options.fraction < 1:
        torch.cuda.set_per_process_memory_fraction(options.fraction, 0)
    model, micro_batches = losses(options, device, random)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    times, loss = [], None
    for _ in range(options.steps):
        began = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        for loss in micro_batches():
            loss.backward()
        optimizer.step()
        if cuda:
            torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - began))
    result = {
        "workload": options.workload,
        "steps": options.steps,
        "loss": float(loss),
        "step_ms": statistics.median(times[min(3, len(times) - 1):]),
        "slowest_step_ms": max(times[min(3, len(times) - 1):]),
    }
    if cuda:
        result["peak_allocated_bytes"] = torch.cuda.max_memory_allocated()
        result["peak_reserved_bytes"] = torch.cuda.max_memory_reserved()
        result["total_bytes"] = torch.cuda.get_device_properties(0).total_memory
        names = ["peak_allocated_bytes", "peak_reserved_bytes", "remaps", "last_step_remaps", "retries", "swapped_out_bytes"]
        result.update(lacuna_counters(names) or {})
    return result


OUT_OF_MEMORY = ("out of memory", "unable to find an engine")  # cuDNN's words, where it gets no workspace


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workload", choices=["fixed", "variable", "accumulation", "resnet"], default="fixed")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--length", type=int, default=1024)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--fraction", type=float, default=1.0)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    try:
        print(json.dumps(train(options)))
    except RuntimeError as refused:
        if not any(words in str(refused) for words in OUT_OF_MEMORY):
            raise
        print(json.dumps({"workload": options.workload, "out_of_memory": str(refused).splitlines()[0]}), flush=True)
        # PyTorch itself aborts now and then when it is taken down after this (stock: 13 of 40 on a busy machine): not asked here.
        os._exit(0)


if __name__ == "__main__":
    main()
