"""Fills half of the device, asks for what cannot be there, frees, fills again; a line of JSON. Run by day.py."""

import json
import time

import torch

PIECES = 8
torch.cuda.set_per_process_memory_fraction(0.5)
total = torch.cuda.get_device_properties(0).total_memory
piece = int(0.45 * total) // PIECES


def fill():
    began = time.perf_counter()
    held = [torch.empty(piece, dtype=torch.uint8, device="cuda") for _ in range(PIECES)]
    return held, time.perf_counter() - began


held, seconds = fill()
began = time.perf_counter()
try:
    torch.empty(piece, dtype=torch.uint8, device="cuda")
    raised = "nothing"
except torch.cuda.OutOfMemoryError as refused:
    raised = type(refused).__name__
refused_seconds = time.perf_counter() - began
del held
held, _ = fill()
print(json.dumps({"raised": raised, "again": len(held), "fill_seconds": round(seconds, 4), "refused_seconds": round(refused_seconds, 4)}))
