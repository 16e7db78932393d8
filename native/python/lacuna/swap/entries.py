"""What autograd holds instead of a tensor."""

import sys
import threading
import weakref

from .engine import COPYING_OUT, ON_DEVICE

_MARK = "lacuna"  # in a graph node's metadata
ASKED_BACK_AT_MOST = 8  # another thread may send away at once what was asked for


def _counter_of(tensor):
    """(key, guard) of who counts a tensor's changes. Two tensors of one storage with the same key count together; others
    may or may not. ``.data`` counts apart, has no node in the graph, and is an object of its own. The key is the guard's
    as long as that is alive."""
    root = tensor if tensor._base is None else tensor._base
    node = root.grad_fn
    if node is None:
        return id(root), weakref.ref(root)
    mark = node.metadata.setdefault(_MARK, _Mark())
    return (mark, root.output_nr), None


class _Mark:
    """Stands for a node, whose Python object comes and goes."""

    __slots__ = ()


class Known:
    """What is kept of an entry until somebody looks and finds it over. Nothing of Python's runs when an entry ends: what a
    signal handler raised there would reach nobody."""

    __slots__ = ("reference", "identity", "run", "_of", "_original")

    def __init__(self, stored):
        self.reference, self.identity, self.run = weakref.ref(stored), stored.identity, stored.run
        self._of, self._original = stored.original_of()

    def forget(self):
        """The entry is over: from here on another storage may have its identity."""
        self._of._free_weak_ref(self._original)


class _Blocks:
    """What copies of an entry read and write. A base's slots are cleared last: after the lease, whose end waits for a copy."""

    __slots__ = ("storage", "_coming")


class Stored(_Blocks):
    """One storage that autograd saved. Lives as long as something that was saved on it.

    What backward gets are the bytes that it would have got: those that the storage holds at that time, as long as anybody
    holds it; else those that were copied last. So a copy counts only while nobody is known to have written since it began.

    Threads come here together: what the engine is told and what stands here change in one turn, or one thread lets go of
    what another has just been given. Nobody waits for a copy or asks for memory within a turn.
    """

    __slots__ = (
        "manager", "native", "ticket", "address", "bytes", "device", "run", "index", "key", "saved", "turn",
        "away", "returned", "again", "accessed_ns", "identity", "_lease", "_original", "_of", "_counted", "__weakref__",
    )  # fmt: skip

    def __init__(self, manager, entered, storage, device, run, index, key):
        self.manager, self.native = manager, manager.native
        self.ticket, self._lease = entered
        self.storage, self.address, self.bytes, self.device = storage, storage.data_ptr(), storage.nbytes(), device
        self.run, self.index, self.key = run, index, key
        self.saved = []  # weak references to what was saved on it
        self.turn = threading.RLock()  # a rescue may come where this thread has it already
        self.away = False  # counted as on the host, or on its way there
        self.returned = False  # has been on the host
        self.again = False  # is to leave once the copy that no longer counts is over
        self.accessed_ns = 0  # when it was saved or wanted last, for rules
        self._coming = []  # blocks to copy into: from before the copy begins, whatever is raised in between
        self._counted = {}  # whose changes were counted, and how many when it was saved last
        self._of = type(storage)
        self.identity, self._original = storage._cdata, storage._weak_ref()

    def original_of(self):
        """(class, weak reference) of the storage that was saved."""
        return self._of, self._original

    def forked(self):
        """In the child no other thread gives a turn back."""
        self.turn = threading.RLock()

    def is_held(self):
        """Whether the storage that was saved is there: by somebody else where it has left."""
        return not self._of._expired(self._original)

    def original(self):
        """The storage that was saved, where it is there with all its bytes."""
        storage = self._of._new_with_weak_ptr(self._original)
        return storage if storage is not None and storage.nbytes() >= self.bytes else None

    def _is_in_place(self, storage):
        return storage.data_ptr() == self.address and storage.nbytes() == self.bytes

    def join(self, tensor, storage):
        """Another tensor of the storage is saved. False where that is not what it was."""
        if not self._is_in_place(storage):
            return False
        key, guard = _counter_of(tensor)
        known = self._counted.get(key)
        unchanged = known is not None and known[1] == tensor._version and (guard is None or known[0]() is guard())
        with self.turn:
            begun = self.away or self.returned or self.storage is None or self.native.where(self.ticket) != ON_DEVICE
            if begun and not unchanged:
                self.storage = storage
                self._written()
                self.manager.send_again(self)
        self._counted[key] = (guard, tensor._version)
        return True

    def count(self, tensor):
        """The first tensor that was saved on it."""
        key, guard = _counter_of(tensor)
        self._counted[key] = (guard, tensor._version)

    def _written(self):
        """Somebody wrote to the storage, or has it now and may: what was copied counts no more."""
        if self.native.changed(self.ticket, self.storage.data_ptr()) == COPYING_OUT:
            return
        self._stay()

    def hold(self, saved, tensor):
        """Something was saved: it keeps the tensor as long as the storage is here."""
        with self.turn:
            saved.tensor = tensor if self.storage is not None else None
            self.saved.append(weakref.ref(saved))

    def give(self, saved):
        """The tensor that was saved, where it is still here: backward gets it, and may write to it. None elsewhere."""
        self.native.used(self.ticket)
        with self.turn:
            tensor = saved.tensor
            if tensor is not None and self.storage is not None:
                self._written()
            return tensor

    def send(self):
        """Begins to copy out; False where the host has no room, or swapping is off."""
        with self.turn:
            if self.away or self.storage is None or not self.returned and not self._is_in_place(self.storage):
                return True
            if not self.native.out(self.ticket, self.manager.stream(self.device)):
                return False
            self.away = True
            self.manager.away_bytes += self.bytes
            return True

    def let_go(self):
        """Drops the storage once its bytes are on the host; called by rescues in the middle of anything."""
        with self.turn:
            storage = self.storage
            if storage is not None and storage._cdata == self.identity and not self._is_in_place(storage):
                self._written()  # resized meanwhile
                return False
            if not self.native.let_go(self.ticket):
                return False
            self.returned = True
            for reference in self.saved:
                saved = reference()
                if saved is not None:
                    saved.tensor = None
            self.storage = None
            self.manager.went(self)
            if not self.away:
                self.away = True
                self.manager.away_bytes += self.bytes
            return True

    def land(self):
        """What came of a copy out. False while it is under way."""
        with self.turn:
            if self.storage is None:
                return True
            place = self.native.where(self.ticket)
            if place == COPYING_OUT:
                return False
            if place != ON_DEVICE:
                self.let_go()
                return True
            self._stay()
            if self.again:
                self.again = False
                self.manager.send_again(self)
            return True

    def _stay(self):
        """The storage is where it was: a copy out that failed, or does not count."""
        if self.away:
            self.away = False
            self.manager.away_bytes -= self.bytes

    def ask_back(self):
        """Begins to copy in; the storage, also where another thread was first. Whoever asked may have been interrupted: the
        engine knows which block it copies into, and takes that one again."""
        for storage in tuple(self._coming):
            if self._comes_into(storage):
                return self.storage
        self.manager.came(self)
        try:
            storage = self.manager.new_storage(self.bytes, self.device)
            self._coming.append(storage)
        except BaseException:
            self.manager.went(self)
            raise
        if self._comes_into(storage):
            return self.storage
        self._coming[:] = [other for other in self._coming if other is not storage]
        return None

    def _comes_into(self, storage):
        with self.turn:
            if self.storage is not None:
                self._coming.clear()
                return True
            if not self.native.bring(self.ticket, storage.data_ptr(), self.manager.stream(self.device)):
                return False
            self.storage = storage
            self._coming.clear()
            self._stay()
            return True

    def bring_back(self):
        """The storage with its bytes, for who comes next on the current stream."""
        original = self.original()
        if original is not None:
            return original
        storage = self.storage
        for _ in range(ASKED_BACK_AT_MOST):
            if storage is None:
                storage = self.ask_back()
        if storage is None or not self.native.wait(self.ticket, self.manager.stream(self.device)):
            raise RuntimeError("lacuna: %d bytes could not be copied back to %s" % (self.bytes, self.device))
        with self.turn:
            if self.storage is storage:  # else another thread sent it away again, with the bytes that are in here
                self.native.changed(self.ticket, None)
        return storage


class Saved:
    """What autograd holds for a tensor: the tensor itself, or how to make it again."""

    __slots__ = ("stored", "layer", "tensor", "version", "dtype", "offset", "size", "stride", "holder", "_counter", "__weakref__")

    def __init__(self, stored, tensor, layer):
        self.layer = layer  # whose forward saved it
        self.holder = None  # weak: of what can be computed again to have it
        self.stored, self.version = stored, tensor._version
        self.dtype, self.offset = tensor.dtype, tensor.storage_offset()
        self.size, self.stride = tensor.size(), tensor.stride()
        self._counter = tensor.detach()
        self._counter.data = tensor.new_empty(0)  # counts the tensor's changes and holds nothing of it
        self.tensor = None
        stored.hold(self, tensor)

    def get(self):
        if self._counter._version != self.version:
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                "a tensor of %s was saved at version %d" % (list(self.size), self.version)
            )
        tensor = self.stored.give(self)
        if tensor is not None:
            return tensor
        torch = sys.modules["torch"]
        with torch.no_grad():
            made = torch.empty(0, dtype=self.dtype, device=self.stored.device)
            made.set_(self.stored.bring_back(), self.offset, self.size, self.stride)
            tensor = self._counter.detach()
            tensor.data = made  # whoever changes it is counted
        return tensor
