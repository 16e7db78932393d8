"""What a gentle compaction may take of a training's time."""

SHARE = 0.05
_TELLING = 1 << 16  # bytes: what is smaller says little of how long bytes take


class Budget:
    """Of one compaction, from one end of a step to the next; times are in seconds.

    What a step leaves is not saved for later ones, or one of them would take it all; what was overdrawn is taken off those that
    follow. Nothing is moved in part: the first storage of an end is moved whatever it takes, a further one where there is room.
    """

    def __init__(self):
        self._left = 0.0
        self._began = self._ended = None  # what was done at the last end
        self._a_byte = 1e-9  # seconds, as far as is known

    def begin(self, now):
        """At the end of a step; whether anything may be done."""
        if self._ended is None:
            self._ended = now
            return False  # how long steps take is not known yet
        self._left = min(self._left, 0.0) + SHARE * (now - self._ended)
        self._began = self._ended = now
        return self._left >= 0

    def has_room(self, size, now):
        return now - self._began + size * self._a_byte <= self._left

    def moved(self, size, took):
        if size >= _TELLING:
            self._a_byte = (self._a_byte + took / size) / 2

    def end(self, now):
        """All of what was done counts, looking for storages too."""
        self._left -= now - self._began
        self._ended = now
