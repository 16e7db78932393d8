"""A training that is drawn by lot: SEED fixed|varying|accumulating. Trains until a line comes, then 200 steps more."""

import random
import select
import sys

import torch
from torch import nn

AFTER = 200


class Recurrent(nn.Module):
    def __init__(self, wide, classes):
        super().__init__()
        self.lstm, self.head = nn.LSTM(wide, wide, batch_first=True), nn.Linear(wide, classes)

    def forward(self, x):
        return self.head(self.lstm(x)[0][:, -1])


class Attention(nn.Module):
    def __init__(self, wide, classes, deep):
        super().__init__()
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(wide, 4, 2 * wide, batch_first=True) for _ in range(deep))
        self.head = nn.Linear(wide, classes)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(1))


def perceptron(lot):
    wide, deep = lot.choice([64, 192, 512]), lot.randint(2, 8)
    layers = [part for _ in range(deep) for part in (nn.Linear(wide, wide), nn.ReLU(), nn.BatchNorm1d(wide))]
    return nn.Sequential(*layers, nn.Linear(wide, 10)), lambda n: torch.randn(n * 8, wide)


def convolution(lot):
    wide, size = lot.choice([4, 8, 16]), lot.choice([12, 20])
    layers = [nn.Conv2d(3, wide, 3, padding=1)]
    for _ in range(lot.randint(1, 4)):
        layers += [nn.BatchNorm2d(wide), nn.ReLU(), nn.Conv2d(wide, wide, 3, padding=1)]
    return nn.Sequential(*layers, nn.Flatten(), nn.LazyLinear(10)), lambda n: torch.randn(n, 3, size, size)


def recurrent(lot):
    wide, long = lot.choice([32, 96]), lot.randint(4, 16)
    return Recurrent(wide, 10), lambda n: torch.randn(n, long, wide)


def attention(lot):
    wide, long = lot.choice([32, 64]), lot.randint(8, 24)
    return Attention(wide, 10, lot.randint(1, 3)), lambda n: torch.randn(n, long, wide)


def main(seed, kind):
    lot = random.Random(seed)
    torch.manual_seed(seed)
    model, batch = lot.choice([perceptron, convolution, recurrent, attention])(lot)
    most = lot.randint(8, 48)
    model(batch(2))
    make = lot.choice([torch.optim.Adam, lambda p: torch.optim.SGD(p, 0.01, momentum=0.9), torch.optim.AdamW])
    optimizer, left, step = make(model.parameters()), None, 0
    while left is None or left > 0:
        for _ in range(4 if kind == "accumulating" else 1):
            n = lot.randint(most // 2, most) if kind == "varying" else most
            x = batch(n)
            nn.functional.cross_entropy(model(x), torch.randint(0, 10, (len(x),))).backward()
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        if step == 4:
            print("steps", flush=True)
        if left is not None:
            left -= 1
        elif select.select([sys.stdin], [], [], 0)[0]:
            left = AFTER
    print("done", step, flush=True)


main(int(sys.argv[1]), sys.argv[2])
