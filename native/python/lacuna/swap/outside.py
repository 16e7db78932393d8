"""What is saved for backward outside of every outermost module: losses, and models that are functions.

Hooks that stay open between the managed forwards of a thread. What they keep leaves in rescues, and ahead of need once rescues
have shown how much is missing; ``swap=all`` sends nothing of it, for the backward of a loss follows at once.
"""

import _thread
import sys
import threading
from functools import partial

from .faults import pass_on, say_once
from .hooks import give_way, is_any_open, open_for_long
from .manager import plainly
from .postponed import Postponed
from .profile import Seen

NAME = "outside"  # where no module has run
LONGEST = 4096  # entries of one run


class Outside:
    """Of one process. `managing` gives the manager while something is to be swapped, else None."""

    def __init__(self, native, managing):
        self._managing, self._here = managing, threading.local()
        self._told, self._soon = Postponed(), []  # soon: what handlers raised, which run in the main thread
        told = self._told
        self._pack = native.hook(self._save, self._keep_soon, partial(told.hears, self._keep_soon), self._soon.pop)
        self._unpack = native.hook(self._give, told.keep_for_backward, partial(told.hears, told.keep_for_backward))
        give_way()

    def open(self, name=NAME):
        """From here on what this thread saves is kept, unless hooks of the script's are open; what runs until then is named so."""
        here = self._here
        here.name = name
        hooks = getattr(here, "hooks", None)
        if hooks is None:
            here.hooks = hooks = open_for_long(self._pack, self._unpack)
        if not hooks.is_open() and not is_any_open():
            hooks.__enter__()

    def close(self):
        """What this thread saves stays with autograd until it is opened again."""
        hooks = getattr(self._here, "hooks", None)
        if hooks is not None and hooks.is_on_top():
            hooks.__exit__()

    def _keep_soon(self, broken):
        """No layer ends here: raised as soon as the main thread is back in the script."""
        if _thread.get_ident() != threading.main_thread().ident:
            self._told.keep(broken)
        elif not any(other is broken for other in self._soon):
            self._soon.append(broken)

    def _save(self, tensor):
        """saved_tensors_hooks: what autograd is to hold for a tensor."""
        try:
            if type(tensor) is not sys.modules["torch"].Tensor or (tensor.is_leaf and tensor.requires_grad):
                return tensor
            return self._kept(tensor)
        except Exception as broken:
            pass_on(broken)
            say_once("a saved tensor stays where it is: %r" % (broken,))
            return plainly(tensor)

    def _kept(self, tensor):
        here = self._here
        manager = self._managing() if hasattr(here, "hooks") else None  # not in autograd's own threads
        if manager is None or not manager.may_leave(tensor) or not manager.claim.take(sys._getframe()):
            return Seen(plainly(tensor), 0, None)
        try:
            return manager.keep_outside(tensor, self._run(here, manager))
        finally:
            manager.claim.give_back()

    def _run(self, here, manager):
        """Another one after each backward, and where none comes."""
        run = getattr(here, "run", None)
        if run is None or run.wanted or len(run.entries) >= LONGEST or here.manager is not manager:
            here.run = run = manager.begin_outside(here.name)
            here.manager = manager
        return run

    def _give(self, saved):
        """saved_tensors_hooks: the tensor that backward wants."""
        stored = getattr(saved, "stored", None)
        if stored is None:
            return saved.get() if type(saved) is Seen else saved
        stored.run.wanted = True
        return stored.manager.unpack(saved)
