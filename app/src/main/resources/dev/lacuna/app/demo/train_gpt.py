"""A small GPT that trains on batches of varying sequence length: the kind of job whose memory fragments.

Batches hold about the same number of tokens, so each step asks for blocks of other sizes than the one before. Under
stock caching rules the blocks kept from one length seldom fit the next; that is the gap Lacuna shows.

    lacuna run -- python3 train_gpt.py [--steps N] [--tokens N] [--length N] [--layers N] [--seed N]
"""
import argparse
import math
import os
import random
import time

os.environ.update(CUDA_VISIBLE_DEVICES="", TORCH_DEVICE_BACKEND_AUTOLOAD="0")  # trains on the host, wherever it runs
import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

VOCABULARY, PAIRS, WIDTH, HEADS, LAYERS, LONGEST = 4096, 65536, 64, 8, 2, 1024


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, length, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        future = torch.ones(length, length, dtype=torch.bool).triu(1)
        weights = (q @ k.transpose(-1, -2) / math.sqrt(width // HEADS)).masked_fill(future, float("-inf"))
        mixed = (F.softmax(weights, -1) @ v).transpose(1, 2).reshape(batch, length, width)
        x = x + self.out(mixed)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Gpt(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.token, self.position = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(LONGEST, WIDTH)
        # One vector for each pair of neighbours (hashed): with Adam's two moments, most of what lives long.
        self.pair = nn.Embedding(PAIRS, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, tokens):
        pairs = (tokens * 31 + tokens.roll(1, 1)) % PAIRS
        x = self.token(tokens) + self.pair(pairs) + self.position(torch.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def sequences(batch, length):
    """Arithmetic progressions modulo the vocabulary: something that can be learnt."""
    start, stride = torch.randint(0, VOCABULARY, (batch, 1)), torch.randint(1, 4, (batch, 1))
    return (start + stride * torch.arange(length + 1)) % VOCABULARY


def loss_of(model, tokens):
    return F.cross_entropy(model(tokens[:, :-1]).reshape(-1, VOCABULARY), tokens[:, 1:].reshape(-1))


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--steps", type=int, default=0, help="number of steps; 0 trains until stopped")
    options.add_argument("--tokens", type=int, default=8192, help="tokens a batch holds, about")
    options.add_argument("--length", type=int, default=0, help="length of all sequences; 0 lets it vary")
    options.add_argument("--layers", type=int, default=LAYERS, help="blocks of the model")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--parent", type=int, default=0, help="end when this process is no longer our parent")
    chosen = options.parse_args()

    torch.manual_seed(chosen.seed)
    lengths = random.Random(chosen.seed)
    model = Gpt(chosen.layers)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    step = 0
    while (chosen.steps == 0 or step < chosen.steps) and (chosen.parent == 0 or os.getppid() == chosen.parent):
        step += 1
        began = time.monotonic()
        length = min(chosen.length, LONGEST - 1) or lengths.randint(64, LONGEST - 1)
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(model, sequences(max(1, chosen.tokens // length), length))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        print(f"step {step}  length {length}  loss {loss.item():.4f}  {time.monotonic() - began:.3f} s", flush=True)


if __name__ == "__main__":
    main()
