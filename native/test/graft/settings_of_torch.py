"""Changes settings of the PyTorch that runs this, as the guest does, and prints whether new segments are expandable, and its settings."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "lacuna", "graft"))

import torch  # noqa: E402
from text import posted  # noqa: E402

guest = {}
exec(compile(posted(), "resident", "exec"), guest)
torch.cuda.init()
framework = guest["Framework"]()
framework.look()
settings = guest["Settings"](framework)


def seen():
    torch.cuda.empty_cache()
    held = torch.empty(40 << 20, dtype=torch.uint8, device="cuda")
    found = [segment["is_expandable"] for segment in torch.cuda.memory_snapshot()]
    del held
    torch.cuda.empty_cache()
    return "%s %r" % (found, settings.text())


settings.change("expandable_segments", "True")
print(seen())
settings.put_back()
print(seen())
try:
    settings.change("max_split_size_mb", "1")
except guest["Refusal"]:
    print("refused", seen())
