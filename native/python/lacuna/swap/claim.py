"""One thread's outermost forward is managed at a time; those of others meanwhile are left alone."""

import sys
import threading


class Claim:
    """Whose forward is managed. Taken before anything else happens, and given back at the end; one that an exception from
    outside kept from being given back is known by its frame, which is not running any more."""

    def __init__(self):
        self._lock = threading.RLock()  # a signal handler may train
        self._thread = self._frame = None
        self._came = set()  # threads that asked for it
        self.is_shared = False  # several threads that live at the same time have asked

    def is_mine(self):
        """Whether this thread's forward is managed."""
        return self._thread == threading.get_ident()

    def is_running(self):
        """Whether this thread's forward is managed, and was not left by an exception."""
        return self.is_mine() and self._runs()

    def take(self, frame):
        """For the caller's frame. False where a forward is managed, of this thread or another."""
        with self._lock:
            thread = threading.get_ident()
            if thread not in self._came:
                self._add(thread)
            if self._thread is not None and self._runs():
                return False
            self._thread, self._frame = thread, frame
            return True

    def _add(self, thread):
        self._came = {other for other in self._came if other in sys._current_frames()} | {thread}
        self.is_shared = self.is_shared or len(self._came) > 1

    def give_back(self):
        with self._lock:
            if self.is_mine():
                self._thread = self._frame = None

    def _runs(self):
        """Asked of the frame itself: to walk to it from the innermost one fails where its thread returns from one meanwhile."""
        frame = self._frame
        if frame is None:
            return False
        try:
            frame.clear()  # of one that is over, whose variables nobody wants
        except RuntimeError:  # a frame that is being executed cannot be
            return True
        return False
