"""Swaps what autograd saves between device and host, behind the computation (docs/swap.md).

While an outermost module runs with gradients on and swapping is on, saved tensors of LACUNA_SWAP_SMALLEST bytes (512KiB)
and more are kept here: one entry for each storage, in the order in which they were saved. The native engine copies; this
module decides what and when, holds the tensors until they may go, and makes them anew when backward wants them.

Nothing here frees what somebody else holds: an entry that goes to the host only drops the reference that autograd would
have had. A fault in here is said once and switches swapping off; what is on the host still comes back.
"""

import collections
import contextlib
import ctypes
import itertools
import os
import sys
import threading
import weakref

OFF, ON, ALL = 0, 1, 2  # lacuna_swap_mode
ON_DEVICE, COPYING_OUT, ON_HOST, COPYING_IN = range(4)  # lacuna_swap_place
KEEP, KEEP_BUDGET = -1, (1 << 64) - 1
SMALLEST = 512 << 10  # bytes: MindSpeed's, below which a copy is not worth its latency
FIRST_LEAD, LONGEST_LEAD = 2, 64  # entries
CALM_STEPS = 8  # without a rescue before less is sent
LATE_NS = 200_000  # a wait of this long is a stall that asking earlier would have hidden
SERVED_AT_ONCE, PATIENCE_MS = 4096, 60_000

_MODES = {"off": OFF, "on": ON, "all": ALL}
_SIZE_UNITS = {"TiB": 1 << 40, "GiB": 1 << 30, "MiB": 1 << 20, "KiB": 1 << 10, "B": 1, "": 1}
_RATE_UNITS = {"TB/s": 10**12, "GB/s": 10**9, "MB/s": 10**6, "KB/s": 10**3, "B/s": 1}
_TIME_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6}


# ---------------------------------------------------------------- what users write


def _number(text, units):
    """A number with one of these units; None where it is none."""
    for unit, scale in units.items():
        digits = text[: len(text) - len(unit)]
        if text.endswith(unit) and digits.replace(".", "", 1).isdigit() and digits.isascii():
            return int(float(digits) * scale) if "." in digits else int(digits) * scale
    return None


def parse_size(text):
    """Bytes of ``512MiB``; None for anything else."""
    return _number(text, _SIZE_UNITS)


def parse_link(text):
    """(bytes per second, latency in ns) of ``24GB/s`` or ``24GB/s,10us``; None for anything else."""
    rate, comma, latency = text.partition(",")
    speed = _number(rate, _RATE_UNITS)
    delay = _number(latency, _TIME_UNITS) if comma else 0
    return None if not speed or delay is None else (speed, delay)


def _usual_budget():
    """Half of the machine's memory: the other half is the training process's."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


# ---------------------------------------------------------------- the native engine


class _Entry(ctypes.Structure):
    """lacuna_swap_entry"""

    _fields_ = [
        ("block", ctypes.c_void_p), ("bytes", ctypes.c_uint64), ("pass_number", ctypes.c_uint64),
        ("cookie", ctypes.c_uint64), ("stream", ctypes.c_uint64), ("layer", ctypes.c_uint32), ("contiguous", ctypes.c_uint32),
    ]  # fmt: skip


_LET_GO = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_uint64), ctypes.c_uint32)


class Native:
    """The calls of one agent's engine. `quick` ones keep Python's lock: they take a microsecond and wait for nobody."""

    def __init__(self, agent):
        waiting, quick = ctypes.CDLL(None), ctypes.PyDLL(None)
        self._agent = ctypes.c_void_p(agent)
        for library, names in (
            (waiting, ("set", "link", "wait", "leave", "serve", "served", "room")),
            (quick, ("enter", "out", "where", "let_go", "in", "allow", "layer", "mode", "owner")),
        ):
            for name in names:
                setattr(self, "_" + name, getattr(library, "lacuna_swap_" + name))
        self._room.restype = ctypes.c_uint64
        self._serve.restype = ctypes.c_uint32

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

    def enter(self, entry):
        """A ticket, or None for what is no block of the agent."""
        ticket = ctypes.c_void_p()
        refused = self._enter(self._agent, ctypes.byref(entry), ctypes.byref(ticket))
        return None if refused else ticket

    def leave(self, ticket):
        self._leave(self._agent, ticket)

    def allow(self, number):
        self._allow(self._agent, ctypes.c_uint64(number))

    def out(self, ticket, stream):
        return self._out(self._agent, ticket, ctypes.c_uint64(stream)) == 0

    def where(self, ticket):
        return self._where(self._agent, ticket)

    def let_go(self, ticket):
        return self._let_go(self._agent, ticket) == 0

    def bring(self, ticket, address, stream):
        return getattr(self, "_in")(self._agent, ticket, ctypes.c_void_p(address), ctypes.c_uint64(stream)) == 0

    def wait(self, ticket, stream):
        return self._wait(self._agent, ticket, ctypes.c_uint64(stream)) == 0

    def own(self, callback):
        self._owner(self._agent, callback)

    def serve(self, cookies):
        return self._serve(self._agent, cookies, SERVED_AT_ONCE, PATIENCE_MS)

    def served(self):
        self._served(self._agent)


# ---------------------------------------------------------------- entries


class Stored:
    """One storage that autograd saved. Lives as long as something that was saved on it."""

    __slots__ = (
        "manager", "native", "ticket", "storage", "address", "bytes", "device", "run", "index", "key", "saved",
        "away", "returned", "__weakref__",
    )  # fmt: skip

    def __init__(self, manager, ticket, storage, device, run, index, key):
        self.manager, self.native, self.ticket = manager, manager.native, ticket
        self.storage, self.address, self.bytes, self.device = storage, storage.data_ptr(), storage.nbytes(), device
        self.run, self.index, self.key = run, index, key
        self.saved = []  # weak references to what was saved on it
        self.away = False  # counted as on the host, or on its way there
        self.returned = False  # has been on the host

    def __del__(self):
        self.native.leave(self.ticket)  # a copy may still read the storage
        known = self.manager.by_address.get(self.address)
        if known is not None and known() is None:
            self.manager.by_address.pop(self.address, None)
        if self.away:
            self.manager.away_bytes -= self.bytes

    def send(self):
        """Begins to copy out; False where the host has no room, or swapping is off."""
        if self.away:
            return True
        if self.storage is None or not self.native.out(self.ticket, self.manager.stream(self.device)):
            return False
        self.away = True
        self.manager.away_bytes += self.bytes
        return True

    def let_go(self):
        """Drops the storage once its bytes are on the host; called by rescues in the middle of anything."""
        if not self.native.let_go(self.ticket):
            return False
        self.returned = True
        for reference in self.saved:
            saved = reference()
            if saved is not None:
                saved.forget()
        self.manager.by_address.pop(self.address, None)
        self.storage = None
        if not self.away:
            self.away = True
            self.manager.away_bytes += self.bytes
        return True

    def stay(self):
        """A copy out that failed: the storage is where it was."""
        if self.away:
            self.away = False
            self.manager.away_bytes -= self.bytes

    def ask_back(self):
        """Begins to copy in; the storage, or None where another thread is at it."""
        storage = self.manager.new_storage(self.bytes, self.device)
        if not self.native.bring(self.ticket, storage.data_ptr(), self.manager.stream(self.device)):
            return None
        self.storage = storage
        self.stay()
        return storage

    def bring_back(self):
        """The storage with its bytes, for who comes next on the current stream."""
        storage = self.storage
        while storage is None:
            storage = self.ask_back() or self.storage
        if not self.native.wait(self.ticket, self.manager.stream(self.device)):
            raise RuntimeError("lacuna: %d bytes could not be copied back to %s" % (self.bytes, self.device))
        return storage


class Saved:
    """What autograd holds for a tensor: the tensor itself, or how to make it again."""

    __slots__ = ("stored", "tensor", "version", "changed", "dtype", "offset", "size", "stride", "__weakref__")

    def __init__(self, stored, tensor):
        self.stored, self.tensor, self.version, self.changed = stored, tensor, tensor._version, False
        self.dtype, self.offset = tensor.dtype, tensor.storage_offset()
        self.size, self.stride = tensor.size(), tensor.stride()

    def forget(self):
        tensor = self.tensor
        if tensor is not None:
            self.changed = tensor._version != self.version
            self.tensor = None

    def get(self):
        tensor = self.tensor
        if self.changed or (tensor is not None and tensor._version != self.version):
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                "a tensor of %s was saved at version %d" % (list(self.size), self.version)
            )
        if tensor is None:
            torch = sys.modules["torch"]
            with torch.no_grad():
                tensor = torch.empty(0, dtype=self.dtype, device=self.stored.device)
                tensor.set_(self.stored.bring_back(), self.offset, self.size, self.stride)
        return tensor


# ---------------------------------------------------------------- when to ask


class Leads:
    """How many entries ahead each place in the model is asked for: one that arrived late is asked for earlier next time,
    one that had to go again before it was used later."""

    def __init__(self):
        self._ahead = {}

    def of(self, key):
        return self._ahead.get(key, FIRST_LEAD)

    def late(self, key):
        ahead = self.of(key)
        self._ahead[key] = min(LONGEST_LEAD, ahead + max(1, ahead // 2))

    def early(self, key):
        self._ahead[key] = max(1, self.of(key) - 1)


class Run:
    """One outermost forward: its entries in order, so that each micro-batch of a pipeline has a backward of its own."""

    __slots__ = ("entries", "pending", "layer", "layer_number", "ordinal", "gone")

    def __init__(self, layer, number):
        self.entries = []  # weak references, in the order of saving
        self.pending = collections.deque()  # entries of passes that are over, not yet looked at
        self.gone = False  # something of it has been on the host
        self.begin(layer, number)

    def begin(self, layer, number):
        self.layer, self.layer_number, self.ordinal = layer, number, 0

    def before(self, index, most):
        """Entries that backward wants after this one, the next first, with their distance."""
        distance = 0
        for position in range(index - 1, -1, -1):
            stored = self.entries[position]()
            if stored is None:
                continue
            distance += 1
            yield distance, stored
            if distance == most:
                return


# ---------------------------------------------------------------- the manager


class Manager:
    """All entries of one agent. Python's lock guards it; the native engine has the say about where an entry is."""

    def __init__(self, agent, counters, smallest):
        self.native, self._counters, self._smallest = Native(agent), counters, smallest
        self.by_address = {}  # weak references to entries whose storage is held
        self.by_cookie = weakref.WeakValueDictionary()
        self.leads, self.layers = Leads(), {}
        self.away_bytes = 0
        self.goal_bytes = 0  # what is to be away at a time: grows by what had to be rescued
        self.rescued_bytes = 0
        self._moving = collections.deque()
        self._pass = self._cookie = self._step = self._calm = 0
        self._kept = frozenset()  # addresses of parameters and buffers
        self.run = None
        self.failed = False
        self._callback = _LET_GO(self._rescue)
        self.native.own(self._callback)
        threading.Thread(target=self._serve, name="lacuna-rescue", daemon=True).start()

    # ------------------------------------------------------------ torch's side

    def stream(self, device):
        torch = sys.modules["torch"]
        if device.type == "cpu":
            return 0
        return getattr(torch, device.type).current_stream(device).cuda_stream

    def new_storage(self, size, device):
        torch = sys.modules["torch"]
        if device.type == "cpu":
            return torch.UntypedStorage(size)
        return torch.UntypedStorage(size, device=device)

    def _eligible(self, tensor):
        torch = sys.modules["torch"]
        base = tensor._base
        return (
            type(tensor) is torch.Tensor
            and (base is None or not (base.is_leaf and base.requires_grad))  # a parameter under another shape
            and tensor.layout is torch.strided
            and not (tensor.is_quantized or tensor.is_conj() or tensor.is_neg() or tensor.is_inference())
        )

    def _storage_of(self, tensor):
        untyped = getattr(tensor, "untyped_storage", None)
        return untyped() if untyped is not None else tensor.storage().untyped()

    # ------------------------------------------------------------ saving and giving back

    def pack(self, tensor):
        """saved_tensors_hooks: what autograd is to hold for a tensor."""
        if self.failed or self.run is None:
            return tensor
        try:
            stored = self._stored(tensor) if self._eligible(tensor) else None
            if stored is None:
                return tensor
            with sys.modules["torch"].no_grad():
                saved = Saved(stored, tensor.detach())
            stored.saved.append(weakref.ref(saved))
            return saved
        except Exception as broken:
            self.give_up(broken)
            return tensor

    def unpack(self, saved):
        """saved_tensors_hooks: the tensor that backward wants."""
        if type(saved) is not Saved:
            return saved
        import time

        stored = saved.stored
        was_asked = stored.storage is not None
        began = time.monotonic_ns()
        tensor = saved.get()
        if stored.returned and (not was_asked or time.monotonic_ns() - began > LATE_NS):
            self.leads.late(stored.key)
        try:
            self._reap()
            self._fetch_ahead(stored)
        except Exception as broken:
            self.give_up(broken)
        return tensor

    def _stored(self, tensor):
        storage = self._storage_of(tensor)
        size, address = storage.nbytes(), storage.data_ptr()
        if size < self._smallest or address in self._kept:
            return None
        known = self.by_address.get(address)
        known = known() if known is not None else None
        if known is not None and known.storage is not None and known.bytes == size:
            return known
        return self._enter(tensor, storage)

    def _enter(self, tensor, storage):
        run = self.run
        self._cookie += 1
        entry = _Entry(
            storage.data_ptr(), storage.nbytes(), self._pass, self._cookie, self.stream(tensor.device), run.layer_number,
            tensor.is_contiguous(),
        )  # fmt: skip
        ticket = self.native.enter(entry)
        if ticket is None:
            return None
        run.ordinal += 1
        stored = Stored(self, ticket, storage, tensor.device, run, len(run.entries), (run.layer, run.ordinal))
        reference = weakref.ref(stored)
        run.entries.append(reference)
        run.pending.append((self._pass, reference))
        self.by_address[stored.address] = reference
        self.by_cookie[self._cookie] = stored
        return stored

    def _fetch_ahead(self, stored):
        run = stored.run
        if not run.gone:
            return
        room = None
        for distance, other in run.before(stored.index, LONGEST_LEAD):
            if other.storage is not None or distance > self.leads.of(other.key):
                continue
            if room is None:
                room = self.native.room() - self._counters.device("limit_bytes") // 16
            room -= other.bytes
            if room < 0:
                return
            other.ask_back()

    # ------------------------------------------------------------ forwards and layers

    def begin_pass(self, name):
        """A layer, or what runs between two, begins."""
        self._pass += 1
        number = self.layers.get(name)
        if number is None:
            number = self.layers[name] = self.native.layer(name)
        self.run.begin(name, number)

    def end_pass(self):
        """No operator of the pass runs any more: what it saved may go."""
        self.native.allow(self._pass)
        self._reap()
        self._send()

    def _send(self):
        pending = self.run.pending
        everything = self.native.mode() == ALL
        while pending and pending[0][0] <= self._pass and (everything or self.away_bytes < self.goal_bytes):
            stored = pending.popleft()[1]()
            if stored is None or stored.away:
                continue
            if not stored.send():
                return
            stored.run.gone = True
            self._moving.append(weakref.ref(stored))

    def _reap(self):
        """Lets go of what has arrived on the host; copies arrive in order."""
        moving = self._moving
        while moving:
            stored = moving[0]()
            place = ON_HOST if stored is None else self.native.where(stored.ticket)
            if place == COPYING_OUT:
                return
            moving.popleft()
            if stored is None or stored.storage is None:
                continue
            if place == ON_DEVICE:
                stored.stay()
            else:
                stored.let_go()

    def settle_goal(self):
        """Once a step: rescues raise what is sent ahead of need; after a calm while, memory that was never used lowers it."""
        self._counters.read()
        step, limit = self._counters.device("step"), self._counters.device("limit_bytes")
        if step == self._step:
            return
        self._step = step
        rescued, self.rescued_bytes = self.rescued_bytes, 0
        spare = limit - self._counters.device("last_step_peak_allocated_bytes") - limit // 16
        self._calm = 0 if rescued else self._calm + 1
        if rescued:
            self.goal_bytes += max(rescued, self.goal_bytes // 8)
        elif spare > 0 and self._calm > CALM_STEPS:
            self.goal_bytes = max(0, self.goal_bytes - spare // 4)

    @contextlib.contextmanager
    def forward(self, module, name):
        """An outermost forward: everything that autograd saves meanwhile is kept here."""
        torch = sys.modules["torch"]
        self.settle_goal()
        if module is not None:
            held = itertools.chain(module.parameters(), module.buffers())
            self._kept = frozenset(tensor.data_ptr() for tensor in held if tensor.layout is torch.strided)
        self.run = Run(name, 0)
        try:
            self.begin_pass(name)
            with torch.autograd.graph.saved_tensors_hooks(self.pack, self.unpack):
                yield
        finally:
            self._end_run()

    def _end_run(self):
        try:
            if not self.failed:
                self.end_pass()
        except Exception as broken:
            self.give_up(broken)
        self.run = None

    def give_up(self, broken):
        if not self.failed:
            self.failed = True
            self.native.set(OFF, KEEP_BUDGET)
            sys.stderr.write("lacuna: nothing more is swapped: %r\n" % (broken,))

    # ------------------------------------------------------------ rescue

    def _rescue(self, cookies, count):
        """A request would fail. Nothing is allocated here, and no collection of garbage may run in the middle of the
        framework's own code."""
        import gc

        collecting = gc.isenabled()
        gc.disable()
        try:
            for i in range(count):
                stored = self.by_cookie.get(cookies[i])
                if stored is None:
                    continue
                again, on_its_way = stored.returned, stored.away
                if not stored.let_go():
                    continue
                stored.run.gone = True
                if again:
                    self.leads.early(stored.key)
                elif not on_its_way:
                    self.rescued_bytes += stored.bytes
        except KeyboardInterrupt:
            import _thread

            _thread.interrupt_main()
        finally:
            if collecting:
                gc.enable()

    def _serve(self):
        cookies = (ctypes.c_uint64 * SERVED_AT_ONCE)()
        while True:
            count = self.native.serve(cookies)
            if not count:
                continue
            try:
                self._rescue(cookies, count)
            finally:
                self.native.served()


# ---------------------------------------------------------------- layers


def find_layers(root):
    """(module, name) of what is swapped as one: what lies below a list or sequence, and else what has none in it."""
    from torch.nn import ModuleList, Sequential

    def has_list(module):
        return any(isinstance(m, (ModuleList, Sequential)) and len(m) > 1 for m in module.modules())

    def walk(module, prefix):
        for name, child in module.named_children():
            path = prefix + "." + name if prefix else name
            if has_list(child):
                yield from walk(child, path)
            else:
                yield child, path

    return list(walk(root, ""))


class _LayerHooks:
    """Global module hooks, there only while a forward is managed: a module's own would be saved with it."""

    def __init__(self, manager):
        self._manager = manager
        self._roots = weakref.WeakKeyDictionary()
        self._names = {}

    def names(self, root):
        names = self._roots.get(root)
        if names is None:
            names = self._roots[root] = {id(module): name for module, name in find_layers(root)}
        return names

    @contextlib.contextmanager
    def on(self, root):
        from torch.nn.modules import module as modules

        self._names = self.names(root)
        before = modules.register_module_forward_pre_hook(self._begin)
        after = modules.register_module_forward_hook(self._end)
        try:
            yield
        finally:
            before.remove()
            after.remove()

    def _begin(self, module, inputs):
        name = self._names.get(id(module))
        if name is not None:
            self._guard(self._next, name)

    def _end(self, module, inputs, outputs):
        if id(module) in self._names:
            self._guard(self._next, type(module).__name__ + ".after")

    def _next(self, name):
        manager = self._manager
        if manager.run is not None and not manager.failed:
            manager.end_pass()
            manager.begin_pass(name)

    def _guard(self, action, *arguments):
        try:
            action(*arguments)
        except Exception as broken:
            self._manager.give_up(broken)


# ---------------------------------------------------------------- the process


class Swap:
    """Finds the agent and its manager when the first forward runs."""

    def __init__(self, memory, environment):
        self._memory, self._environment = memory, environment
        self._manager = self._hooks = None
        self._agent = None
        self._broken = False
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self):
        """A child's engine is off and has no thread here."""
        self._manager = self._hooks = self._agent = None

    def _find_agent(self):
        """The process's agent with the environment's settings; None before its first tensor."""
        library = ctypes.PyDLL(None)
        find = getattr(library, "lacuna_process_agent", None)
        if find is None:
            self._broken = True
            return None
        find.restype = ctypes.c_void_p
        agent = find()
        if not agent:
            return None
        self._mode = library.lacuna_swap_mode
        self._agent = ctypes.c_void_p(agent)
        self._set_up(Native(agent), _Counters(self._memory, agent))
        return self._agent

    def _set_up(self, native, counters):
        """What the environment asks for; what it leaves out may have been set from outside already."""
        asked = {name: self._environment.get("LACUNA_" + name) for name in ("SWAP", "SWAP_BUDGET", "LINK")}
        budget, link = parse_size(asked["SWAP_BUDGET"] or ""), parse_link(asked["LINK"] or "")
        if budget is not None or not counters.device("host_budget_bytes"):
            native.set(KEEP, _usual_budget() if budget is None else budget)
        if link is not None:
            native.link(*link)
        mode = _MODES.get(asked["SWAP"])
        if mode is not None and not native.set(mode, KEEP_BUDGET):
            sys.stderr.write("lacuna: nothing is swapped: this device cannot copy to a host\n")

    def manager(self):
        """The manager while swapping is on, else None."""
        if self._broken:
            return None
        agent = self._agent or self._find_agent()
        if agent is None or self._mode(agent) == OFF:
            return None
        torch = sys.modules["torch"]
        enabled = getattr(torch._C._autograd, "_saved_tensors_hooks_is_enabled", None)
        if enabled is not None and not enabled():
            return None
        if self._manager is None:
            smallest = parse_size(self._environment.get("LACUNA_SWAP_SMALLEST") or "")
            counters = _Counters(self._memory, agent.value)
            self._manager = Manager(agent.value, counters, SMALLEST if smallest is None else max(1, smallest))
            self._hooks = _LayerHooks(self._manager)
        return None if self._manager.failed else self._manager

    def around(self, original, module, arguments, named):
        """Calls an outermost module, managed where swapping is on."""
        manager = self._guarded_manager()
        if manager is None or manager.run is not None:
            return original(module, *arguments, **named)
        with self._managed(manager, module):
            return original(module, *arguments, **named)

    def _managed(self, manager, module):
        """What is open while the module runs; nothing where that fails."""
        with contextlib.ExitStack() as opened:
            try:
                opened.enter_context(manager.forward(module, type(module).__name__))
                opened.enter_context(self._hooks.on(module))
            except Exception as broken:
                manager.give_up(broken)
            return opened.pop_all()

    def adapt(self, function, arguments, named):
        """Calls a function as a layer of its own."""
        manager = self._guarded_manager()
        if manager is None:
            return function(*arguments, **named)
        name = "adapt." + getattr(function, "__qualname__", type(function).__name__)
        if manager.run is None:
            with manager.forward(None, name):
                return function(*arguments, **named)
        outer = manager.run.layer
        manager.end_pass()
        manager.begin_pass(name)
        try:
            return function(*arguments, **named)
        finally:
            manager.end_pass()
            manager.begin_pass(outer)

    def _guarded_manager(self):
        try:
            return self.manager()
        except Exception as broken:
            self._broken = True
            sys.stderr.write("lacuna: nothing is swapped: %r\n" % (broken,))
            return None


class _Counters:
    """The agent's counters, read again when asked."""

    def __init__(self, memory, agent):
        self._make = lambda: memory._Agent(memory._library(), agent)
        self.read()

    def read(self):
        self._now = self._make()

    def device(self, name):
        return self._now.device(name)


def install(memory):
    """What phases call around outermost modules."""
    return Swap(memory, os.environ)
