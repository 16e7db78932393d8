"""Puts the parts of the package together in the interpreter of a training, under private names: a script may have a lacuna of
its own. Used by ``hook`` where the interpreter was started for it, and by ``takeover`` in one that runs."""

import importlib.util
import os.path
import sys


def load(package, name):
    """A module of the package, new each time."""
    spec = importlib.util.spec_from_file_location("_lacuna_" + name, os.path.join(package, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_folder(package, name):
    """A package within the package; the same each time."""
    known = "_lacuna_" + name
    if known not in sys.modules:
        place = os.path.join(package, name)
        spec = importlib.util.spec_from_file_location(known, os.path.join(place, "__init__.py"), submodule_search_locations=[place])
        sys.modules[known] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


def swap(package, is_the_scripts):
    """What swaps; ``lacuna.adapt`` finds it. `is_the_scripts`: whether an exception, by its traceback, is a signal handler's of
    the script."""
    swapping = load_folder(package, "swap")
    swapping.tell_apart(is_the_scripts)
    swapping.load_memory = lambda: load(package, "memory")
    return swapping


def compacting(package, is_the_scripts):
    """For the marker of phases: loads what compacts when it is first asked for."""

    def compact(marker):
        if marker.between is compact:
            marker.between = load_folder(package, "compact").start(sys.modules["torch"], is_the_scripts)
        return marker.between(marker)

    return compact
