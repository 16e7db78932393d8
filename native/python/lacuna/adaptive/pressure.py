"""Whether a policy goes on needing rescues."""

WINDOW = 10  # steps
FEW = 2, 0.25  # rescues of a window: in all, and a step


class Pressure:
    """Of a policy in force, by windows of steps. Of the first nothing follows: when to ask for what is away is still being learnt
    then, above all where a policy was known from an earlier start, and another search costs more than it."""

    def __init__(self, now):
        """`now`: an agent's step and its rescues so far, as in all that it is told."""
        self._before, self._settled = now, False

    def lasts(self, now):
        """True when a window after the first had too many."""
        steps = now["step"] - self._before["step"]
        if steps < WINDOW:
            return False
        lasting = self._settled and now["rescues"] - self._before["rescues"] > FEW[0] + FEW[1] * steps
        self._before, self._settled = now, True
        return lasting
