"""A few seconds of real training for the launcher's test: runs until it is ended."""
import sys

import torch

model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10))
optimizer = torch.optim.Adam(model.parameters())
print("arguments", *sys.argv[1:])
while True:
    optimizer.zero_grad()
    loss = model(torch.randn(64, 256)).square().mean()
    loss.backward()
    optimizer.step()
