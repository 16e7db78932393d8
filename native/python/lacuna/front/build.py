"""Compiles the front for one PyTorch, tries it in a process of its own, and keeps it."""

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from . import sharing, virtuals
from .identity import CUDA

PACKAGE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = "liblacuna_front.so"
PATIENCE_SECONDS = 300  # for a compiler, and for another process that compiles
REFUSED_SECONDS = 24 * 3600  # what could not be built is not tried at every start
STANDARDS = ("c++20", "c++17")  # the newest that this PyTorch's headers and the compiler agree on


class Failed(Exception):
    """Why there is no front; one sentence."""


class Late(Failed):
    """It took too long."""


def folder():
    """Where fronts are kept: $LACUNA_EXTENSIONS, else the user's cache."""
    named = os.environ.get("LACUNA_EXTENSIONS")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(named, "front") if named else os.path.join(cache, "lacuna", "front")


def _shipped():
    """Fronts that came with the installation (installer/package.sh)."""
    return os.path.join(os.path.dirname(PACKAGE), "lib", "front")


def _name(identity):
    """Of a folder for exactly this PyTorch and this source."""
    version = "".join(c if c.isalnum() or c in ".+-" else "_" for c in identity.version)
    return "%s-abi%d-%s-%s" % (version, identity.abi, identity.build_id[:16], _source_digest())


def _sources():
    names = sorted(name for name in os.listdir(PACKAGE) if name.endswith((".cpp", ".h"))) + ["sharing.py", "virtuals.py", os.path.join("cuda", "cuda_runtime_api.h")]
    return [os.path.join(PACKAGE, name) for name in names] + [os.path.join(_agents_include(), "lacuna.h")]


def _source_digest():
    import hashlib

    digest = hashlib.sha256()
    for path in _sources():
        with open(path, "rb") as source:
            digest.update(source.read())
    return digest.hexdigest()[:8]


def _agents_include():
    """Where lacuna.h is: beside the package, or in a checkout."""
    package = os.path.dirname(PACKAGE)
    for place in (os.path.join(package, "include"), os.path.join(os.path.dirname(os.path.dirname(package)), "include")):
        if os.path.exists(os.path.join(place, "lacuna.h")):
            return place
    raise Failed("lacuna.h is missing from this installation")


# ---------------------------------------------------------------- compiling


def _compiler():
    for name in (os.environ.get("CXX"), "c++", "g++", "clang++"):
        if name and shutil.which(name):
            return name
    raise Failed("there is no C++ compiler (Debian and Ubuntu: g++)")


def _run(command, what, environment=None):
    try:
        status, said = _waited_for(command, environment)
    except subprocess.TimeoutExpired:
        raise Late("%s: not within %d s" % (what, PATIENCE_SECONDS))
    except OSError as failed:
        raise Failed("%s: %s" % (what, failed))
    if status != 0:
        lines = said.decode(errors="replace").strip().splitlines()
        told = next((line for line in lines if "error" in line), lines[-1] if lines else "no reason given")
        raise Failed("%s: %s" % (what, told.strip()))


def _waited_for(command, environment):
    """In a group of its own, which ends with it: a compiler's driver that is killed leaves the compiler running."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            said = process.communicate(timeout=PATIENCE_SECONDS)[0]
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, said


def _flags(identity, standard):
    folders = [word for folder in identity.includes for word in ("-isystem", folder)]
    return ["-std=" + standard, "-D_GLIBCXX_USE_CXX11_ABI=%d" % identity.abi, *identity.flags, *folders]


def write_members(compiler, flags, work, kind):
    """Writes forwards.inc into the folder ``work``: the members that hand on, made from the framework's headers."""
    header, preprocessed = os.path.join(work, "header.cpp"), os.path.join(work, "header.ii")
    with open(header, "w") as text:
        text.write("#include <%s>\n" % kind.header)
    _run([compiler] + flags + ["-E", "-P", header, "-o", preprocessed], "PyTorch's headers cannot be read")
    with open(preprocessed, errors="surrogateescape") as text:
        try:
            members = virtuals.forwards(virtuals.read(text.read(), kind.allocator))
        except virtuals.Unreadable as unknown:
            raise Failed("PyTorch's allocator is not understood: %s" % unknown)
    with open(os.path.join(work, "forwards.inc"), "w") as text:
        text.write(members)
    os.remove(preprocessed)


def _compile(identity, standard, work):
    compiler, flags = _compiler(), _flags(identity, standard)
    write_members(compiler, flags, work, identity.kind)
    out = os.path.join(work, LIBRARY)
    _run(
        [compiler] + flags + ["-O2", "-fPIC", "-shared", "-I" + work, "-I" + _agents_include(), os.path.join(PACKAGE, identity.kind.source), "-o", out]
        + list(identity.libraries),
        "the front does not compile",
    )  # fmt: skip
    return out


def _compile_somehow(identity, work):
    refusals = []
    for standard in STANDARDS:
        try:
            return _compile(identity, standard, work)
        except Late:
            raise  # the other standard would take as long
        except Failed as refused:
            refusals.append(refused)
    raise next((told for told in refusals if "-std=" not in str(told)), refusals[-1])  # one that is unknown says nothing


# ---------------------------------------------------------------- trying, keeping


_OF_THIS_START = ("LACUNA_CAPACITY", "LACUNA_FRACTION", "LACUNA_SWAP", "LACUNA_SWAP_BUDGET")


def _plain():
    """The environment of a Python that nobody watches, and where the agent serves: what is tried is kept for all starts."""
    environment = {name: value for name, value in os.environ.items() if name not in _OF_THIS_START}
    environment.update(LACUNA_TELEMETRY="off", LACUNA_OPTIMISATION="on")
    hook, library = os.path.join(os.path.dirname(PACKAGE), "hook"), os.path.basename(environment.get("LACUNA_LIBRARY", ""))
    ours = {"PYTHONPATH": lambda word: word == hook, "LD_PRELOAD": lambda word: os.path.basename(word) == library}
    for name, is_ours in ours.items():
        kept = [word for word in environment.get(name, "").split(":") if word and not is_ours(word)]
        environment[name] = ":".join(kept)
        if not kept:
            del environment[name]
    return environment


def _try(path, library, kind):
    command = [sys.executable, "-B", os.path.join(PACKAGE, "trial.py"), kind.name, path, library]
    _run(command, "the front answers otherwise than PyTorch", _plain())


@contextlib.contextmanager
def _alone(place):
    """One process compiles; others that want the same wait for it."""
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def place_of(identity):
    """Where the front for this PyTorch lies: shipped, else built, else where it will be."""
    shipped = os.path.join(_shipped(), _name(identity), LIBRARY)
    return shipped if os.path.exists(shipped) else os.path.join(folder(), _name(identity), LIBRARY)


def find_or_build(identity, library):
    """The path of the front for this PyTorch.

    :param identity: from ``identity.of``
    :param library: the agent's library, for the trial
    :raises Failed: where it cannot be built, or does not answer as PyTorch's own allocator does
    """
    kept = place_of(identity)
    if os.path.exists(kept):
        return kept
    place = os.path.dirname(kept)
    try:
        with _alone(place):
            if not os.path.exists(kept):
                _build_or_remember(identity, library, place)
    except OSError as refused:
        raise Failed("%s: %s" % (folder(), refused))
    return kept


def _build_or_remember(identity, library, place):
    """Others that start meanwhile, and the next starts of a day, are told at once why there is none."""
    refusal = place + ".refused"
    if os.path.exists(refusal) and time.time() - os.stat(refusal).st_mtime < REFUSED_SECONDS:
        with open(refusal) as reason:
            raise Failed("%s (tried before: %s)" % (reason.read(), refusal))
    _compiler()
    try:
        _build(identity, library, place)
    except Failed as refused:
        with open(refusal, "w") as reason:
            reason.write(str(refused))
        raise


def _build(identity, library, place):
    sys.stderr.write("lacuna: compiling for PyTorch %s, once (about 20 s)\n" % identity.version)
    work = tempfile.mkdtemp(dir=os.path.dirname(place))
    try:
        _try(_compile_somehow(identity, work), library, identity.kind)
        if identity.kind is CUDA:
            sharing.keep(work, _plain())
        os.rename(work, place)
    finally:
        shutil.rmtree(work, ignore_errors=True)
