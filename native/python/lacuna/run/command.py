"""Reads ``lacuna run``'s words, prepares what the agent needs, and runs COMMAND."""

import os
import shutil
import subprocess
import sys

from ..launch import MissingLibrary, UsageError, find_library, for_any_loader
from ..launch import parse as parse_options
from ..launch import prepare as prepare_environment
from ..swap.rules import RULES
from . import child, seen, summary

USAGE = """\
usage: {lacuna} run [--capacity SIZE] [--fraction F] [--optimisation on|off] [--policy segregated|lifetime]
                  [--swap on|off|all] [--swap-budget SIZE] [--link RATE[,LATENCY]] [--adaptive[=on|off|dtr|capuchin]]
                  [--] COMMAND [arguments...]

Runs any command with Lacuna's agent in every PyTorch process that it starts.

  --capacity SIZE        memory of the virtual device, from 2MiB to 1024TiB; of an accelerator: the most to reserve
  --fraction F           cap on reserved memory as a share of it, above 0 and at most 1 (1)
  --optimisation on|off  lifetime-segregated pools, or PyTorch's own caching rules (on)
  --policy NAME          while it is on: segregated, Lacuna's own pools, or lifetime, MindSpeed's (segregated)
  --swap on|off|all      tensors that autograd saves go to the host: as many as memory needs, none, all (off)
  --swap-budget SIZE     most that they may take there (half of the machine's memory)
  --link RATE[,LATENCY]  the virtual device's link to the host, such as 24GB/s or 24GB/s,10us
  --adaptive             measure the layers, find what each is to keep, swap and compute again under the limit, and watch;
                         what was found is kept for the next start. Turns --swap on. MindSpeed's
                         --adaptive-memory-optimization in COMMAND means the same and is taken out of it; --adaptive=off leaves it.
                         --adaptive=dtr or =capuchin: by the rule of that paper for each saved tensor, as memory needs it

COMMAND gets signals and ends with its own status; a closed terminal does not end it. Where the agent cannot be had it
runs all the same, and one line says so.

Examples:
  {lacuna} run -- python3 train.py
  {lacuna} run --optimisation off -- torchrun --nproc-per-node 2 train.py
  {lacuna} run --capacity 8GiB -- bash run.sh
  {lacuna} run --adaptive --fraction 0.6 -- python3 train.py
"""

PROBE_SECONDS = 10
SWITCHES = {"--adaptive": "LACUNA_ADAPTIVE"}
MINDSPEED = "--adaptive-memory-optimization"


class Prepared:
    """What is about to run: its words and environment, how lacuna is called; or what keeps the agent from it."""

    def __init__(self, program, words, environment=None, obstacle=None):
        self.program = program
        self.words = words
        self.environment = environment
        self.obstacle = obstacle


def prepare(program, words):
    """What to run; or the exit status, where the words ask for help or are wrong."""
    if words[:1] in (["-h"], ["--help"]):
        sys.stdout.write(USAGE.format(lacuna=program))
        return 0
    try:
        settings, command = read(words)
    except UsageError as wrong:
        sys.stderr.write("lacuna: %s\n%s run --help\n" % (wrong, program))
        return 2
    try:
        library = find_library(os.environ)
    except MissingLibrary as missing:
        return Prepared(program, command, obstacle=str(missing))
    for preloaded in filter(None, (for_any_loader(library), library)):
        environment = prepare_environment(os.environ, settings, library, preloaded)
        trouble = loading_trouble(environment)
        if not trouble:
            break
    if trouble:
        return Prepared(program, command, obstacle=trouble)
    environment["LACUNA_RUN"] = os.path.join(os.getcwd(), "lacuna-run-%d.out" % os.getpid())
    return Prepared(program, command, environment)


def read(words):
    """The settings (by environment variable) and COMMAND."""
    try:
        settings, command = parse_options(words, SWITCHES)
    except UsageError as wrong:
        raise UsageError(str(wrong).replace("no script given", "no command given"))
    return adaptive(settings, command)


def adaptive(settings, command):
    """What --adaptive means for both. Two that decide by themselves would move the same tensors: MindSpeed's goes."""
    settings = dict(settings)
    if MINDSPEED in command:
        settings.setdefault("LACUNA_ADAPTIVE", "on")
    if settings.get("LACUNA_ADAPTIVE") in RULES:
        settings["LACUNA_SWAP_RULE"] = settings["LACUNA_ADAPTIVE"]
    if settings.get("LACUNA_ADAPTIVE", "off") != "off":
        command = [word for word in command if word != MINDSPEED]
        if "LACUNA_SWAP" not in settings and "LACUNA_SWAP" not in os.environ:
            settings["LACUNA_SWAP"] = "on"
    return settings, command


def loading_trouble(environment):
    """Why a program of this machine does not start with the agent in it; None where one does. (An older C library ends every
    program that is told to load a newer one's library.)"""
    probe = shutil.which("true", path="/usr/bin:/bin")
    if probe is None:
        return None
    try:
        done = subprocess.run(
            [probe], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=PROBE_SECONDS, universal_newlines=True, errors="replace",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as broken:
        return str(broken)
    if done.returncode == 0 and not done.stdout:
        return None
    return done.stdout.strip().partition("\n")[0] or "the agent ends programs with status %d" % done.returncode


def run(prepared):
    """Runs COMMAND, says what its agents counted, and ends as it did."""
    watch = seen.Watch.of(prepared.environment)
    fleet = None
    try:
        started = child.start(prepared.words, prepared.environment)
    except OSError as missing:
        sys.stderr.write("lacuna: %s: %s\n" % (prepared.words[0], missing.strerror))
        return 127 if isinstance(missing, FileNotFoundError) else 126
    if prepared.environment.get("LACUNA_ADAPTIVE") == "on" and watch.directory is not None:
        from ..adaptive.fleet import Fleet

        fleet = Fleet(prepared.environment, watch.directory)
        fleet.begin()
    status = child.follow(started, watch.look)
    if fleet is not None:
        fleet.end()
    summary.tell(prepared, watch, status)
    return child.end_as(status)
