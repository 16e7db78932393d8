"""What stock has nothing like: all of it must succeed."""

import os
import subprocess
import sys

from registry import case
from told import DEVICE, Skipped

CATCHES = """
import torch
own = getattr(torch, "OutOfMemoryError", None) or torch.cuda.OutOfMemoryError
def fill(device):
    kept = []
    while True:
        kept.append(torch.ones(64 << 20, dtype=torch.uint8, device=device))
def in_backward(device):
    class Grows(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()
        @staticmethod
        def backward(ctx, g):
            fill(device)
    Grows.apply(torch.ones(4, device=device, requires_grad=True)).sum().backward()
for act in (fill, in_backward):
    try:
        act(%r)
    except own as error:
        assert "out of memory" in str(error)
    else:
        raise SystemExit("nothing was raised")
import time
time.sleep(1)  # PyTorch aborts, without Lacuna too, where a process ends while a failed backward is still put away
"""


def run(arguments, **extra):
    for _ in range(4):  # again, where PyTorch aborts as a process ends, as stock does (ladder.py)
        done = subprocess.run(
            [sys.executable, *arguments], env=dict(os.environ, **extra), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=230,
            universal_newlines=True,
        )  # fmt: skip
        if "terminate called without an active exception" not in done.stdout:
            break
    assert done.returncode == 0, done.stdout[-600:]
    return done.stdout


@case(ours=True)
def build_ext(t):
    """Out of memory is PyTorch's own exception, of the device and of the host; and nothing else is left in the folder."""
    from torch.utils import cpp_extension

    if not any(os.path.exists(os.path.join(path, "c10", "util", "Exception.h")) for path in cpp_extension.include_paths()):
        raise Skipped("no headers of PyTorch")
    folder, script = (os.path.join(os.environ["TMPDIR"], name) for name in ("extensions", "catches.py"))
    t.do("build", lambda: run(["-m", "lacuna", "build-ext", "--out", folder], LD_PRELOAD=""))
    t.do("nothing else is left", lambda: none_but(folder, "liblacuna_ext_torch.so"))
    with open(script, "w") as file:
        file.write(CATCHES % DEVICE)
    options = ["--capacity", "512MiB"] if DEVICE == "cpu" else []
    t.do("is caught", lambda: run(["-m", "lacuna", *options, script], LACUNA_EXTENSIONS=folder, LD_PRELOAD=""))


def none_but(folder, name):
    assert os.listdir(folder) == [name], os.listdir(folder)


@case(ours=True)
def build_ext_that_fails(t):
    """It says why, and leaves nothing."""
    folder = os.path.join(os.environ["TMPDIR"], "extensions")
    compiler = os.path.join(os.environ["TMPDIR"], "c++")
    with open(compiler, "w") as file:
        file.write("#!/bin/sh\ncase $* in -v|*-version*) exec g++ \"$@\";; esac\necho 'x.cpp:1: error: nothing pleases it' >&2\nexit 1\n")
    os.chmod(compiler, 0o755)

    def fails():
        done = subprocess.run(
            [sys.executable, "-m", "lacuna", "build-ext", "--out", folder], env=dict(os.environ, CXX=compiler, LD_PRELOAD=""),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=230,
        )  # fmt: skip
        assert done.returncode == 3, "status %d %s" % (done.returncode, done.stderr[-90:])
        assert "nothing pleases it" in done.stderr or "headers" in done.stderr, done.stderr[-110:]
        none_but_nothing(folder)

    t.do("fails", fails)


def none_but_nothing(folder):
    assert os.listdir(folder) == [], os.listdir(folder)


SWAPS = """
import sys
sys.path.insert(0, %r)
import lacuna, models
model = models.transformer(layers=4)
models.train(model, steps=4, rows=32, fixed=True)
assert lacuna.swap_stats(models.DEVICE)["swapped_out_bytes"] > 1 << 20, "nothing was swapped"
"""


@case(ours=True)
def swapping(t):
    """Says nothing of its own, and no warning of PyTorch's comes of what it calls."""
    script = os.path.join(os.environ["TMPDIR"], "swaps.py")
    with open(script, "w") as file:
        file.write(SWAPS % os.path.dirname(os.path.abspath(__file__)))
    options = ["--capacity", "2GiB"] if DEVICE == "cpu" else []
    said = t.do("train", lambda: run(["-m", "lacuna", *options, "--swap", "all", script], LD_PRELOAD=""))
    t.do("in silence", lambda: no_words(said))


def no_words(said):
    assert said == "", said
