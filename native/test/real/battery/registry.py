"""The workloads by family. A workload is a function that is given `tell`, which notes values to the bit."""

import collections
import hashlib
import importlib

MARK = "===== begin "  # on both streams, before each workload: what follows is of it
FAMILIES = ("training", "graphs", "storages", "processes", "ends")
Workload = collections.namedtuple("Workload", "family name run daily alone lacks ends said")

_all = collections.OrderedDict()


def workload(daily=False, alone=False, lacks=lambda: None, ends=None, said=()):
    """Registers a function under its name. `daily`: belongs to the third that runs with every change. `alone`: changes its
    process, or ends it, and so has one of its own. `lacks`: what this PyTorch has not, in words. `ends`: the exit status
    that it is to have (a signal's number below 0), where that is not 0. `said`: what Lacuna may say of it, in lines that begin so."""

    def register(function):
        family = function.__module__
        of_family = _all.setdefault(family, collections.OrderedDict())
        name = function.__name__
        assert name not in of_family, name
        of_family[name] = Workload(family, name, function, daily, alone or ends is not None, lacks, ends or 0, tuple(said))
        return function

    return register


def family(name):
    """Its workloads by name; imports what it needs, which may be PyTorch."""
    importlib.import_module(name)
    return _all[name]


def digest(value):
    """Of a tensor's type, shape and bytes; other values stand for themselves."""
    if hasattr(value, "untyped_storage") or hasattr(value, "storage"):
        import torch

        plain = value.detach().to_dense() if value.layout is not torch.strided else value.detach()
        flat = plain.resolve_conj().resolve_neg().contiguous().reshape(-1)
        whole = hashlib.sha256(("%s %s" % (value.dtype, tuple(value.shape))).encode())
        if flat.numel():
            whole.update(memoryview(flat.clone().view(torch.uint8).numpy()))
        return whole.hexdigest()[:16]
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, (bytes, bytearray)):
        return hashlib.sha256(value).hexdigest()[:16]
    return repr(value)
