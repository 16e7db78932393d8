"""The command line: reads it, prepares the environment, becomes the script's interpreter."""

import os
import subprocess
import sys

from .swap.parse import parse_budget, parse_link
from .swap.rules import RULES

USAGE = """\
usage: python3 -m lacuna [--capacity SIZE] [--fraction F] [--optimisation on|off] [--policy segregated|lifetime]
                         [--swap on|off|all] [--swap-budget SIZE] [--link RATE[,LATENCY]] SCRIPT [args...]
       python3 -m lacuna [options] -m MODULE [args...]
       python3 -m lacuna build-ext [--out FOLDER]
       python3 -m lacuna build-front
       python3 -m lacuna graph MODEL [--input SHAPE]... [-o FILE]

Runs a PyTorch training script under Lacuna's memory agent.

  --capacity SIZE        memory of the virtual device, from 2MiB to 1024TiB
                         (half of the machine's or control group's memory, 512MiB to 8GiB);
                         of an accelerator: the most to reserve there (all)
  --fraction F           cap on reserved memory as a share of it, above 0 and at most 1 (1)
  --optimisation on|off  lifetime-segregated pools, or PyTorch's own caching rules (on)
  --policy NAME          while it is on: segregated, Lacuna's own pools, or lifetime, MindSpeed's (segregated)
  --swap on|off|all      tensors that autograd saves go to the host: as many as memory needs, none, all (off)
  --swap-budget SIZE     most that they may take there (half of the machine's memory)
  --link RATE[,LATENCY]  the virtual device's link to the host, such as 24GB/s or 24GB/s,10us (as fast as memory copies)

CUDA and NPU memory come from the agent where PyTorch can change its allocator (2.0 and later), and host memory is then
left alone; who trains on the host there hides the devices (CUDA_VISIBLE_DEVICES=). On CUDA an allocator in front of
PyTorch's own serves it, compiled once for each PyTorch (build-front does it beforehand); LACUNA_DOOR=pluggable takes CUDAPluggableAllocator, for which
build-ext compiles what needs the framework's headers: torch.OutOfMemoryError itself, and three hooks of torch_npu.

What is not given here is taken from LACUNA_CAPACITY, LACUNA_FRACTION, LACUNA_OPTIMISATION, LACUNA_POLICY, LACUNA_SWAP,
LACUNA_SWAP_BUDGET and LACUNA_LINK;
MEMORY_FRAGMENTATION=1 means --optimisation on, 0 off, as in MindSpeed; on without it is Lacuna's default, not MindSpeed's. LACUNA_LIBRARY names liblacuna_torch.so.
"""

LIBRARY = "liblacuna_torch.so"
PACKAGE = os.path.dirname(os.path.abspath(__file__))
HOOK = os.path.join(PACKAGE, "hook")
UNITS = {"TiB": 1 << 40, "GiB": 1 << 30, "MiB": 1 << 20, "KiB": 1 << 10, "B": 1, "": 1}
SMALLEST, LARGEST = 2 << 20, 1 << 50  # bytes, what the agent can manage


class UsageError(Exception):
    """The command line cannot be understood; the text says what to change."""


class MissingLibrary(Exception):
    """The agent's library was not found or cannot be preloaded."""


def is_size(text):
    """Whether the agent takes this as a capacity: a whole number and a binary unit, from 2 MiB to 1 PiB."""
    unit = next(u for u in UNITS if text.endswith(u))
    digits = text[: len(text) - len(unit)]
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(LARGEST)):
        return False
    return SMALLEST <= int(digits) * UNITS[unit] <= LARGEST


def is_fraction(text):
    """Whether the agent takes this as a fraction: a decimal number above 0 and at most 1."""
    if not text or text.strip("0123456789.eE-+") or text.startswith("+"):
        return False
    try:
        return 0.0 < float(text) <= 1.0
    except ValueError:
        return False


OPTIONS = {
    "--capacity": ("LACUNA_CAPACITY", is_size, "a size from 2MiB to 1024TiB, such as 8GiB"),
    "--fraction": ("LACUNA_FRACTION", is_fraction, "a number above 0 and at most 1"),
    "--optimisation": ("LACUNA_OPTIMISATION", ("on", "off").__contains__, "on or off"),
    "--policy": ("LACUNA_POLICY", ("segregated", "lifetime").__contains__, "segregated or lifetime"),
    "--swap": ("LACUNA_SWAP", ("on", "off", "all").__contains__, "on, off or all"),
    "--swap-budget": ("LACUNA_SWAP_BUDGET", lambda text: parse_budget(text) is not None, "a size such as 8GiB, at most this machine's memory"),
    "--link": ("LACUNA_LINK", lambda text: parse_link(text) is not None, "a rate from 1KB/s to 100TB/s such as 24GB/s, or 24GB/s,10us"),
}


def parse(arguments, switches=()):
    """Splits the command line into settings (by environment variable) and the interpreter's own arguments. `switches`: options
    beside the usual ones that need no value, with their variables."""
    settings = {}
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] not in ("-", "-m"):
        word = rest.pop(0)
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if name in switches and not equals:
            settings[switches[name]] = "on"
            continue
        name = {"--optimization": "--optimisation"}.get(name, name)
        if name in switches and value in ("on", "off", *RULES):
            settings[switches[name]] = value
            continue
        if name in switches:
            raise UsageError("%s takes on, off, %s, not %r" % (name, " or ".join(RULES), value))
        if name not in OPTIONS:
            raise UsageError("unknown option %s" % name)
        variable, accepts, wanted = OPTIONS[name]
        if not equals:
            if not rest:
                raise UsageError("%s takes %s" % (name, wanted))
            value = rest.pop(0)
        if not accepts(value):
            raise UsageError("%s takes %s, not %r" % (name, wanted, value))
        settings[variable] = value
    if not rest or rest == ["-m"]:
        raise UsageError("no script given" if not rest else "-m takes the name of a module")
    return settings, rest


def find_library(environment):
    """Path of the agent's library: $LACUNA_LIBRARY, the package's own, a checkout's build folder."""
    named = environment.get("LACUNA_LIBRARY")
    beside = os.path.join(PACKAGE, "lib", LIBRARY)
    built = os.path.join(os.path.dirname(os.path.dirname(PACKAGE)), "build", LIBRARY)
    places = [named] if named else [beside, built]
    for place in places:
        if os.path.isfile(place):
            path = os.path.abspath(place)
            if ":" in path or " " in path:
                raise MissingLibrary("the path of %s must not hold blanks or colons (LD_PRELOAD takes neither)" % path)
            return path
    raise MissingLibrary("cannot find %s; build it with 'make' in native/, or set LACUNA_LIBRARY" % " or ".join(places))


def put_first(word, words):
    """A colon-separated list with `word` at its front, once."""
    return ":".join([word] + [w for w in (words or "").split(":") if w and w != word])


def for_any_loader(library):
    """The library as a word that only a loader finds which can load it; None where it does not lie so (native/Makefile)."""
    folder = os.path.join(os.path.dirname(library), "preload")
    links = [os.path.join(folder, lib, LIBRARY) for lib in ("lib", "lib64", "lib/x86_64-linux-gnu")]
    # A copy in their place would be a second agent in each process.
    if not all(os.path.exists(link) and os.path.samefile(link, library) for link in links):
        return None
    return os.path.join(folder, "$LIB", LIBRARY)


def prepare(environment, settings, library, preloaded=None):
    """The environment of the training process; its children inherit it and carry agents of their own."""
    prepared = {name: value for name, value in environment.items() if name != "LACUNA_TAKEN_OVER"}
    prepared.update(settings)
    prepared["LACUNA_LIBRARY"] = library
    prepared["LD_PRELOAD"] = put_first(preloaded or library, environment.get("LD_PRELOAD", "").replace(" ", ":"))
    prepared["PYTHONPATH"] = put_first(HOOK, environment.get("PYTHONPATH"))
    prepared["LACUNA_HOOK"] = HOOK  # a script that sets a PYTHONPATH of its own drops the former (native/src/torch/hook_path.c)
    return prepared


def interpreter_flags(argv_after_package):
    """The flags that this interpreter was given before ``-m lacuna``."""
    whole = getattr(sys, "orig_argv", None)
    if not whole:
        return subprocess._args_from_interpreter_flags()
    flags = whole[1 : len(whole) - len(argv_after_package)]
    if flags and flags[-1] == __package__:
        flags.pop()
        last = flags.pop() if flags else "-m"
        if last != "-m":
            flags.append(last[:-1])
    elif flags:
        flags.pop()
    return flags


def main():
    """Becomes the interpreter of the script. Exits with 2 on wrong usage, 3 without a library."""
    arguments = sys.argv[1:]
    if arguments[:1] in (["-h"], ["--help"]):
        sys.stdout.write(USAGE)
        sys.exit(0)
    if arguments[:1] == ["graph"]:
        from .graph import main as write_graph

        sys.exit(write_graph(arguments[1:]))
    if arguments == ["build-front"]:
        from .front import main as build_front

        sys.exit(build_front())
    if arguments[:1] == ["build-ext"]:
        from .build_ext import main as build

        sys.exit(build(arguments[1:]))
    try:
        settings, rest = parse(arguments)
        library = find_library(os.environ)
    except UsageError as wrong:
        sys.stderr.write("lacuna: %s\n\n%s" % (wrong, USAGE))
        sys.exit(2)
    except MissingLibrary as missing:
        sys.stderr.write("lacuna: %s\n" % missing)
        sys.exit(3)
    if sys.flags.ignore_environment:
        sys.stderr.write("lacuna: phases are not marked, because -E and -I keep the script from its environment\n")
    command = [sys.executable] + interpreter_flags(arguments) + rest
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, command, prepare(os.environ, settings, library))
