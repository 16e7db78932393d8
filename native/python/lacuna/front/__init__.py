"""The front door: an allocator of ours that stands before PyTorch's own on CUDA, and hands on what it does not serve.

It is compiled against the headers of the PyTorch that will load it, once, and kept under that PyTorch's version, ABI and
build id. Before it is used, a process of its own tries it. Where it can neither be built nor found, ``devices`` puts the
agent behind CUDAPluggableAllocator instead, which refuses what it has no hooks for.
"""

import ctypes
import os

from . import build, identity

NOT_NATIVE, OTHER_VERSION = 1, 2  # what lacuna_front_install answers
installed = None  # its library, once it stands


class Unavailable(Exception):
    """Why there is no front; one sentence."""


class NotNative(Unavailable):
    """PyTorch allocates otherwise than by its own caching allocator, as somebody wanted."""


def install(torch, library):
    """Puts the front before PyTorch's allocator, building it where that was not done yet.

    :param library: path of the agent's library, which is loaded
    :raises NotNative: where another allocator than PyTorch's own stands
    :raises Unavailable: where it cannot be had; nothing has changed then
    """
    try:
        path = build.find_or_build(identity.of(torch), library)
        front = ctypes.CDLL(path)
    except (build.Failed, identity.Unknown, OSError) as reason:
        raise Unavailable(str(reason))
    global installed
    outcome = front.lacuna_front_install(os.fsencode(library))
    if outcome == NOT_NATIVE:
        raise NotNative("it is not PyTorch's native one")
    if outcome == OTHER_VERSION:
        raise Unavailable("liblacuna_torch.so is of another version")
    installed = front
