"""Makes the libraries that libtorch_cuda is linked to and that are not here: every function it wants, doing nothing.

usage: no_ops.py LIBTORCH_FOLDER OUT_FOLDER CC

Reads the undefined symbols of the libtorch libraries and writes, compiles and links one library per vendor library:
math functions answer success, `…Create` hands out a handle. The CUDA runtime, the driver and NVML get what runtime.c
and driver.c beside this file do not define, answering "not supported".
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TORCH = ("libtorch_cuda.so", "libtorch_cpu.so", "libjnitorch_cuda.so", "libtorch_cuda_linalg.so", "libc10_cuda.so", "libjnitorch.so")

# Library, what its functions' names begin with, its versions where its symbols have one, sources to build in.
LIBRARIES = (
    ("libcusparse.so.12", "cusparse"), ("libcufft.so.11", "cufft"), ("libcufile.so.0", "cuFile"),
    ("libcurand.so.10", "curand"), ("libcublasLt.so.12", "cublasLt"), ("libcublas.so.12", "cublas"),
    ("libcudnn.so.9", "cudnn"), ("libcudnn_cnn.so.9", None), ("libcudnn_adv.so.9", None), ("libcudnn_ops.so.9", None),
    ("libcudnn_graph.so.9", None), ("libcupti.so.12", "cupti"), ("libcusolver.so.11", "cusolver"),
)  # fmt: skip
DRIVER = """cuMemExportToShareableHandle cuMemImportFromShareableHandle cuMemsetD32Async cuStreamWriteValue32
    cuMulticastAddDevice cuMulticastBindMem cuMulticastCreate""".split()
NVML = """nvmlInit_v2 nvmlDeviceGetHandleByPciBusId_v2 nvmlDeviceGetNvLinkRemoteDeviceType
    nvmlDeviceGetNvLinkRemotePciInfo_v2 nvmlDeviceGetComputeRunningProcesses""".split()
NOT_SUPPORTED = {"libcudart.so.12": 801, "libcuda.so.1": 801, "libnvidia-ml.so.1": 3}

# The few that must answer more than success, by what their documentation says they write.
SPECIAL = {
    "cublasLtMatmulAlgoGetHeuristic": "int %s(void*a,void*b,void*c,void*d,void*e,void*f,void*g,int n,void*found,int*count)"
    "{memset(found,0,96);*count=1;return 0;}",
    "cudnnGetVersion": "size_t %s(void){return 91000;}",
    "cublasGetVersion_v2": "int %s(void*h,int*v){*v=120900;return 0;}",
    "cublasLtGetVersion": "size_t %s(void){return 120900;}",
}
TEXT = 'const char*%s(int status){return "stand-in";}'


def wanted(folder):
    """(name, version or None) of every undefined symbol."""
    found = set()
    for library in TORCH:
        command = ["readelf", "--dyn-syms", "-W", os.path.join(folder, library)]
        for line in subprocess.run(command, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout.splitlines():
            words = line.split()
            if len(words) >= 8 and words[6] == "UND":
                name, _, version = words[7].partition("@")
                found.add((name, version.lstrip("@") or None))
    return found


def defined(source):
    """The functions that a source here defines."""
    with open(os.path.join(HERE, source)) as text:
        return set(re.findall(r"^API [\w ]*?\**(\w+)\(", text.read(), re.M))


def body(name, failure):
    if name in SPECIAL:
        return SPECIAL[name] % name
    if name.endswith(("ErrorString", "StatusString")):
        return TEXT % name
    if failure is None and "Create" in name:
        return "int %s(void**handle){if(handle)*handle=calloc(1,256);return 0;}" % name
    return "int %s(void){return %d;}" % (name, failure or 0)


def build(out, compiler, library, names, source=None, versioned=False):
    text = "#include <stdlib.h>\n#include <string.h>\n" + "\n".join(
        body(name, NOT_SUPPORTED.get(library)) for name in sorted(names)
    )
    generated = os.path.join(out, library + ".c")
    with open(generated, "w") as file:
        file.write(text + "\n")
    command = [*compiler, "-O1", "-w", "-shared", "-fPIC", "-pthread", "-Wl,-soname," + library, generated]
    if source:
        command.append(os.path.join(HERE, source))
    if versioned:
        script = os.path.join(out, library + ".map")
        with open(script, "w") as file:
            file.write("%s { global: *; };\n" % library)
        command.append("-Wl,--version-script=" + script)
    subprocess.run([*command, "-o", os.path.join(out, library)], check=True)


def main():
    folder, out, *compiler = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    left = wanted(folder)
    runtime = {name for name, version in left if version == "libcudart.so.12"}
    build(out, compiler, "libcudart.so.12", runtime - defined("runtime.c"), "runtime.c", versioned=True)
    build(out, compiler, "libcuda.so.1", set(DRIVER) - defined("driver.c"), "driver.c")
    build(out, compiler, "libnvidia-ml.so.1", set(NVML))
    for library, prefix in LIBRARIES:
        mine = {(n, v) for n, v in left if v == library or (v is None and prefix and n.startswith(prefix))}
        left -= mine
        build(out, compiler, library, {n for n, _ in mine}, versioned=any(v for _, v in mine))


main()
