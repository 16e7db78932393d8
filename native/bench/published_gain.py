#!/usr/bin/env python3
"""Records a rank of the nine Llama 2 runs of MindSpeed's table on memory fragmentation, for `lacuna replay`.

published_gain.py FOLDER [PRESET…]     with the Python of a PyTorch for CUDA; where there is no device, on the stand-in for
                                       NVIDIA's libraries (scripts/ladder.sh, rung `wheel`), whose kernels do nothing

Writes FOLDER/PRESET.trace, requests of some steps with MindSpeed's marks, and prints what PyTorch reserved. The model is a tensor-parallel
rank as Megatron-LM makes it: a share of the heads, of the feed-forward part and of the vocabulary; gradients of 32 bits in one
buffer; 32-bit masters and moments; tiled attention; sums over ranks in place. Not in it: what sums over ranks need themselves.
Of 512 micro-batches of a pipeline 12 are run, in the first stage's order: 1F1B repeats itself.
"""

import contextlib
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

RANKS, VOCABULARY, STEPS = 8, 32000, 3
SHAPES = {"7b": (32, 4096, 32, 32, 11008), "13b": (40, 5120, 40, 40, 13824), "70b": (80, 8192, 64, 8, 28672)}
# layout and sequence: model, tokens, sequences of a micro-batch, micro-batches of a rank, stages
PRESETS = {
    "llama2-7b-tp8-4k": ("7b", 4096, 4, 4, 1),
    "llama2-7b-tp8-6k": ("7b", 6144, 4, 4, 1),
    "llama2-13b-tp8-8k": ("13b", 8192, 4, 4, 1),
    "llama2-13b-tp8-dp2-4k": ("13b", 4096, 2, 4, 1),
    "llama2-13b-tp8-dp2-6k": ("13b", 6144, 2, 4, 1),
    "llama2-13b-tp8-dp2-8k": ("13b", 8192, 2, 4, 1),
    "llama2-70b-tp8-pp4-4k": ("70b", 4096, 2, 12, 4),
    "llama2-70b-tp8-pp4-6k": ("70b", 6144, 2, 12, 4),
    "llama2-70b-tp8-pp4-8k": ("70b", 8192, 2, 12, 4),
}


class Norm(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(hidden))

    def forward(self, x):
        wide = x.float()
        return (wide * torch.rsqrt((wide * wide).mean(-1, keepdim=True) + 1e-5)).type_as(x) * self.weight


class Sum(torch.autograd.Function):
    """Of the ranks, in place: forward behind a row-parallel layer, backward before a column-parallel one."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return gradient


def rotated(x, angles):
    half = x.shape[-1] // 2
    return x * angles.cos().to(x.dtype) + torch.cat((-x[..., half:], x[..., :half]), -1) * angles.sin().to(x.dtype)


class Rows(torch.autograd.Function):
    """Of a table: the framework's own gradient asks the device how many rows there are, which no stand-in knows."""

    @staticmethod
    def forward(ctx, table, rows):
        ctx.save_for_backward(rows)
        ctx.shape = table.shape
        return table.index_select(0, rows.reshape(-1)).view(*rows.shape, -1)

    @staticmethod
    def backward(ctx, gradient):
        (rows,) = ctx.saved_tensors
        made = gradient.new_empty(ctx.shape)
        return made.index_add_(0, rows.reshape(-1), gradient.reshape(-1, ctx.shape[1])), None


class Layer(nn.Module):
    def __init__(self, hidden, heads, groups, width):
        super().__init__()
        self.size, self.heads, self.groups = hidden // heads, heads // RANKS, max(1, groups // RANKS)
        self.before, self.between = Norm(hidden), Norm(hidden)
        self.qkv = nn.Linear(hidden, (self.heads + 2 * self.groups) * self.size, bias=False)
        self.out = nn.Linear(self.heads * self.size, hidden, bias=False)
        self.up, self.down = nn.Linear(hidden, 2 * width // RANKS, bias=False), nn.Linear(width // RANKS, hidden, bias=False)

    def forward(self, x, angles):
        length, batch, _ = x.shape
        mixed = self.qkv(Sum.apply(self.before(x))).view(length, batch, self.groups, -1, self.size)
        q, k, v = mixed.split((self.heads // self.groups, 1, 1), 3)
        q = rotated(q.reshape(length, batch, self.heads, self.size), angles).permute(1, 2, 0, 3)
        k = rotated(k.reshape(length, batch, self.groups, self.size), angles).permute(1, 2, 0, 3)
        v = v.reshape(length, batch, self.groups, self.size).permute(1, 2, 0, 3)
        if self.groups < self.heads:
            k, v = (t.repeat_interleave(self.heads // self.groups, 1) for t in (k, v))
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.FLASH_ATTENTION):
            context = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + Sum.apply(self.out(context.permute(2, 0, 1, 3).reshape(length, batch, -1)))
        gate, up = self.up(Sum.apply(self.between(x))).chunk(2, -1)
        return x + Sum.apply(self.down(F.silu(gate) * up))


class Stage(nn.Module):
    """The first of so many stages."""

    def __init__(self, layers, hidden, heads, groups, width, stages):
        super().__init__()
        self.words = nn.Parameter(torch.empty(VOCABULARY // RANKS, hidden))
        self.layers = nn.ModuleList(Layer(hidden, heads, groups, width) for _ in range(layers // stages))
        self.last = stages == 1
        if self.last:
            self.norm, self.head = Norm(hidden), nn.Linear(hidden, VOCABULARY // RANKS, bias=False)

    def forward(self, tokens, angles, labels):
        x = Rows.apply(self.words, tokens).transpose(0, 1).contiguous()
        for layer in self.layers:
            x = layer(x, angles)
        if not self.last:
            return x
        logits = self.head(Sum.apply(self.norm(x))).float()
        return VocabularyLoss.apply(logits, labels)


class VocabularyLoss(torch.autograd.Function):
    """Cross entropy over a share of the vocabulary: the softmax takes the logits' place."""

    @staticmethod
    def forward(ctx, logits, labels):
        logits = logits - logits.max(-1, keepdim=True).values
        mine = logits.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
        softmax = logits.exp_()
        total = softmax.sum(-1)
        softmax.div_(total.unsqueeze(-1))
        ctx.save_for_backward(softmax, labels)
        return (total.log() - mine).mean()

    @staticmethod
    def backward(ctx, gradient):
        softmax, labels = ctx.saved_tensors
        softmax.scatter_add_(-1, labels.unsqueeze(-1), -torch.ones_like(labels, dtype=softmax.dtype).unsqueeze(-1))
        return softmax.mul_(gradient), None


def added(parameter, gradient):
    gradient.add_(parameter.grad)
    parameter.grad = None


class Optimizer:
    """Masters and moments of 32 bits; gradients of all micro-batches in one buffer. Nothing is set to 0: the stand-in would do that."""

    def __init__(self, model):
        self.parameters = list(model.parameters())
        buffer = torch.empty(sum(p.numel() for p in self.parameters), device="cuda")
        self.gradients = [g.view_as(p) for g, p in zip(buffer.split([p.numel() for p in self.parameters]), self.parameters)]
        self.masters = [p.detach().float() for p in self.parameters]
        self.moments = [(torch.empty_like(m), torch.empty_like(m)) for m in self.masters]
        self.buffer = buffer
        for parameter, gradient in zip(self.parameters, self.gradients):
            parameter.register_post_accumulate_grad_hook(lambda p, into=gradient: added(p, into))

    def step(self):
        norm = torch.stack([(g * g).sum() for g in self.gradients]).sum().sqrt()
        self.buffer.mul_(1 / (norm + 1))
        for parameter, gradient, master, (first, second) in zip(self.parameters, self.gradients, self.masters, self.moments):
            first.lerp_(gradient, 0.1)
            second.mul_(0.95).addcmul_(gradient, gradient, value=0.05)
            master.addcdiv_(first, second.sqrt().add_(1e-8), value=-1e-4)
            parameter.data.copy_(master)
        self.buffer.mul_(0)


class Marks:
    """Phases among the requests: each a request of a size that nothing else has."""

    FIRST, WORDS = 77_777_000, [phase + when for phase in ("setup", "forward", "step") for when in (" begin", " end")]

    @classmethod
    def tell(cls, word):
        torch.empty(cls.FIRST + cls.WORDS.index(word), dtype=torch.uint8, device="cuda")

    @classmethod
    @contextlib.contextmanager
    def phase(cls, name):
        cls.tell(name + " begin")
        yield
        cls.tell(name + " end")

    @classmethod
    def word(cls, size):
        return cls.WORDS[size - cls.FIRST] if cls.FIRST <= size < cls.FIRST + len(cls.WORDS) else None


def write_trace(path, total):
    """What the framework recorded, as trace text."""
    names = {}
    with open(path, "w") as out:
        out.write("total %d\n" % total)
        for entry in torch.cuda.memory._snapshot()["device_traces"][0]:
            address, size = entry["addr"], entry["size"]
            if entry["action"] == "alloc" and Marks.word(size):
                out.write("phase %s\n" % Marks.word(size))
            elif entry["action"] == "alloc":
                names[address] = "t%d" % (len(names) + 1) if address not in names else names[address]
                out.write("alloc %s %d\n" % (names[address], size))
            elif entry["action"] == "free_completed" and not Marks.word(size):
                out.write("free %s\n" % names[address])


def train(model, optimizer, tokens, batch, micro, stages):
    angles = torch.zeros(tokens, 1, 1, model.layers[0].size, device="cuda")
    warm, going = min(stages - 1, micro), []

    def forward():
        words = torch.zeros(batch, tokens, dtype=torch.long, device="cuda")
        with Marks.phase("forward"):
            going.append(model(words, angles, words.t()))

    def backward():
        result = going.pop(0)
        result.backward(None if model.last else torch.empty_like(result))

    for _ in range(warm):
        forward()
    for _ in range(micro - warm):
        forward()
        backward()
    for _ in range(warm):
        backward()


def record(name, folder):
    kind, tokens, batch, micro, stages = PRESETS[name]
    torch.cuda.memory._record_memory_history(context=None, max_entries=10_000_000)
    with Marks.phase("setup"):
        with torch.device("cuda"):
            default = torch.get_default_dtype()
            torch.set_default_dtype(torch.bfloat16)
            model = Stage(*SHAPES[kind], stages)
            torch.set_default_dtype(default)
        optimizer = Optimizer(model)
    with Marks.phase("forward"):
        pass  # the one that set-up makes
    for step in range(STEPS):
        with Marks.phase("step"):
            train(model, optimizer, tokens, batch, micro, stages)
            with Marks.phase("setup") if step == 0 else contextlib.nullcontext():
                optimizer.step()
    path = os.path.join(folder, name + ".trace")
    write_trace(path, 512 << 30)
    print("%s: reserved %.2f GiB, allocated %.2f GiB" % (
        path, torch.cuda.max_memory_reserved() / 2**30, torch.cuda.max_memory_allocated() / 2**30), flush=True)  # fmt: skip


if __name__ == "__main__":
    for each in sys.argv[2:] or PRESETS:
        if os.fork() == 0:  # each begins with a device of its own
            record(each, sys.argv[1])
            os._exit(0)
        if os.wait()[1]:
            sys.exit("published_gain: %s could not be recorded" % each)
