"""Exchanges the memory of a storage; every tensor that shares it follows.

On the host a storage that is made longer and then as long as it was lies in two new blocks in turn, the second where the
agent places long-lived ones; each is there before the former goes. The first is as long for all of them, so that it is the
same place each time and leaves no gap between those that stay. On CUDA the front exchanges the data pointer, and the
allocator by which the storage would resize itself.
"""

import ctypes
import sys

MOVED, NO_MEMORY, FOREIGN, GRAPH = 0, 1, 2, 3  # lacuna_front_move


SMALL, CHUNK = 1 << 20, 2 << 20  # the allocator's: what is no larger lies apart from what is; what it takes memory in
UNIT = 512  # what it rounds sizes to


def in_room(size):
    """How much of a segment that is made for what moves a storage takes; the small lie close without."""
    taken = -(-size // UNIT) * UNIT
    return taken if taken > SMALL else 0


class HostMover:
    def __init__(self, torch):
        self._is_lazy_copy = getattr(torch._C, "_is_cow_tensor", None)
        self._too_long = []  # (storage, bytes): its second exchange found no memory
        self._longest = 0

    def refusal_of_all(self):
        return None

    def prepare(self, sizes):
        """Of all that is about to be moved: how many bytes lie close only where room is made for them, and the longest block."""
        self._longest = (max(sizes, default=0) // CHUNK + 1) * CHUNK
        return sum(map(in_room, sizes)), self._longest

    def refusal(self, held):
        tensor = held.tensors[0][0]
        if held.storage.is_shared():
            return "exported"
        if self._is_lazy_copy is not None and self._is_lazy_copy(tensor):
            return "shared"
        return None

    def move(self, storage):
        """None, or why it was not moved; its bytes are the same then."""
        length = storage.nbytes()
        for longer in (SMALL if length < SMALL else max(self._longest, length + 1), length + 1):
            why = _resized(storage, longer)
            if why != "memory":
                break
        if why is not None:
            return why
        self._too_long.append((storage, length))
        return "memory" if self.finish() else None

    def release(self, index):
        """The agent gives back what drains."""

    def finish(self):
        """Gives storages their length back; how many still are too long."""
        left = []
        for storage, length in self._too_long:
            try:
                storage.resize_(length)
            except RuntimeError:
                left.append((storage, length))
        self._too_long = left
        return len(left)


def _resized(storage, length):
    try:
        storage.resize_(length)
    except RuntimeError as refused:
        return "foreign" if "resizable" in str(refused) else "memory"
    return None


class DeviceMover:
    """``front``: the library of the allocator that stands before PyTorch's own."""

    _WORDS = {MOVED: None, NO_MEMORY: "memory", FOREIGN: "foreign", GRAPH: "graph"}

    def __init__(self, front):
        library = ctypes.PyDLL(None, handle=front._handle)
        self._move, self._has_graphs, self._release = library.lacuna_front_move, library.lacuna_front_has_graphs, library.lacuna_front_release_other
        self._move.argtypes = (ctypes.c_void_p,)

    def refusal_of_all(self):
        return "graph" if self._has_graphs() else None

    def prepare(self, sizes):
        """There is one exchange only, and PyTorch's own allocator has its own segments."""
        return 0, 0

    def refusal(self, held):
        return None

    def move(self, storage):
        return self._WORDS.get(self._move(storage._cdata), "foreign")

    def release(self, index):
        """What the moved lay in is not for the side that serves."""
        self._release(index)

    def finish(self):
        return 0


def of_device(torch, kind):
    """The mover of a device's storages; None where none can move them."""
    if kind == "cpu":
        return HostMover(torch)
    front = getattr(sys.modules.get("_lacuna_front"), "installed", None)
    return DeviceMover(front) if kind == "cuda" and front is not None else None
