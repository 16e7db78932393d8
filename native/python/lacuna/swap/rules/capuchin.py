"""Capuchin (Peng et al., ASPLOS 2020): measured, then guided.

The first steps only look, while rescues do what is needed: when each tensor is saved, and when backward wants it. Of as many bytes
as rescues had away at a time, those leave first whose copies hide best behind what runs between (free time: from the end of its copy out
to the begin of its copy in, other copies counted in). What no copy hides takes the cheaper of both: the swap that exposes
least a byte, or computing that layer again which frees most a second.
"""

MOST = 512  # tensors that a plan looks at: the largest
NOTICED = 16  # a plan is made anew for less by a sixteenth


class Capuchin:
    def __init__(self):
        self._seen = {}  # key -> Seen: of the newest run that had it
        self._layers = {}  # key -> the layer that can be computed again for it
        self._forward_ns = {}
        self._missing = self._planned = self._most_away = 0  # bytes
        self._copy_ns, self._known = None, 0  # tensors whose layer can be computed again, when the plan was made
        self.plan = {}

    @property
    def looking(self):
        return not self.plan

    def ran(self, seen):
        self._seen.update(seen)

    def layer_over(self, offer):
        self._copy_ns, self._most_away = offer.copy_ns, max(self._most_away, offer.away)
        self._forward_ns.update(offer.forward_ns())
        for each in offer.candidates:
            if each.layer is not None:
                self._layers[each.key] = each.layer.name
        for each in offer.candidates:
            letter = self.plan.get(each.key)
            if letter == "S" and not offer.can_swap or letter == "R" and each.layer is None:
                continue
            if letter is not None:
                yield each, letter

    def step_over(self, rescued, spare, calm):
        if self.looking:  # where a tensor went twice too much seems to be missing: the least is closest
            self._missing = min(self._most_away or self._missing, self._missing or self._most_away)
        elif rescued:  # which may count a tensor twice
            self._missing += max(min(rescued, self._missing // 8), self._missing // NOTICED)
        elif calm and spare > 0:
            self._missing = max(0, self._missing - spare // 2)
        self._most_away = 0
        known = len(self._layers)
        grown, less = self._missing > self._planned, self._planned - self._missing > self._planned // NOTICED
        if (grown or less or known > self._known) and self._seen and self._copy_ns is not None and self._missing:
            self._planned, self._known = self._missing, known
            self.plan = Plan(self._seen, self._layers, self._forward_ns, self._copy_ns).of(self._missing)


class Plan:
    """Letters by key."""

    def __init__(self, seen, layers, forward_ns, copy_ns):
        largest = sorted(seen, key=lambda key: seen[key].bytes, reverse=True)[:MOST]
        self._seen = {key: seen[key] for key in largest}
        self._forward_ns, self._copies = forward_ns, {key: copy_ns(seen[key].bytes) for key in largest}
        self._of_layer = {}  # layer -> keys
        for key in largest:
            if key in layers:
                self._of_layer.setdefault(layers[key], []).append(key)
        self._letters, self._swapped, self._freed = {}, [], 0

    def of(self, missing):
        self._what_hides(missing)
        while self._freed < missing and self._what_costs_least():
            pass
        return self._letters

    def _swap(self, key):
        self._letters[key] = "S"
        self._swapped.append(key)
        self._freed += self._seen[key].bytes

    def _what_hides(self, missing):
        for key in sorted(self._seen, key=self._free_time, reverse=True):
            if self._freed >= missing or self._free_time(key) < 0:
                return
            if self.exposed([*self._swapped, key]) == 0:
                self._swap(key)

    def _free_time(self, key):
        return self._seen[key].wanted - self._seen[key].saved - 2 * self._copies[key]

    def exposed(self, keys):
        """Nanoseconds that somebody waits: each direction of the link carries one tensor at a time, in the order in which they
        are saved, and backwards from the last that is wanted."""
        ends, link = {}, 0
        for key in sorted(keys, key=lambda key: self._seen[key].saved):
            link = ends[key] = max(link, self._seen[key].saved) + self._copies[key]
        most, link = 0, float("inf")
        for key in sorted(keys, key=lambda key: self._seen[key].wanted, reverse=True):
            link = min(link, self._seen[key].wanted) - self._copies[key]
            most = max(most, ends[key] - link)
        return most

    def _what_costs_least(self):
        """One more tensor leaves, or one more layer is computed again; False where nothing is left."""
        left = [key for key in self._seen if key not in self._letters]
        ways = []
        if left:
            key = max(left, key=self._free_time)
            more = self.exposed([*self._swapped, key]) - self.exposed(self._swapped)
            ways.append((max(0, more) / self._seen[key].bytes, 0, key))
        for layer, keys in self._of_layer.items():
            size = sum(self._seen[key].bytes for key in keys if key not in self._letters)
            if size:
                ways.append((self._forward_ns[layer] / size, 1, layer))
        if not ways:
            return False
        _, again, what = min(ways, key=lambda way: way[:2])
        if not again:
            self._swap(what)
            return True
        for key in [key for key in self._of_layer[what] if key not in self._letters]:
            self._letters[key] = "R"
            self._freed += self._seen[key].bytes
        return True
