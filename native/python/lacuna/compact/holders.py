"""Who refers to a storage, and to a tensor: all must be known before the storage's memory is exchanged.

Reference counts of C++ objects are read where they lie, behind the virtual table. That is no documented interface: what is
read is believed only where it follows a tensor of our own through references that we make and drop.
"""

import ctypes
import gc
import sys
import types

_COUNT = 8  # bytes behind the beginning of an intrusive_ptr_target; its lower half counts strong references
_PLAIN = (dict, list, tuple, set, frozenset, types.FrameType, types.CellType, types.FunctionType, types.MethodType)


class Untold(Exception):
    """References cannot be counted with this PyTorch."""


def _strong(address):
    return ctypes.c_uint32.from_address(address + _COUNT).value


def storage_of(tensor):
    """Its untyped storage, whatever this version calls it."""
    find = getattr(tensor, "untyped_storage", None) or tensor._storage
    return find()


class Held:
    """A storage, and the tensors that are known to share it."""

    def __init__(self, storage):
        self.storage, self.tensors = storage, []
        self._seen = set()

    def add(self, tensor, slots):
        """`slots`: references to the tensor's Python object that are known, beside this one."""
        if tensor._cdata not in self._seen:
            self._seen.add(tensor._cdata)
            self.tensors.append((tensor, slots))

    def references(self):
        return _strong(self.storage._cdata) - len(self.tensors)


def gather(entries):
    """Held by the address of its storage; `entries` are (tensor, slots)."""
    found = {}
    for tensor, slots in entries:
        storage = storage_of(tensor)
        key = storage._cdata
        if key not in found:
            found[key] = Held(storage)
        found[key].add(tensor, slots)
        del storage
    return found


def _objects(held):
    """Python references to each of its tensors beyond those that are known."""
    return [sys.getrefcount(tensor) - slots for tensor, slots in held.tensors]


class Counting:
    """What the counts of a storage are to which nothing unknown refers."""

    def __init__(self, torch):
        plain, graded = torch.empty(4), torch.nn.Parameter(torch.empty(4))
        graded.grad = torch.empty(4)
        state = {"plain": plain}
        del plain
        found = gather([(state["plain"], 1), (graded.grad, 0)])
        of_plain, of_grad = found.values()
        self._references = of_plain.references()
        (self._plain,), (self._grad,) = _objects(of_plain), _objects(of_grad)
        self._handles = {False: _strong(state["plain"]._cdata), True: _strong(graded.grad._cdata)}
        view = state["plain"].view(2, 2)
        first = of_plain.references() - self._references
        again = state["plain"].detach()
        second = of_plain.references() - self._references
        del view, again
        back = of_plain.references() - self._references
        if (first, second, back) != (1, 2, 0) or self._references != of_grad.references():
            raise Untold()

    def is_shared(self, held):
        """Whether anything refers to the storage beside the tensors that are known."""
        return held.references() != self._references

    def is_exported(self, held):
        """Whether something that is no tensor may hold one of its tensors. What wants a gradient cannot be given away as
        numbers but by a view, which would share its storage."""
        unknown = []
        for (tensor, slots), count in zip(held.tensors, _objects(held)):
            if tensor.requires_grad:
                continue
            is_grad = slots == 0
            if _strong(tensor._cdata) > self._handles[is_grad]:
                return True
            if count > (self._grad if is_grad else self._plain):
                unknown.append(tensor)
            del tensor
        return bool(unknown) and not _all_plain(unknown)


def _beyond_plain(objects):
    """For each, how many references no container of Python's own holds; the walk's own are among them. Walks the heap once."""
    found = {id(one): 0 for one in objects}
    holder = referent = None
    for holder in gc.get_referrers(*objects):
        if holder is objects or not isinstance(holder, _PLAIN):
            continue
        for referent in gc.get_referents(holder):
            if id(referent) in found:
                found[id(referent)] += 1
    del holder, referent  # the last may be one of those that are counted
    return [sys.getrefcount(one) - found[id(one)] for one in objects]


_probe = []  # this module's dictionary alone holds it
_OWN = max(_beyond_plain([_probe]))


def _all_plain(tensors):
    return max(_beyond_plain(tensors)) <= _OWN
