"""Everything that a layer's forward can read or change, as it is at one moment.

Found by walking from its forward: modules and other objects, containers, tensors, generators of random numbers, and what the code
of its functions names. What is unknown here, or too much, refuses the layer.
"""

import collections
import contextlib
import datetime
import decimal
import enum
import fractions
import functools
import logging
import pathlib
import random
import re
import sys
import types
import uuid
import weakref

from .code_names import UNSEEN, is_library_class, is_library_file, is_library_module, names_in
from .contents import are_still
from .holders import (
    ABSENT,
    SCALARS,
    Array,
    Filled,
    Keyed,
    Leaf,
    Named,
    Plain,
    Row,
    State,
    names_of_class,
    names_of_dict,
    names_of_object,
)  # fmt: skip

MOST_OBJECTS = 4000  # that are not empty, of one layer
MOST_ITEMS = 40000
LARGEST_ARRAY = 16 << 20  # bytes of an array of NumPy's
_CONTAINERS = (dict, collections.OrderedDict, set, list)
_ROOTS = frozenset(("forward", "setup_context"))  # what is called without being named
_NOT_CALLED = frozenset((
    "__init__", "__new__", "__del__", "__repr__", "__str__", "__dir__", "__setstate__", "__getstate__", "__reduce__", "__reduce_ex__",
    "__init_subclass__", "__class_getitem__", "__copy__", "__deepcopy__",
))  # fmt: skip


class Unknown(Exception):
    """Something is reached whose state cannot be looked at."""


_ATOMS = (
    *SCALARS, type(None), type(Ellipsis), type(NotImplemented), range, slice, enum.Enum, re.Pattern, datetime.date, datetime.time,
    datetime.timedelta, datetime.tzinfo, decimal.Decimal, fractions.Fraction, pathlib.PurePath, uuid.UUID, logging.Logger,
    types.BuiltinFunctionType, types.WrapperDescriptorType, types.MethodDescriptorType, types.MethodWrapperType,
    types.ClassMethodDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType, types.CodeType,
    type(sys.version_info), type(__import__("threading").Lock()), type(__import__("threading").RLock()),
)  # fmt: skip


def _is_atom(cls):
    """Of values that never change, or whose changes no result depends on."""
    if issubclass(cls, _ATOMS) and (not hasattr(cls, "__dict__") or is_library_class(cls) or issubclass(cls, enum.Enum)):
        return True
    name = cls.__module__ or ""
    torch = sys.modules["torch"]
    if issubclass(cls, (torch.dtype, torch.device, torch.layout, torch.memory_format, torch.finfo, torch.iinfo)):
        return True
    if name == "typing" or name.startswith("torch._ops") or cls.__name__ in ("ScriptFunction", "OpOverload", "OpOverloadPacket"):
        return True
    numpy = sys.modules.get("numpy")
    return numpy is not None and issubclass(cls, (numpy.generic, numpy.dtype, numpy.ufunc))


class Record:
    """The state that is reached from one layer's forward. Raises `Unknown` where it cannot be told."""

    _visits = weakref.WeakKeyDictionary()  # class -> the method that looks at its instances; None for atoms

    def __init__(self, module, forward):
        self._holders, self._empty = [], []
        self.leaves, self._arrays = {}, []  # identity -> Leaf
        self._objects = self._items = 0
        self._seen, self._queue = set(), collections.deque()
        self._alive = []  # what has no holder must live as long as its identity counts
        self._attributes, self._spaces = set(_ROOTS), []
        self._spaces_told = {}
        self.counted = collections.Counter()  # how often memory of tensors is reached
        self._queue.extend((module, forward))
        self._walk()
        del self._seen, self._queue, self._spaces, self._spaces_told, self._attributes

    # ------------------------------------------------------------ walking

    def _walk(self):
        more = True
        while more:
            while self._queue:
                self._visit(self._queue.popleft())
            more = self._look_into_spaces()

    def _visit(self, value):
        cls = type(value)
        visit = Record._visits.get(cls, ABSENT)
        if visit is ABSENT:
            visit = Record._visits[cls] = self._visit_of(cls)
        if visit is None or value is ABSENT:
            return
        identity = id(value)
        if identity in self._seen:
            return
        self._seen.add(identity)
        visit(self, value)

    def _count(self, items):
        self._objects += 1
        self._items += items
        if self._objects > MOST_OBJECTS or self._items > MOST_ITEMS:
            raise Unknown("more than is looked at")

    def _hold(self, holder, values):
        self._count(len(values))
        self._holders.append(holder)
        self._queue.extend(values)

    @staticmethod
    def _visit_of(cls):
        torch = sys.modules["torch"]
        numpy = sys.modules.get("numpy")
        if issubclass(cls, torch.Tensor):
            return Record._tensor
        if cls is object or _is_atom(cls):
            return None
        for kinds, visit in (
            ((types.ModuleType,), Record._space), ((type,), Record._class), ((types.FunctionType,), Record._function),
            ((types.MethodType,), Record._method), ((functools.partial,), Record._partial),
            ((staticmethod, classmethod), Record._wrapped), ((property, functools.cached_property), Record._property),
            ((weakref.ref,), Record._reference), ((torch.nn.Module,), Record._module), ((dict,), Record._dict),
            ((list, collections.deque), Record._row), ((set, bytearray), Record._plain), ((tuple, frozenset), Record._frozen),
            ((torch.Generator,), Record._generator), ((random.Random,), Record._random),
        ):  # fmt: skip
            if issubclass(cls, kinds):
                return visit
        if cls.__name__ == "_lru_cache_wrapper":
            return Record._cached
        if numpy is not None and issubclass(cls, numpy.ndarray):
            return Record._array
        if numpy is not None and issubclass(cls, (numpy.random.Generator, numpy.random.RandomState)):
            return Record._numpy_random
        return Record._object

    # ------------------------------------------------------------ code

    def _function(self, function):
        code = function.__code__
        if is_library_file(code.co_filename):
            self._inner_variables(function)  # of a decorator, which calls the script's
            return
        names, space = names_in(code), function.__globals__
        if any(name in UNSEEN and name not in space for name in names.globals):
            raise Unknown("effects outside of it")
        self._attributes |= names.attributes
        holder = names_of_dict(space, names.globals)
        self._hold(holder, holder.before)
        self._queue.extend(sys.modules[name] for name in names.imports if name in sys.modules)
        self._inner_variables(function)

    def _inner_variables(self, function):
        for cell in function.__closure__ or ():
            self._cell(cell)
        self._queue.extend(function.__defaults__ or ())
        self._queue.extend((function.__kwdefaults__ or {}).values())
        if function.__dict__:
            self._visit(function.__dict__)

    def _cell(self, cell):
        if id(cell) in self._seen:
            return
        self._seen.add(id(cell))

        def read(held, _):
            try:
                return held.cell_contents
            except ValueError:
                return ABSENT

        def write(held, _, value):
            held.cell_contents = value

        def remove(held, _):
            del held.cell_contents

        holder = Named(cell, ("",), read, write, remove)
        self._hold(holder, holder.before)

    def _method(self, method):
        self._alive.append(method)
        self._queue.extend((method.__self__, method.__func__))

    def _partial(self, partial):
        self._alive.append(partial)
        self._queue.extend((partial.func, partial.args, partial.keywords))

    def _wrapped(self, wrapper):
        self._queue.append(wrapper.__func__)

    def _property(self, value):
        functions = (value.fget, value.fset) if isinstance(value, property) else (value.func,)
        self._queue.extend(function for function in functions if function is not None)

    def _cached(self, value):
        self._queue.append(value.__wrapped__)

    def _reference(self, value):
        target = value()
        self._alive.append(target)
        self._queue.append(target)

    def _space(self, module):
        """A module of code: what the layer's code names of it."""
        if not is_library_module(module):
            self._spaces.append(module)

    def _class(self, cls):
        for base in cls.__mro__:
            if id(base) not in self._spaces_told and not is_library_class(base):
                self._spaces_told[id(base)] = set()
                self._spaces.append(base)

    def _look_into_spaces(self):
        """What of modules and classes is named by the code that was found so far. True where that was something new."""
        found = False
        for space in self._spaces:
            told = self._spaces_told.setdefault(id(space), set())
            names = [name for name in vars(space) if name not in told and self._is_named(name, space)]
            if names:
                found = True
                told.update(names)
                holder = (names_of_class if isinstance(space, type) else lambda s, n: names_of_dict(vars(s), n))(space, tuple(names))
                self._hold(holder, holder.before)
        return found

    def _is_named(self, name, space):
        if name in self._attributes:
            return True
        called = isinstance(space, type) and name.startswith("__") and name not in _NOT_CALLED
        return called and type(vars(space)[name]) is types.FunctionType

    # ------------------------------------------------------------ data

    def _module(self, module):
        held = module.__dict__
        holder = Keyed(held, "forward")
        self._count(len(held))
        self._holders.append(holder)
        self._alive.append(module)
        own = held.get("forward")
        if type(own) is types.FunctionType and "is_lacunas" in own.__dict__:
            own = None
        if own is not None:
            replaced = names_of_dict(held, ("forward",))
            self._hold(replaced, replaced.before)
        for value in holder.before.values():
            if type(value) in SCALARS or value is None:
                continue
            if type(value) in _CONTAINERS and not value:
                self._empty.append(value)
            else:
                self._visit(value)
        self._class(type(module))

    def _dict(self, value):
        if not value:
            self._empty.append(value)
        else:
            self._hold(Keyed(value), list(value.values()))
            self._queue.extend(key for key in value if type(key) not in SCALARS)
        self._rest(value)

    def _row(self, value):
        if not value:
            self._empty.append(value)
        else:
            holder = Row(value)
            self._hold(holder, holder.before)
        self._rest(value)

    def _plain(self, value):
        holder = Plain(value)
        self._hold(holder, holder.before if isinstance(value, set) else ())
        self._rest(value)

    def _frozen(self, value):
        self._alive.append(value)
        self._count(len(value))
        self._queue.extend(value)
        self._rest(value)

    def _rest(self, value):
        """What an instance of a subclass has beside its items."""
        attributes = getattr(value, "__dict__", None)
        if attributes:
            self._hold(Keyed(attributes), list(attributes.values()))
        if type(value).__module__ not in ("builtins", "collections"):
            self._class(type(value))

    def _object(self, value):
        cls = type(value)
        attributes = getattr(value, "__dict__", None)
        slots = [name for base in cls.__mro__ for name in self._slots(base)]
        if not isinstance(attributes, dict) and not slots or cls.__basicsize__ > self._plain_size(cls):
            raise Unknown("an object of %s" % cls.__qualname__)
        if isinstance(attributes, dict):
            self._hold(Keyed(attributes), list(attributes.values()))
        if slots:
            holder = names_of_object(value, tuple(slots))
            self._hold(holder, holder.before)
        self._alive.append(value)
        self._class(cls)

    @staticmethod
    def _slots(base):
        slots = vars(base).get("__slots__", ())
        slots = (slots,) if isinstance(slots, str) else slots
        for name in slots:
            if name not in ("__dict__", "__weakref__"):
                hidden = name.startswith("__") and not name.endswith("__")
                yield "_%s%s" % (base.__name__.lstrip("_"), name) if hidden else name

    @staticmethod
    def _plain_size(cls):
        """Bytes of an instance that holds nothing but attributes and slots: more is data that C code keeps."""
        if cls is types.SimpleNamespace or issubclass(cls, (types.SimpleNamespace, BaseException)):
            return cls.__basicsize__
        count = sum(len(list(Record._slots(base))) for base in cls.__mro__)
        return object.__basicsize__ + (count + 2) * tuple.__itemsize__

    def _tensor(self, tensor):
        torch = sys.modules["torch"]
        if type(tensor) not in (torch.Tensor, torch.nn.Parameter, getattr(torch.nn, "Buffer", torch.Tensor)):
            raise Unknown("a tensor of a class of its own")
        if tensor.layout is not torch.strided or tensor.is_quantized or tensor.is_conj() or tensor.is_neg():
            raise Unknown("a tensor that is no plain one")
        if tensor.device.type == "meta":
            raise Unknown("a tensor without data")
        self._count(1)
        self.leaves[id(tensor)] = Leaf(tensor)
        self.counted[tensor.data_ptr()] += 1
        if tensor.__dict__:
            self._visit(tensor.__dict__)

    def _generator(self, generator):
        torch = sys.modules["torch"]
        if generator is torch.default_generator:
            return  # the surroundings of a forward
        self._hold(State(generator, torch.Generator.get_state, torch.Generator.set_state), ())

    def _random(self, generator):
        self._hold(State(generator, random.Random.getstate, random.Random.setstate), ())

    def _numpy_random(self, generator):
        bits = getattr(generator, "bit_generator", None)
        if bits is None:
            bits = generator._bit_generator
        self._alive.append(bits)
        self._hold(State(bits, lambda b: b.state, lambda b, state: setattr(b, "state", state)), ())

    def _array(self, array):
        if array.dtype.hasobject or array.nbytes > LARGEST_ARRAY:
            raise Unknown("an array of objects, or a large one")
        self._count(1)
        self._arrays.append(Array(array))

    # ------------------------------------------------------------ comparing

    def changed_holders(self):
        return [holder for holder in self._holders if not holder.is_same()] + [Filled(value) for value in self._empty if value]

    def changed_leaves(self):
        """Tensors and arrays that hold something else by now, wherever that was written."""
        changed = [array for array in self._arrays if not array.is_same()]
        formed = [leaf for leaf in self.leaves.values() if leaf.has_form()]
        changed += [leaf for leaf in self.leaves.values() if not leaf.has_form()]
        still = are_still([(leaf.tensor, leaf.digest) for leaf in formed])
        return changed + [leaf for leaf, same in zip(formed, still) if not same]

    def before_of(self, held):
        """What a dict that was reached held."""
        for holder in self._holders:
            if holder.held is held:
                return holder.before
        return {}

    def references_to(self, tensor):
        """From how many places this tensor, or another on its memory, is reached."""
        places = 0
        for holder in self._holders:
            values = holder.before.values() if type(holder) is Keyed else holder.before
            places += sum(value is tensor for value in values) if isinstance(values, (tuple, frozenset, type({}.values()))) else 0
        return places + self.counted[tensor.data_ptr()] - 1

    def name_of(self, changed):
        """What the script may call a tensor or array that changed."""
        held = changed.held if type(changed) is Array else changed.tensor
        for holder in self._holders:
            named = ()
            if type(holder) is Keyed:
                named = holder.before.items()
            elif type(holder) is Named:
                named = zip(holder.names, holder.before)
            for name, value in named:
                if value is held and name:
                    return str(name)
        return "a tensor"

    @contextlib.contextmanager
    def again(self):
        """All but what is in tensors is as it was, and afterwards as it is now."""
        undone = [(holder, holder.now()) for holder in self.changed_holders()]
        needs = [leaf for leaf in self.leaves.values() if leaf.needs is not None and leaf.tensor.requires_grad != leaf.needs]
        try:
            for holder, _ in undone:
                holder.put(holder.before)
            for leaf in needs:
                leaf.tensor.requires_grad = leaf.needs
            yield
        finally:
            for holder in self.changed_holders():
                holder.put(holder.before)
            for leaf in needs:
                leaf.tensor.requires_grad = not leaf.needs
            for holder, now in undone:
                holder.put(now)
