"""What policies took when they were tried."""

import statistics

CALM_IS_WORTH = 1.1  # a policy without rescues may take so much longer than the fastest: what is rescued may be needed first
LEAST_TURNS, MOST_TURNS = 3, 7  # of two policies side by side: more than the least while turns disagree


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

    def add_anew(self, letters, took, rescued):
        """What it took before does not count any more: it had not settled."""
        self._took.pop(letters, None)
        self.add(letters, took, rescued)

    def ns(self, letters):
        return int(statistics.median(self._took[letters]))

    def is_calm(self, letters):
        return letters not in self._rescued

    def fastest(self, count, but=None):
        return sorted((letters for letters in self._took if letters != but), key=self.ns)[:count]

    def close_to_best(self, times, but=None):
        """Those that took at most so many times what the fastest took, the fastest first."""
        all_of_them = self.fastest(len(self), but)
        return [letters for letters in all_of_them if self.ns(letters) <= times * self.ns(all_of_them[0])]

    def best(self, but=None):
        """The fastest without rescues, or the fastest of all where those without are much slower; None where nothing was tried."""
        for fastest in self.fastest(1, but):
            calm = [letters for letters in self.fastest(len(self), but) if self.is_calm(letters)]
            return next((letters for letters in calm if self.ns(letters) <= CALM_IS_WORTH * self.ns(fastest)), fastest)

    def worth(self, one, other):
        """How much longer one may take than the other to be the better of the two."""
        return CALM_IS_WORTH ** (self.is_calm(one) - self.is_calm(other))


class Match:
    """Two policies by turns, as many steps each. What they took when they were found does not count: of several, the one that
    was lucky looks best."""

    def __init__(self):
        self._ratios = []

    def add(self, one, other):
        """Steps of a turn of each, one after the other: what else the machine does touches both alike."""
        self._ratios.append(statistics.median(one) / statistics.median(other))

    def is_open(self, worth=1.0, most=MOST_TURNS):
        turns = len(self._ratios)
        return turns < LEAST_TURNS or turns < most and min(self._ratios) <= worth < max(self._ratios)

    def ratio(self):
        """Of the first's time to the other's."""
        return statistics.median(self._ratios)
