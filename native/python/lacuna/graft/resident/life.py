"""From the text that runs to the last thing taken back."""

import _thread
import atexit
import errno
import os
import sys
import time
import types

from .refusal import NotHere, plain
from .resident import Resident
from .system import say

NAME = "_lacuna_graft"
MOST_LEAVE_S = 10.0  # a history that is being saved is waited for
SHORT, LONG = 59, 300  # a link's words: what every file system keeps without any room, and what one with room does


def holder():
    """What stays in the process after all was taken back: one empty module, and its closing of files in forked children."""
    made = types.ModuleType(NAME)
    made.resident, made.files = None, _thread.allocate_lock()  # held while files are opened and closed: no child is made then
    made.forker = None  # the thread that holds it for a fork
    kept = sys.modules.setdefault(NAME, made)
    if kept is made:

        def before():
            made.files.acquire()
            made.forker = _thread.get_ident()

        def in_parent():
            if made.forker == _thread.get_ident():  # else the fork began before this was registered
                made.forker = None
                made.files.release()

        def in_child():
            resident, made.resident, made.files, made.forker = made.resident, None, _thread.allocate_lock(), None
            if resident is not None:
                resident.ends = "a child"
                resident.telemetry.close()
                for number in resident.descriptors():
                    os.close(number)

        os.register_at_fork(before=before, after_in_parent=in_parent, after_in_child=in_child)
    return kept


def let_leave(kept):
    """Who comes while another takes its things back waits for that: what is asked of one that leaves is lost with it."""
    deadline = time.monotonic() + MOST_LEAVE_S
    while time.monotonic() < deadline:
        leaves = kept.resident
        if leaves is None or not leaves.ends:
            return
        time.sleep(0.005)


def refuse(given, why):
    """Said for people, and left where whoever attached looks, as a link's target: a full folder takes a link where it takes no file."""
    text = str(why) if isinstance(why, NotHere) else repr(why)
    say("not attached: %s" % text)
    word = errno.errorcode.get(getattr(why, "errno", None), type(why).__name__)
    for most in (LONG, SHORT):
        try:
            os.symlink(("%s %s" % (word, plain(why, LONG)))[:most], given.get("refused") or "")
            return
        except OSError:
            pass  # nowhere to be told


def begin(kept, given):
    """A resident that is open; None where there is one already, or where none can be."""
    let_leave(kept)
    with kept.files:
        if kept.resident is not None:
            kept.resident.prolong(given)
            return None
        try:
            resident = Resident(given, kept.files)
            atexit.register(resident.farewell)  # before there are files: the process may end while they are made
            try:
                resident.open()
            except BaseException:
                atexit.unregister(resident.farewell)
                resident.place.close()
                raise
        except Exception as failure:
            refuse(given, failure)
            return None
        kept.resident = resident
        return resident


def succeed(resident):
    """Whoever comes in its place."""
    if resident.successor is not None:
        try:
            resident.successor()
        except Exception as failure:
            say("no agent came: %s" % failure)


def live(given):
    """The whole life, in a thread of its own."""
    kept = holder()
    resident = begin(kept, given)
    if resident is None:
        return
    try:
        resident.run()
    except Exception as failure:
        resident.ends = "a fault"
        say("detached: %r" % (failure,))
    finally:
        atexit.unregister(resident.farewell)
        if os.getpid() == resident.owner and resident.ends != "the process ends":
            resident.retract(kept)
            succeed(resident)


if globals().get("_lacuna_graft"):
    _thread.start_new_thread(live, (globals()["_lacuna_graft"],))
