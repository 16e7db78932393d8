"""One agent's policy: measured, searched, tried, told, watched."""

import time

from . import kept, measured
from .dial import Gone
from .pressure import Pressure
from .search import fastest
from .step import Costs, step_ns
from .trials import LEAST_TURNS, MOST_TURNS, Match, Trials

POLL_S, WATCH_S = 0.02, 1.0
TIMED_S = 0.005  # what steps are timed to: a tenth of one that takes 50 ms
TRIAL_S, TRIAL_STEPS = 0.3, 2  # of each candidate, and in each turn of two
SETTLING = 2  # steps: what was kept or away under the policy before, layers that are tried
SETTLING_COPIES = 6  # where something is swapped: when to ask for it is learnt
SETTLING_AGAIN = 1
FINALISTS, CLOSE = 2, 1.2  # beside recomputing everything; more that took little longer than the best are tried once more
MOST_WINDOWS = 4  # profiles of some steps each, where shapes vary
SECOND_LOOK = 10  # steps under a policy, then another window: shapes may vary more slowly
VARYING = 0.01  # between two windows: more are measured
DRIFT = 0.3  # of a step's time, in a while: it is no longer the same training
LETTERS_A_LINE = 400
MOST_ROUNDS, SHARE_LEFT = 4, 0.04  # after policies that needed rescues, so much less of the limit is planned with
WORTH_ANOTHER = 0.03  # faster than without: then even more is left
MIXES, LIKELY = 2, 32  # unlike ones, of so many
TRIFLE = 0.01  # of what all layers keep: one that keeps less stays, so that candidates are unlike
WORTH_TRYING = 1.3  # times the best prediction


class Refused(Exception):
    """The agent does not do that now; the plan rests on something that has changed."""


class TakenOver(Exception):
    """Somebody else set a policy: it is theirs from now on."""


class Tuner:
    """Of one agent; `say` is told what a person should know, `over` whether the training has ended."""

    def __init__(self, agent, folder, say, over):
        self._agent, self._folder, self._say, self._over = agent, folder, say, over
        self._told = None  # letters in force, ours
        self._no_swap = False
        self._left = 0.0  # share of the limit that plans leave beside the usual spare

    def run(self):
        try:
            profile = self._first()
            while True:
                profile = self._settle(profile)
        except Gone:
            pass  # so is the training
        except TakenOver:
            self._say("taken", {})

    # ------------------------------------------------------------ what holds now

    def _now(self):
        if self._over():
            raise Gone("ended")
        reply = self._agent.ask("get")
        return {"step": int(reply["step"]), "limit": int(reply["limit_bytes"]), "rescues": int(reply["rescues"]),
                "swap": reply["swap"] != "off"} if reply["ok"] else None  # fmt: skip

    def _pause(self, seconds=POLL_S):
        time.sleep(seconds)
        if self._over():
            raise Gone("ended")

    def _profile(self, fresh=False):
        """One window's; a policy that holds meanwhile does not show in it. None while no device is known."""
        read = measured.read(self._agent, fresh)
        while read is not None and (read[1] or not read[0].measured):
            self._pause()
            read = measured.read(self._agent)
        return read and read[0]

    # ------------------------------------------------------------ measuring

    def _first(self):
        """The first profile; where the model is known, its policy holds as soon as its layers may do it."""
        known, read, tried = None, None, False
        while read is None or read[1] or not read[0].measured:
            self._pause()
            read = measured.read(self._agent)
            now = self._now()
            if not read or not now or now["step"] == 0 or self._told:
                continue
            profile = read[0]
            if known is None and not tried:
                known = kept.load(self._folder, profile.names, now["limit"])
            if known and all(letter in layer.can for letter, layer in zip(known["letters"], profile.layers)):
                try:
                    self._tell(known["letters"])
                except Refused:
                    known, tried = None, True
        profile = read[0]
        if known and self._told and (self._fits(profile, self._told) or self._is_as_then(known, profile)):
            self._say("reused", {"letters": self._told})
            return self._watch(profile, known)
        return profile

    @staticmethod
    def _is_as_then(known, profile):
        """Other shapes than those that the policy was found for may need another one."""
        return profile.kept_peak() <= known["kept_peak_bytes"] * (1 + VARYING)

    def _fits(self, profile, letters):
        """By the figures, within what plans may take of the limit."""
        return step_ns(Costs(profile), letters, int(profile.plannable() * (1 - self._left))) is not None

    def _over_windows(self, profile):
        """Over the range of shapes that occur: until another window adds nothing."""
        for _ in range(MOST_WINDOWS - 1):
            again = self._profile(fresh=True)
            if again is None or again.names != profile.names:
                return again or profile
            before, profile = profile, again.over_the_range(profile)
            if self._same_shapes(profile, before):
                break
        return profile

    # ------------------------------------------------------------ choosing

    def _settle(self, profile):
        """Finds a policy and stays with it as long as it is right; the profile to go on with."""
        for _ in range(MOST_ROUNDS):
            try:
                return self._stay(*self._search(profile))
            except Refused as why:
                refused = why
                profile = self._profile(fresh=True) or profile
        raise refused

    def _search(self, profile):
        """(profile, trials, the best policy, what recomputes everything): rounds until the best needs no rescues."""
        trials, before = Trials(), float("inf")
        for _ in range(MOST_ROUNDS):
            now = self._now()
            self._no_swap |= not now["swap"]
            profile = profile._replace(limit=now["limit"])
            full = self._full(profile)
            self._try_each(self._candidates(profile, trials, full), trials)
            best = trials.best(but=full)
            if best is None or trials.is_calm(best) or trials.ns(best) > before * (1 - WORTH_ANOTHER):
                break
            before = trials.ns(best)
            self._left += SHARE_LEFT  # it needed rescues: allocated is not reserved
        return profile, trials, self._decide(trials, full), full

    def _stay(self, profile, trials, letters, full):
        """With what was decided for, which is kept for the next start; the profile to go on with."""
        took, calm = trials.ns(letters), trials.is_calm(letters)
        if letters != self._told:
            self._tell(letters)
        found = {"letters": letters, "step_ns": took, "kept_peak_bytes": profile.kept_peak(), "rescues": not calm,
                 "recomputed_ns": trials.ns(full) if full in trials else None}  # fmt: skip
        kept.save(self._folder, profile.names, profile.limit, found)
        self._say("found" if calm else "tight", {"letters": letters, "took": took})
        return self._watch(profile, found, took)

    def _candidates(self, profile, trials, full):
        """What the prediction likes best, of mixes and of each kind alone: what it knows least of is what copying costs a
        machine that computes. Recomputing everything is what people do without us: it is measured whatever is predicted,
        unless everything may stay. Where the best of these needed rescues, what keeps least of each kind, too."""
        limit = int(profile.plannable() * (1 - self._left))
        usable = without_trifles(without(profile, "S") if self._no_swap else profile)
        found = unlike_ones(fastest(usable, limit, LIKELY))[:MIXES] + fastest(without(usable, "S"), limit) + fastest(without(usable, "R"), limit)
        best = min((predicted for _, predicted in found), default=0)
        unlike = {letters: predicted for letters, predicted in found if predicted <= best * WORTH_TRYING}
        lean = [leanest(usable, letters) for letters in ("RS", "SR")] if trials or not unlike else []
        best_first = sorted(unlike, key=unlike.get)
        stays = not trials and best_first and not best_first[0].strip("K")
        return list(dict.fromkeys(best_first + ([full] if full and not stays else []) + lean))

    @staticmethod
    def _full(profile):
        """Recomputing everything that can be; None where nothing can, or where that does not fit: what is computed again cannot
        leave for a rescue as what is kept can."""
        letters = leanest(without_trifles(profile), "R")
        fits = step_ns(Costs(profile), letters, profile.plannable()) is not None
        return letters if fits and "R" in letters else None

    def _try_each(self, candidates, trials):
        """Each for some steps."""
        for letters in candidates:
            if letters not in trials:
                trials.add(letters, *self._trial(letters, SETTLING_COPIES if "S" in letters else SETTLING))

    def _decide(self, trials, full):
        """The best of the best, by turns; and that one only if it is no slower than recomputing everything, by turns."""
        close = trials.close_to_best(CLOSE, but=full)
        for letters in close if len(close) > FINALISTS else ():
            trials.add_anew(letters, *self._trial(letters, SETTLING_AGAIN))
        finalists = trials.fastest(FINALISTS, but=full)
        if len(finalists) > 1:
            self._match(trials, *finalists, most=LEAST_TURNS)
        best = trials.best(but=full)
        if best is None or full not in trials:
            return full if best is None else best
        match = self._match(trials, best, full)
        return best if match.ratio() <= trials.worth(best, full) else full

    def _match(self, trials, *pair, most=MOST_TURNS):
        """As many steps of both in each turn; who begins changes."""
        match, steps = Match(), max(TRIAL_STEPS, int(TRIAL_S * 1e9 / trials.ns(pair[0])) + 1)
        turn, took = 0, {}
        while match.is_open(trials.worth(*pair), most):
            for letters in pair if turn % 2 == 0 else reversed(pair):
                took[letters], rescued = self._trial(letters, SETTLING_AGAIN, steps)
                trials.add(letters, took[letters], rescued)
            match.add(*(took[letters] for letters in pair))
            turn += 1
        return match

    def _trial(self, letters, settling, steps=None):
        """(nanoseconds of each step, whether rescues were needed) once the policy has settled for so many steps; of so many
        steps, or as many as take their time."""
        self._tell(letters)
        last = self._after_step(self._now()["step"] + settling)
        rescues, took, first = self._now()["rescues"], [], time.monotonic()
        before = first
        while len(took) < (steps or TRIAL_STEPS) or steps is None and time.monotonic() - first < TRIAL_S:
            ended = self._after_step(last + 1)
            now = time.monotonic()
            took += [(now - before) * 1e9 / (ended - last)] * (ended - last)
            before, last = now, ended
        return took[:steps], self._now()["rescues"] > rescues

    def _after_step(self, number):
        """Waits until so many steps have ended; how many have."""
        now = self._now()
        while now["step"] < number:
            self._pause(TIMED_S)
            now = self._now()
        return now["step"]

    def _tell(self, letters):
        before = None
        for first in range(0, len(letters), LETTERS_A_LINE):
            part = letters[first : first + LETTERS_A_LINE]
            reply = self._agent.ask("policy first=%d by=adaptive kinds=%s" % (first, part))
            if not reply["ok"]:
                self._no_swap |= reply.get("code") == "swap-off"
                raise Refused(reply.get("code"))
            before = before or reply["before"]
        if self._told is not None and before not in (self._told, "off") and before != letters:
            self._agent.ask("policy by=adaptive kinds=" + before)
            raise TakenOver
        self._told = letters

    # ------------------------------------------------------------ watching

    def _watch(self, profile, found, took=None):
        """Returns, with a new profile, when something has changed that the policy rests on."""
        letters = found["letters"]
        self._after_step(self._now()["step"] + SETTLING)
        begun, looked = self._now(), False
        since, step, limit, pressure = time.monotonic(), begun["step"], begun["limit"], Pressure(begun)
        while True:
            self._pause(WATCH_S)
            now = self._now()
            self._not_taken_over(letters)
            if now["limit"] != limit or self._grown(profile):
                return self._again(profile, "limit")
            if pressure.lasts(now) and not found.get("rescues"):
                self._left += SHARE_LEFT
                return self._again(profile, "pressure")
            if not looked and now["step"] - begun["step"] >= SECOND_LOOK:
                looked, second = True, self._profile(fresh=True)
                range_of = profile if second is None else second.over_the_range(profile)
                if not self._is_right_for(range_of, profile, letters):
                    self._say("again", {"why": "shapes"})
                    return self._over_windows(range_of)
                now = self._now()
                since, step, pressure = time.monotonic(), now["step"], Pressure(now)  # what was looked at was kept meanwhile
                continue
            seconds, steps = time.monotonic() - since, now["step"] - step
            if steps >= 10 and seconds >= 10:
                mean = seconds * 1e9 / steps
                if took and abs(mean - took) > DRIFT * took:
                    fresh = self._profile(fresh=True)
                    if fresh is None or not self._is_right_for(fresh, profile, letters):
                        self._say("again", {"why": "drift"})
                        return self._over_windows(fresh or profile)
                    mean = None  # the machine is busier, or less so: the same is right for it
                    now = self._now()
                    pressure = Pressure(now)
                took = mean
                since, step = time.monotonic(), now["step"]

    def _is_right_for(self, fresh, profile, letters):
        """Whether a policy that was found for a profile needs no other for a fresh one."""
        return self._same_shapes(fresh, profile) or (fresh.names == profile.names and self._fits(fresh, letters))

    @staticmethod
    def _same_shapes(one, other):
        return one.names == other.names and abs(one.kept_peak() - other.kept_peak()) <= VARYING * other.kept_peak()

    def _grown(self, profile):
        return int(self._agent.ask("layers first=%d" % len(profile.layers))["next"]) > len(profile.layers)

    def _not_taken_over(self, letters):
        asked, more = "", True
        while more:
            reply = self._agent.ask("layers first=%d" % len(asked))
            asked += "".join(reply["layer.%d" % n].split(":")[-3] for n in range(len(asked), int(reply["next"])))
            more = reply["more"] == "yes"
        if asked[: len(letters)] != letters or reply["policy"] != "on":
            raise TakenOver

    def _again(self, before, why):
        self._say("again", {"why": why})
        profile = self._profile(fresh=True)
        if profile is None:
            raise Gone("no device")
        return self._over_windows(profile.over_the_range(before))


def unlike_ones(policies):
    """Best first. Of those that swap and recompute as many layers the first: which ones these are makes next to no difference. None
    that swaps and recomputes no fewer than a better one: it would have to be lucky."""
    found, counts = [], []
    for letters, predicted in policies:
        swapped, recomputed = letters.count("S"), letters.count("R")
        if not any(s <= swapped and r <= recomputed for s, r in counts):
            counts.append((swapped, recomputed))
            found.append((letters, predicted))
    return found


def leanest(profile, letters):
    """What keeps least: the first of the letters that a layer may do and is worth it."""
    choices = Costs(profile).choices
    return "".join(next((letter for letter in letters if letter in can), "K") for can in choices)


def without_trifles(profile):
    """As if what keeps next to nothing could do nothing else."""
    least = TRIFLE * sum(layer.saved for layer in profile.layers)
    return profile._replace(layers=[layer if layer.saved >= least else layer._replace(can="K") for layer in profile.layers])


def without(profile, letter):
    """As if no layer could do that."""
    return profile._replace(layers=[layer._replace(can=layer.can.replace(letter, "")) for layer in profile.layers])
