"""What the agents of this process are asked, and are told (lacuna.h, "compaction")."""

import ctypes

NONE, ASKED, RUNNING, DONE = range(4)  # lacuna_compaction_state
STAYS = ("shared", "exported", "foreign", "graph", "library", "threads", "memory", "kind", "door")  # lacuna_stay
VIRTUAL, CUDA = 1, 2  # lacuna_backend
SERVING, LEFT_OVER = 0, 1  # lacuna_is_left_over


class Told(ctypes.Structure):
    """lacuna_compaction"""

    _fields_ = (
        [("state", ctypes.c_uint32), ("at_once", ctypes.c_uint32)]
        + [(name, ctypes.c_uint64) for name in ("steps", "moved", "moved_bytes", "left", "left_bytes", "busy_ns")]
        + [("stayed", ctypes.c_uint64 * len(STAYS)), ("stayed_bytes", ctypes.c_uint64 * len(STAYS))]
    )


class Agents:
    """The library's functions. PyDLL: they keep the interpreter's lock, under which no other thread of Python moves."""

    def __init__(self, library):
        self._lib = library
        for name in ("ask", "read", "tell"):
            getattr(library, "lacuna_compaction_" + name).argtypes = (ctypes.c_void_p, ctypes.c_int if name == "ask" else ctypes.c_void_p)
        library.lacuna_compaction_prepare.argtypes = (ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)
        library.lacuna_is_left_over.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
        library.lacuna_process_owner.argtypes = (ctypes.c_void_p,)
        library.lacuna_process_owner.restype = ctypes.c_void_p
        library.lacuna_served.argtypes = (ctypes.c_int, ctypes.c_int)
        library.lacuna_served.restype = ctypes.c_void_p
        library.lacuna_serves.argtypes = (ctypes.c_void_p,)
        self._door = getattr(library, "lacuna_host_door_is_open", int)

    def all(self):
        """Addresses of the process's agents."""
        handles = (ctypes.c_void_p * 16)()
        return [handle for handle in handles[: min(16, self._lib.lacuna_process_agents(handles, 16))]]

    def asked(self, handle):
        told = Told()
        self._lib.lacuna_compaction_read(handle, ctypes.addressof(told))
        return told

    def tell(self, handle, told):
        self._lib.lacuna_compaction_tell(handle, ctypes.addressof(told))

    def prepare(self, handle, size, longest):
        """So many bytes are about to move, each by way of a block of the longest."""
        self._lib.lacuna_compaction_prepare(handle, size, longest)

    def owner(self, address):
        return self._lib.lacuna_process_owner(address)

    def is_left_over(self, handle, address):
        """SERVING or LEFT_OVER: where it lies; else it is no block of the agent's."""
        return self._lib.lacuna_is_left_over(handle, address)

    def beside_the_host(self):
        """The host's agent where PyTorch's own functions serve beside it (takeover.py); else None."""
        return self._lib.lacuna_served(VIRTUAL, 0) if self._door() else None

    def of_cuda(self, index):
        return self._lib.lacuna_served(CUDA, index)

    def serves(self, handle):
        return bool(self._lib.lacuna_serves(handle))

    def set_up(self, begins):
        """What is allocated meanwhile lives long."""
        self._lib.lacuna_process_phase(0, begins)
