"""Trains a small model and prints what came out as one JSON line: the losses to the last bit and the weights' hash.

workloads.py gpt|cnn STEPS [--hold] [--scaled] [--fail-at N]
--hold      before each step waits for a line on stdin, so that another process can act between steps
--scaled    steps through a GradScaler and a learning-rate schedule
"""

import argparse
import hashlib
import json
import random
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mix, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.drop, self.heads = nn.Dropout(0.1), heads

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.mix(self.before(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        later = torch.triu(torch.ones(length, length, dtype=torch.bool), 1)
        weights = (q @ k.transpose(-1, -2)).masked_fill(later, float("-inf")).div((width // self.heads) ** 0.5)
        mixed = self.drop(weights.softmax(-1)) @ v
        x = x + self.drop(self.out(mixed.transpose(1, 2).reshape(batch, length, width)))
        return x + self.down(F.gelu(self.up(self.between(x))))


class Gpt(nn.Module):
    def __init__(self, words=512, width=128, layers=3, longest=160):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(longest, width)
        self.blocks = nn.Sequential(*(Block(width, 4) for _ in range(layers)))
        self.head = nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1]))
        return self.head(self.blocks(x))

    def batch_loss(self):
        length = random.randint(16, 128)
        start, stride = torch.randint(0, 512, (6, 1)), torch.randint(1, 4, (6, 1))
        tokens = (start + stride * torch.arange(length + 1)) % 512
        return F.cross_entropy(self(tokens[:, :-1]).reshape(-1, 512), tokens[:, 1:].reshape(-1))


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.AdaptiveAvgPool2d(4),
            nn.Flatten(), nn.Linear(512, 10),
        )  # fmt: skip

    def forward(self, pictures):
        return self.layers(pictures)

    def batch_loss(self):
        side, labels = random.choice([24, 32, 40]), torch.randint(0, 10, (16,))
        pictures = torch.randn(16, 3, side, side) + labels.view(16, 1, 1, 1) * 0.3
        return F.cross_entropy(self(pictures), labels)


def train(model, steps, hold, scaled):
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 3, 0.9)
    scaler = torch.cuda.amp.GradScaler(enabled=False)
    losses = []
    for step in range(steps):
        if hold:
            print("step", step, flush=True)
            sys.stdin.readline()
        optimizer.zero_grad(set_to_none=True)
        loss = model.batch_loss()
        scaler.scale(loss).backward()
        if scaled:
            scaler.step(optimizer)
            scaler.update()
            schedule.step()
        else:
            optimizer.step()
        losses.append(loss.item())
        if step % 3 == 2:
            with torch.no_grad():
                model.batch_loss()
    return losses


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("model", choices=("gpt", "cnn"))
    arguments.add_argument("steps", type=int)
    arguments.add_argument("--hold", action="store_true")
    arguments.add_argument("--scaled", action="store_true")
    asked = arguments.parse_args()
    torch.manual_seed(7)
    random.seed(7)
    model = {"gpt": Gpt, "cnn": Cnn}[asked.model]()
    losses = train(model, asked.steps, asked.hold, asked.scaled)
    digest = hashlib.sha256()
    for weights in model.state_dict().values():
        digest.update(weights.detach().contiguous().numpy().tobytes())
    print(json.dumps({"losses": [loss.hex() for loss in losses], "weights": digest.hexdigest()}))


if __name__ == "__main__":
    main()
