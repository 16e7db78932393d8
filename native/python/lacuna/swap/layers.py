"""Where one layer ends and the next begins."""

import contextlib
import sys
import weakref

from .faults import pass_on


def find_layers(root):
    """(module, name) of what is told, measured and swapped as one. Members of lists and sequences are, unless a list of
    composite modules repeats inside them; then its members are. Elsewhere a module is one layer if no list lies in it."""
    from torch.nn import ModuleList, Sequential

    def is_list(module):
        return isinstance(module, (ModuleList, Sequential)) and len(module) > 1

    def repeats(module):
        """Whether blocks that have parts of their own stand in a row here."""
        composite = [type(m) for m in module if next(m.children(), None) is not None] if is_list(module) else []
        return len(composite) > len(set(composite))

    def walk(module, prefix, in_list):
        for name, child in module.named_children():
            path = prefix + "." + name if prefix else name
            split = repeats if in_list else is_list
            if any(split(m) for m in child.modules()):
                yield from walk(child, path, in_list or is_list(child))
            else:
                yield child, path

    return list(walk(root, "", is_list(root)))


@contextlib.contextmanager
def only_where_claimed(claim, layers, replacing):
    """While `replacing` gives modules a forward of its own, other threads that call the same modules get what they had."""
    before = [(module, module.forward, module.__dict__.get("forward")) for module, _ in layers]
    with replacing:
        for module, forward, own in before:
            ours = module.__dict__.get("forward")
            if ours is not own:
                module.__dict__["forward"] = _either(claim, ours, forward)
        yield


def _either(claim, ours, theirs):
    def call(*arguments, **named):
        return (ours if claim.is_mine() else theirs)(*arguments, **named)

    call.is_lacunas = True
    return call


def _global_hooks(modules):
    return [getattr(modules, name, {}) for name in ("_global_forward_pre_hooks", "_global_forward_hooks")]


class _Placed:
    """No generator: an exception from outside leaves one to a finalizer, whose own exceptions reach nobody."""

    def __init__(self, hooks, root):
        self._hooks, self._root, self._handles = hooks, root, ()

    def __enter__(self):
        self._handles = self._hooks.place(self._root)

    def __exit__(self, *_):
        for handle in self._handles:
            handle.remove()


class LayerHooks:
    """Global module hooks, there only while a forward is managed: a module's own would be saved with it."""

    def __init__(self, manager):
        self._manager = manager
        self._roots = weakref.WeakKeyDictionary()
        self._names = {}

    def layers(self, root):
        """(module, name) of all layers below this module, found once."""
        layers = self._roots.get(root)
        if layers is None:
            layers = self._roots[root] = [(weakref.ref(module), name) for module, name in find_layers(root)]
        return [(module(), name) for module, name in layers if module() is not None]

    def on(self, root):
        return _Placed(self, root)

    def place(self, root):
        """The handles that remove them."""
        modules = sys.modules["torch.nn.modules.module"]
        self._names = {id(module): name for module, name in self.layers(root)}
        for hooks in _global_hooks(modules):  # left by a forward that an exception from outside ended just here
            for key in [key for key, hook in hooks.items() if getattr(hook, "__self__", None) is self]:
                hooks.pop(key, None)
        return modules.register_module_forward_pre_hook(self._begin), modules.register_module_forward_hook(self._end)

    def next(self, name):
        """What runs ends here, and something else begins."""
        self._guard(self._next, name)

    def _begin(self, module, inputs):
        name = self._names.get(id(module))
        if name is not None and self._manager.claim.is_mine():
            self._guard(self._enter, name, inputs)

    def _end(self, module, inputs, outputs):
        if id(module) in self._names and self._manager.claim.is_mine():
            self._guard(self._next, type(module).__name__ + ".after")

    def _enter(self, name, inputs):
        self._next(name)
        self._manager.note_inputs(inputs)

    def _next(self, name):
        manager = self._manager
        if manager.run is not None and not manager.failed:
            manager.end_pass()
            manager.begin_pass(name)

    def _guard(self, action, *arguments):
        try:
            action(*arguments)
        except Exception as broken:
            pass_on(broken)
            self._manager.give_up(broken)
        self._manager.postponed.tell()
