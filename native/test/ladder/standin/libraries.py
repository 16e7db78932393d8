"""Makes the stand-ins that a PyTorch for CUDA is linked to, all of them, into a folder.

usage: libraries.py OUT AGENT PYTORCHS_LIBRARY...

Reads what the given libraries of PyTorch need: CUDA's driver and runtime are the C sources here, of NVIDIA's other
libraries each function that is wanted answers success, or what vendors.c says. What of the driver and runtime is wanted
and not there answers that it is not supported. AGENT is liblacuna_torch.so, which the watching library (checked.c) is put
in front of.
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILE = [*os.environ.get("CC", "gcc").split(), "-std=c11", "-D_GNU_SOURCE", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-pthread"]
WARN = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
DRIVER = ["books.c", "memory.c", "streams.c", "blocks.c", "driver.c"]
NOT_SUPPORTED, NVML_NOT_SUPPORTED = 801, 3

# What the names of a library's functions begin with.
PREFIXES = {
    "libcudart": "cuda", "libcudnn": "cudnn", "libcublasLt": "cublasLt", "libcublas": "cublas", "libcufft": "cufft",
    "libcurand": "curand", "libcusolver": "cusolver", "libcusparseLt": "cusparseLt", "libcusparse": "cusparse",
    "libnccl": "nccl", "libnvToolsExt": "nvtx", "libcufile": "cuFile", "libcupti": "cupti", "libnvrtc": "nvrtc",
    "libnvshmem_host": "nvshmem",
}  # fmt: skip
# What PyTorch looks up by name when it runs.
BY_NAME = {
    "libcuda.so.1": """cuStreamWriteValue32 cuMulticastAddDevice cuMulticastBindMem
        cuMulticastCreate cuMulticastUnbind cuMemRetainAllocationHandle""",
    "libnvidia-ml.so.1": """nvmlInit_v2 nvmlShutdown nvmlDeviceGetCount_v2 nvmlDeviceGetHandleByPciBusId_v2
        nvmlDeviceGetNvLinkRemoteDeviceType nvmlDeviceGetNvLinkRemotePciInfo_v2 nvmlDeviceGetComputeRunningProcesses
        nvmlDeviceGetGpuFabricInfoV nvmlSystemGetCudaDriverVersion_v2""",
    "libnvrtc": """nvrtcVersion nvrtcCreateProgram nvrtcCompileProgram nvrtcGetPTXSize nvrtcGetPTX nvrtcGetCUBINSize
        nvrtcGetCUBIN nvrtcGetProgramLogSize nvrtcGetProgramLog nvrtcDestroyProgram nvrtcAddNameExpression
        nvrtcGetLoweredName nvrtcGetErrorString""",
}  # fmt: skip


def read(name):
    with open(os.path.join(HERE, name)) as file:
        return file.read()


def defined(*sources):
    return {name for source in sources for name in re.findall(r"^API [\w ]*?\**(\w+)\(", read(source), re.M)}


def dynamic(library):
    """(needed libraries, {undefined name: version or None})"""
    text = subprocess.run(
        ["readelf", "-d", "--dyn-syms", "-W", library], check=True, stdout=subprocess.PIPE, universal_newlines=True
    ).stdout
    needed, names = set(re.findall(r"\(NEEDED\).*\[(.*)\]", text)), {}
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 8 and words[6] == "UND":
            name, _, version = words[7].partition("@")
            names[name] = version.lstrip("@") or None
    return needed, names


def wanted(libraries):
    needed, names = set(), {}
    for library in libraries:
        more, undefined = dynamic(library)
        needed |= more
        for name, version in undefined.items():
            names[name] = version or names.get(name)
    return needed, names


class Vendors:
    """The functions of vendors.c by name, as text, and what they call that is in there too."""

    def __init__(self):
        text = read("vendors.c")
        self.head = text[: text.index("/* -----")]
        self.functions = {
            found.group(2): found.group(0)
            for found in re.finditer(r"^(?:API|static) (?:[\w ]*?\**)(\s?)(\w+)\((?:.|\n)*?(?:^}|; }|\); })$", text, re.M)
        }
        self.types = "\n".join(re.findall(r"^typedef struct (?:.|\n)*?^} \w+;$", text, re.M))

    def source(self, name, failure):
        if name in self.functions:
            return self.functions[name]
        if re.search(r"(Error|Status)(String|Name)$", name):
            return 'API const char *%s(int e) { return e ? "stand-in" : "no error"; }' % name
        if failure == 0 and "Create" in name:
            return "API int %s(void **handle) { *handle = calloc(1, 4096); return 0; }" % name
        return "API int %s(void) { return %d; }" % (name, failure)

    def text(self, names, failure):
        bodies = "\n".join(self.source(name, failure) for name in sorted(names))
        helpers = [name for name in ("communicator", "sixteen", "no_text") if re.search(r"\b%s\(" % name, bodies)]
        return "\n".join([self.head, self.types, *(self.functions[name] for name in helpers), bodies, ""])


class Maker:
    def __init__(self, out, cudart):
        self.out, self.vendors, self.cudart = out, Vendors(), cudart

    def library(self, name, functions, sources=(), failure=0, version=None, links=()):
        stem = os.path.join(self.out, name)
        with open(stem + ".c", "w") as file:
            file.write(self.vendors.text(functions, failure))
        command = [*COMPILE, *WARN, "-DCUDART=%d" % self.cudart, "-I" + HERE, "-Wl,-soname," + name, stem + ".c"]
        command += [os.path.join(HERE, source) for source in sources]
        if version:
            with open(stem + ".map", "w") as file:
                file.write("%s { global: *; };\n" % version)
            command.append("-Wl,--version-script=" + stem + ".map")
        subprocess.run([*command, *links, "-ldl", "-o", stem], check=True)
        for left in (".c", ".map"):
            if os.path.exists(stem + left):
                os.unlink(stem + left)

    @property
    def driver(self):
        return [os.path.join(self.out, "libcuda.so.1"), "-Wl,-rpath,$ORIGIN"]


def belongs(name, version, library, prefix):
    if version is not None and version != "NVSHMEM":
        return version == library
    return bool(re.match(prefix + r"[A-Z_]|%s\w" % prefix if prefix != "cuda" else r"(__)?cuda[A-Z]", name))


def of_vendors(maker, needed, names):
    """NVIDIA's libraries but the driver: the longer names first, since cublasLt's begin as cublas's do."""
    libraries = sorted((n for n in needed if n.partition(".")[0] in PREFIXES), key=lambda n: (-len(n.partition(".")[0]), n))
    for library in libraries:
        short = library.partition(".")[0]
        mine = {name for name, version in names.items() if belongs(name, version, library, PREFIXES[short])}
        versions = {names.pop(name) for name in mine} - {None}
        mine |= set(BY_NAME.get(short, "").split())
        sources, failure = (["runtime.c"], NOT_SUPPORTED) if short == "libcudart" else ((), 0)
        version = library if sources else next(iter(versions), None)
        maker.library(library, mine - defined(*sources), sources, failure, version, maker.driver)
        print("%-24s %4d functions" % (library, len(mine)))
    if not any(library.startswith("libnvrtc") for library in libraries):
        name = "libnvrtc.so.%d" % maker.cudart
        maker.library(name, set(BY_NAME["libnvrtc"].split()), version=name)


def checked(out, agent):
    """Found in the process by its name, and not the agent's own copy: linked to the very file."""
    folder, name = os.path.split(os.path.abspath(agent))
    subprocess.run(
        [*COMPILE, *WARN, "-fexceptions", os.path.join(HERE, "checked.c"), "-Wl,--no-as-needed", os.path.join(folder, name),
         "-Wl,-soname,liblacuna_checked.so,-rpath," + folder, "-ldl", "-o", os.path.join(out, "liblacuna_checked.so")], check=True,
    )  # fmt: skip


def main():
    out, agent, *libraries = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    needed, names = wanted(libraries)
    maker = Maker(out, 13 if "libcudart.so.13" in needed else 12)
    driver = {name for name in names if re.match(r"cu[A-Z]", name) and not name.startswith("cuFile")} | set(BY_NAME["libcuda.so.1"].split())
    maker.library("libcuda.so.1", driver - defined(*DRIVER), DRIVER, NOT_SUPPORTED)
    maker.library("libnvidia-ml.so.1", set(BY_NAME["libnvidia-ml.so.1"].split()), failure=NVML_NOT_SUPPORTED)
    of_vendors(maker, needed, names)
    checked(out, agent)


if __name__ == "__main__":
    main()
