"""Six trainings of different kinds whose activations outweigh their weights, for what a rescue must save.

rescue_jobs.py mlp|cnn|transformer|lstm|gan|functional STEPS [--varying] [--seed N]
--varying   each step draws its own number of samples, and lengths where there are any
Prints losses and weights to the bit, times and the agent's figures as JSON.
"""

import argparse
import hashlib
import json
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from swap_workloads import memory


class Drawn:
    """Sizes of a step: the most, or drawn for each step."""

    def __init__(self, lot, varying):
        self._lot, self._varying = lot, varying

    def size(self, most, unit=1):
        return self._lot.randint(most // unit // 2, most // unit) * unit if self._varying else most


class Trained:
    """A model with one optimizer, whose loss is computed outside of it."""

    def __init__(self, model, loss):
        self.models, self._loss = [model], loss
        self._optimizer = torch.optim.AdamW(model.parameters(), 1e-3)

    def step(self, drawn):
        self._optimizer.zero_grad(set_to_none=True)
        loss = self._loss(self.models[0], drawn)
        loss.backward()
        self._optimizer.step()
        return loss.item()

    def weights(self):
        return [weight for model in self.models for weight in model.state_dict().values()]


def mlp():
    width = 128
    layers = [part for _ in range(12) for part in (nn.Linear(width, width), nn.GELU())]

    def loss(model, drawn):
        x = torch.randn(drawn.size(12288), width)
        return F.mse_loss(model(x), x.roll(1, 1))

    return Trained(nn.Sequential(*layers), loss)


class Stage(nn.Module):
    """Not a sequence: the parts stand beside one another, as in most models that people write by hand."""

    def __init__(self, width):
        super().__init__()
        self.first, self.second = (nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(2))
        self.norm, self.other = nn.BatchNorm2d(width), nn.BatchNorm2d(width)

    def forward(self, x):
        y = F.relu(self.norm(self.first(x)), inplace=True)
        return F.relu(self.other(self.second(y)) + x)


class Cnn(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.stage1, self.stage2, self.stage3, self.stage4 = (Stage(width) for _ in range(4))
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        x = self.stage2(self.stage1(self.stem(x)))
        return self.head(self.stage4(self.stage3(x)).mean((2, 3)))


def cnn():
    def loss(model, drawn):
        labels = torch.randint(0, 10, (drawn.size(80),))
        return F.cross_entropy(model(torch.randn(len(labels), 3, 64, 64) + labels.view(-1, 1, 1, 1) * 0.3), labels)

    return Trained(Cnn(), loss)


class Transformer(nn.Module):
    def __init__(self, words=1024, width=128, layers=6, longest=128):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(longest, width)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(width, 4, 4 * width, 0.1, "gelu", batch_first=True, norm_first=True) for _ in range(layers)
        )
        self.head = nn.Linear(width, words)

    def forward(self, tokens):
        length = tokens.shape[1]
        later = torch.triu(torch.full((length, length), float("-inf")), 1)
        x = self.words(tokens) + self.places(torch.arange(length))
        for layer in self.layers:
            x = layer(x, later)
        return self.head(x)


def transformer():
    def loss(model, drawn):
        count, length = drawn.size(16), drawn.size(128, 8)
        tokens = (torch.randint(0, 1024, (count, 1)) + torch.randint(1, 4, (count, 1)) * torch.arange(length + 1)) % 1024
        return F.cross_entropy(model(tokens[:, :-1]).reshape(-1, 1024), tokens[:, 1:].reshape(-1))

    return Trained(Transformer(), loss)


class Lstm(nn.Module):
    def __init__(self, width=128):
        super().__init__()
        self.lstm, self.head = nn.LSTM(width, width, 2, batch_first=True, dropout=0.1), nn.Linear(width, width)

    def forward(self, x):
        return self.head(self.lstm(x)[0])


def lstm():
    def loss(model, drawn):
        x = torch.randn(drawn.size(256), drawn.size(64), 128)
        return F.mse_loss(model(x), x.roll(1, 1))

    return Trained(Lstm(), loss)


class Gan:
    """Two models and two optimizers that take turns; what the one made is detached for the other."""

    def __init__(self):
        width = 8
        self._make = nn.Sequential(
            nn.Linear(64, width * 16 * 16), nn.Unflatten(1, (width, 16, 16)), nn.BatchNorm2d(width), nn.ReLU(),
            nn.ConvTranspose2d(width, width, 4, 2, 1), nn.BatchNorm2d(width), nn.ReLU(),
            nn.ConvTranspose2d(width, width, 4, 2, 1), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, 3, 3, padding=1), nn.Tanh(),
        )  # fmt: skip
        self._judge = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1), nn.LeakyReLU(0.2), nn.Conv2d(width, width, 3, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(width, width, 4, 2, 1), nn.BatchNorm2d(width), nn.LeakyReLU(0.2), nn.Conv2d(width, width, 4, 2, 1),
            nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(width * 16 * 16, 1),
        )  # fmt: skip
        self.models = [self._make, self._judge]
        self._makes, self._judges = (torch.optim.Adam(model.parameters(), 2e-4, (0.5, 0.999)) for model in self.models)

    def step(self, drawn):
        count = drawn.size(112)
        real, made = torch.randn(count, 3, 64, 64).cumsum(3).tanh(), self._make(torch.randn(count, 64))
        self._judges.zero_grad(set_to_none=True)
        told = F.softplus(-self._judge(real)).mean() + F.softplus(self._judge(made.detach())).mean()
        told.backward()
        self._judges.step()
        self._makes.zero_grad(set_to_none=True)
        fooled = F.softplus(-self._judge(made)).mean()
        fooled.backward()
        self._makes.step()
        return told.item() + fooled.item()

    def weights(self):
        return [weight for model in self.models for weight in model.state_dict().values()]


class Functional:
    """No module, no optimizer, no call of `backward`: leaves in a list, and gradients that are asked for."""

    def __init__(self, width=128, layers=10):
        self._weights = [torch.randn(width, width).div_(width**0.5).requires_grad_() for _ in range(layers)]
        self._scales = [torch.ones(width, requires_grad=True) for _ in range(layers)]
        self._momenta = [torch.zeros_like(leaf) for leaf in self._leaves()]

    def _leaves(self):
        return [*self._weights, *self._scales]

    def _loss(self, x):
        y = x
        for weight, scale in zip(self._weights, self._scales):
            y = F.gelu(F.linear(y, weight) * scale)
        return F.mse_loss(y, x.roll(1, 1))

    def step(self, drawn):
        loss = self._loss(torch.randn(drawn.size(10240), 128))
        slopes = torch.autograd.grad(loss, self._leaves())
        with torch.no_grad():
            for leaf, momentum, slope in zip(self._leaves(), self._momenta, slopes):
                leaf -= 0.01 * momentum.mul_(0.9).add_(slope)
        return loss.item()

    def weights(self):
        return self._leaves()


JOBS = {"mlp": mlp, "cnn": cnn, "transformer": transformer, "lstm": lstm, "gan": Gan, "functional": Functional}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("model", choices=JOBS)
    arguments.add_argument("steps", type=int)
    arguments.add_argument("--varying", action="store_true")
    arguments.add_argument("--seed", type=int, default=7)
    asked = arguments.parse_args()
    torch.manual_seed(asked.seed)
    job, drawn = JOBS[asked.model](), Drawn(random.Random(asked.seed), asked.varying)
    losses, seconds = [], []
    for _ in range(asked.steps):
        began = time.monotonic()
        losses.append(job.step(drawn))
        seconds.append(time.monotonic() - began)
    digest = hashlib.sha256()
    for weights in job.weights():
        digest.update(weights.detach().contiguous().numpy().tobytes())
    print(json.dumps({
        "losses": [loss.hex() for loss in losses], "weights": digest.hexdigest(), "seconds": seconds, "memory": memory(),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
