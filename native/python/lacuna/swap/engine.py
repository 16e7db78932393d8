"""The calls of the native swap engine (lacuna.h)."""

import ctypes
import os

OFF, ON, ALL = 0, 1, 2  # lacuna_swap_mode
ON_DEVICE, COPYING_OUT, ON_HOST, COPYING_IN = range(4)  # lacuna_swap_place
CAN_KEEP, CAN_SWAP, CAN_RECOMPUTE = 1, 2, 4  # lacuna_layer_action
ASKED_MODE, ASKED_PROFILE, ASKED_POLICY, ASKED_RULE, ASKED_CHANGES_SHIFT = 3, 4, 8, 16, 8
MOST_LAYERS = 1024  # LACUNA_SWAP_LAYERS
CONTENTS_BYTES = 2 * 8 * 61  # LACUNA_CONTENTS_BYTES
RULES, RULE_BYTES = 8, 16  # LACUNA_RULES, LACUNA_RULE_BYTES
KEEP, KEEP_BUDGET = -1, (1 << 64) - 1
SERVED_AT_ONCE, PATIENCE_MS = 4096, 2_000


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


class _PolicyChange(ctypes.Structure):
    """lacuna_policy_change"""

    _fields_ = [
        ("layers", ctypes.c_uint32), ("layer", ctypes.c_uint32), ("reason", ctypes.c_uint32), ("before", ctypes.c_char * (MOST_LAYERS + 1)),
    ]  # fmt: skip


HEAR = ctypes.CFUNCTYPE(None, ctypes.py_object)

_INT, _U32, _U64, _AT, _TEXT, _OBJECT = (
    ctypes.c_int, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_char_p, ctypes.py_object,
)  # fmt: skip

# Result and arguments of each, as lacuna.h has them. An object that is returned is a new reference, which ctypes takes over:
# it is never NULL unless something is raised, for ctypes of most Pythons would let go of that too and die.
WAITING = {  # give Python's lock away
    "lacuna_swap_set": (_INT, _AT, _INT, _U64),
    "lacuna_swap_link": (_INT, _AT, _U64, _U64),
    "lacuna_swap_wait": (_INT, _AT, _AT, _U64),
    "lacuna_swap_serve": (_U32, _AT, _AT, _U32, _U32),
    "lacuna_swap_served": (_INT, _AT),
    "lacuna_swap_room": (_U64, _AT),
}
QUICK = {  # keep it: they take a microsecond and wait for nobody
    "lacuna_swap_bind": (_INT, _AT),
    "lacuna_swap_enter_object": (_OBJECT, _AT, _AT, _AT),
    "lacuna_swap_out": (_INT, _AT, _AT, _U64),
    "lacuna_swap_where": (_INT, _AT, _AT),
    "lacuna_swap_changed": (_INT, _AT, _AT, _AT),
    "lacuna_swap_used": (_INT, _AT, _AT),
    "lacuna_swap_least": (_U64, _AT),
    "lacuna_swap_movable": (_U64, _AT),
    "lacuna_swap_let_go": (_INT, _AT, _AT),
    "lacuna_swap_in": (_INT, _AT, _AT, _AT, _U64),
    "lacuna_swap_allow": (_INT, _AT, _U64),
    "lacuna_swap_layer": (_INT, _AT, _TEXT, _AT),
    "lacuna_swap_mode": (_INT, _AT),
    "lacuna_contents_sums": (_U64, _AT, _U64, _AT),
    "lacuna_swap_owner_object": (_INT, _AT, _OBJECT, _AT),
    "lacuna_swap_hook_object": (_OBJECT, _OBJECT, _OBJECT, _OBJECT, _OBJECT),
    "lacuna_layers_asked": (_U64, _AT),
    "lacuna_profile_layer": (_INT, _AT, _U32, _AT),
    "lacuna_profile_elsewhere": (None, _AT, _U64),
    "lacuna_profile_kept_peak": (_U64, _AT),
    "lacuna_profile_done": (_INT, _AT, _AT),
    "lacuna_policy_read": (_U32, _AT, _TEXT),
    "lacuna_policy_tell": (_INT, _AT, _U32, _TEXT, _AT),
    "lacuna_rules_known": (_INT, _AT, _TEXT),
    "lacuna_rules_dropped": (_INT, _AT, _U64),
    "lacuna_rules_read": (_INT, _AT, _TEXT, _TEXT),
    "lacuna_layer_can": (_INT, _AT, _U32, _U32, _U32),
    "lacuna_layer_does": (_INT, _AT, _U32, _U32),
}
OF_PYTHON = ("Py_BuildValue", "PyCapsule_New", "PyCapsule_SetContext", "PyCFunction_NewEx", "PyTuple_GetItem", "PyTuple_Pack")


def calls():
    """The functions by name. AttributeError where the agent is not in this process, or cannot find the Python that is: then
    it could return no object."""
    waiting, quick = ctypes.CDLL(os.environ.get("LACUNA_TAKEN_OVER")), ctypes.PyDLL(os.environ.get("LACUNA_TAKEN_OVER"))
    for name in OF_PYTHON:
        getattr(ctypes.pythonapi, name)
    found = {}
    for library, wanted in ((waiting, WAITING), (quick, QUICK)):
        for name, (result, *arguments) in wanted.items():
            function = found[name] = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    return found


def sums(function, address, size):
    """What lacuna_contents_sums makes of some bytes."""
    made = ctypes.create_string_buffer(CONTENTS_BYTES)
    used = function(address, size, made)
    return made.raw[:used]


class Native:
    """The calls of one agent's engine."""

    def __init__(self, agent):
        self._agent = ctypes.c_void_p(agent)
        for name, function in calls().items():
            setattr(self, name.replace("lacuna_swap_", "_").replace("lacuna_", "_"), function)

    def set(self, mode, budget):
        return self._set(self._agent, mode, budget) == 0

    def link(self, speed, latency):
        return self._link(self._agent, speed, latency) == 0

    def mode(self):
        return self._mode(self._agent)

    def room(self):
        return self._room(self._agent)

    def movable(self):
        return self._movable(self._agent)

    def layer(self, name):
        number = ctypes.c_uint32()
        self._layer(self._agent, name.encode("utf-8", "replace"), ctypes.byref(number))
        return number.value

    def asked(self):
        """(mode, whether a profile is wanted, whether a policy holds, whether a rule does, how often one was told)."""
        word = self._layers_asked(self._agent)
        return word & ASKED_MODE, bool(word & ASKED_PROFILE), bool(word & ASKED_POLICY), bool(word & ASKED_RULE), word >> ASKED_CHANGES_SHIFT

    def policy(self):
        """One letter a layer; empty where none holds."""
        letters = ctypes.create_string_buffer(MOST_LAYERS + 1)
        self._policy_read(self._agent, letters)
        return letters.value.decode("ascii")

    def know_rules(self, names):
        """What `policy kinds=NAME` may name from here on."""
        self._rules_known(self._agent, ",".join(names).encode("ascii"))

    def tell_rule(self, name):
        """Whether it is in force now: it needs swapping."""
        return self._policy_tell(self._agent, 0, name.encode("ascii"), ctypes.byref(_PolicyChange())) == 0

    def dropped(self, size):
        """A rule has let go of so many bytes, to have them computed again."""
        self._rules_dropped(self._agent, size)

    def rule(self):
        """The name of the one in force; empty where none is."""
        names, rule = ctypes.create_string_buffer(RULES * RULE_BYTES), ctypes.create_string_buffer(RULE_BYTES)
        self._rules_read(self._agent, names, rule)
        return rule.value.decode("ascii")

    def layer_can(self, number, actions, reason):
        self._layer_can(self._agent, number, actions, int(reason))

    def layer_does(self, number, action):
        self._layer_does(self._agent, number, action)

    def profile_layer(self, number, forward_ns, backward_ns, saved_bytes, input_bytes, steps):
        measured = _Measured(forward_ns, backward_ns, saved_bytes, input_bytes, 0, 0, steps, 0)
        self._profile_layer(self._agent, number, ctypes.byref(measured))

    def elsewhere(self, size):
        """Bytes that would be on the device if nothing were swapped or computed again."""
        self._profile_elsewhere(self._agent, size)

    def kept_peak(self):
        """Most that was allocated or elsewhere at a time in the last step."""
        return self._profile_kept_peak(self._agent)

    def profile_done(self, step_ns, peak_bytes, other_bytes, link_speed):
        self._profile_done(self._agent, ctypes.byref(_Profile(step_ns, peak_bytes, other_bytes, link_speed)))

    def enter(self, entry):
        """(ticket, lease), or None for what is no block of the agent. Who drops the lease leaves, after a copy under way."""
        ticket = ctypes.c_void_p()
        lease = self._enter_object(self._agent, ctypes.byref(entry), ctypes.byref(ticket))
        return (ticket, lease) if lease is not None else None

    def allow(self, number):
        self._allow(self._agent, number)

    def out(self, ticket, stream):
        return self._out(self._agent, ticket, stream) == 0

    def where(self, ticket):
        return self._where(self._agent, ticket)

    def changed(self, ticket, address):
        return self._changed(self._agent, ticket, address)

    def used(self, ticket):
        self._used(self._agent, ticket)

    def least(self):
        """Bytes below which swapping cannot train steps like the last one; 0 while that is not known."""
        return self._least(self._agent)

    def let_go(self, ticket):
        return self._let_go(self._agent, ticket) == 0

    def bring(self, ticket, address, stream):
        return self._in(self._agent, ticket, address, stream) == 0

    def wait(self, ticket, stream):
        return self._wait(self._agent, ticket, stream) == 0

    def own(self, let_go, hear):
        """Both are to live as long as the agent."""
        self._owner_object(self._agent, let_go, hear)

    def hook(self, function, keep, hear, later=None):
        """The function for autograd to call: what signals raise in it is kept or heard, and it is called again. What `later`
        then gives back, until it raises, is raised in the main thread once that is back in the script."""
        return self._hook_object(function, keep, hear, later)

    def bind(self):
        """Keeps the calling thread near the device, where the machine tells where that is."""
        self._bind(self._agent)

    def serve(self, cookies):
        return self._serve(self._agent, cookies, SERVED_AT_ONCE, PATIENCE_MS)

    def served(self):
        self._served(self._agent)
