"""Recordings of the allocator's history."""

import _thread
import os
import time

from .paths import check_path
from .refusal import Refusal, plain

MOST_RECORDED = 1 << 20  # entries of a recording, some 0.5 GiB of the host


class History:
    """PyTorch's own history of allocations, switched on for a while, and off again as it was found."""

    def __init__(self, framework, blocks, black_box=None):
        self.framework, self.blocks, self.black_box = framework, blocks, black_box
        self.recording = None  # {"path", "until", "step", "stop_s"}
        self.path, self.done, self.failure = "", False, ""
        self.armed, self.observed, self.found_on = "", False, False
        self.dumped = ""

    def _memory(self):
        kind, module = self.framework.accelerator()
        memory = getattr(module, "memory", None)
        if module is None or not hasattr(memory, "_record_memory_history"):
            raise Refusal("cannot", "there is no accelerator whose allocations could be recorded (yet)")
        return memory

    def _on(self, entries):
        memory = self._memory()
        if self.recording is None and not self.armed:
            self.found_on = bool(self.blocks.history_is_on())
        if self.found_on:
            return  # somebody keeps one already: theirs is saved, and goes on
        try:
            memory._record_memory_history(max_entries=entries, stacks="python")
        except TypeError:  # before 2.1
            memory._record_memory_history(True, trace_alloc_max_entries=entries, trace_alloc_record_context=True)

    def _off(self):
        if self.found_on or self.recording is not None or self.armed:
            return
        memory = self._memory()
        try:
            memory._record_memory_history(enabled=None)
        except TypeError:
            memory._record_memory_history(False)

    def _save(self, path):
        memory = self._memory()
        part = path + ".part"
        memory._dump_snapshot(part)
        os.rename(part, path)

    def begin(self, path, steps, seconds, entries, step):
        if self.recording is not None:
            raise Refusal("busy", "a recording is being made already: %s" % plain(self.recording["path"], 200))
        check_path(path)
        self._on(min(entries, MOST_RECORDED))
        self.path, self.done, self.failure = path, False, ""
        self.recording = {"path": path, "step": step + steps if steps else 0, "until": time.monotonic() + seconds}

    def look(self, step):
        r = self.recording
        if r is not None and (time.monotonic() >= r["until"] or (r["step"] and step >= r["step"])):
            self.finish()

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
        if self.recording is not None:
            self.finish()
        if self.armed:
            self.disarm()

    def arm(self, path):
        kind, module = self.framework.accelerator()
        attach = getattr(self.framework.torch and self.framework.torch._C, "_%s_attachOutOfMemoryObserver" % kind, None)
        if attach is None and self.framework.torch is not None:
            attach = getattr(self.framework.torch._C, "_cuda_attach_out_of_memory_observer", None) if kind == "cuda" else None
        if attach is None:
            raise Refusal("cannot", "this PyTorch tells nobody of an out-of-memory, or has no accelerator (yet)")
        check_path(path)
        self._on(100000)
        self.armed, self.dumped = path, ""
        if not self.observed:
            attach(self._out_of_memory)  # PyTorch has no way to take it off: it does nothing while nothing is armed
            self.observed = True

    def _out_of_memory(self, device, tried=0, allocated=0, free=0, *_):
        """In the trainer's thread, before the exception is thrown: which must not become another one."""
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
