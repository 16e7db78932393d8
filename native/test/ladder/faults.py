"""What the battery must notice, before anything that it says is believed."""

import os

from registry import MIB, case


@case(cuda=True, capacity=256 * MIB)
def blocks(t):
    """Sound as it is; LADDER_FAULT breaks the agent beneath it."""
    import torch

    kept = []
    for number in range(240):
        kept.append(torch.empty(MIB + number * 4096, dtype=torch.uint8, device="cuda"))
        if len(kept) > 50:
            del kept[number % 50]
    kept.clear()
    torch.cuda.synchronize()
    t.same("nothing left", torch.cuda.memory_allocated)
    t.stats()


@case()
def tells_something_else(t):
    t.same("value", lambda: os.environ["LADDER_WAY"])


@case()
def raises_where_stock_does_not(t):
    t.do("act", lambda: {"stock": 1}[os.environ["LADDER_WAY"]])


@case()
def stops_before_it_has_told_all(t):
    if os.environ["LADDER_WAY"] == "stock":
        t.do("act", lambda: None)


@case()
def dies(t):
    if os.environ["LADDER_WAY"] != "stock":
        os.kill(os.getpid(), 9)


@case()
def says_what_stock_does_not(t):
    if os.environ["LADDER_WAY"] != "stock":
        os.write(2, b"lacuna: something\n")


@case()
def takes_more(t):
    t.most("bytes", 1 if os.environ["LADDER_WAY"] == "stock" else 2)
