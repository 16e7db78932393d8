"""The front door: an allocator of ours that stands before PyTorch's own on CUDA, or torch_npu's, and hands on what it does not
serve.

It is compiled against the headers of the framework that will load it, once, and kept under its version, ABI and build id. Before
it is used, a process of its own tries it. Where it can neither be built nor found, ``devices`` puts the agent behind the
framework's pluggable allocator instead, which refuses what it has no hooks for.
"""

import ctypes
import os

from . import build, identity, sharing

NOT_NATIVE, OTHER_VERSION = 1, 2  # what lacuna_front_install answers
installed = None  # its library, once it stands
_is_owing = None  # its function, which is asked under Python's lock: giving that away and back would take longer


class Unavailable(Exception):
    """Why there is no front; one sentence."""


class NotNative(Unavailable):
    """PyTorch allocates otherwise than by its own caching allocator, as somebody wanted."""


def install(torch, library, torch_npu=None):
    """Puts the front before PyTorch's allocator, building it where that was not done yet.

    :param library: path of the agent's library, which is loaded
    :param torch_npu: where it is given, the front goes before its allocator instead
    :raises NotNative: where another allocator than PyTorch's own stands
    :raises Unavailable: where it cannot be had; nothing has changed then
    """
    stand(build_for(torch, library, torch_npu), library)


def build_for(torch, library, torch_npu=None):
    """The path of the front for this PyTorch; compiles it where that was not done yet.

    :raises Unavailable: where it cannot be had
    """
    try:
        return build.find_or_build(identity.of(torch, torch_npu), library)
    except (build.Failed, identity.Unknown, OSError) as reason:
        raise Unavailable(str(reason))


def find(torch):
    """The path of the front for this PyTorch, where it was built before.

    :raises Unavailable: where it was not
    """
    try:
        path = build.place_of(identity.of(torch))
    except (build.Failed, identity.Unknown, OSError) as reason:
        raise Unavailable(str(reason))
    if not os.path.exists(path):
        raise Unavailable("there is no front for PyTorch %s yet; python3 -m lacuna build-front makes one" % torch.__version__)
    return path


def stand(path, library):
    """Puts a front that was built before PyTorch's allocator. Raises as ``install``."""
    global installed, _is_owing
    try:
        front = ctypes.CDLL(path)
    except OSError as reason:
        raise Unavailable(str(reason))
    outcome = front.lacuna_front_install(os.fsencode(library))
    if outcome == NOT_NATIVE:
        raise NotNative("it is not PyTorch's native one")
    if outcome == OTHER_VERSION:
        raise Unavailable("liblacuna_torch.so is of another version")
    if hasattr(front, "lacuna_front_shares"):
        shares = sharing.kept(os.path.dirname(path))
        front.lacuna_front_shares(shares, ctypes.c_size_t(len(shares)))
    installed, _is_owing = front, ctypes.PyDLL(None, handle=front._handle).lacuna_front_is_owing


def between_steps():
    """A step has ended, in this thread: what a switch has put off until now is done."""
    if installed is not None and _is_owing():
        installed.lacuna_front_settle()


def step_aside():
    """Has PyTorch's allocator stand alone again, until a front is to stand before it anew. Only while no block of the agent's is in
    use. False where that cannot be now."""
    return installed is None or bool(installed.lacuna_front_remove())


def _torch_npu():
    try:
        import torch_npu
    except ImportError:
        return None
    return torch_npu


def main():
    """``python3 -m lacuna build-front``: prints the path of the front for this Python's PyTorch. Exit status 3 where it cannot
    be had."""
    import sys

    from ..launch import MissingLibrary, find_library

    try:
        import torch
    except ImportError as missing:
        sys.stderr.write("lacuna: this Python has no PyTorch: %s\n" % missing)
        return 3
    try:
        print(build_for(torch, find_library(os.environ), None if torch.version.cuda else _torch_npu()))
    except (Unavailable, MissingLibrary) as reason:
        sys.stderr.write("lacuna: there is no front for this PyTorch: %s\n" % reason)
        return 3
    return 0
