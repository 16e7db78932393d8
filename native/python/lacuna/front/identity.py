"""Which PyTorch or torch_npu this is, exactly: what a front was compiled for must be what is loaded."""

import collections
import os
import struct

Kind = collections.namedtuple("Kind", "name header allocator source")
Kind.__doc__ = """A framework's device memory: the header that declares its allocator, the class, and what of the front is its own."""
CUDA = Kind("cuda", "c10/cuda/CUDACachingAllocator.h", "CUDAAllocator", "front_cuda.cpp")
NPU = Kind("npu", "torch_npu/csrc/core/npu/NPUCachingAllocator.h", "NPUAllocator", "front_npu.cpp")

Identity = collections.namedtuple("Identity", "kind version abi build_id libraries includes flags")
Identity.__doc__ = """A PyTorch for CUDA, or a torch_npu.

version: as it says; abi: 0 or 1, of C++'s strings; build_id: of the library that has the allocator, in hexadecimal digits;
libraries: paths of that, of libc10.so and of what else the front is linked to, as they are loaded; includes: folders of headers;
flags: the compiler's beside them.
"""

PACKAGE = os.path.dirname(os.path.abspath(__file__))
PT_NOTE, NT_GNU_BUILD_ID = 4, 3


class Unknown(Exception):
    """What cannot be found of it; one sentence."""


def _mapped(name):
    """The path of a library in this process."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            path = line.split(None, 5)[5].rstrip("\n") if line.count(" ") >= 5 and "/" in line else ""
            if os.path.basename(path).split(".so")[0] == name and ".so" in path:
                return path
    raise Unknown("%s.so is not loaded" % name)


def _notes(elf):
    """The contents of the note segments of a 64-bit little-endian ELF file."""
    header = elf.read(64)
    if header[:6] != b"\x7fELF\x02\x01":
        raise Unknown("a library is no 64-bit ELF file")
    offset, size, count = struct.unpack_from("<Q", header, 32)[0], *struct.unpack_from("<HH", header, 54)
    for number in range(count):
        elf.seek(offset + number * size)
        entry = elf.read(size)
        if struct.unpack_from("<I", entry)[0] == PT_NOTE:
            begin, length = struct.unpack_from("<Q", entry, 8)[0], struct.unpack_from("<Q", entry, 32)[0]
            elf.seek(begin)
            yield elf.read(length)


def build_id(path):
    """The build id of a library, in hexadecimal digits; what its size and date say where it has none."""
    with open(path, "rb") as elf:
        for notes in _notes(elf):
            at = 0
            while at + 12 <= len(notes):
                name, length, kind = struct.unpack_from("<III", notes, at)
                content = at + 12 + (name + 3) // 4 * 4
                if kind == NT_GNU_BUILD_ID and notes[at + 12 : at + 16] == b"GNU\0":
                    return notes[content : content + length].hex()
                at = content + (length + 3) // 4 * 4
    found = os.stat(path)
    return "%x-%x" % (found.st_size, found.st_mtime_ns)


def _include(module, header, missing):
    for folder in (os.path.join(os.path.dirname(os.path.abspath(module.__file__)), "include"), "/usr/include"):
        if os.path.exists(os.path.join(folder, header)):
            return folder
    raise Unknown(missing)


def of(torch, torch_npu=None):
    """The identity of the PyTorch that is loaded, or of the torch_npu where one is given.

    :raises Unknown: where it is none for CUDA, or a library or its headers are missing
    """
    return _of_cuda(torch) if torch_npu is None else _of_npu(torch, torch_npu)


def _of_npu(torch, torch_npu):
    library = _mapped("libtorch_npu")
    own = _include(torch_npu, NPU.header, "torch_npu's C++ headers are not here")
    pytorchs = _include(torch, "c10/core/Allocator.h", "PyTorch's C++ headers are not here (Debian and Ubuntu: libtorch-dev)")
    below = ("", os.path.join("third_party", "acl", "inc"), os.path.join("third_party", "hccl", "inc"))
    return Identity(
        NPU, "%s+npu%s" % (torch.__version__, torch_npu.__version__), int(torch._C._GLIBCXX_USE_CXX11_ABI), build_id(library),
        (library, _mapped("libc10"), _mapped("libascendcl")),
        tuple(os.path.join(own, folder) for folder in below) + (pytorchs, os.path.join(pytorchs, "torch", "csrc", "api", "include")),
        ("-DLACUNA_FRONT_NPU",),
    )  # fmt: skip


def _of_cuda(torch):
    cuda = _mapped("libc10_cuda")
    if not torch.version.cuda:
        raise Unknown("this PyTorch is not built for CUDA")
    major, minor = (torch.version.cuda.split(".") + ["0"])[:2]
    headers = _include(torch, CUDA.header, "PyTorch's C++ headers are not here (Debian: libtorch-cuda-dev)")
    return Identity(
        CUDA, str(torch.__version__), int(torch._C._GLIBCXX_USE_CXX11_ABI), build_id(cuda), (cuda, _mapped("libc10")),
        (os.path.join(PACKAGE, "cuda"), headers), ("-DLACUNA_CUDART_VERSION=%d" % (int(major) * 1000 + int(minor) * 10),),
    )  # fmt: skip
