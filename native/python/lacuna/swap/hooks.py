"""Our hooks for saved tensors, which give way to who has some open already, and to who allows none."""

import sys
import threading
from functools import partial


class _Open(threading.local):
    """Of one thread."""

    def __init__(self):
        self.ours = []  # in the order of opening; said here before it is so
        self.pushed = []  # those of ours that do not stand aside: what torch has
        self.theirs = 0  # opened by the script within ours
        self.forbidden = False  # nobody's are allowed
        self.shy = False  # a custom function that runs is to save without ours


_open = _Open()
_calls = None  # torch's own (disable, enable)
_gives_way = False


def _native():
    return sys.modules["torch"]._C._autograd


def _together(*calls):
    """Partials of what is written in C, called by C: no signal handler can raise between them."""
    return list(map(partial.__call__, calls))


class Hooks:
    """As ``torch.autograd.graph.saved_tensors_hooks``."""

    def __init__(self, pack, unpack):
        self._both = pack, unpack

    def push(self):
        push, pushed = _native()._push_saved_tensors_default_hooks, _open.pushed
        _together(partial(push, *self._both), partial(pushed.append, self))

    def pop(self):
        pop, pushed = _native()._pop_saved_tensors_default_hooks, _open.pushed
        if self in pushed:
            _together(partial(pop), partial(pushed.remove, self))

    def is_open(self):
        return self in _open.ours

    def is_on_top(self):
        return self in _open.ours and _open.theirs == 0

    def __enter__(self):
        _open.ours.append(self)
        self.push()

    def __exit__(self, *_):
        self.pop()
        if self in _open.ours:  # else all of this thread's were forgotten meanwhile
            _open.ours.remove(self)


def _take_away():
    for ours in reversed(_open.ours):
        ours.pop()


def _settle():
    """Takes ours away where they are to stand aside, and puts them back where not. Never below the script's own."""
    aside = _open.forbidden or _open.shy
    if aside and _open.theirs == 0:
        _take_away()
    elif not aside:
        for ours in _open.ours:
            if ours not in _open.pushed:
                ours.push()


def give_way():
    """From here on it is known which hooks are the script's, and whoever disables hooks for saved tensors (functorch does,
    and raises where some are open) finds none of ours; what is saved meanwhile is not managed."""
    global _gives_way
    if _gives_way:
        return
    _gives_way = True
    hooks = sys.modules["torch"].autograd.graph.saved_tensors_hooks
    enter, leave = hooks.__enter__, hooks.__exit__

    def entered(context):
        result = enter(context)
        _open.theirs += bool(_open.ours)
        return result

    def left(context, *why):
        below = _open.theirs == 0 and bool(_open.pushed)  # it was open before ours, which are in its way
        if below:
            _take_away()
        _open.theirs = max(0, _open.theirs - 1)
        result = leave(context, *why)
        if _open.shy or below:
            _settle()
        return result

    hooks.__enter__, hooks.__exit__ = entered, left
    if hasattr(_native(), "_saved_tensors_hooks_disable"):  # PyTorch before that had nothing of the kind
        _give_way_to_bans()


def _give_way_to_bans():
    global _calls
    native = _native()
    disable, enable = _calls = native._saved_tensors_hooks_disable, native._saved_tensors_hooks_enable

    def disabled(*arguments, **named):
        before, _open.forbidden = _open.forbidden, True
        _settle()
        try:
            return disable(*arguments, **named)
        except RuntimeError:
            _open.forbidden = before
            _settle()
            raise

    def enabled(*arguments, **named):
        result = enable(*arguments, **named)
        _open.forbidden = False
        _settle()
        return result

    native._saved_tensors_hooks_disable, native._saved_tensors_hooks_enable = disabled, enabled


def open_for_long(pack, unpack):
    """To be opened and left so: closed by what is opened next around it."""
    return Hooks(pack, unpack)


def is_any_open():
    """Whether somebody's hooks are open in this thread, or none are allowed. PyTorch 1.13 tells of the script's only while
    ours are open too."""
    return bool(_open.pushed) or _open.theirs > 0 or _open.forbidden or _any_open()


def are_ours_open():
    """Whether anything that this thread saves may reach us."""
    return bool(_open.ours)


def are_aside():
    """Whether what a custom function saves is to stay with autograd."""
    return _open.shy


def set_aside(shy):
    """Takes ours away from what this thread saves, or puts them back."""
    if _open.shy != shy:
        _open.shy = shy
        _settle()


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


def _forget():
    _open.ours.clear()
    _open.pushed.clear()
    _open.theirs = 0
    _open.forbidden = _open.shy = False


def script_has_hooks():
    """Whether the script opened hooks around an outermost forward, which is then its own to manage. Closes what an
    exception left open of ours, and those that were open for long."""
    if _open.theirs > 0 and _open.pushed:  # within ours
        return True
    while _open.pushed and (_calls is None or _any_open()):
        _open.pushed[-1].pop()
    _forget()
    return _any_open()
