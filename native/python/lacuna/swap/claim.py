"""One thread's outermost forward is managed at a time; those of others meanwhile are left alone."""

import threading

from .threads import alive

_HOLDER, _NEXT = "holder", "next"  # (thread, frame); the turn after


class Claim:
    """Whose forward is managed. Taken before anything else happens, and given back at the end; one that an exception from
    outside kept from being given back is known by its frame, which is not running any more.

    A row of turns, each a dict that gets a holder and then a next one, both once, by ``setdefault``. No lock: a collection of
    garbage may run anything of the script's while one is held, also what waits for a thread that wants it.
    """

    def __init__(self):
        self._turn = {}
        self._came = set()  # threads that asked for it
        self.is_shared = False  # several threads that live at the same time have asked

    def _now(self):
        turn = self._turn
        while _NEXT in turn:
            turn = turn[_NEXT]
        self._turn = turn
        return turn

    def is_mine(self):
        """Whether this thread's forward is managed."""
        holder = self._now().get(_HOLDER)
        return holder is not None and holder[0] == threading.get_ident()

    def is_running(self):
        """Whether this thread's forward is managed, and was not left by an exception."""
        holder = self._now().get(_HOLDER)
        return holder is not None and holder[0] == threading.get_ident() and _runs(holder[1])

    def take(self, frame):
        """For the caller's frame. False where a forward is managed, of this thread or another."""
        mine = threading.get_ident(), frame
        if mine[0] not in self._came:
            self._add(mine[0])
        while True:
            turn = self._now()
            holder = turn.setdefault(_HOLDER, mine)
            if holder is mine:
                return True
            if _runs(holder[1]):
                return False
            turn.setdefault(_NEXT, {})

    def give_back(self):
        turn = self._now()
        holder = turn.get(_HOLDER)
        if holder is not None and holder[0] == threading.get_ident():
            turn.setdefault(_NEXT, {})
            self._now()  # keeps nothing of the frame's variables

    def _add(self, thread):
        self._came = (self._came & alive()) | {thread}
        self.is_shared = self.is_shared or len(self._came) > 1


def _runs(frame):
    """Asked of the frame itself: to walk to it from the innermost one fails where its thread returns from one meanwhile."""
    try:
        frame.clear()  # of one that is over, whose variables nobody wants
    except RuntimeError:  # a frame that is being executed cannot be
        return True
    return False
