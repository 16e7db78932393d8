"""Recordings of the allocator's history."""

import _thread
import os
import pickle
import time

from .paths import check_path
from .refusal import Refusal, plain

MOST_RECORDED = 1 << 20  # entries of a recording, some 0.5 GiB of the host
MOST_SAVING_S = 8.0  # that a snapshot which is being saved is waited for at the end


def tells_history(snapshot):
    """Whether a snapshot has events, or says where blocks come from."""
    blocks = (block for segment in snapshot["segments"] for block in segment["blocks"])
    return any(snapshot["device_traces"]) or any(block.get("history") or block.get("frames") for block in blocks)


class History:
    """PyTorch's own history of allocations, switched on for a while, and off again as it was found.

    It is begun only where it is known to be off. Else somebody may keep one: that is saved, and goes on.
    """

    def __init__(self, framework, black_box=None):
        self.framework, self.black_box = framework, black_box
        self.recording = None  # {"path", "until", "step"}
        self.path, self.done, self.failure = "", False, ""
        self.armed, self.observed = "", False
        self.begun, self.saving = False, False  # by us; in the trainer's thread, at an out-of-memory
        self.dumped = ""

    def can_record(self):
        return hasattr(self._memory_module(), "_record_memory_history") and self.framework.history_is_on() is not None

    def can_arm(self):
        return hasattr(self._memory_module(), "_snapshot") and self.framework.core("observe") is not None

    def _memory_module(self):
        return getattr(self.framework.accelerator()[1], "memory", None) if self.framework.keeps_blocks() else None

    def _memory(self):
        memory = self._memory_module()
        if not hasattr(memory, "_record_memory_history") or not hasattr(memory, "_snapshot"):
            raise Refusal("cannot", "there is no accelerator whose allocations could be recorded (yet), or an allocator that keeps none")
        return memory

    def _on(self, entries):
        memory = self._memory()
        if self.begun or self.framework.history_is_on() is False:
            memory._record_memory_history(max_entries=entries, stacks="python")
            self.begun = True

    def _off(self):
        if self.begun and self.recording is None and not self.armed and not self.saving:
            self._memory()._record_memory_history(enabled=None)
            self.begun = False

    def _snapshot(self):
        """Not by _dump_snapshot: that of torch_npu has a profiler start and stop as well, and makes a file that nobody may read."""
        found = self._memory()._snapshot()
        return found if isinstance(found, dict) else {"segments": found, "device_traces": []}  # 1.13: a list

    def _save(self, path):
        part = path + ".part"
        try:
            with open(part, "wb") as file:
                pickle.dump(self._snapshot(), file)
            os.rename(part, path)
        except BaseException:
            if os.path.lexists(part):
                os.unlink(part)
            raise

    def _check_somebody_s(self):
        """Where this version does not tell whether a history is kept, what there is of one does."""
        self._memory()
        if not self.begun and self.framework.history_is_on() is None and not tells_history(self._snapshot()):
            raise Refusal("cannot", "this version of PyTorch does not tell whether somebody keeps a history: none is seen, and none is begun")

    def begin(self, path, steps, seconds, entries, step):
        if self.recording is not None:
            raise Refusal("busy", "a recording is being made already: %s" % plain(self.recording["path"], 200))
        check_path(path)
        self._check_somebody_s()
        self._on(min(entries, MOST_RECORDED))
        self.path, self.done, self.failure = path, False, ""
        self.recording = {"path": path, "step": step + steps if steps else 0, "until": time.monotonic() + seconds}

    def look(self, step):
        r = self.recording
        if r is not None and (time.monotonic() >= r["until"] or (r["step"] and step >= r["step"])):
            self.finish()
        self._off()  # after an out-of-memory: there, in the trainer's thread, nothing is switched

    def finish(self):
        r = self.recording
        try:
            self._save(r["path"])
            self.done = True
        except Exception as failure:  # told to who asks
            self.failure = plain(failure, 200)
        self.recording = None
        self._off()

    def abandon(self):
        """At the end: what was switched on is switched off. A recording under way is saved."""
        try:
            if self.recording is not None:
                self.finish()
        finally:
            self.disarm()
            self._wait_for_what_is_saved()
            self._off()

    def _wait_for_what_is_saved(self):
        deadline = time.monotonic() + MOST_SAVING_S
        while self.saving and time.monotonic() < deadline:
            time.sleep(0.005)

    def arm(self, path):
        attach = self.framework.core("observe")
        if attach is None or self._memory_module() is None:
            raise Refusal("cannot", "this PyTorch, or its allocator, tells nobody of an out-of-memory, or there is no accelerator (yet)")
        check_path(path)
        if self.recording is None:  # else it is on, and begun anew it would lose what it has
            self._on(100000)
        if not self.observed:
            attach(self._out_of_memory)  # PyTorch has no way to take it off: it does nothing while nothing is armed
            self.observed = True
        self.armed, self.dumped = path, ""

    def _out_of_memory(self, device, tried=0, allocated=0, free=0, *_):
        """In the trainer's thread, before the exception is thrown: which must not become another one."""
        if self.armed:
            self.saving = True  # before it is not armed any more: until it is saved, nobody switches off
        path, self.armed = self.armed, ""
        if not path:
            return
        try:
            if self.black_box is not None:
                text = "out of memory. Tried to allocate %d bytes on device %d; %d bytes are allocated there, %d bytes are free"
                self.black_box(device, text % (tried, device, allocated, free))
            self._save(path)
            self.dumped = path
        except KeyboardInterrupt:
            _thread.interrupt_main()
        except BaseException as failure:
            self.failure = plain(failure, 200)
        finally:
            self.saving = False

    def disarm(self):
        self.armed = ""
        self._off()

    def words(self):
        words = {"recording": "yes" if self.recording else "no", "path": plain(self.path, 300).replace(" ", "?") or "none"}
        words.update(done="yes" if self.done else "no", armed="yes" if self.armed else "no")
        if self.dumped:
            words["dumped"] = plain(self.dumped, 300).replace(" ", "?")
        if self.failure:
            words["text"] = self.failure
        return words
