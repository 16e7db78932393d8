"""A layer's forward that keeps its inputs alone, and is computed again when backward wants what it saved.

The first time it is only tried: what it saved is kept as always, and compared to the bit with what computing again gives.
Where anything differs, or could, the layer is refused for good, and training never depended on it.
"""

import contextlib
import enum
import random
import sys
import weakref

from .faults import pass_on
from .hooks import Hooks
from .profile import check_version

LARGEST_BUFFER = 1 << 20  # bytes that are kept of a buffer which forward changes


class Reason(enum.IntEnum):
    """lacuna_layer_reason"""

    NONE = 0
    UNTRIED = 1
    BETWEEN = 2
    IN_PLACE = 3
    HOOKS = 4
    SIDE_EFFECTS = 5
    ARGUMENTS = 6
    CHECKPOINTED = 7
    COMPILED = 8
    DISTRIBUTED = 9
    DIFFERENT = 10
    FAILED = 11


class Refused(Exception):
    """A layer cannot be computed again safely."""

    def __init__(self, reason):
        super().__init__(reason.name)
        self.reason = reason


# ---------------------------------------------------------------- arguments


class _Slot:
    """Stands for a tensor in arguments that were taken apart."""

    __slots__ = ("index",)

    def __init__(self, index):
        self.index = index


def take_apart(value, tensors):
    """Arguments with slots for their tensors, which go to `tensors`. Refuses what somebody may change until backward."""
    torch = sys.modules["torch"]
    if isinstance(value, torch.Tensor):
        tensors.append(value)
        return _Slot(len(tensors) - 1)
    if type(value) in (tuple, list):
        return type(value)(take_apart(item, tensors) for item in value)
    if type(value) is dict:
        return {key: take_apart(item, tensors) for key, item in value.items()}
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, torch.dtype, torch.device, torch.Size)):
        return value
    raise Refused(Reason.ARGUMENTS)


def put_together(value, tensors):
    """What was taken apart, with these tensors."""
    if type(value) is _Slot:
        return tensors[value.index]
    if type(value) in (tuple, list):
        return type(value)(put_together(item, tensors) for item in value)
    if type(value) is dict:
        return {key: put_together(item, tensors) for key, item in value.items()}
    return value


# ---------------------------------------------------------------- the surroundings of a forward


class Surroundings:
    """Random states and autocast as they are now, for the same to be so again."""

    def __init__(self, tensors):
        torch = sys.modules["torch"]
        self._cpu = torch.get_rng_state()
        devices = {tensor.device for tensor in tensors if tensor.device.type not in ("cpu", "meta")}
        self._devices = {device: getattr(torch, device.type).get_rng_state(device) for device in devices}
        self._casts = self._casts_now()

    @staticmethod
    def _casts_now():
        torch = sys.modules["torch"]
        return {
            "cuda": (torch.is_autocast_enabled(), torch.get_autocast_gpu_dtype()),
            "cpu": (torch.is_autocast_cpu_enabled(), torch.get_autocast_cpu_dtype()),
        }

    def _set(self):
        torch = sys.modules["torch"]
        torch.set_rng_state(self._cpu)
        for device, state in self._devices.items():
            getattr(torch, device.type).set_rng_state(state, device)

    @contextlib.contextmanager
    def again(self):
        torch = sys.modules["torch"]
        now = Surroundings.__new__(Surroundings)
        now._cpu = torch.get_rng_state()
        now._devices = {device: getattr(torch, device.type).get_rng_state(device) for device in self._devices}
        with contextlib.ExitStack() as opened:
            opened.callback(now._set)
            self._set()
            casts = self._casts_now()
            for kind, (enabled, dtype) in self._casts.items():
                if casts[kind][0] != enabled or enabled and casts[kind][1] != dtype:
                    opened.enter_context(torch.autocast(kind, dtype=dtype, enabled=enabled))
            opened.enter_context(torch.enable_grad())
            yield


def _bytes_of(tensor):
    torch = sys.modules["torch"]
    return tensor.detach().contiguous().reshape(-1).view(torch.uint8)


def same_bits(a, b):
    """Whether two tensors are alike in everything that an operator can see."""
    torch = sys.modules["torch"]
    alike = (a.dtype, a.shape, a.stride(), a.device) == (b.dtype, b.shape, b.stride(), b.device)
    return alike and torch.equal(_bytes_of(a), _bytes_of(b))


def _other_random_state():
    """Python's and numpy's own, which computing again would move on."""
    numpy = sys.modules.get("numpy.random")
    state = numpy.get_state(legacy=False)["state"] if numpy is not None else None
    return random.getstate(), repr(state)


# ---------------------------------------------------------------- what a layer's forward changes


class Effects:
    """What a forward of these modules could change, as it is now."""

    def __init__(self, modules):
        self._modules = modules
        self._attributes = [self._shallow(module) for module in modules]
        self._random = _other_random_state()
        self._buffers = {}
        for place, module in enumerate(modules):
            for name, buffer in module._buffers.items():
                if buffer is None:
                    continue
                small = buffer.nelement() * buffer.element_size() <= LARGEST_BUFFER
                self._buffers[place, name] = (buffer, buffer._version, buffer.detach().clone() if small else None)

    @staticmethod
    def _shallow(module):
        """Attributes and, of containers, how many they hold: references, so that no id is used again."""
        passed = ("_buffers", "forward")
        return [
            (name, value, len(value) if isinstance(value, (list, dict, set)) else None)
            for name, value in module.__dict__.items()
            if name not in passed
        ]

    def changed_buffers(self):
        """(module's place, name) of those that forward changed. Refuses all other changes."""
        for module, before in zip(self._modules, self._attributes):
            now = self._shallow(module)
            if len(now) != len(before) or any(a[0] != b[0] or a[1] is not b[1] or a[2] != b[2] for a, b in zip(now, before)):
                raise Refused(Reason.SIDE_EFFECTS)
        if self._random != _other_random_state():
            raise Refused(Reason.SIDE_EFFECTS)
        return [key for key in self._buffers if self._is_changed(key)]

    def _is_changed(self, key):
        buffer, version, copy = self._buffers[key]
        place, name = key
        now = self._modules[place]._buffers.get(name)
        if now is buffer and buffer._version == version and (copy is None or same_bits(copy, buffer)):
            return False
        if copy is None:
            raise Refused(Reason.SIDE_EFFECTS)
        return True

    def before(self, keys):
        """These buffers' contents before the forward."""
        return {key: self._buffers[key][2] for key in keys}


@contextlib.contextmanager
def buffers_as(modules, contents):
    """The modules with other buffers in place of theirs, which stay untouched."""
    own = {(place, name): modules[place]._buffers[name] for place, name in contents}
    try:
        for (place, name), content in contents.items():
            modules[place]._buffers[name] = content.clone()
        yield
    finally:
        for (place, name), buffer in own.items():
            modules[place]._buffers[name] = buffer


@contextlib.contextmanager
def trained_as(modules, flags):
    """The modules in the modes that they had in forward."""
    own = [module.training for module in modules]
    try:
        for module, flag in zip(modules, flags):
            module.training = flag
        yield
    finally:
        for module, flag in zip(modules, own):
            module.training = flag


# ---------------------------------------------------------------- one forward


class _Holder:
    """What autograd holds for a tensor that is computed again."""

    __slots__ = ("again", "index", "kept", "__weakref__")

    def __init__(self, again, index, kept):
        self.again, self.index, self.kept = again, index, kept


class Again:
    """One forward of one layer. `keep` holds an input until backward, and gives what `give` makes a tensor of, which
    raises where somebody changed it; `around` is open while the layer is computed again."""

    def __init__(self, forward, modules, arguments, named, keep, give, around):
        self._forward, self.modules, self._keep, self._give, self._around = forward, modules, keep, give, around
        tensors = []
        self._arguments = take_apart((list(arguments), named), tensors)
        self._needs = [tensor.requires_grad for tensor in tensors]
        self._versions = [tensor._version for tensor in tensors]
        self._tensors = tensors  # until the forward is over
        self._inputs = None
        self._weights = [(weight, weight._version) for module in modules for weight in module._parameters.values() if weight is not None]
        self._flags = [module.training for module in modules]
        self._surroundings = Surroundings(tensors)
        self.buffers = {}  # contents before the forward, of those that it changes
        self._count, self._held = 0, {}  # of what it saved; weak references to holders by index
        self._made = {}  # index -> tensor, computed again and not yet wanted
        self.ready = False  # may be tried: its forward was looked at

    def save(self, tensor, kept=None):
        """What autograd is to hold for a tensor; `kept` is how it can be had without computing."""
        index = self._count
        self._count += 1
        if tensor.is_leaf and tensor.requires_grad:
            return tensor  # a parameter is there anyway
        holder = _Holder(self, index, kept)
        self._held[index] = weakref.ref(holder)
        return holder

    def end_forward(self):
        """Refuses a layer that changed its input; from here on only inputs are held."""
        tensors, self._tensors = self._tensors, None
        if [tensor._version for tensor in tensors] != self._versions:
            raise Refused(Reason.IN_PLACE)
        self._inputs = [self._keep(tensor) for tensor in tensors]

    def held(self):
        """(index, weak reference) of what autograd may still ask for."""
        return self._held.items()

    def held_bytes(self):
        """Bytes of the inputs, each storage once."""
        sizes = {}
        for tensor in self._tensors:
            storage = tensor.storage()
            sizes[storage.data_ptr()] = storage.nbytes()
        return sum(sizes.values())

    def is_same_input(self):
        """Whether nobody changed inputs or weights since."""
        try:
            self._look_up()
            return True
        except RuntimeError as changed:
            pass_on(changed)
            return False

    def _look_up(self):
        """The inputs as they were; the error of autograd where they or weights were changed."""
        if self._inputs is None:
            raise Refused(Reason.IN_PLACE)
        for weight, version in self._weights:
            check_version(weight, version)
        return [self._give(kept) for kept in self._inputs]

    def compute(self):
        """All that the layer saves, by index: tensors without a graph."""
        torch = sys.modules["torch"]
        leaves = [tensor.detach().requires_grad_(needs) for tensor, needs in zip(self._look_up(), self._needs)]
        made = []

        def collect(tensor):
            made.append(tensor.detach())

        def never(_):
            raise RuntimeError("lacuna: a backward within a forward that is computed again")

        arguments, named = put_together(self._arguments, leaves)
        with self._around(), self._surroundings.again(), buffers_as(self.modules, self.buffers):
            with trained_as(self.modules, self._flags), Hooks(collect, never):
                self._forward(*arguments, **named)
        if len(made) != self._count:
            raise Refused(Reason.DIFFERENT)
        return made

    def get(self, holder):
        """The tensor of a holder, computed with all that is still wanted beside it."""
        if holder.index not in self._made:
            made = self.compute()
            self._made = {index: made[index] for index, held in self._held.items() if held() is not None}
        return self._made.pop(holder.index)
