"""What signal handlers of the script raised where nothing can be raised, until it can be."""

import sys
import threading

from .faults import is_from_outside


class Postponed:
    """By thread. May be told again of what it was told of: a signal may strike in here, too."""

    def __init__(self):
        self._waiting = {}  # thread -> exceptions, one of a kind: who presses Ctrl-C again means the same

    def keep(self, broken):
        """Until somebody tells. Whether it waits now."""
        waiting = self._waiting.setdefault(threading.get_ident(), [])
        if not any(type(other) is type(broken) for other in waiting):
            waiting.append(broken)
        return any(other is broken for other in waiting)

    def keep_for_backward(self, broken):
        """Until the end of the backward that runs. Where none does, somebody only looks at what was saved: raised at once."""
        waits = self.keep(broken)
        if self._is_told_after_backward():
            return
        if waits:
            self._waiting[threading.get_ident()].remove(broken)
        try:
            raise broken from None
        finally:
            broken = None  # or it would hold this frame, which holds it, and the script's tensors with it

    def keep_from_rescue(self, broken):
        """Nothing can be raised through the framework's own code: until the end of the backward that runs, or of the forward."""
        self.keep(broken)
        self._is_told_after_backward()

    def _is_told_after_backward(self):
        struck = threading.get_ident()
        try:
            sys.modules["torch"].autograd.Variable._execution_engine.queue_callback(lambda: self.tell(struck))
            return True
        except RuntimeError:  # no backward runs here
            return False

    def hears(self, keep, broken):
        """What was raised while torch called one of ours. False where that is no matter of a signal's."""
        if not is_from_outside(broken):
            return False
        keep(broken)
        return True

    def tell(self, thread=None, instead_of=None):
        """Raises what this thread is still to be told, or another that was struck: the gravest of it and of what is being
        raised already, the others in its context."""
        thread = threading.get_ident() if thread is None else thread
        waiting = self._waiting.get(thread)
        if not waiting:
            return
        both = waiting if instead_of is None else [*waiting, instead_of]
        told = min(both, key=lambda broken: isinstance(broken, Exception))
        for other in waiting:
            if other is not told:
                _add_context(told if instead_of is None else instead_of, other)
        self._waiting.pop(thread, None)
        if told is instead_of:
            return
        try:
            raise told
        finally:
            told = other = waiting = both = instead_of = None  # as above


def _add_context(broken, other):
    """At the end of what happened while `broken` was handled."""
    chain = _with_contexts(broken)
    if not any(link is other for link in chain) and not any(link is broken for link in _with_contexts(other)):
        chain[-1].__context__ = other


def _with_contexts(broken):
    chain = []
    while broken is not None and not any(link is broken for link in chain):
        chain.append(broken)
        broken = broken.__context__
    return chain
