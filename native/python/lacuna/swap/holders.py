"""One thing that a layer reaches, as it was: how it is now, whether that is the same, and how it is put back."""

import sys
import types
import zlib

from .contents import digest

ABSENT = object()
SCALARS = (bool, int, float, complex, str, bytes)


def alike(a, b):
    """Whether two values are the same for who reads them: what is no scalar has an entry of its own."""
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b):
        return False
    if kind in SCALARS:
        return repr(a) == repr(b) if kind in (float, complex) else a == b
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return kind is types.MethodType and a.__self__ is b.__self__ and a.__func__ is b.__func__


class Keyed:
    """A dict, or the attributes of an object. A module's own forward is replaced by ours while it runs, and not looked at."""

    __slots__ = ("held", "before", "skipped")

    def __init__(self, held, skipped=None):
        self.held, self.skipped = held, skipped
        self.before = self.now()

    def now(self):
        now = dict(self.held)
        if self.skipped is not None:
            now.pop(self.skipped, None)
        return now

    def is_same(self):
        held, before = self.held, self.before
        if self.skipped is not None:
            held = self.now()
        return len(held) == len(before) and list(held) == list(before) and all(map(alike, held.values(), before.values()))

    def put(self, wanted):
        now = self.now()
        held = self.held
        for key in [key for key in now if key not in wanted]:
            del held[key]
        for key, value in wanted.items():
            if now.get(key, ABSENT) is not value:
                held[key] = value
        if list(self.now()) != list(wanted):  # in the same order again
            for key, value in wanted.items():
                del held[key]
                held[key] = value

    def differing(self):
        now = self.now()
        keys = list(now) + [key for key in self.before if key not in now]
        return [key for key in keys if not alike(now.get(key, ABSENT), self.before.get(key, ABSENT))]


class Row:
    """A list or deque."""

    __slots__ = ("held", "before")

    def __init__(self, held):
        self.held, self.before = held, tuple(held)

    def now(self):
        return tuple(self.held)

    def is_same(self):
        return len(self.held) == len(self.before) and all(map(alike, self.held, self.before))

    def put(self, wanted):
        if isinstance(self.held, list):
            self.held[:] = wanted
        else:
            self.held.clear()
            self.held.extend(wanted)


class Plain:
    """A set or bytearray."""

    __slots__ = ("held", "before")

    def __init__(self, held):
        self.held, self.before = held, self.now_of(held)

    @staticmethod
    def now_of(held):
        return bytes(held) if isinstance(held, bytearray) else frozenset(held)

    def now(self):
        return self.now_of(self.held)

    def is_same(self):
        return self.held == self.before

    def put(self, wanted):
        if isinstance(self.held, bytearray):
            self.held[:] = wanted
        else:
            self.held.clear()
            self.held.update(wanted)


class Named:
    """Some names of a namespace: globals, attributes of a class, slots, what a function's inner variable holds."""

    __slots__ = ("held", "names", "before", "read", "write", "remove")

    def __init__(self, held, names, read, write, remove):
        self.held, self.names, self.read, self.write, self.remove = held, names, read, write, remove
        self.before = self.now()

    def now(self):
        return tuple(self.read(self.held, name) for name in self.names)

    def is_same(self):
        return all(map(alike, self.now(), self.before))

    def put(self, wanted):
        for name, value, now in zip(self.names, wanted, self.now()):
            if value is ABSENT and now is not ABSENT:
                self.remove(self.held, name)
            elif value is not now:
                self.write(self.held, name, value)


def names_of_dict(held, names):
    return Named(held, names, lambda d, name: d.get(name, ABSENT), dict.__setitem__, dict.__delitem__)


def names_of_class(held, names):
    return Named(held, names, lambda c, name: vars(c).get(name, ABSENT), type.__setattr__, type.__delattr__)


def names_of_object(held, names):
    return Named(held, names, lambda o, name: getattr(o, name, ABSENT), object.__setattr__, object.__delattr__)


class State:
    """A generator of random numbers."""

    __slots__ = ("held", "before", "read", "write")

    def __init__(self, held, read, write):
        self.held, self.read, self.write = held, read, write
        self.before = read(held)

    def now(self):
        return self.read(self.held)

    def is_same(self):
        now = self.now()
        if isinstance(now, sys.modules["torch"].Tensor):
            return sys.modules["torch"].equal(now, self.before)
        return now is self.before or repr(now) == repr(self.before)

    def put(self, wanted):
        self.write(self.held, wanted)


class Leaf:
    """A tensor, as it was."""

    __slots__ = ("tensor", "version", "form", "needs", "digest")

    def __init__(self, tensor):
        self.tensor, self.version, self.form = tensor, tensor._version, self.form_of(tensor)
        self.needs = tensor.requires_grad if tensor.is_leaf else None
        self.digest = digest(tensor)

    @staticmethod
    def form_of(tensor):
        return tensor.data_ptr(), tensor.size(), tensor.stride(), tensor.dtype

    def has_form(self):
        return self.form_of(self.tensor) == self.form


class Array:
    """An array of NumPy's."""

    __slots__ = ("held", "before")

    def __init__(self, held):
        self.held, self.before = held, self.now()

    def now(self):
        held = self.held
        return held.ctypes.data, held.shape, held.dtype.str, zlib.crc32(held.tobytes())

    def is_same(self):
        return self.now() == self.before


class Filled:
    """A container that was empty."""

    def __init__(self, held):
        self.held, self.before = held, ()
        self.holder = Keyed(held) if isinstance(held, dict) else Plain(held) if isinstance(held, set) else Row(held)

    def now(self):
        return self.holder.now()

    def put(self, wanted):
        self.holder.put(type(self.holder.before)(wanted))
