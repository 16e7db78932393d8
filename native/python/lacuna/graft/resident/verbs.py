"""What clients may ask."""

import os
import platform
import time

from .categories import categories, optimizers_of
from .layout import LAYOUT_VERSION, LIMIT
from .lines import REPLY_BYTES
from .paths import existing, load_file, path_of
from .refusal import Refusal, plain
from .system import monotonic_ns
from .words import only, whole, yes

WAIT_FOR_STEP_S = 4.0
MINUTE = 60


def or_else(answer, refused):
    """An answer, now or later, whose beginnings are taken back where it becomes none."""
    def ask():
        try:
            words = answer()
        except Exception:
            refused()
            raise
        return or_else(words, refused) if callable(words) else words

    return ask


class Verbs:
    """What clients may ask. Each method is a verb, with - for _."""

    def __init__(self, resident):
        self.r = resident

    def hello(self, words, peer):
        only(words)
        r = self.r
        return {
            "pid": os.getpid(), "layout": LAYOUT_VERSION, "version": r.version, "devices": len(r.watched), "door": "graft",
            "framework": r.framework.name, "device": r.kind(), "can": ",".join(self._can()), "interval_ms": int(r.pace.least * 1000),
            "python": platform.python_version(), "text": r.watched[0].device.cannot if r.watched else "waiting for PyTorch",
        }  # fmt: skip

    def _can(self):
        if self.r.framework.accelerator()[1] is None:
            return ["front"] if self.r.kind() == "host" else ["none"]
        front = self.r.framework.accelerator()[0] == "cuda" and self.r.framework.keeps_blocks()
        can = (("settings", self.r.settings.can_change()), ("record", self.r.history.can_record()), ("arm", self.r.history.can_arm()))
        return ["fraction", "empty-cache"] + [word for word, has in can if has] + ["categories"] + ["front"] * front

    def _device(self, words):
        number = whole(words, "device", 0)
        for watched in self.r.watched:
            if watched.slot == number:
                return watched
        raise Refusal("no-device", "no device of that number" if self.r.framework.torch else "PyTorch is not there yet")

    def _accelerated(self, words):
        watched = self._device(words)
        if watched.device.kind == "host":
            raise Refusal("cannot", watched.device.cannot)
        return watched

    def get(self, words, peer):
        only(words, "device")
        w = self._device(words)
        f = w.look()
        safe, steps = w.lowest_safe()
        words = {"optimisation": "on" if w.optimisation else "off", "fraction": w.fraction, "step": w.step, "total_bytes": f.total}
        words.update(f.words(w.limit))
        words.update(swap="off", swap_budget_bytes=0, host_used_bytes=0, swapped_out_bytes=0, swapped_in_bytes=0, copy_ns=0, stall_ns=0)
        words.update(rescues=0, numa_node="none", numa="untold")
        words.update(self._safe_words(w))
        words["spread_bytes"] = 0
        return words

    @staticmethod
    def _safe_words(w):
        safe, steps = w.lowest_safe()
        return {"lowest_safe_fraction": min(1.0, safe / w.figures.total) if w.figures.total else 1.0, "lowest_safe_bytes": safe,
                "basis": "peak-reserved", "steps": steps}  # fmt: skip

    def follow(self, words, peer):
        only(words, "device")
        blocks = self.r.blocks
        blocks.tell_held(self.r.telemetry)
        return {"framework": "told" if blocks.looked else "counted", "held": len(blocks.known)}

    def set(self, words, peer):
        only(words, "device", "fraction", "optimisation", "force", "safe", "by", "swap", "swap-budget", "policy")
        if "policy" in words:
            raise Refusal("cannot", "MindSpeed's rules need a process that was started under Lacuna")
        if "swap" in words or "swap-budget" in words:
            raise Refusal("cannot", "swapping needs a process that was started under Lacuna")
        w = self._accelerated(words)
        force, shown = yes(words, "force"), whole(words, "safe", None)
        if shown is not None and not force:
            raise Refusal("bad-request", "safe needs force=yes")
        if words.get("optimisation", "on") not in ("on", "off"):
            raise Refusal("bad-request", "optimisation is on or off")
        before, cap = w.look().words(w.limit), w.fraction
        if "fraction" in words:
            self._set_fraction(w, words["fraction"], force, shown)
        if "optimisation" in words:
            return self._set_optimisation(w, words["optimisation"], before, cap)
        return self._changed(w, before)

    def _set_fraction(self, w, text, force, shown):
        try:
            fraction = float(text)
        except ValueError:
            raise Refusal("bad-request", "a fraction is a number") from None
        if not 0 < fraction <= 1:
            raise Refusal("out-of-range", "a fraction is above 0 and at most 1")
        safe = self._safe_words(w)
        least = safe["lowest_safe_bytes"]
        if int(fraction * w.figures.total) < least and not (force and (shown is None or least <= shown + (2 << 20))):
            what = "the last steps" if safe["steps"] else "the process so far"
            raise Refusal("would-fail", "%s reserved up to %d bytes" % (what, least), **safe)
        w.device.module.set_per_process_memory_fraction(fraction, w.device.backend_index)
        self.r.before.setdefault(w.slot, w.fraction)
        w.fraction = fraction
        self.r.telemetry.event(LIMIT, w.limit, device=w.slot)

    def _set_optimisation(self, w, text, before, cap):
        """On trial as any setting, from when the cache is empty: before, little of it is seen. Refused, it changes nothing."""
        settings, changes = self.r.settings, len(self.r.settings.before)

        def change():
            settings.change("expandable_segments", "True" if text == "on" else "False")
            settings.trial = None  # that of another change is over, and would now take back this one
            self.r.note_optimisation()
            return self._between_steps(w, done)

        def done():
            settings.try_out(self.r.retries())
            what = "PyTorch's own: expandable segments are %s for what is reserved from now on; the cache was freed once; on trial for ten steps"
            return dict(self._changed(w, before), text=what % text)

        def refused():
            if len(settings.before) == changes + 1:  # else there was no change, or another after it
                settings.undo()
                self.r.note_optimisation()
            self.r.raise_cap(w, cap)

        return or_else(change, refused)()

    @staticmethod
    def _changed(w, before):
        f = w.look()
        words = {"optimisation": "on" if w.optimisation else "off", "fraction": w.fraction, "limit_bytes": w.limit}
        words.update(("before." + key, value) for key, value in before.items())
        words.update(("after." + key, value) for key, value in f.words(w.limit).items())
        words["unreached_bytes"] = max(0, f.reserved - w.limit)
        return words

    def _between_steps(self, w, then, force=False):
        """Empties the cache when a step ends, in the thread that ends it: nothing is being captured or half made there."""
        module, steps, state = w.device.module, self.r.steps, {}
        is_capturing = getattr(module, "is_current_stream_capturing", bool)  # versions without graphs capture nothing

        def empty():
            try:
                if not is_capturing():
                    begun = monotonic_ns()
                    module.empty_cache()
                    state["ns"] = monotonic_ns() - begun
            except Exception as failure:  # the trainer's thread is not to hear of it
                state["failure"] = plain(failure, 200)

        if not any(each.step for each in self.r.watched):
            if not force:
                raise Refusal("cannot", "no step of an optimizer was seen yet; force=yes empties the cache now")
            empty()
        elif steps.at_end is not None:
            raise Refusal("busy", "another request waits for the end of the step")
        else:
            steps.at_end = empty
        deadline = time.monotonic() + WAIT_FOR_STEP_S

        def look():
            if "failure" in state:
                raise Refusal("busy", state["failure"])
            if "ns" in state:
                return dict(then(), took_ns=state["ns"])
            if time.monotonic() > deadline:
                steps.at_end = None
                raise Refusal("busy", "no step ended within %d s: the cache was left alone" % WAIT_FOR_STEP_S)
            return look

        return look()

    def empty_cache(self, words, peer):
        only(words, "device", "by", "force")
        w = self._accelerated(words)
        before = w.look().words(w.limit)
        return self._between_steps(w, lambda: self._changed(w, before), force=yes(words, "force"))

    def setting(self, words, peer):
        only(words, "key", "value", "undo", "by")
        if self.r.framework.accelerator()[1] is None:
            raise Refusal("cannot", "there is no accelerator whose allocator had settings (yet)")
        if yes(words, "undo"):
            before, after = self.r.settings.undo()
        elif "key" in words:
            before, after = self.r.settings.change(words["key"], words.get("value"))
            self.r.settings.try_out(self.r.retries())
        else:
            return self._setting_state()
        self.r.note_optimisation()
        return {"before": before.replace(" ", "") or "none", "text": after}

    def _setting_state(self):
        trial = self.r.settings.trial
        words = {"trial": trial.state if trial else "none"}
        if trial is not None and trial.why:
            words["why"] = trial.why
        return dict(words, text=self.r.settings.text())

    def record(self, words, peer):
        only(words, "steps", "seconds", "path", "entries", "off", "by")
        history = self.r.history
        if not words:
            return history.words()
        if yes(words, "off"):
            if history.recording is None:
                raise Refusal("cannot", "no recording is being made")
            history.finish()
            return {}
        steps, seconds = whole(words, "steps", 0), whole(words, "seconds", 0)
        if "path" not in words or not (steps or seconds):
            raise Refusal("bad-request", "record takes path= and steps= or seconds=")
        step = self.r.watched[0].step if self.r.watched else 0
        history.begin(path_of(words["path"]), steps, min(seconds or 10 * MINUTE, 10 * MINUTE), whole(words, "entries", 100000), step)
        return {}

    def arm(self, words, peer):
        only(words, "path", "off", "by")
        if yes(words, "off"):
            self.r.history.disarm()
        elif "path" in words:
            self.r.history.arm(path_of(words["path"]))
        elif words:
            raise Refusal("bad-request", "arm takes path= or off=yes")
        return self.r.history.words()

    def categories(self, words, peer):
        only(words, "device")
        w = self._accelerated(words)
        torch = self.r.framework.torch
        return categories(optimizers_of(torch, self.r.steps.seen), (w.device.kind, w.device.backend_index), w.look().allocated, w.step_least)

    def phases(self, words, peer):
        only(words, "device", "first")
        return self.r.phases.words(self._device(words), whole(words, "first", 0), REPLY_BYTES - 120)

    def retract(self, words, peer):
        only(words, "by")
        self.r.ends = "asked"
        return {}

    def open_front(self, words, peer):
        """An agent takes this one's place at the end of the next step: PyTorch's allocator is wrapped, and its pools can be switched.
        Where there is no accelerator it is the host's."""
        only(words, "library", "package", "by")
        self._device(words)
        library, package = (existing(words.get(word, "")) for word in ("library", "package"))
        takeover = load_file("_lacuna_takeover", os.path.join(package, "takeover.py"))
        try:
            takeover.check(package)
        except takeover.Unable as reason:
            raise Refusal("cannot", str(reason))
        directory = self.r.place.path
        self.r.ends = "an agent comes"
        self.r.successor = lambda: takeover.at_next_step(package, library, directory)
        return {}


CHANGES = {"set", "setting", "empty-cache", "record", "arm", "retract", "open-front"}
ALL_VERBS = {"hello", "get", "follow", "categories", "phases"} | CHANGES
