"""How often is looked."""

import time

OWN_SHARE = 0.005  # of a processor
MOST_PAUSE_S = 0.5  # between two looks
SMOOTHED_LOOKS = 16  # looks


class Pace:
    """As often as asked, but never for more than its share of a processor: a look takes several times as long where the trainer has
    filled the processor's caches since the last one.
    """

    def __init__(self, interval):
        self.least = self.interval = interval
        self.begun, self.mean = None, None

    def looked(self, elsewhere):
        """After a look; `elsewhere`: seconds of processor since the last one that have a share of their own."""
        now = time.thread_time()
        if self.begun is not None:
            used = max(0.0, now - self.begun - elsewhere)
            self.mean = used if self.mean is None else self.mean + (used - self.mean) / SMOOTHED_LOOKS
            self.interval = min(max(self.least, self.mean / OWN_SHARE), max(self.least, MOST_PAUSE_S))
        self.begun = now
