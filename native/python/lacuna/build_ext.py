"""``python3 -m lacuna build-ext``: compiles what needs the framework's headers, with its own build tools.

liblacuna_ext_torch.so throws PyTorch's OutOfMemoryError; liblacuna_ext_npu.so has the hooks of torch_npu whose arguments
are its own classes. They go beside the package, where ``devices`` looks for them.
"""

import os
import shutil
import subprocess
import sys

PACKAGE = os.path.dirname(os.path.abspath(__file__))
HEADER = ("c10", "util", "Exception.h")  # distributions may pack headers apart from the framework


def _compile(name, source, out, include_paths=()):
    from torch.utils import cpp_extension

    if not any(os.path.exists(os.path.join(path, *HEADER)) for path in cpp_extension.include_paths()):
        raise ImportError("PyTorch's C++ headers are not here (Debian and Ubuntu: libtorch-dev)")
    work = os.path.join(out, "." + name)
    os.makedirs(work, exist_ok=True)
    try:
        cpp_extension.load(
            name=name, sources=[os.path.join(PACKAGE, "ext", source)], extra_include_paths=list(include_paths),
            build_directory=work, is_python_module=False, verbose=False,
        )  # fmt: skip
        target = os.path.join(out, "lib%s.so" % name)
        shutil.copy(os.path.join(work, name + ".so"), target)
    finally:
        shutil.rmtree(work)
    return target


def _cause(failed):
    """What a compiler or linker said was wrong; else how it ended."""
    lines = str(failed).strip().splitlines() or ["no reason given"]
    errors = [line for line in lines if " error: " in line or "undefined " in line or "cannot find" in line]
    return "\n".join(errors[:5]) or lines[-1]


def _npu_includes():
    import torch_npu

    return [os.path.join(os.path.dirname(torch_npu.__file__), "include")]


def main(arguments):
    """Exit status: 0 done, 2 wrong usage, 3 a framework or its headers are missing."""
    if arguments[:1] == ["--out"] and len(arguments) == 2:
        out = os.path.abspath(arguments[1])
    elif not arguments:
        out = os.path.join(PACKAGE, "lib")
    else:
        sys.stderr.write("usage: python3 -m lacuna build-ext [--out FOLDER]\n")
        return 2
    try:
        os.makedirs(out, exist_ok=True)
        print(_compile("lacuna_ext_torch", "torch_ext.cpp", out))
        try:
            includes = _npu_includes()
        except ImportError:
            sys.stderr.write("lacuna: no torch_npu here; its hooks are not built\n")
            return 0
        print(_compile("lacuna_ext_npu", "npu_ext.cpp", out, includes))
    except (ImportError, OSError, RuntimeError, subprocess.SubprocessError) as failed:
        sys.stderr.write("lacuna: could not build: %s\n" % _cause(failed))
        return 3
    return 0
