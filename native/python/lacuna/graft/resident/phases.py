"""Phases by name."""

import gc
import sys
import threading
import time

from .system import monotonic_ns

MOST_PHASES = 24
NAME_CHARACTERS, NAME_BYTES = 40, 63
MOST_THREADS, MOST_FRAMES, MOST_CODES = 32, 400, 8192
OTHERS = "others"
# Who calls whom says what is done, so that nothing has to be wrapped: (end of a file's path, function, phase).
CALLS = (
    ("torch/autograd/__init__.py", "backward", "backward"),
    ("torch/autograd/__init__.py", "grad", "backward"),
    ("torch/autograd/graph.py", "_engine_run_backward", "backward"),
    ("/pipeline_parallel/schedules.py", "custom_backward", "backward"),
    ("/pipeline_parallel/schedules.py", "backward_step", "backward"),
    ("torch/optim/optimizer.py", "wrapper", "optimizer"),  # around every optimizer's step
    ("torch/nn/modules/module.py", "_call_impl", "forward"),
    ("torch/serialization.py", "save", "checkpoint"),
    ("torch/distributed/checkpoint/state_dict_saver.py", "save", "checkpoint"),
    ("transformers/trainer.py", "evaluate", "evaluation"),
    ("transformers/trainer.py", "predict", "evaluation"),
    ("transformers/trainer.py", "_save_checkpoint", "checkpoint"),
    ("/loops/evaluation_loop.py", "run", "evaluation"),
    ("/loops/prediction_loop.py", "run", "evaluation"),
    ("/trainer/trainer.py", "save_checkpoint", "checkpoint"),
    ("megatron/training/training.py", "evaluate", "evaluation"),
    ("megatron/training/training.py", "save_checkpoint_and_time", "checkpoint"),
    ("megatron/training/checkpointing.py", "save_checkpoint", "checkpoint"),
    ("_workers.py", "generate_sequences", "rollout"),
    ("_workers.py", "compute_log_prob", "log-prob"),
    ("_workers.py", "compute_ref_log_prob", "reference"),
    ("_workers.py", "compute_values", "values"),
    ("_workers.py", "update_actor", "actor-update"),
    ("_workers.py", "update_critic", "critic-update"),
    ("_workers.py", "compute_rm_score", "reward"),
    ("_workers.py", "train_batch", "update"),  # of critics and what is fine-tuned, since verl 0.8; of actors inside of theirs
    ("_workers.py", "infer_batch", "inference"),
)
FUNCTIONS = {name for _, name, _ in CALLS}
ONE_OF = ("backward", "forward", "optimizer")  # of those that are seen the first counts: a forward in backward computes again


def holds_the_lock():
    """Whether no other thread runs Python while this one does: else stacks change under who walks them."""
    told = getattr(sys, "_is_gil_enabled", None)
    return told is None or told()


def plain_name(name):
    """One line, at most 40 characters and 63 bytes, whoever gave it."""
    text = "".join(c if c.isprintable() else " " for c in str(name)[: 4 * NAME_CHARACTERS])
    text = " ".join(text.split())[:NAME_CHARACTERS].encode("utf-8", "replace")[:NAME_BYTES].decode("utf-8", "ignore")
    return text or "phase"


def word_of(name):
    """As a reply can hold it."""
    raw = name.encode("utf-8", "replace")
    return "".join(chr(b) if chr(b).isalnum() and b < 128 or b in b"-_./" else "%%%02X" % b for b in raw)


class Phase:
    def __init__(self):
        self.open, self.ns, self.peaks = False, 0, {}  # by slot: [allocated, reserved]


class Phases:
    """What the process does, seen at each look: its threads' stacks, and what scripts name by ``lacuna.phase``.

    Nothing of the process is changed for it. Time and peaks are those of the looks, so a phase that is shorter than the time
    between two is seen in some steps only.
    """

    def __init__(self):
        self.known, self.codes, self.last, self.own = {}, {}, 0, None

    def _phase_of(self, code):
        """What a function's being called means; None for nearly all."""
        if code.co_name not in FUNCTIONS:
            return None
        file = code.co_filename.replace("\\", "/")
        for path, name, phase in CALLS:
            if code.co_name == name and file.endswith(path) and (path != "_workers.py" or "/verl/" in file):
                return phase
        return None

    def _of_stack(self, frame, found):
        codes = self.codes
        for _ in range(MOST_FRAMES):
            code = frame.f_code
            known = codes.get(id(code))
            if known is None:
                if len(codes) >= MOST_CODES:
                    codes.clear()
                known = codes[id(code)] = (code, self._phase_of(code))  # with the code, so that its id stays its own
            if known[1] is not None:
                found.add(known[1])
            frame = frame.f_back
            if frame is None:
                return

    def _of_threads(self, found):
        frames = sys._current_frames()
        # Frames hold the tensors of their functions: with its own in it, what holds them all would refer to itself and live, with a
        # whole step's memory, until the next collection.
        frames.pop(self.own, None)
        for thread in list(frames)[:MOST_THREADS]:
            self._of_stack(frames.pop(thread), found)

    def _without_collection(self, found):
        """Python 3.11 makes the frame object of another thread's call when it is asked for it, and may collect garbage for that. What
        is finalised there may let the thread run on, and the object is written into a frame that is gone: the process dies of it
        later. Other versions collect between instructions only, or have every such object from the start.
        """
        time.sleep(0)  # whoever waits runs now, not in the middle of it, where what its frame holds would live longer
        collects = gc.isenabled()
        gc.disable()
        try:
            self._of_threads(found)
        finally:
            if collects:
                gc.enable()

    def seen(self):
        """Names of what is open now."""
        if self.own is None:
            self.own = threading.get_ident()
        found = set()
        if holds_the_lock():
            self._without_collection(found)
        first = [name for name in ONE_OF if name in found][:1]
        named = getattr(sys.modules.get("lacuna.named"), "open_names", ())
        names = [plain_name(name) for name in list(named)[:MOST_PHASES]] + sorted(found.difference(ONE_OF)) + first
        return list(dict.fromkeys(names))

    def _get(self, name):
        phase = self.known.get(name)
        if phase is None:
            if len(self.known) >= MOST_PHASES - 1:
                return self.known.setdefault(OTHERS, Phase())
            phase = self.known[name] = Phase()
        return phase

    def look(self, watched):
        """`watched`: devices with what they hold as it was read just before."""
        now = monotonic_ns()
        since, self.last = now - self.last if self.last else 0, now
        open_now = [self._get(name) for name in self.seen()]
        for phase in self.known.values():
            phase.open = False
        for phase in set(open_now):
            phase.open = True
            phase.ns += since
            for w in watched:
                peaks = phase.peaks.setdefault((w.device.kind, w.device.backend_index), [0, 0])
                peaks[0] = max(peaks[0], w.figures.allocated)
                peaks[1] = max(peaks[1], w.figures.reserved)

    def words(self, w, first, room):
        """The reply, as far as it fits; `first`: number of the first."""
        words = {"by": "looks", "first": first}
        rows = list(self.known.items())
        at = first
        while at < len(rows):
            name, phase = rows[at]
            peaks = phase.peaks.get((w.device.kind, w.device.backend_index), (0, 0))
            word = "%s:%s:%d:%d:%d" % (word_of(name), "open" if phase.open else "closed", phase.ns, peaks[0], peaks[1])
            room -= len(word) + len(" phase.00=")
            if room < 0:
                break
            words["phase.%d" % at] = word
            at += 1
        return dict(words, next=at, more="yes" if at < len(rows) else "no")
