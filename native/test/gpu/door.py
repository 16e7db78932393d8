"""Says in a line of JSON which door the agent has come through; run by day.py under the agent."""

import json
import os

import torch

block = torch.empty(3 << 20, dtype=torch.uint8, device="cuda")
with open("/proc/self/maps") as maps:
    front = "liblacuna_front.so" in maps.read()
backend = torch.cuda.memory.get_allocator_backend() if hasattr(torch.cuda.memory, "get_allocator_backend") else "?"
print(json.dumps({"door": "front" if front else backend, "backend": backend, "allocated_bytes": torch.cuda.memory_allocated(),
                  "extensions": sorted(os.listdir(os.path.join(os.environ["LACUNA_EXTENSIONS"], "front"))) if front else []}))  # fmt: skip
