"""Small models and their training, which a device that computes nothing can have, too."""

import os

import torch
from told import DEVICE
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, 4, batch_first=True)
        self.feed = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(0.1), nn.Linear(4 * width, width))

    def forward(self, x):
        y = self.norm(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        return x + self.feed(x)


class Transformer(nn.Module):
    def __init__(self, width=128, layers=3, words=500):
        super().__init__()
        self.words, self.width = words, width
        self.embedding = nn.Embedding(words, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(layers))
        self.head = nn.Linear(width, words)

    def forward(self, tokens, around=lambda block, x: block(x)):
        x = self.embedding(tokens)
        for block in self.blocks:
            x = around(block, x)
        return self.head(x)


def transformer(**sizes):
    torch.manual_seed(3)
    return Transformer(**sizes).to(DEVICE)


def batch(step, rows=8, most=96, words=500, fixed=False):
    numbers = torch.Generator().manual_seed(step)
    length = most if fixed else int(torch.randint(most // 4, most, (1,), generator=numbers))
    tokens = torch.randint(0, words, (rows, length + 1), generator=numbers).to(DEVICE)
    return tokens[:, :-1], tokens[:, 1:]


def loss_of(model, step, **sizes):
    inputs, targets = batch(step, **sizes)
    return nn.functional.cross_entropy(model(inputs).flatten(0, 1).float(), targets.flatten())


def train(model, steps=4, optimizer=None, **sizes):
    optimizer = optimizer or torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(steps):
        optimizer.zero_grad(set_to_none=True)
        loss_of(model, step, **sizes).backward()
        optimizer.step()
    finish()
    return next(model.parameters())


def finish():
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def file_store():
    """Where processes of a group meet."""
    return "file://" + os.path.join(os.environ["TMPDIR"], "store-%d" % os.getpid())
