"""What rules see."""

from collections import namedtuple

# Of one key in one run: nanoseconds since the run began, bytes, the layer that made it.
Seen = namedtuple("Seen", "saved wanted bytes layer")


class Candidate:
    """One storage that was saved, is on the device, and whose layer is over. `layer` can be computed again to have it: a
    `LayerCall`; None where that would not give it, or not free it."""

    __slots__ = ("stored", "key", "bytes", "accessed_ns", "layer")

    def __init__(self, stored, layer):
        self.stored, self.layer = stored, layer
        self.key, self.bytes, self.accessed_ns = stored.key, stored.bytes, stored.accessed_ns


class LayerCall:
    """One call of a layer that can be computed again. Computing again makes all that it saved: so the first tensor that is
    dropped costs the whole forward, and the others nothing more."""

    __slots__ = ("name", "forward_ns", "bytes", "dropped")

    def __init__(self, name, forward_ns, dropped):
        self.name, self.forward_ns, self.dropped = name, forward_ns, dropped
        self.bytes = 0  # of all candidates of the call

    def cost_of(self, size):
        """Nanoseconds that dropping so many bytes of it adds: their share of the forward, until something was dropped."""
        return 0 if self.dropped or not self.bytes else self.forward_ns * size / self.bytes


class Offer:
    """What may go now that a layer is over, the `place`-th of this run. `room` counts what is free and what is on its way out, `rescued` what had to be
    rescued since the last offer, `away` what is on the host or on its way there."""

    def __init__(self, place, candidates, room, rescued, away, now, ns_per_byte):
        self.place, self.candidates, self.room, self.rescued, self.away = place, candidates, room, rescued, away
        self.now, self._ns_per_byte = now, ns_per_byte
        self.can_swap = True  # the host has room

    def copy_ns(self, size):
        return size * self._ns_per_byte

    def forward_ns(self):
        """{layer: nanoseconds} of those that can be computed again."""
        return {each.layer.name: each.layer.forward_ns for each in self.candidates if each.layer is not None}
