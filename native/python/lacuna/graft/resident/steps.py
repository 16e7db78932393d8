"""The ends of training steps."""

import weakref
from collections import deque

from .framework import loaded
from .system import monotonic_ns


class Steps:
    """The ends of optimizer steps, by PyTorch's own hook for all optimizers (2.0 and later), else by its mark for profilers.

    What runs in the trainer's thread here is a handful of lines that cannot fail.
    """

    def __init__(self):
        self.ends, self.marker, self.seen = deque(maxlen=4096), None, weakref.WeakSet()
        self.undo, self.hooked, self.at_end = None, False, None

    def hook(self, torch):
        if self.hooked or torch is None:
            return
        optimizers = loaded("torch.optim.optimizer") or loaded("torch.optim")
        if optimizers is None:
            return
        self.hooked = True
        register = getattr(optimizers, "register_optimizer_step_post_hook", None)
        if register is not None:
            self.undo = register(self._told).remove
        elif hasattr(torch.optim.Optimizer, "_optimizer_step_code"):
            self._replace(torch.optim.Optimizer)

    def _replace(self, kind):
        before, told = kind._optimizer_step_code, self._told

        def step_code(optimizer):
            told(optimizer)
            return before(optimizer)

        def undo():
            if kind.__dict__.get("_optimizer_step_code") is step_code:
                kind._optimizer_step_code = before

        kind._optimizer_step_code = step_code
        self.undo = undo

    def _told(self, optimizer, *_):
        self.seen.add(optimizer)
        if self.marker is None or self.marker() is None:
            self.marker = weakref.ref(optimizer)
        if self.marker() is optimizer:
            self.ends.append(monotonic_ns())
            act = self.at_end
            if act is not None:
                self.at_end = None
                act()

    def remove(self):
        self.at_end = None
        if self.undo is not None:
            self.undo()
        self.undo = None
