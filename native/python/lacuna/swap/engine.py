"""The calls of the native swap engine (lacuna.h)."""

import ctypes

OFF, ON, ALL = 0, 1, 2  # lacuna_swap_mode
ON_DEVICE, COPYING_OUT, ON_HOST, COPYING_IN = range(4)  # lacuna_swap_place
CAN_KEEP, CAN_SWAP, CAN_RECOMPUTE = 1, 2, 4  # lacuna_layer_action
ASKED_MODE, ASKED_PROFILE, ASKED_POLICY, ASKED_CHANGES_SHIFT = 3, 4, 8, 8
MOST_LAYERS = 1024  # LACUNA_SWAP_LAYERS
KEEP, KEEP_BUDGET = -1, (1 << 64) - 1
SERVED_AT_ONCE, PATIENCE_MS = 4096, 60_000


class Entry(ctypes.Structure):
    """lacuna_swap_entry"""

    _fields_ = [
        ("block", ctypes.c_void_p), ("bytes", ctypes.c_uint64), ("pass_number", ctypes.c_uint64),
        ("cookie", ctypes.c_uint64), ("stream", ctypes.c_uint64), ("layer", ctypes.c_uint32), ("contiguous", ctypes.c_uint32),
    ]  # fmt: skip


class _Measured(ctypes.Structure):
    """lacuna_layer_measurement"""

    _fields_ = [
        ("forward_ns", ctypes.c_uint64), ("backward_ns", ctypes.c_uint64), ("saved_bytes", ctypes.c_uint64),
        ("input_bytes", ctypes.c_uint64), ("copy_out_ns", ctypes.c_uint64), ("copy_in_ns", ctypes.c_uint64),
        ("steps", ctypes.c_uint32), ("can", ctypes.c_uint32),
    ]  # fmt: skip


class _Profile(ctypes.Structure):
    """lacuna_profile"""

    _fields_ = [
        (name, ctypes.c_uint64) for name in ("step_ns", "peak_allocated_bytes", "other_bytes", "link_bytes_per_second")
    ]


HEAR = ctypes.CFUNCTYPE(None, ctypes.py_object)


class Native:
    """The calls of one agent's engine. `quick` ones keep Python's lock: they take a microsecond and wait for nobody."""

    def __init__(self, agent):
        waiting, quick = ctypes.CDLL(None), ctypes.PyDLL(None)
        self._agent = ctypes.c_void_p(agent)
        for library, names in (
            (waiting, ("set", "link", "wait", "serve", "served", "room")),
            (quick, ("bind", "enter_object", "out", "where", "changed", "let_go", "in", "allow", "layer", "mode", "owner_object", "hook_object")),
        ):
            for name in names:
                setattr(self, "_" + name, getattr(library, "lacuna_swap_" + name))
        for name in ("layers_asked", "profile_layer", "profile_elsewhere", "profile_kept_peak", "profile_done", "policy_read", "layer_can", "layer_does"):
            setattr(self, "_" + name, getattr(quick, "lacuna_" + name))
        self._room.restype = self._layers_asked.restype = self._profile_kept_peak.restype = ctypes.c_uint64
        self._serve.restype = ctypes.c_uint32
        self._enter_object.restype = self._hook_object.restype = ctypes.py_object

    def set(self, mode, budget):
        return self._set(self._agent, mode, ctypes.c_uint64(budget)) == 0

    def link(self, speed, latency):
        return self._link(self._agent, ctypes.c_uint64(speed), ctypes.c_uint64(latency)) == 0

    def mode(self):
        return self._mode(self._agent)

    def room(self):
        return self._room(self._agent)

    def layer(self, name):
        number = ctypes.c_uint32()
        self._layer(self._agent, name.encode("utf-8", "replace"), ctypes.byref(number))
        return number.value

    def asked(self):
        """(mode, whether a profile is wanted, whether a policy holds, how often one was told)."""
        word = self._layers_asked(self._agent)
        return word & ASKED_MODE, bool(word & ASKED_PROFILE), bool(word & ASKED_POLICY), word >> ASKED_CHANGES_SHIFT

    def policy(self):
        """One letter a layer; empty where none holds."""
        letters = ctypes.create_string_buffer(MOST_LAYERS + 1)
        self._policy_read(self._agent, letters)
        return letters.value.decode("ascii")

    def layer_can(self, number, actions, reason):
        self._layer_can(self._agent, number, actions, int(reason))

    def layer_does(self, number, action):
        self._layer_does(self._agent, number, action)

    def profile_layer(self, number, forward_ns, backward_ns, saved_bytes, input_bytes, steps):
        measured = _Measured(forward_ns, backward_ns, saved_bytes, input_bytes, 0, 0, steps, 0)
        self._profile_layer(self._agent, number, ctypes.byref(measured))

    def elsewhere(self, size):
        """Bytes that would be on the device if nothing were swapped or computed again."""
        self._profile_elsewhere(self._agent, ctypes.c_uint64(size))

    def kept_peak(self):
        """Most that was allocated or elsewhere at a time in the last step."""
        return self._profile_kept_peak(self._agent)

    def profile_done(self, step_ns, peak_bytes, other_bytes, link_speed):
        self._profile_done(self._agent, ctypes.byref(_Profile(step_ns, peak_bytes, other_bytes, link_speed)))

    def enter(self, entry):
        """(ticket, lease), or None for what is no block of the agent. Who drops the lease leaves, after a copy under way."""
        ticket = ctypes.c_void_p()
        try:
            return ticket, self._enter_object(self._agent, ctypes.byref(entry), ctypes.byref(ticket))
        except ValueError:  # what ctypes says of no object
            if ticket.value is not None:
                raise
            return None

    def allow(self, number):
        self._allow(self._agent, ctypes.c_uint64(number))

    def out(self, ticket, stream):
        return self._out(self._agent, ticket, ctypes.c_uint64(stream)) == 0

    def where(self, ticket):
        return self._where(self._agent, ticket)

    def changed(self, ticket, address):
        return self._changed(self._agent, ticket, ctypes.c_void_p(address))

    def let_go(self, ticket):
        return self._let_go(self._agent, ticket) == 0

    def bring(self, ticket, address, stream):
        return getattr(self, "_in")(self._agent, ticket, ctypes.c_void_p(address), ctypes.c_uint64(stream)) == 0

    def wait(self, ticket, stream):
        return self._wait(self._agent, ticket, ctypes.c_uint64(stream)) == 0

    def own(self, let_go, hear):
        """Both are to live as long as the agent."""
        self._owner_object(self._agent, ctypes.py_object(let_go), hear)

    def hook(self, function, keep, hear):
        """The function for autograd to call: what signals raise in it is kept or heard, and it is called again."""
        return self._hook_object(ctypes.py_object(function), ctypes.py_object(keep), ctypes.py_object(hear))

    def bind(self):
        """Keeps the calling thread near the device, where the machine tells where that is."""
        self._bind(self._agent)

    def serve(self, cookies):
        return self._serve(self._agent, cookies, SERVED_AT_ONCE, PATIENCE_MS)

    def served(self):
        self._served(self._agent)
