"""A residual convolutional network on images of varying size, trained on patterns that it can learn.

    lacuna run -- python3 train_cnn.py [--steps N] [--batch N] [--seed N]
"""
import argparse
import os
import random
import time

os.environ.update(CUDA_VISIBLE_DEVICES="", TORCH_DEVICE_BACKEND_AUTOLOAD="0")  # trains on the host, wherever it runs
import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

CLASSES = 10


class Residual(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(outputs), nn.BatchNorm2d(outputs)
        self.skip = nn.Conv2d(inputs, outputs, 1, stride, bias=False) if stride > 1 else nn.Identity()

    def forward(self, x):
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        return F.relu(y + self.skip(x))


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 32, 3, 1, 1)
        self.body = nn.Sequential(
            Residual(32, 32, 1), Residual(32, 64, 2), Residual(64, 64, 1), Residual(64, 128, 2), Residual(128, 128, 1)
        )
        self.head = nn.Linear(128, CLASSES)

    def forward(self, x):
        return self.head(self.body(F.relu(self.stem(x))).mean((2, 3)))


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--steps", type=int, default=0, help="number of steps; 0 trains until stopped")
    options.add_argument("--batch", type=int, default=24)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--parent", type=int, default=0, help="end when this process is no longer our parent")
    chosen = options.parse_args()

    torch.manual_seed(chosen.seed)
    sizes = random.Random(chosen.seed)
    model = Cnn()
    optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9)
    step = 0
    while (chosen.steps == 0 or step < chosen.steps) and (chosen.parent == 0 or os.getppid() == chosen.parent):
        step += 1
        began = time.monotonic()
        size = sizes.choice([48, 64, 80, 96, 112])
        labels = torch.randint(0, CLASSES, (chosen.batch,))
        images = torch.randn(chosen.batch, 3, size, size) + labels.view(-1, 1, 1, 1) * 0.3
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        print(f"step {step}  size {size}  loss {loss.item():.4f}  {time.monotonic() - began:.3f} s", flush=True)


if __name__ == "__main__":
    main()
