"""The guest: what it looks at, whom it serves, and when it goes."""

import os
import socket
import sys
import time

from .blocks import Blocks
from .framework import Framework
from .history import History
from .host import Host
from .layout import EXCEPTION, FINISHED, INTERRUPTED, LIMIT, MAX_DEVICES, OOM, OPTIMISATION, RETRY, STEP
from .lines import parse_line
from .pace import Pace
from .phases import Phases
from .place import Place
from .refusal import NotHere, Refusal, plain
from .server import QUIET_S, Server
from .settings import Settings
from .steps import Steps
from .system import say, start_ticks
from .telemetry import Telemetry
from .verbs import ALL_VERBS, CHANGES, Verbs
from .watched import Watched

MOST_WAIT_S = 1.0  # of the interpreter's end, for files that are being made


class Resident:
    def __init__(self, given, files):
        self.given, self.version, self.files = given, str(given.get("version", "0")), files
        self.is_open = False
        self.pace = Pace(max(0.01, int(given.get("interval_ms", 50)) / 1000))
        self.framework = Framework()
        self.steps, self.blocks, self.settings = Steps(), Blocks(self.framework), Settings(self.framework)
        self.history = History(self.framework, self._tell_black_box)
        self.phases = Phases()
        self.watched, self.before, self.ends = [], {}, ""
        self.reader = int(given.get("reader_pid", 0))
        self.reader_ticks = start_ticks(self.reader) if self.reader > 0 else 0
        self.verbs = Verbs(self)
        self.place, self.server = Place(given["directory"]), None
        self.owner = os.getpid()
        self.successor = None

    def prolong(self, given):
        """Posted again while it runs."""
        self.reader = int(given.get("reader_pid", 0))
        self.reader_ticks = start_ticks(self.reader) if self.reader > 0 else 0
        self.server.heard = time.monotonic()

    def open(self):
        self._give_way_to_an_agent()
        self.telemetry = Telemetry(self.place, self.version)
        try:
            self.server = Server(self.place, self.answer, self.files)
            self.place.audit((self.reader, os.geteuid()), "by=attach result=ok force=no", "attach")
            self.look_for_devices()
        except BaseException:
            self._undo_opening()
            raise
        self.is_open = True

    def _undo_opening(self):
        """Who finds the socket of one that never serves would wait for its answers."""
        self.steps.remove()
        if self.server is not None:
            self.server.close()
        self.place.remove(".mem")
        self.telemetry.close()

    def _give_way_to_an_agent(self):
        probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            probe.connect("/proc/self/fd/%d/%s.sock" % (self.place.fd, self.place.stem))
        except OSError:
            return
        finally:
            probe.close()
        raise NotHere("this process has an agent already")

    def descriptors(self):
        """What a forked child must not keep."""
        return ([self.place.fd] if self.place.fd >= 0 else []) + (self.server.descriptors() if self.server else [])

    def kind(self):
        return self.watched[0].device.kind if self.watched else "none"

    # ---- looking

    def look_for_devices(self):
        torch = self.framework.look()
        if torch is None:
            return
        self.steps.hook(torch)
        devices = self.framework.devices()
        if not devices and not self.watched:
            devices = [Host()]
        known = {(w.device.kind, w.device.backend_index) for w in self.watched}
        if devices and devices[0].kind != "host" and self.kind() == "host":
            self.watched = []  # the accelerator has been initialised meanwhile: it takes the host's place
        for device in devices:
            if (device.kind, device.backend_index) not in known and len(self.watched) < MAX_DEVICES:
                self.watched.append(Watched(len(self.watched), device, self.fraction_of(device)))
                self.watched[-1].optimisation = device.kind != "host" and self.settings.is_expandable()

    @staticmethod
    def fraction_of(device):
        told = getattr(getattr(device, "module", None), "get_per_process_memory_fraction", None)
        fraction = float(told(device.backend_index)) if told is not None else 1.0
        return fraction if 0 < fraction <= 1 else 1.0

    def sample(self):
        for w in self.watched:
            before = w.figures
            f = w.look()
            if f.ooms > before.ooms:
                self.telemetry.event(OOM, 0, device=w.slot)
            if f.retries > before.retries:
                self.telemetry.event(RETRY, 0, device=w.slot)
        self.phases.look(self.watched)
        while self.steps.ends:
            when = self.steps.ends.popleft()
            for w in self.watched:
                w.end_step(when)
            if self.watched:
                self.telemetry.event(STEP, self.watched[0].step, when=when)
                self._try_setting(self.watched[0])
        for w in self.watched:
            self.telemetry.publish(w.slot, w.values())
        self.history.look(self.watched[0].step if self.watched else 0)
        before = time.thread_time()
        if self.watched and self.watched[0].device.kind != "host":
            slots = {w.device.backend_index: w.slot for w in self.watched}
            self.blocks.look(self.watched[0].device.module, slots, self.telemetry)
        self.pace.looked(time.thread_time() - before)

    def _try_setting(self, w):
        if self.settings.end_step(w.last_step_ns, self.retries()):
            self.note_optimisation()
            with self.files:
                asked = "setting undo=yes why=" + self.settings.trial.why
                self.place.audit((os.getpid(), os.geteuid()), "by=trial result=ok force=no", asked)

    def retries(self):
        return sum(w.figures.retries for w in self.watched)

    def note_optimisation(self):
        """As the settings say, whoever changed them."""
        on = self.settings.is_expandable()
        for w in self.watched:
            if w.optimisation != on:
                w.optimisation = on
                self.telemetry.event(OPTIMISATION, int(on), device=w.slot)

    def _tell_black_box(self, device, text):
        slots = [w.slot for w in self.watched if w.device.backend_index == device]
        self.telemetry.out_of_memory(slots[0] if slots else 0, text)

    # ---- serving

    def answer(self, peer, line):
        verb, words = "", {}
        try:
            verb, words = parse_line(line)
            if verb not in ALL_VERBS:
                known = verb in ("layers", "profile", "policy")
                raise Refusal("cannot" if known else "unknown-verb", "a process that was attached to has no %s" % plain(verb, 60))
            reply = getattr(self.verbs, verb.replace("-", "_"))(words, peer)
        except Refusal as refusal:
            self._audit(peer, verb, words, refusal.code, line)
            raise
        self._audit(peer, verb, words, "ok", line)
        return reply

    def _audit(self, peer, verb, words, result, line):
        if verb in CHANGES and words or verb in ("retract", "empty-cache"):
            outcome = "by=%s result=%s force=%s" % (plain(words.get("by", "-"), 64), result, words.get("force", "no")[:3])
            with self.files:
                self.place.audit(peer, outcome, line.decode("ascii", "replace"))

    # ---- the thread

    def run(self):
        next_sample = next_look = time.monotonic()
        while not self.ends:
            now = time.monotonic()
            if now >= next_sample:
                self.sample()
                next_sample = max(next_sample + self.pace.interval, now)
            if now >= next_look:
                self.look_for_devices()
                self._see_who_listens(now)
                next_look = now + 1.0
            self.server.wait(next_sample - time.monotonic())

    def _see_who_listens(self, now):
        if self.server.is_left_alone():
            self.ends = "nobody listened"
        elif self.reader_ticks and start_ticks(self.reader) != self.reader_ticks:
            self.reader_ticks = 0
            self.server.heard = min(self.server.heard, now - QUIET_S) if not self.server.clients else self.server.heard
        if os.getpid() != self.owner:
            self.ends = "a child"

    # ---- the end

    def retract(self, kept):
        """Everything as it was found. What fails is let be: the next thing is taken back all the same."""
        for take_back in (self.steps.remove, self.history.abandon, self.settings.put_back, self._put_back_caps):
            try:
                take_back()
            except Exception as failure:
                say("while it was taken back: %r" % (failure,))
        with kept.files:
            self._close_files()
            kept.resident = None

    def _put_back_caps(self):
        """As found, but for one that was raised: lowered again it could end the training."""
        for w in self.watched:
            self.raise_cap(w, self.before.get(w.slot, w.fraction))

    def raise_cap(self, w, fraction):
        if fraction > w.fraction:
            w.device.module.set_per_process_memory_fraction(fraction, w.device.backend_index)
            w.fraction = fraction
            self.telemetry.event(LIMIT, w.limit, device=w.slot)

    def _close_files(self):
        self.place.audit((self.reader, os.geteuid()), "by=detach result=ok force=no", "retract: " + self.ends)
        self.server.close()
        self.place.remove(".mem")
        self.telemetry.close()
        self.place.close()

    def farewell(self):
        """At the interpreter's end, in its main thread."""
        if os.getpid() != self.owner or self.ends:
            return
        if self.files.acquire(True, MOST_WAIT_S):  # its files may be in the making
            self.files.release()
        if not self.is_open:
            return
        self.ends = "the process ends"
        try:
            self._tell_end()
        except Exception as failure:
            say("at the end: %r" % (failure,))

    def _tell_end(self):
        kind = getattr(sys, "last_type", None)
        if kind is None:
            self.telemetry.end(FINISHED)
        elif issubclass(kind, KeyboardInterrupt):
            self.telemetry.end(INTERRUPTED)
        else:
            self.telemetry.end(EXCEPTION, kind.__name__)
        self.place.remove(".sock")
        if not any(w.device.read().ooms > w.ooms_before for w in self.watched):
            self.place.remove(".mem")
