"""What each layer is told to do, and what it does: keeping, swapping, computing again."""

import contextlib
import sys
import time
import weakref
from functools import partial

from .contents import size_of
from .engine import CAN_KEEP, CAN_RECOMPUTE, CAN_SWAP
from .entries import Saved
from .faults import pass_on
from .hooks import are_theirs_inside
from .recompute import Changed, Checkpoint, Effects, Reason, Refused, _Holder, harmless, same_bits

_ACTIONS = {"K": CAN_KEEP, "S": CAN_SWAP, "R": CAN_RECOMPUTE}


class _Layer:
    """One module that may be computed again, and what is known of that."""

    def __init__(self, number, name, module):
        self.number, self.name, self.reason = number, name, Reason.UNTRIED
        self.modes = None  # of its modules when it was tried
        self.no_room_under = 0  # bytes: the highest limit under which a trial ran out of memory
        self.changed = []  # buffers that its forward changes: (place in modules, name)
        self.modules = tuple(module.modules())

    def modes_now(self):
        return [module.training for module in self.modules]


def _reason_of_all(root):
    """Why no layer below this module can be computed again."""
    torch = sys.modules["torch"]
    distributed = getattr(torch, "distributed", None)
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        if distributed.get_world_size() > 1:
            return Reason.DISTRIBUTED
    return Reason.DISTRIBUTED if any(isinstance(module, torch.nn.DataParallel) for module in root.modules()) else Reason.NONE


def _reason_of(modules):
    """Why a layer of these cannot be computed again, as far as looking tells."""
    torch = sys.modules["torch"]
    for module in modules:
        if isinstance(module, torch.jit.ScriptModule) or "_orig_mod" in module._modules:
            return Reason.COMPILED
        if getattr(module, "_compiled_call_impl", None) is not None:
            return Reason.COMPILED
        if any(getattr(module, name, None) for name in _HOOKS):
            return Reason.HOOKS
    return Reason.NONE


_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


def _runs_in_checkpoint():
    """Whether somebody up the stack will compute this again already."""
    frame = sys._getframe(1)
    while frame is not None:
        if "checkpoint" in frame.f_code.co_filename.rpartition("torch/")[2]:
            return True
        frame = frame.f_back
    return False


def _tensors_in(value):
    torch = sys.modules["torch"]
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _tensors_in(item)
    elif isinstance(value, dict):
        yield from _tensors_in(list(value.values()))


def _holds_checkpoint(outputs, inputs):
    """Whether the graph between inputs and outputs holds a node of torch's reentrant checkpoint."""
    ends = {tensor.grad_fn for tensor in _tensors_in(inputs)}
    nodes = [tensor.grad_fn for tensor in _tensors_in(outputs)]
    seen = set(ends) | {None}
    while nodes:
        node = nodes.pop()
        if node in seen:
            continue
        seen.add(node)
        if "Checkpoint" in type(node).__name__:
            return True
        nodes.extend(following for following, _ in node.next_functions)
    return False


class _HooksWatch:
    """Counts who else puts hooks for saved tensors inside a layer: torch's other checkpoint, or somebody's own swapping."""

    @contextlib.contextmanager
    def on(self):
        hooks = sys.modules["torch"].autograd.graph.saved_tensors_hooks
        self.entered, enter = 0, hooks.__enter__

        def counted(context):
            self.entered += 1
            return enter(context)

        hooks.__enter__ = counted
        try:
            yield
        finally:
            hooks.__enter__ = enter


class Policy:
    """Of one manager. Nothing in here reaches the script: what goes wrong ends policies, said once."""

    def __init__(self, manager, recomputing):
        self._manager, self._native = manager, manager.native
        self._recomputing = recomputing  # a context: modules are called within it that are no forwards of the script's
        self._letters, self._changes = "", None
        self._layers = weakref.WeakKeyDictionary()  # module -> _Layer
        self._does = {}  # what the agent was told of a layer
        self._broken = False

    @property
    def on(self):
        return bool(self._letters) and not self._broken

    @property
    def letters(self):
        """What was told, a letter for each layer; empty where nothing was."""
        return self._letters

    def read(self, changes):
        """What was told since it was read last; whether anything was."""
        news = changes != self._changes
        if news:
            self._letters, self._changes = self._native.policy(), changes
            self._does.clear()  # who takes a policy back sets them all
        return news

    def asks(self, number):
        """K, S or R for a layer."""
        return self._letters[number] if self.on and number < len(self._letters) else "K"

    def give_up(self, broken):
        if not self._broken:
            self._broken = True
            sys.stderr.write("lacuna: no policy for layers any more: %r\n" % (broken,))
            for number in self._manager.layers.values():
                self._native.layer_can(number, CAN_KEEP | CAN_SWAP, Reason.FAILED)
                self._native.layer_does(number, CAN_KEEP)

    # ------------------------------------------------------------ an outermost forward

    def tell(self, swapping):
        """Tells the agent what layers do from this forward on."""
        proven = {layer.number for layer in self._layers.values() if layer.reason is Reason.NONE}
        for number in self._manager.layers.values():
            asked = self.asks(number)
            does = "K" if asked == "R" and number not in proven or asked == "S" and not swapping else asked
            if self._does.get(number) != does:
                self._does[number] = does
                self._native.layer_does(number, _ACTIONS[does])

    def does(self, number):
        return self._does.get(number, "K")

    @contextlib.contextmanager
    def on_layers(self, root, named, trying):
        """Modules that are told to be computed again, or are to be tried, are called through here meanwhile."""
        undo = []
        undoing = map(partial.__call__, undo)  # in one call of C's: no signal handler can raise in the middle
        try:
            try:
                shared = self._reason_of_all(root)
                for module, name in named:
                    layer = self._layer(shared, module, name)
                    if layer.reason in (Reason.NONE, Reason.UNTRIED) and (self.asks(layer.number) == "R" or trying):
                        own, forward = module.__dict__.get("forward"), module.forward
                        undo.append(
                            partial(module.__dict__.pop, "forward", None)
                            if own is None
                            else partial(module.__dict__.__setitem__, "forward", own)
                        )
                        module.__dict__["forward"] = self._call_of(layer, module, forward)
            except Exception as broken:
                pass_on(broken)
                self.give_up(broken)
            yield
        finally:
            list(undoing)

    def _reason_of_all(self, root):
        return Reason.THREADS if self._manager.claim.is_shared else _reason_of_all(root)

    def _layer(self, shared, module, name):
        """`shared`: why no layer at all can be, which is not asked for each of them anew."""
        layer = self._layers.get(module)
        if layer is None or layer.modules != tuple(module.modules()):
            layer = self._layers[module] = _Layer(self._manager.number(name), name, module)
            self._tell_can(layer)
        if layer.reason in (Reason.NONE, Reason.UNTRIED):
            reason = shared if shared is not Reason.NONE else _reason_of(layer.modules)
            if reason is not Reason.NONE:
                self._refuse(layer, reason)
        return layer

    def _refuse(self, layer, reason):
        layer.reason = reason
        self._tell_can(layer)

    def _tell_can(self, layer):
        can = CAN_KEEP | CAN_SWAP
        if layer.reason in (Reason.NONE, Reason.UNTRIED):
            can |= CAN_RECOMPUTE
        self._native.layer_can(layer.number, can, layer.reason)

    # ------------------------------------------------------------ a layer's forward

    def _call_of(self, layer, module, forward):
        def call(*arguments, **named):
            if are_theirs_inside():
                self._refuse(layer, Reason.CHECKPOINTED)
            if layer.reason is Reason.NONE and self._manager.chooser.on and layer.modes == layer.modes_now():
                return self._call_by_tensor(layer, forward, arguments, named)
            if layer.reason is Reason.NONE:
                if self.asks(layer.number) != "R" or layer.modes != layer.modes_now():
                    return forward(*arguments, **named)
                return self._call_again(layer, forward, arguments, named)
            if layer.reason is Reason.UNTRIED:
                return self._call_first(layer, forward, arguments, named)
            return forward(*arguments, **named)

        call.is_lacunas = True
        return call

    def _again(self, layer, forward, arguments, named):
        """The forward as one that can be computed again; None where it is not to be."""
        if self._broken or not sys.modules["torch"].is_grad_enabled():
            return None
        try:
            again = Checkpoint(layer, forward, arguments, named, self._manager.keep, self._manager.give, self._recomputing)
            if layer.reason is Reason.NONE:
                own = {(place, name): layer.modules[place]._buffers[name] for place, name in layer.changed}
                again.buffers = {key: buffer.detach().clone() for key, buffer in own.items()}
            if self._manager.measurement is not None:
                self._manager.measurement.enter(layer.number, again.held_bytes())
            return again
        except Refused as refused:
            self._refuse(layer, refused.reason)
        except Exception as broken:
            pass_on(broken)
            self.give_up(broken)
        return None

    def _call_again(self, layer, forward, arguments, named):
        """Of a layer that was tried: what it saves is dropped."""
        again = self._again(layer, forward, arguments, named)
        if again is None:
            return forward(*arguments, **named)
        run = self._manager.run

        def pack(tensor):
            self._manager.note(tensor)
            return again.save(tensor)

        def unpack(holder):
            return self._computed(layer, run, again, holder)

        with self._manager.hooks(pack, unpack):
            result = forward(*arguments, **named)
        if self._manager.measurement is not None:
            self._manager.measurement.dropped(run, layer.number)
        self._ends(layer, again)
        try:
            return result
        finally:
            del result  # as in process._alone

    def _call_by_tensor(self, layer, forward, arguments, named):
        """Of a layer that was tried, where a rule chooses: what it saves is kept as always until that drops it."""
        again = self._again(layer, forward, arguments, named)
        if again is None:
            return forward(*arguments, **named)
        manager, run = self._manager, self._manager.run

        def pack(tensor):
            kept = manager.pack(tensor)
            holder = again.save(tensor, kept)
            if type(kept) is Saved and type(holder) is _Holder:
                kept.holder = weakref.ref(holder)
            return holder

        def unpack(holder):
            kept = holder.kept if type(holder) is _Holder else None
            if kept is not None:
                return manager.unpack(kept)
            if type(holder) is not _Holder:
                return holder
            manager.chooser.wanted(run, holder.key)
            began = time.monotonic_ns()
            try:
                return self._computed(layer, run, again, holder)
            finally:
                manager.chooser.lost(time.monotonic_ns() - began)

        with manager.hooks(pack, unpack):
            result = forward(*arguments, **named)
        again.ready = self._ends(layer, again)
        try:
            return result
        finally:
            del result  # as in process._alone

    def _ends(self, layer, again):
        """Whether the forward, which has ended, can be computed again; where it cannot, backward will say so, if there is one."""
        try:
            again.end_forward()
            return True
        except Refused as refused:
            self._refuse(layer, refused.reason)
        except Exception as broken:
            pass_on(broken)
            self.give_up(broken)
        return False

    def _get(self, layer, again, holder):
        try:
            return again.get(holder)
        except Changed:
            self._refuse(layer, Reason.IN_PLACE)
            raise
        except Refused as refused:
            self._refuse(layer, refused.reason)
            raise RuntimeError(
                "lacuna: a layer that was recomputed to the same bits when it was tried cannot be any more (%s); "
                "it is kept from now on" % refused.reason.name.lower().replace("_", "-")
            ) from refused

    def _computed(self, layer, run, again, holder):
        if type(holder) is not _Holder:
            return holder
        measurement = self._manager.measurement
        if measurement is None:
            return self._get(layer, again, holder)
        measurement.want(run, layer.number)
        since = measurement.mark()
        measurement.makes_again(run, layer.number)
        tensor = self._get(layer, again, holder)
        measurement.lose(layer.number, since)
        return tensor

    # ------------------------------------------------------------ the first time

    def _call_first(self, layer, forward, arguments, named):
        """What it saves is kept as always, for backward and for the comparison."""
        if _runs_in_checkpoint():
            self._refuse(layer, Reason.CHECKPOINTED)
            return forward(*arguments, **named)
        again = self._again(layer, forward, arguments, named)
        if again is None:
            return forward(*arguments, **named)
        watch, before = _HooksWatch(), None
        try:
            before = Effects(layer.modules, again.record)
        except Exception as broken:
            pass_on(broken)

        def pack(tensor):
            return again.save(tensor, self._manager.pack(tensor))

        def unpack(holder):
            if type(holder) is not _Holder:
                return holder
            self._try(layer, again)
            return self._manager.unpack(holder.kept)

        with self._manager.hooks(pack, unpack), watch.on():
            result = forward(*arguments, **named)
        self._look_at(layer, again, before, watch, (arguments, named), result)
        return result

    def _look_at(self, layer, again, before, watch, inputs, result):
        """What the forward has done, before anything is computed again."""
        try:
            if before is None:
                raise Refused(Reason.FAILED)
            if watch.entered or _holds_checkpoint(result, inputs):
                raise Refused(Reason.CHECKPOINTED)
            again.end_forward()
            layer.changed = before.changed_buffers()
            again.buffers = before.before(layer.changed)
            layer.modes = layer.modes_now()
            again.look_at_saved(self._manager.here)
            again.ready = True
        except Refused as refused:
            self._refuse(layer, refused.reason)
        except Exception as broken:
            pass_on(broken)
            self.give_up(broken)

    def _try(self, layer, again):
        """Backward has come to a layer whose forward was looked at: computes it again and compares, once for each call of
        the layer."""
        if not again.ready or layer.reason not in (Reason.UNTRIED, Reason.NONE) or self._broken or self._manager.claim.is_shared:
            return
        again.ready = False
        limit = self._manager.limit()
        if limit <= layer.no_room_under:
            return  # one out-of-memory is enough: each has something leave that is wanted
        measurement = self._manager.measurement
        since = measurement.mark() if measurement is not None else None
        try:
            self._compare(layer, again)
        except Refused as refused:
            self._refuse(layer, refused.reason)
        except Exception as broken:
            pass_on(broken)
            if "out of memory" in str(broken):
                layer.no_room_under = limit  # a higher one may have the room
            else:
                self._refuse(layer, Reason.FAILED)
        finally:
            if measurement is not None:
                measurement.lose(layer.number, since)

    def _compare(self, layer, again):
        as_saved = self._as_saved(again)
        if as_saved is None:
            return
        if not again.is_same_input():
            raise Refused(Reason.IN_PLACE)
        with harmless(again.record):
            made = again.compute()
        # Buffers that forwards change were saved as themselves, and later micro-batches have moved them on.
        moved = {layer.modules[place]._buffers[name].data_ptr() for place, name in layer.changed}
        if not all(is_same(made[index]) for index, (address, is_same) in as_saved.items() if address not in moved):
            raise Refused(Reason.DIFFERENT)
        layer.reason = Reason.NONE
        self._tell_can(layer)

    def _as_saved(self, again):
        """By index, where a tensor was and whether another is like it: to the bit where there is room for both, by sums of its
        words where there is room for one alone and rescues may have the other on the host meanwhile. None where there is not."""
        if again.contents is None:
            return None
        held, free = again.held(), self._native.room()
        reached = sum(size_of(leaf.tensor) for leaf in again.record.leaves.values())
        sizes = [again.contents[index].bytes for index in held]
        away = sum(again.contents[index].bytes for index, holder in held.items() if self._manager.here(holder.kept) is None)
        if 2 * sum(sizes) + reached + away <= free:
            wanted = {index: self._manager.give(holder.kept) for index, holder in held.items()}
            return {index: (tensor.data_ptr(), partial(same_bits, tensor)) for index, tensor in wanted.items()}
        if sum(sizes) + max(sizes, default=0) + reached > free + self._native.movable():
            return None
        return {index: (again.contents[index].address, again.contents[index].is_of) for index in held}
