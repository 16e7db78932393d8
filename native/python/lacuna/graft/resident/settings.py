"""Settings of PyTorch's allocator."""

from collections import deque

from .refusal import Refusal, plain
from .system import say
from .trial import TRIAL_STEPS, Trial

LIVE_SETTINGS = {  # what the allocator reads again while it runs
    "expandable_segments", "garbage_collection_threshold", "max_split_size_mb", "max_non_split_rounding_mb", "roundup_power2_divisions",
    "graph_capture_record_stream_reuse", "expandable_segments_reserve", "expandable_segments_by_class",
}  # fmt: skip
# All else is as at first where a text does not name it. These stay as they are, so they are said once more before.
STAYING = {"expandable_segments": "False", "graph_capture_record_stream_reuse": "False"}


def parse_settings(text):
    """ "a:1,b:[256:1,512:2]" as a dictionary, in order."""
    pairs, depth, start = [], 0, 0
    for at, c in enumerate(text + ","):
        depth += (c == "[") - (c == "]")
        if c == "," and depth == 0:
            pairs.append(text[start:at])
            start = at + 1
    return {key.strip(): value.strip() for key, _, value in (pair.partition(":") for pair in pairs) if key.strip()}


def print_settings(settings):
    return ",".join("%s:%s" % pair for pair in settings.items())


class Settings:
    """The allocator's settings: one changed, all others kept, read back where this version tells them."""

    def __init__(self, framework):
        self.framework, self.before = framework, []
        self.written = None
        self.paces, self.trial = deque(maxlen=2 * TRIAL_STEPS), None

    def can_change(self):
        return self.framework.core("write settings") is not None and self.framework.keeps_blocks()

    def text(self):
        read = self.framework.core("read settings")
        if read is not None:
            return str(read())
        return self.framework.settings_at_start() if self.written is None else self.written

    def _write(self, text, present):
        """`present`: what was written last, whether it was taken or not."""
        settings, named = parse_settings(text), parse_settings(present)
        staying = {key: value for key, value in STAYING.items() if key in named and key not in settings}
        if staying:
            self._hand(print_settings(dict(settings, **staying)))
        self._hand(text)

    def _hand(self, text):
        try:
            self.framework.core("write settings")(text)
        except (RuntimeError, ValueError) as failure:
            said = str(failure).splitlines() or [type(failure).__name__]
            raise Refusal("bad-request", "PyTorch refused: %s" % plain(said[0], 200)) from None
        self.written = text

    def change(self, key, value):
        if not self.can_change():
            raise Refusal("cannot", "this PyTorch, or its allocator, takes no settings while it runs")
        if key == "per_process_memory_fraction":
            raise Refusal("cannot", "a cap is changed by fraction, which is not let below what the last steps needed")
        if key not in LIVE_SETTINGS:
            raise Refusal("cannot", "%s is read when the process starts, or is not known" % plain(key, 60))
        before = self.text()
        settings = parse_settings(before)
        if value is None:
            settings.pop(key, None)
        else:
            settings[key] = value
        asked = print_settings(settings)
        try:
            self._write(asked, before)
        except Refusal:
            self._restore(before, asked)
            raise
        self.before.append(before)
        return before, self.text()

    def _restore(self, before, asked):
        """After a refusal PyTorch has forgotten what held, and keeps of what was asked what stands before the fault."""
        try:
            self._write(before, asked)
        except Refusal as why:
            say("settings could not be written again: %s" % why)

    def try_out(self, retries):
        """What was changed just now is taken back where the next steps show that it should be."""
        self.trial = Trial(self.paces, retries)

    def end_step(self, pace, retries):
        """Whether the last change was taken back. `pace`: ns of the step, 0 where it is not known."""
        trial = self.trial
        if trial is None or trial.state != "running":
            if pace:
                self.paces.append(pace)
            return False
        if not trial.end_step(pace, retries):
            return False
        try:
            self.undo()
        except Refusal as why:  # it stays: nothing else can be done about it
            trial.state, trial.why = "held", ""
            say("a setting could not be taken back: %s" % why)
        self.trial = trial
        return trial.state == "undone"

    def undo(self):
        self.trial = None
        if not self.before:
            raise Refusal("cannot", "no setting was changed")
        before = self.text()
        self._write(self.before[-1], before)
        self.before.pop()
        return before, self.text()

    def put_back(self):
        if self.before:
            self._write(self.before[0], self.text())
        self.before = []

    def is_expandable(self):
        return parse_settings(self.text()).get("expandable_segments", "False").lower() == "true"
