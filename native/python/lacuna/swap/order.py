"""In which order entries are wanted, and how long before."""

import collections

FIRST_LEAD, LONGEST_LEAD = 2, 64  # entries
PLANNED_LEAD = 16  # under a policy, which has counted on room for what comes back
MOST_POLICIES = 8
FEW_EARLY = 2  # a step
FIRST_WAIT, LONGEST_WAIT = 8, 1024  # calm steps


class Leads:
    """How many entries ahead each place in the model is asked for: one that arrived late is asked for earlier next time,
    one that had to go again before it was used later. Where the link is what all wait for, every place is late however early it
    is asked for, and what comes back crowds out what is wanted first: then none is asked for earlier than a bound, which is tried
    higher after a calm while, each time a longer one."""

    def __init__(self, first=FIRST_LEAD):
        self._ahead, self._first = {}, first
        self._most, self._early = LONGEST_LEAD, 0
        self._calm, self._wait, self._is_trial = 0, FIRST_WAIT, False

    def of(self, key):
        return min(self._ahead.get(key, self._first), self._most)

    def step_over(self):
        early, self._early = self._early, 0
        is_trial, self._is_trial = self._is_trial, False
        if early > FEW_EARLY:
            if is_trial:
                self._wait = min(LONGEST_WAIT, 2 * self._wait)
            longest = max([self._first, *self._ahead.values()])
            self._most, self._calm = max(FIRST_LEAD, min(self._most, longest) // 2), 0
        elif self._most < LONGEST_LEAD:
            self._calm += 1
            if self._calm > self._wait:
                self._most, self._calm, self._is_trial = self._most + 1, 0, True

    def late(self, key):
        ahead = self.of(key)
        self._ahead[key] = min(LONGEST_LEAD, ahead + max(1, ahead // 2))

    def early(self, key):
        self._early += 1
        self._ahead[key] = max(1, self.of(key) - 1)


class LeadsByPolicy:
    """Under another policy other things are away, and wanted at other times. Who compares policies tells them by turns: each goes on
    with what was learnt when it held last."""

    def __init__(self):
        self._of = {}  # letters -> leads, the last told last

    def under(self, letters):
        leads = self._of.pop(letters, None) or Leads(PLANNED_LEAD if letters else FIRST_LEAD)
        self._of[letters] = leads
        if len(self._of) > MOST_POLICIES:
            del self._of[next(iter(self._of))]
        return leads


class Run:
    """One outermost forward: its entries in order, so that each micro-batch of a pipeline has a backward of its own."""

    __slots__ = (
        "entries", "pending", "leaving", "moving", "layer", "layer_number", "ordinal", "gone", "outside", "wanted", "__weakref__",
    )  # fmt: skip

    def __init__(self, layer, number, moving, outside=False):
        self.outside = outside  # no forward, but what is saved between two
        self.wanted = False  # a backward has come to what was saved outside
        self.moving = moving  # what leaves in this thread's forwards, in that order
        self.entries = []  # weak references, in the order of saving
        self.pending = collections.deque()  # entries of passes that are over, not yet looked at
        self.leaving = collections.deque()  # the same, of layers that are told to swap
        self.gone = False  # something of it has been on the host
        self.begin(layer, number)

    def begin(self, layer, number):
        self.layer, self.layer_number, self.ordinal = layer, number, 0

    def before(self, index, most):
        """Entries that backward wants after this one, the next first, with their distance."""
        distance = 0
        for position in range(index - 1, -1, -1):
            stored = self.entries[position]()
            if stored is None:
                continue
            distance += 1
            yield distance, stored
            if distance == most:
                return
