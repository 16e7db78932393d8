"""Builds the stand-in of torch_npu for the PyTorch of this interpreter: build.py FOLDER [ASCENDCL'S-FOLDER]."""

import os
import subprocess
import sys

import torch
from torch.utils import cpp_extension

HERE = os.path.dirname(os.path.abspath(__file__))


def main(folder, runtime):
    os.makedirs(folder, exist_ok=True)
    includes = [os.path.join(HERE, "torch_npu"), os.path.join(HERE, "torch_npu", "include"), os.path.join(os.path.dirname(HERE), "standin"), *cpp_extension.include_paths()]
    libraries = os.path.join(os.path.dirname(torch.__file__), "lib")
    command = ["g++", "-std=c++20", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-D_GLIBCXX_USE_CXX11_ABI=%d" % torch._C._GLIBCXX_USE_CXX11_ABI]
    command += ["-isystem" + path for path in includes] + [os.path.join(HERE, "torch_npu", "torch_npu.cpp"), "-o", os.path.join(folder, "libtorch_npu.so")]
    command += ["-L" + libraries, "-ltorch_cpu", "-lc10", "-L" + runtime, "-lascendcl", "-Wl,-rpath," + runtime, "-Wl,--allow-shlib-undefined"]
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
