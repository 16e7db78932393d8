"""The cases by family. A case is a function that is given `t` (told.py): it does things by name, and tells what came of them."""

import collections
import importlib

FAMILIES = ("memory", "training", "streams", "graphs", "pools", "processes", "frameworks", "ours")
MIB = 1 << 20
Case = collections.namedtuple("Case", "family name run cuda quick ours devices capacity setting said")

_all = collections.OrderedDict()


def case(cuda=False, quick=False, ours=False, devices=1, capacity=4096 * MIB, setting=(), said=()):
    """Registers a function under its name. `cuda`: only where PyTorch is one for CUDA. `quick`: belongs to those that run with
    every change. `ours`: stock has nothing like it, so that all it does must succeed. `devices` and `capacity`: of the stand-in.
    `setting`: of its environment. `said`: what Lacuna may say in it, in lines that begin so."""

    def register(function):
        family = function.__module__
        of_family = _all.setdefault(family, collections.OrderedDict())
        name = function.__name__
        assert name not in of_family, name
        of_family[name] = Case(family, name, function, cuda, quick, ours, devices, capacity, dict(setting), tuple(said))
        return function

    return register


def family(name):
    """Its cases by name; imports what it needs, which may be PyTorch."""
    importlib.import_module(name)
    return _all.get(name, {})
