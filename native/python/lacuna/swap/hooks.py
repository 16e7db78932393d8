"""Our hooks for saved tensors, which give way to who has some open already, and to who allows none."""

import sys
import threading


class _Open(threading.local):
    """Of one thread."""

    def __init__(self):
        self.ours = []  # in the order of opening; said here before it is so
        self.theirs = 0  # opened by the script within ours
        self.away = 0  # how many of ours stand aside while nobody's are allowed


_open = _Open()
_calls = None  # torch's own (disable, enable)


def _native():
    return sys.modules["torch"]._C._autograd


class Hooks:
    """As ``torch.autograd.graph.saved_tensors_hooks``."""

    def __init__(self, pack, unpack):
        self._both = (pack, unpack)

    def push(self):
        _native()._push_saved_tensors_default_hooks(*self._both)

    def __enter__(self):
        _open.ours.append(self)
        self.push()

    def __exit__(self, *_):
        if _open.away < len(_open.ours):
            _native()._pop_saved_tensors_default_hooks()
        else:
            _open.away -= 1
        _open.ours.pop()


def give_way():
    """From here on whoever disables hooks for saved tensors (functorch does, and raises where some are open) finds none of
    ours; what is saved meanwhile is not managed. PyTorch before that had nothing of the kind."""
    global _calls
    native, hooks = _native(), sys.modules["torch"].autograd.graph.saved_tensors_hooks
    if _calls is not None or not hasattr(native, "_saved_tensors_hooks_disable"):
        return
    disable, enable = _calls = native._saved_tensors_hooks_disable, native._saved_tensors_hooks_enable
    enter, leave = hooks.__enter__, hooks.__exit__

    def disabled(*arguments, **named):
        if _open.theirs == 0 and _open.away == 0:
            for _ in _open.ours:
                native._pop_saved_tensors_default_hooks()
                _open.away += 1
        return disable(*arguments, **named)

    def enabled(*arguments, **named):
        result = enable(*arguments, **named)
        for ours in _open.ours[len(_open.ours) - _open.away :]:
            ours.push()
            _open.away -= 1
        return result

    def entered(context):
        result = enter(context)
        _open.theirs += bool(_open.ours)
        return result

    def left(context, *why):
        _open.theirs = max(0, _open.theirs - 1)
        return leave(context, *why)

    native._saved_tensors_hooks_disable, native._saved_tensors_hooks_enable = disabled, enabled
    hooks.__enter__, hooks.__exit__ = entered, left


def _any_open():
    """Whether hooks are open in this thread. Torch tells only by refusing to disable them."""
    if _calls is None:
        return False
    disable, enable = _calls
    try:
        disable("lacuna looks")
        return False
    except RuntimeError:
        return True
    finally:
        enable()


def are_theirs_inside():
    """Whether the script opened hooks within ours: what runs there is its own to manage."""
    return _open.theirs > 0


def script_has_hooks():
    """Whether the script opened hooks around an outermost forward, which is then its own to manage. Closes what an
    exception left open of ours."""
    if not _any_open():
        _open.ours.clear()
        _open.theirs = _open.away = 0
        return False
    while _open.ours:
        _open.ours.pop()
        _native()._pop_saved_tensors_default_hooks()
        if not _any_open():
            _open.ours.clear()
    _open.theirs = _open.away = 0
    return _any_open()
