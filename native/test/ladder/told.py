"""What a case does and what comes of it, a line each: {"label", "kind", "value"}.

`did`: whether it worked; `value`: must be the same as in stock; `stats`: the same with the optimisation off; `most`: no more
than in stock; `raised`: what it ended with, where that is not what was asked for; `skipped`: what is not here.
"""

import gc
import json
import os
import re

DEVICE = "cuda" if os.environ.get("LADDER_KIND") in ("cuda", "gpu") else "cpu"


class Skipped(Exception):
    """What the case needs is not here; in words."""


def raised(error):
    """An exception in words that do not differ between two runs: its class, and its first sentence."""
    first = re.split(r"\. |\.$|\n| \(GPU", str(error).strip() or "-")[0]
    return "%s: %s" % (type(error).__name__, re.sub(r"0x[0-9a-f]+|\d{4,}", "N", first)[:120])


class Told:
    def __init__(self, path):
        self.path = path

    def line(self, label, kind, value=None):
        """A child process tells too; and what has been told stays when a process dies."""
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, (json.dumps({"label": label, "kind": kind, "value": value}) + "\n").encode())
        finally:
            os.close(file)

    def do(self, label, act):
        """Whether it works is compared; what it gives is for the case."""
        self.line(label, "begun")
        try:
            given = act()
        except Skipped:
            raise
        except Exception as error:
            self.line(label, "raised", raised(error))
            return None
        self.line(label, "did")
        return given

    def same(self, label, act):
        """It must give the same, in whatever way."""
        self.line(label, "begun")
        try:
            self.line(label, "value", repr(act()))
        except Exception as error:
            self.line(label, "raised", raised(error))

    def raises(self, label, act):
        """It must raise, and the same."""
        self.line(label, "begun")
        try:
            act()
        except Exception as error:
            self.line(label, "value", raised(error))
        else:
            self.line(label, "value", "nothing was raised")

    def bits(self, label, *tensors):
        """On a device that computes: the same to the bit. Elsewhere there is nothing to compare."""
        if DEVICE == "cpu":
            import hashlib

            whole = hashlib.sha256()
            for tensor in tensors:
                whole.update(tensor.detach().contiguous().float().numpy().tobytes())
            self.line(label, "value", whole.hexdigest()[:16])

    def most(self, label, number):
        self.line(label, "most", number)

    def stats(self, label="statistics", apart=None):
        """All of PyTorch's; those that begin with `apart` under a label of their own. Beside CUDA there are none."""
        if DEVICE == "cuda":
            import torch

            gc.collect()
            torch.cuda.synchronize()
            all_of_them = {key: value for key, value in torch.cuda.memory_stats().items() if isinstance(value, int)}
            apart_ones = {key: all_of_them.pop(key) for key in list(all_of_them) if apart and key.startswith(apart)}
            self.line(label, "stats", all_of_them)
            if apart:
                self.line(apart, "stats", apart_ones)


def needs(name):
    """A module, or the case is skipped."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise Skipped("no " + name) from missing
