"""A change on trial."""

SETTLING_STEPS = 2  # what a change costs once: an emptied cache, memory that is mapped anew
TRIAL_STEPS = 8


class Trial:
    """Of one change: the next steps against those before it.

    It fails where a request had to retry, or where the steps after it take longer in the middle than the slowest of those before.
    """

    def __init__(self, paces, retries):
        self.before, self.after, self.retries = list(paces), [], retries
        self.left = SETTLING_STEPS + TRIAL_STEPS
        self.state, self.why = "running", ""

    def end_step(self, pace, retries):
        """Whether it has failed just now. `pace`: ns of the step; `retries`: since the process began."""
        if self.state != "running":
            return False
        self.left -= 1
        if self.left < TRIAL_STEPS:
            self.after.append(pace)
        if retries > self.retries:
            self.state, self.why = "undone", "retry"
        elif self.left == 0:
            slower = len(self.before) >= TRIAL_STEPS and sorted(self.after)[TRIAL_STEPS // 2] > max(self.before)
            self.state, self.why = ("undone", "slower") if slower else ("held", "")
        return self.state == "undone"
