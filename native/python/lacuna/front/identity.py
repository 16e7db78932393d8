"""Which PyTorch this is, exactly: what a front was compiled for must be what is loaded."""

import collections
import os
import struct

Identity = collections.namedtuple("Identity", "version abi cuda build_id libraries include")
Identity.__doc__ = """A PyTorch for CUDA.

version, cuda: as PyTorch says; abi: 0 or 1, of C++'s strings; build_id: of libc10_cuda.so, in hexadecimal digits;
libraries: paths of libc10_cuda.so and libc10.so as they are loaded; include: folder of its headers.
"""

HEADER = os.path.join("c10", "cuda", "CUDACachingAllocator.h")
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


def _include(torch):
    for folder in (os.path.join(os.path.dirname(os.path.abspath(torch.__file__)), "include"), "/usr/include"):
        if os.path.exists(os.path.join(folder, HEADER)):
            return folder
    raise Unknown("PyTorch's C++ headers are not here (Debian: libtorch-cuda-dev)")


def of(torch):
    """The identity of the PyTorch that is loaded.

    :raises Unknown: where it is none for CUDA, or its headers are missing
    """
    cuda = _mapped("libc10_cuda")
    if not torch.version.cuda:
        raise Unknown("this PyTorch is not built for CUDA")
    return Identity(
        str(torch.__version__), int(torch._C._GLIBCXX_USE_CXX11_ABI), torch.version.cuda, build_id(cuda),
        (cuda, _mapped("libc10")), _include(torch),
    )  # fmt: skip
