"""Where one layer ends and the next begins."""

import contextlib
import weakref


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


class LayerHooks:
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
