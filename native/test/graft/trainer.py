"""A real training: trainer.py STEPS|until-closed. Prints "ready", then the sum of its weights, to the last bit."""

import select
import sys

import torch

torch.manual_seed(7)
torch.set_num_threads(1)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 64)).to(device)
optimizer = torch.optim.Adam(model.parameters())
data = [torch.randn(32, 64).to(device) for _ in range(8)]
limit = int(sys.argv[1]) if sys.argv[1].isdigit() else 0
print("ready", flush=True)
step = 0
while step < limit or (not limit and not select.select([0], [], [], 0)[0]):
    loss = (model(data[step % 8]) - data[step % 8]).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    step += 1
    if not limit:
        select.select([0], [], [], 0.005)
total = sum(p.detach().double().cpu().sum().item() for p in model.parameters())
if "oom" in sys.argv:
    try:
        torch.empty(1 << 45, device=device)
    except RuntimeError as failure:
        print("out of memory:", type(failure).__name__, flush=True)
print("%s %s" % ("done", total.hex() if limit else ""), flush=True)
