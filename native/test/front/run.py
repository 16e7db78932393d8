"""Builds stress.cpp with the front's own source for the PyTorch of this interpreter, under sanitizers, and runs it.

run.py [--seconds N] [address|thread|plain]…    run.sh starts it with the interpreter and the libraries that are meant

PyTorch's own libraries are not instrumented: of them the sanitizers see what they ask of the C library. Exit status 77 where
there is no PyTorch for CUDA with its headers.
"""

import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(NATIVE, "python", "lacuna"))

from front import build, identity  # noqa: E402

FLAGS = {"plain": [], "address": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], "thread": ["-fsanitize=thread"]}
SETTING = {"ASAN_OPTIONS": "detect_leaks=0", "TSAN_OPTIONS": "halt_on_error=1"}


def agent(name):
    """The agent's library, instrumented."""
    place = os.path.join(NATIVE, "build", "front-" + name)
    flags = " ".join(FLAGS[name])
    library = os.path.join(place, "liblacuna_torch.so")
    command = ["make", "-s", "-j", "2", "-C", NATIVE, "BUILD=" + place, "CFLAGS=" + flags, "CXXFLAGS=" + flags, "LDFLAGS=" + flags, library]
    subprocess.run(command, check=True)
    return place, library


def program(who, place, flags):
    """The stress with the front in it, and instrumented like it."""
    refusals = []
    out, sources = os.path.join(place, "stress"), [os.path.join(HERE, "stress.cpp"), os.path.join(build.PACKAGE, who.kind.source)]
    for standard in build.STANDARDS:
        compiler, own = build._compiler(), build._flags(who, standard)
        try:
            build.write_members(compiler, own, place, who.kind)
            command = [compiler, *own, *flags, "-O1", "-g", "-I" + place, "-I" + build._agents_include(), *sources, "-o", out]
            build._run(command + [*who.libraries, identity._mapped("libcudart"), "-Wl,--allow-shlib-undefined", "-ldl", "-pthread"], "the stress does not compile")
            return out
        except build.Failed as refused:
            refusals.append(str(refused))
    sys.exit("\n".join(refusals))


def main():
    parser = argparse.ArgumentParser(usage="run.py [--seconds N] [address|thread|plain]…")
    parser.add_argument("--seconds", type=int, default=15)
    parser.add_argument("names", nargs="*", default=["address", "thread"])
    options = parser.parse_args()
    try:
        import torch

        torch.cuda.is_available()
        who = identity.of(torch)
    except (ImportError, identity.Unknown) as lacking:
        print("skipped: %s" % lacking)
        return 77
    failed = 0
    for name in options.names:
        place, library = agent(name)
        command = [program(who, place, FLAGS[name]), library, str(options.seconds)]
        folders = [os.environ.get("LD_LIBRARY_PATH"), os.path.dirname(who.libraries[0])]
        environment = dict(os.environ, LD_LIBRARY_PATH=os.pathsep.join(filter(None, folders)), LACUNA_TELEMETRY="on", TORCH_CPP_LOG_LEVEL="ERROR", **SETTING)
        environment.update(STANDIN_BYTES=str(1 << 30), LACUNA_DIR=os.path.join(place, "meeting"))
        os.makedirs(environment["LACUNA_DIR"], mode=0o700, exist_ok=True)
        done = subprocess.run(command, env=environment)
        print("%s %s" % (name, "passed" if done.returncode == 0 else "FAILED: exit status %d" % done.returncode), flush=True)
        failed += done.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
