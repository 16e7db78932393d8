"""A layer's forward that keeps its inputs alone, and is computed again when backward wants what it saved.

The first time it is only tried: what it saved is kept as always, and compared to the bit with what computing again gives.
Where anything differs, or could, the layer is refused for good, and training never depended on it.
"""

import contextlib
import enum
import functools
import random
import sys
import weakref

from .contents import Contents, are_still, digest, form_of, storage_of
from .faults import is_out_of_memory, pass_on
from .hooks import Hooks
from .profile import check_version
from .state_walk import Record, Unknown

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
    THREADS = 12


class Refused(Exception):
    """A layer cannot be computed again safely."""

    def __init__(self, reason):
        super().__init__(reason.name)
        self.reason = reason


class Changed(RuntimeError):
    """What a layer depends on was changed between its forward and its backward, and is not to be had as it was."""


# ---------------------------------------------------------------- arguments


class _Slot:
    """Stands for a tensor in arguments that were taken apart."""

    __slots__ = ("index",)

    def __init__(self, index):
        self.index = index


def _is_anothers(tensor):
    """Whether somebody else, as NumPy, owns the memory of a tensor or can write to it. PyTorch tells from 2.1 on."""
    storage = getattr(tensor, "untyped_storage", None)
    if storage is None or tensor.device.type != "cpu" or type(tensor).__module__ == "torch.sparse":
        return False
    can_grow = getattr(storage(), "resizable", None)
    return can_grow is not None and not can_grow()


def take_apart(value, tensors):
    """Arguments with slots for their tensors, which go to `tensors`. Refuses what somebody may change until backward."""
    torch = sys.modules["torch"]
    if isinstance(value, torch.Tensor):
        if _is_anothers(value):
            raise Refused(Reason.ARGUMENTS)
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
        self._settings = self._settings_now()

    @staticmethod
    def _casts_now():
        torch = sys.modules["torch"]
        if hasattr(torch, "get_autocast_dtype"):  # PyTorch 2.4, which warns of what was before
            return {kind: (torch.is_autocast_enabled(kind), torch.get_autocast_dtype(kind)) for kind in ("cuda", "cpu")}
        return {
            "cuda": (torch.is_autocast_enabled(), torch.get_autocast_gpu_dtype()),
            "cpu": (torch.is_autocast_cpu_enabled(), torch.get_autocast_cpu_dtype()),
        }

    @staticmethod
    def _settings_now():
        """What of torch's own settings an operator's bits depend on, each with what sets it."""
        torch = sys.modules["torch"]
        settings = [
            (torch.set_default_dtype, torch.get_default_dtype()),
            (torch.use_deterministic_algorithms, torch.are_deterministic_algorithms_enabled()),
            (torch.set_num_threads, torch.get_num_threads()),
        ]
        cudnn = torch.backends.cudnn
        for name in ("enabled", "benchmark", "deterministic"):
            settings.append((functools.partial(setattr, cudnn, name), getattr(cudnn, name)))
        return settings

    def _set(self):
        torch = sys.modules["torch"]
        torch.set_rng_state(self._cpu)
        self._set_devices()

    def _set_devices(self):
        torch = sys.modules["torch"]
        for device, state in self._devices.items():
            getattr(torch, device.type).set_rng_state(state, device)

    @contextlib.contextmanager
    def again(self):
        torch = sys.modules["torch"]
        now = Surroundings.__new__(Surroundings)
        now._cpu = torch.get_rng_state()
        now._devices = {device: getattr(torch, device.type).get_rng_state(device) for device in self._devices}
        # In one call of C's: no signal handler can raise before the script has its own state again.
        putting_back = map(torch.default_generator.set_state, [now._cpu])
        try:
            with contextlib.ExitStack() as opened:
                opened.callback(now._set_devices)
                self._set()
                for (put, wanted), (_, is_now) in zip(self._settings, self._settings_now()):
                    if wanted != is_now:
                        opened.callback(put, is_now)
                        put(wanted)
                casts = self._casts_now()
                for kind, (enabled, dtype) in self._casts.items():
                    if casts[kind][0] != enabled or enabled and casts[kind][1] != dtype:
                        opened.enter_context(torch.autocast(kind, dtype=dtype, enabled=enabled))
                opened.enter_context(torch.enable_grad())
                yield
        finally:
            list(putting_back)


def _bytes_of(tensor):
    torch = sys.modules["torch"]
    return tensor.detach().contiguous().reshape(-1).view(torch.uint8)


def same_bits(a, b):
    """Whether two tensors are alike in everything that an operator can see."""
    torch = sys.modules["torch"]
    return form_of(a) == form_of(b) and torch.equal(_bytes_of(a), _bytes_of(b))


def _other_random_state():
    """Python's and numpy's own, which computing again would move on."""
    numpy = sys.modules.get("numpy.random")
    state = numpy.get_state(legacy=False)["state"] if numpy is not None else None
    return random.getstate(), repr(state)


# ---------------------------------------------------------------- what a layer's forward changes


class Effects:
    """What a forward has changed of all that it reaches."""

    def __init__(self, modules, record):
        self._modules, self._record = modules, record
        self._random = _other_random_state()
        self._buffers = {}
        for place, module in enumerate(modules):
            for name, buffer in module._buffers.items():
                if buffer is None:
                    continue
                small = buffer.nelement() * buffer.element_size() <= LARGEST_BUFFER
                self._buffers[place, name] = (buffer, buffer.detach().clone() if small else None)

    def changed_buffers(self):
        """(module's place, name) of those that forward changed. Refuses all other changes."""
        if self._random != _other_random_state():
            raise Refused(Reason.SIDE_EFFECTS)
        changed = self._replaced()
        for leaf in self._record.changed_leaves():
            keys = [key for key, (buffer, _) in self._buffers.items() if buffer is getattr(leaf, "tensor", None)]
            if not keys:
                raise Refused(Reason.SIDE_EFFECTS)
            changed.update(keys)
        for key in changed:
            buffer, copy = self._buffers[key]
            if copy is None or self._record.references_to(buffer) > 1:
                raise Refused(Reason.SIDE_EFFECTS)
        return sorted(changed)

    def _replaced(self):
        """Buffers that are another tensor now."""
        places = {id(module._buffers): place for place, module in enumerate(self._modules)}
        changed = set()
        for holder in self._record.changed_holders():
            place = places.get(id(holder.held))
            if place is None or list(holder.now()) != list(holder.before):
                raise Refused(Reason.SIDE_EFFECTS)
            keys = {(place, name) for name in holder.differing()}
            if any(key not in self._buffers or self._modules[place]._buffers[key[1]] is None for key in keys):
                raise Refused(Reason.SIDE_EFFECTS)
            changed |= keys
        return changed

    def before(self, keys):
        """These buffers' contents before the forward."""
        return {key: self._buffers[key][1] for key in keys}


@contextlib.contextmanager
def harmless(record):
    """What is computed in here leaves no trace, even where it does what it did not do before."""
    numpy = sys.modules.get("numpy.random")
    copies = [(leaf, leaf.tensor.data, leaf.tensor.detach().clone()) for leaf in record.leaves.values()]
    own, others = random.getstate(), numpy.get_state() if numpy is not None else None
    try:
        yield
    finally:
        changed = {id(leaf) for leaf in record.changed_leaves()}
        for leaf, alias, copy in copies:
            if id(leaf) in changed:
                if not leaf.has_form():
                    leaf.tensor.data = alias
                alias.copy_(copy)  # and its version stays
        random.setstate(own)
        if numpy is not None:
            numpy.set_state(others)


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


# ---------------------------------------------------------------- one forward


class _Holder:
    """What autograd holds for a tensor that is computed again."""

    __slots__ = ("again", "index", "kept", "key", "__weakref__")

    def __init__(self, again, index, kept):
        self.key = None  # what a rule knew it by when that dropped it
        self.again, self.index, self.kept = again, index, kept


class Checkpoint:
    """One forward of one layer. `keep` holds an input until backward, and gives what `give` makes a tensor of, which
    raises where somebody changed it; `around` is open while the layer is computed again."""

    def __init__(self, layer, forward, arguments, named, keep, give, around):
        self._forward, self.modules, self._keep, self._give, self._around = forward, layer.modules, keep, give, around
        self._name = layer.name
        tensors = []
        self._arguments = take_apart((list(arguments), named), tensors)
        self._needs = [tensor.requires_grad for tensor in tensors]
        self._versions = [tensor._version for tensor in tensors]
        self._digests = self._digests_of(tensors)
        self._tensors = tensors  # until the forward is over
        self._inputs = None
        self._weights = [
            (weight, weight._version) for module in self.modules for weight in module._parameters.values() if weight is not None
        ]
        self.record = self._reach(layer.modules[0], forward)
        self._surroundings = Surroundings(tensors)
        self.buffers = {}  # contents before the forward, of those that it changes
        self._count, self._held = 0, {}  # of what it saved; weak references to holders by index
        self._made = {}  # index -> tensor, computed again and not yet wanted
        self.contents = None  # by index, of what it saved, as its forward left it; None where some of that was elsewhere by then
        self.ready = False  # may be tried, or computed again: its forward was looked at
        self.layer, self.dropped = layer, False  # dropped: a rule has let go of something that it saved

    @staticmethod
    def _digests_of(tensors):
        try:
            return [digest(tensor) for tensor in tensors]
        except Exception as broken:  # of a kind that has no elements to be read
            pass_on(broken)
            raise Refused(Reason.ARGUMENTS) from None

    @staticmethod
    def _reach(module, forward):
        try:
            return Record(module, forward)
        except Unknown:
            raise Refused(Reason.SIDE_EFFECTS) from None
        except Exception as broken:  # an object that does not let itself be looked at
            pass_on(broken)
            if is_out_of_memory(broken):
                raise
            raise Refused(Reason.SIDE_EFFECTS) from None

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

    def look_at_saved(self, here):
        """Remembers what was saved, where all of it is `here`."""
        kept = {index: here(held.kept) for index, held in self.held().items()}
        if any(tensor is None for tensor in kept.values()):
            return
        try:
            self.contents = {index: Contents(tensor) for index, tensor in kept.items()}
        except Exception as broken:  # of a kind that has no elements to be read
            pass_on(broken)
            if not is_out_of_memory(broken):
                raise Refused(Reason.FAILED) from None

    def held(self):
        """Holders by index, of what autograd may still ask for."""
        holders = {index: reference() for index, reference in self._held.items()}
        return {index: holder for index, holder in holders.items() if holder is not None}

    def held_bytes(self):
        """Bytes of the inputs, each storage once."""
        sizes = {}
        for tensor in self._tensors:
            storage = storage_of(tensor)
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
        """The inputs as they were; an error where they, or tensors that the layer reads, were changed: of autograd where
        it could tell."""
        if self._inputs is None:
            raise Refused(Reason.IN_PLACE)
        for weight, version in self._weights:
            check_version(weight, version)
        inputs = [self._give(kept) for kept in self._inputs]
        for number, same in enumerate(are_still(list(zip(inputs, self._digests)))):
            if not same:
                raise self._changed("input %d" % number)
        own = {id(self.record_of_buffer(key)) for key in self.buffers}
        for leaf in self.record.changed_leaves():
            if id(getattr(leaf, "tensor", None)) not in own:
                raise self._changed(self._name_of(leaf))
        return inputs

    def record_of_buffer(self, key):
        """The tensor that was a module's buffer when the forward began."""
        place, name = key
        return self.record.before_of(self.modules[place]._buffers).get(name)

    def _changed(self, what):
        return Changed(
            "lacuna: layer %s was to be recomputed, but its %s was changed past autograd between forward and backward; "
            "the layer is kept from now on" % (self._name, what)
        )

    def _name_of(self, leaf):
        tensor = getattr(leaf, "tensor", None)
        for kind, named in (("weight", self.modules[0].named_parameters()), ("buffer", self.modules[0].named_buffers())):
            for name, its in named:
                if its is tensor:
                    return "%s %s" % (kind, name)
        return "tensor %s" % self.record.name_of(leaf)

    def compute(self):
        """All that the layer saves, by index: tensors without a graph."""
        with self._around():
            inputs = self._look_up()
        leaves = [tensor.detach().requires_grad_(needs) for tensor, needs in zip(inputs, self._needs)]
        saved = []

        def never(_):
            raise RuntimeError("lacuna: a backward within a forward that is computed again")

        arguments, named = put_together(self._arguments, leaves)
        try:
            with self._around(), self._surroundings.again(), self.record.again(), buffers_as(self.modules, self.buffers):
                with Hooks(saved.append, never):  # written in C: nothing can be raised in it
                    self._forward(*arguments, **named)
            made = [tensor.detach() for tensor in saved]
        finally:
            saved.clear()  # what the graph saved holds the hook, which holds the list, which holds the graph
        if len(made) != self._count:
            raise Refused(Reason.DIFFERENT)
        return made

    def get(self, holder):
        """The tensor of a holder, computed with all that is still wanted beside it."""
        if holder.index not in self._made:
            made = self.compute()
            self._made = {index: made[index] for index, held in self._held.items() if self._is_missed(held())}
        return self._made.pop(holder.index)

    @staticmethod
    def _is_missed(holder):
        return holder is not None and holder.kept is None
