"""Which threads there are."""

import gc
import sys


def alive():
    """The threads that are in Python, by `threading.get_ident()`; those too that no Python started, as autograd's.

    Python 3.11 makes a frame object for each when it is asked, and may collect garbage for that. What is finalised there may let the
    thread run on, and the object is written into a frame that is gone: the process dies later. No collection, then, meanwhile.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return set(sys._current_frames())  # nobody keeps the frames themselves
    finally:
        if collects:
            gc.enable()
