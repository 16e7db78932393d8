"""What policies took when they were tried."""

import statistics

CALM_IS_WORTH = 1.1  # a policy without rescues may take so much longer than the fastest: what is rescued may be needed first


class Trials:
    """Of one search: nanoseconds of each step under each policy, and which ones needed rescues."""

    def __init__(self):
        self._took, self._rescued = {}, set()

    def __len__(self):
        return len(self._took)

    def __contains__(self, letters):
        return letters in self._took

    def add(self, letters, took, rescued):
        """The last time counts for rescues: before, something else may have been away."""
        self._took.setdefault(letters, []).extend(took)
        (self._rescued.add if rescued else self._rescued.discard)(letters)

    def ns(self, letters):
        return int(statistics.median(self._took[letters]))

    def is_calm(self, letters):
        return letters not in self._rescued

    @property
    def any_calm(self):
        return any(map(self.is_calm, self._took))

    def fastest(self, count):
        return sorted(self._took, key=self.ns)[:count]

    def best(self):
        """The fastest without rescues, or the fastest of all where those without are much slower."""
        (best,) = self.fastest(1)
        calm = [letters for letters in self._took if self.is_calm(letters) and self.ns(letters) <= CALM_IS_WORTH * self.ns(best)]
        return min(calm, key=self.ns, default=best)
