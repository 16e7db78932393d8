"""What layers take, as the agent tells it."""

from collections import namedtuple

CHUNK_BYTES = 2 << 20
SPARE_SHARE = 0.02
# Where nothing was copied yet and nobody told: what the slowest bus in use carries. The first copies replace it.
UNKNOWN_LINK = 12 * 10**9

# Times in nanoseconds of a whole step, sizes in bytes, `can`: the letters that a policy may give it.
Layer = namedtuple("Layer", "name forward backward saved input copy_out copy_in steps can")


class Profile(namedtuple("Profile", "layers step_ns peak limit other link")):
    """All layers of a device. `other`: what no policy moves."""

    __slots__ = ()

    @property
    def measured(self):
        return any(layer.steps for layer in self.layers)

    @property
    def names(self):
        return [layer.name for layer in self.layers]

    def spare(self):
        """What plans leave of a limit: LimitSpare of the planner, where the reasons stand."""
        inputs = [layer.input for layer in self.layers] + [0]
        gradients = max((here + behind for here, behind in zip(inputs, inputs[1:])), default=0)
        return 2 * CHUNK_BYTES + gradients + int(self.limit * SPARE_SHARE) + 1

    def plannable(self):
        return max(0, self.limit - self.spare())

    def kept_peak(self):
        """Peak of a step that keeps everything."""
        return self.other + sum(layer.saved for layer in self.layers)

    def over_the_range(self, before):
        """This one where steps of both profiles occur: times of this one, the most bytes of either."""
        if before is None or before.names != self.names:
            return self
        layers = [
            now._replace(saved=max(now.saved, then.saved), input=max(now.input, then.input), can=now.can)
            for now, then in zip(self.layers, before.layers)
        ]
        return self._replace(layers=layers, other=max(self.other, before.other), peak=max(self.peak, before.peak))


def read(agent, fresh=False):
    """Asks for a profile: (profile, whether it is still being measured); None where the device has none."""
    layers, more = [], True
    while more:
        reply = agent.ask("profile first=%d%s" % (len(layers), " fresh=yes" if fresh and not layers else ""))
        if not reply["ok"]:
            return None
        for number in range(len(layers), int(reply["next"])):
            name, *figures, can = reply["layer.%d" % number].split(":")
            layers.append(Layer(name, *map(int, figures), can))
        more = reply["more"] == "yes"
    figures = (int(reply[name]) for name in ("step_ns", "peak_allocated_bytes", "limit_bytes", "other_bytes", "link_bytes_per_second"))
    return Profile(layers, *figures), reply["measuring"] == "yes"
