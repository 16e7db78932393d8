"""The search of ``lacuna run --adaptive`` without PyTorch: a step's time against the planner's (steps.json, which its own tests read
too), every policy against the search, and a tuner against an agent that is played."""

import itertools
import json
import os
import random
import socket
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "python"))

from lacuna.adaptive import kept, measured, tuner  # noqa: E402
from lacuna.adaptive.dial import Agent, Gone  # noqa: E402
from lacuna.adaptive.fleet import WORDS, runs  # noqa: E402
from lacuna.adaptive.pressure import Pressure  # noqa: E402
from lacuna.adaptive.search import fastest  # noqa: E402
from lacuna.adaptive.step import Costs, step_ns  # noqa: E402
from lacuna.adaptive.trials import LEAST_TURNS, MOST_TURNS, Match, Trials  # noqa: E402
from lacuna.run.command import adaptive, read  # noqa: E402

MIB = 1 << 20


def profile_of(case):
    layers = [measured.Layer("l%d" % i, *figures, 4, "KSR") for i, figures in enumerate(case["layers"])]
    return measured.Profile(layers, case["step_ns"], 0, case["limit"], case["other"], case["link"])


def some_profile(seed, count):
    draw = random.Random(seed)
    layers = [
        measured.Layer("l%d" % i, draw.randint(1, 40) * 10**6, draw.randint(1, 80) * 10**6, draw.randint(1, 64) * MIB,
                       draw.randint(0, 8) * MIB, draw.randint(1, 90) * 10**6, draw.randint(1, 90) * 10**6, 4,
                       draw.choice(["KSR", "KSR", "KS", "K"]))
        for i in range(count)
    ]  # fmt: skip
    return measured.Profile(layers, 0, 0, 1 << 40, 32 * MIB, 0)


class StepTest(unittest.TestCase):
    def test_a_step_takes_what_the_planner_says(self):
        with open(os.path.join(HERE, "steps.json"), encoding="utf-8") as file:
            cases = json.load(file)
        self.assertGreater(len(cases), 40)
        for case in cases:
            took = step_ns(Costs(profile_of(case)), case["policy"], case["limit"])
            self.assertEqual(took, case["took"])


class SearchTest(unittest.TestCase):
    def test_few_layers_get_the_fastest_of_all_policies(self):
        for seed in range(12):
            profile = some_profile(seed, 5)
            costs = Costs(profile)
            for share in (0.9, 0.6, 0.4):
                limit = int(profile.kept_peak() * share)
                every = [step_ns(costs, letters, limit) for letters in itertools.product(*costs.choices)]
                fitting = [took for took in every if took is not None]
                found = fastest(profile, limit)
                self.assertEqual([took for _, took in found], [min(fitting)] if fitting else [])

    def test_many_layers_end_close_to_the_best_of_all(self):
        for seed in range(3):
            profile = some_profile(seed + 100, 10)
            costs = Costs(profile)
            limit = int(profile.kept_peak() * 0.6)
            every = (step_ns(costs, letters, limit) for letters in itertools.product(*costs.choices))
            best = min(took for took in every if took is not None)
            self.assertLessEqual(fastest(profile, limit)[0][1], 1.03 * best)

    def test_what_fits_is_left_alone(self):
        profile = some_profile(1, 6)
        self.assertEqual(fastest(profile, profile.kept_peak())[0][0], "K" * 6)

    def test_nothing_fits_into_nothing(self):
        self.assertEqual(fastest(some_profile(2, 6), MIB), [])

    def test_of_mixes_that_differ_only_in_which_layers_they_name_one_is_tried(self):
        found = [("KSKR", 5), ("SKKR", 5), ("KKRR", 6), ("RKKS", 7), ("SSKK", 8)]
        self.assertEqual(tuner.unlike_ones(found), [("KSKR", 5), ("KKRR", 6), ("SSKK", 8)])

    def test_nor_is_one_that_does_more_of_both_than_a_better_one(self):
        found = [("KSKRKK", 5), ("KSRRKK", 6), ("SSKRKK", 7), ("KKRRRK", 8), ("KKRRRR", 9)]
        self.assertEqual(tuner.unlike_ones(found), [("KSKRKK", 5), ("KKRRRK", 8)])


class RangeTest(unittest.TestCase):
    def test_the_most_of_two_windows_counts(self):
        one, other = some_profile(3, 4), some_profile(4, 4)
        both = one.over_the_range(other)
        for now, before, kept_now in zip(one.layers, other.layers, both.layers):
            self.assertEqual(kept_now.saved, max(now.saved, before.saved))
            self.assertEqual(kept_now.forward, now.forward)
        self.assertEqual(one.over_the_range(None), one)

    def test_other_layers_have_no_common_range(self):
        self.assertEqual(some_profile(3, 4).over_the_range(some_profile(3, 5)), some_profile(3, 4))


class KeptTest(unittest.TestCase):
    def test_a_policy_is_found_again_for_its_model_and_budget_only(self):
        with tempfile.TemporaryDirectory() as folder:
            kept.save(folder, ["a", "b"], 64 * MIB, {"letters": "KS", "step_ns": 5, "kept_peak_bytes": 9, "recomputed_ns": None})
            self.assertEqual(kept.load(folder, ["a", "b"], 64 * MIB)["letters"], "KS")
            self.assertIsNone(kept.load(folder, ["a", "b"], 32 * MIB))
            self.assertIsNone(kept.load(folder, ["a", "c"], 64 * MIB))
            self.assertEqual(kept.load(folder, ["b", "a"], 64 * MIB)["letters"], "SK")  # numbered as they were met

    def test_a_damaged_file_is_none(self):
        with tempfile.TemporaryDirectory() as folder:
            names = '{"names": ["a", "b"], '
            for text in (
                "", "{", "[]", names + '"letters": 3}', names + '"letters": "KX", "kept_peak_bytes": 1}',
                names + '"letters": "K", "kept_peak_bytes": 1}', names + '"letters": "KS"}',
                '{"names": 3, "letters": "KS", "kept_peak_bytes": 1}', names + '"letters": "KS", "kept_peak_bytes": 1}',
            ):  # fmt: skip
                with open(os.path.join(folder, kept.name_of(["a", "b"], MIB)), "w", encoding="utf-8") as file:
                    file.write(text)
                self.assertIsNone(kept.load(folder, ["a", "b"], MIB))

    def test_where_nothing_can_be_written_nothing_is_said(self):
        kept.save("/proc/nowhere", ["a"], MIB, {"letters": "K"})


class TrialsTest(unittest.TestCase):
    def tried(self, **took):
        """Milliseconds of policies by name; in capitals: with rescues."""
        trials = Trials()
        for letters, each in took.items():
            trials.add(letters, [each], letters.isupper())
        return trials

    def test_without_rescues_is_better_unless_a_tenth_slower(self):
        self.assertEqual(self.tried(a=108, B=100).best(), "a")
        self.assertEqual(self.tried(a=112, B=100).best(), "B")
        self.assertEqual(self.tried(A=112, B=100).best(), "B")

    def test_the_middle_of_all_trials_counts_and_the_last_of_rescues(self):
        trials = self.tried(A=100, b=90)
        trials.add("A", [60, 70], False)
        self.assertEqual((trials.ns("A"), trials.best(), trials.is_calm("A")), (70, "A", True))
        trials.add("A", [70], True)
        self.assertFalse(trials.is_calm("A"))


class MatchTest(unittest.TestCase):
    def after(self, *ratios):
        match = Match()
        for ratio in ratios:
            match.add([ratio * 100] * 2, [100] * 2)
        return match

    def test_it_goes_on_while_turns_disagree(self):
        self.assertTrue(self.after(0.9, 0.9).is_open())
        self.assertFalse(self.after(0.9, 0.95, 0.8).is_open())
        self.assertTrue(self.after(0.9, 1.1, 0.9).is_open())
        self.assertFalse(self.after(*[0.9, 1.1] * MOST_TURNS).is_open())

    def test_one_slow_turn_decides_nothing(self):
        self.assertEqual(self.after(0.9, 5.0, 0.95).ratio(), 0.95)


class PlayedTuner(tuner.Tuner):
    """Searches as ever; what steps take is made up: milliseconds of a policy's trial by its number, and whether it had rescues."""

    def __init__(self, folder, profile, limit, made_up):
        super().__init__(None, folder, lambda *_: None, lambda: False)
        self.profile, self.limit, self.made_up, self.tried = profile, limit, made_up, []

    def _now(self):
        return {"step": len(self.tried), "limit": self.limit, "rescues": 0, "swap": True}

    def _tell(self, letters):
        self._told = letters

    def _trial(self, letters, *_):
        ms, rescued = self.made_up(letters, self.tried.count(letters))
        self.tried.append(letters)
        return [ms * 1e6] * 2, rescued

    def _watch(self, profile, found, took=None):
        return found["letters"]


class DecisionTest(unittest.TestCase):
    """What is kept for the next start is no slower than recomputing everything."""

    FULL = "R" * 6

    def setUp(self):
        layers = [measured.Layer("l%d" % i, 10**7, 2 * 10**7, 16 * MIB, MIB, 10**8, 10**8, 4, "KSR") for i in range(6)]
        self.profile = measured.Profile(layers, 0, 0, 0, 32 * MIB, 0)

    def settled(self, made_up, share=0.7):
        """(letters that are kept, all trials)."""
        with tempfile.TemporaryDirectory() as folder:
            limit = int(self.profile.kept_peak() * share)
            played = PlayedTuner(folder, self.profile, limit, made_up)
            letters = played._settle(self.profile)
            self.assertEqual(kept.load(folder, self.profile.names, limit)["letters"], letters)
            return letters, played.tried

    def test_recomputing_everything_is_kept_where_it_is_faster_than_predicted(self):
        letters, _ = self.settled(lambda letters, _: (200 if letters == self.FULL else 220, False))
        self.assertEqual(letters, self.FULL)

    def test_a_lucky_first_trial_counts_for_nothing(self):
        letters, _ = self.settled(lambda letters, times: (200 if letters == self.FULL else 220 if times else 100, False))
        self.assertEqual(letters, self.FULL)

    def test_what_is_faster_is_kept_though_the_machine_slows_down_meanwhile(self):
        count = itertools.count()
        letters, tried = self.settled(lambda letters, _: ((200 if letters == self.FULL else 180) * (1 + next(count) // 2 / 20), False))
        self.assertNotEqual(letters, self.FULL)
        self.assertGreaterEqual(tried.count(self.FULL), 4)

    def test_it_is_tried_as_often_as_the_best(self):
        draw = random.Random(5)
        letters, tried = self.settled(lambda letters, _: (draw.randint(150, 250), False))
        self.assertGreaterEqual(tried.count(self.FULL), 4)
        match = tried[-2 * (tried.count(self.FULL) - 1) :]  # it was tried once before
        self.assertEqual((len(set(match)), match.count(self.FULL) * 2), (2, len(match)))

    def test_one_that_was_a_little_slower_than_two_others_at_first_is_tried_again(self):
        """Before it had learnt when to ask for what is away."""
        self.profile = self.profile._replace(layers=[layer._replace(copy_out=3 * 10**7, copy_in=3 * 10**7) for layer in self.profile.layers])
        predicted = []

        def made_up(letters, times):
            if letters not in predicted:
                predicted.append(letters)
            return (180 if times else 230) if letters == predicted[0] else 300 if letters == self.FULL else 200 + predicted.index(letters), False

        letters, tried = self.settled(made_up)
        self.assertGreater(len(set(tried) - {self.FULL}), 2)
        self.assertEqual(letters, predicted[0])

    def test_of_two_that_took_about_the_same_the_faster_by_turns_is_kept(self):
        """The better prediction had a slow first trial, the other a lucky one."""
        predicted = []

        def made_up(letters, times):
            if letters not in predicted:
                predicted.append(letters)
            place = predicted.index(letters)
            return (190 if times else 220) if place == 0 else (200 if times else 170) if place == 1 else 300, False

        letters, tried = self.settled(made_up)
        self.assertEqual(letters, predicted[0])
        self.assertGreaterEqual(tried.count(predicted[1]), 1 + LEAST_TURNS)

    def test_with_rescues_it_has_to_be_a_tenth_faster(self):
        letters, _ = self.settled(lambda letters, _: (200, True) if letters == self.FULL else (215, False))
        self.assertNotEqual(letters, self.FULL)
        letters, _ = self.settled(lambda letters, _: (200, True) if letters == self.FULL else (225, False))
        self.assertEqual(letters, self.FULL)

    def test_it_is_no_candidate_where_there_is_no_room_to_compute_a_layer_again(self):
        layers = [*self.profile.layers[:5], self.profile.layers[5]._replace(saved=96 * MIB)]
        large = self.profile._replace(layers=layers, limit=160 * MIB)
        self.assertEqual(tuner.Tuner._full(large), self.FULL)
        self.assertIsNone(tuner.Tuner._full(large._replace(limit=120 * MIB)))

    def test_where_everything_stays_nothing_is_computed_again(self):
        letters, tried = self.settled(lambda *_: (100, False), 1.4)
        self.assertEqual((letters, self.FULL in tried), ("K" * 6, False))


class PressureTest(unittest.TestCase):
    @staticmethod
    def told(*windows):
        """What is said of each window, ten steps with so many rescues."""
        pressure, rescues, said = Pressure({"step": 100, "rescues": 7}), 7, []
        for number, more in enumerate(windows, 1):
            rescues += more
            said.append(pressure.lasts({"step": 100 + 10 * number, "rescues": rescues}))
        return said

    def test_rescues_of_the_first_window_are_no_reason_for_another_search(self):
        self.assertEqual(self.told(40, 0, 0), [False] * 3)

    def test_those_that_go_on_are(self):
        self.assertEqual(self.told(40, 5), [False, True])

    def test_nor_are_a_few(self):
        self.assertEqual(self.told(4, 4, 4), [False] * 3)

    def test_nothing_is_said_within_a_window(self):
        pressure = Pressure({"step": 100, "rescues": 0})
        self.assertEqual([pressure.lasts({"step": step, "rescues": 1000}) for step in (101, 109, 110, 119)], [False] * 4)
        self.assertTrue(pressure.lasts({"step": 120, "rescues": 2000}))


class PlayedAgent:
    """Answers as an agent does whose layers take what a profile says; a step ends every few milliseconds."""

    def __init__(self, path, profile, limit):
        self.profile, self.limit = profile, limit
        self.letters, self.told, self.rescues, self.swap = None, [], 0, "on"
        self.began, self.listener = time.monotonic(), socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(1)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        try:
            client, _ = self.listener.accept()
            with client, client.makefile("rw", newline="\n") as lines:
                for line in lines:
                    lines.write(self._reply(line.split()) + "\n")
                    lines.flush()
        except OSError:
            pass

    def _reply(self, words):
        given = dict(word.split("=", 1) for word in words[1:])
        first, layers = int(given.get("first", 0)), self.profile.layers
        if words[0] == "get":
            step = int((time.monotonic() - self.began) / 0.005)
            return "ok step=%d limit_bytes=%d rescues=%d swap=%s" % (step, self.limit, self.rescues, self.swap)
        if words[0] == "profile":
            told = "".join(" layer.%d=%s" % (i, ":".join(map(str, layer))) for i, layer in enumerate(layers) if i >= first)
            return ("ok first=%d measuring=no step_ns=%d peak_allocated_bytes=0 limit_bytes=%d other_bytes=%d link_bytes_per_second=%d%s"
                    " next=%d more=no") % (first, self.profile.step_ns, self.limit, self.profile.other, self.profile.link, told, len(layers))  # fmt: skip
        if words[0] == "layers":
            asked = self.letters or "K" * len(layers)
            told = "".join(" layer.%d=l:0:0:0:0:%s:%s:-" % (i, asked[i], asked[i]) for i in range(first, len(layers)))
            return "ok first=%d policy=%s%s next=%d more=no" % (first, "on" if self.letters else "off", told, len(layers))
        before, self.letters = self.letters, given["kinds"]
        self.told.append(given["kinds"])
        return "ok layers=%d before=%s" % (len(layers), before or "off")


class TunerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.said, self.over = folder.name, [], threading.Event()
        for name, value in (("TRIAL_S", 0.02), ("WATCH_S", 0.05)):
            self.addCleanup(setattr, tuner, name, getattr(tuner, name))
            setattr(tuner, name, value)
        self.profile = some_profile(7, 5)

    def start(self, share):
        path = os.path.join(self.folder, "%d.sock" % len(os.listdir(self.folder)))
        played = PlayedAgent(path, self.profile, int(self.profile.kept_peak() * share))
        self.addCleanup(played.listener.close)
        agent = Agent(path)
        thread = threading.Thread(
            target=tuner.Tuner(agent, os.path.join(self.folder, "kept"), lambda key, facts: self.said.append((key, facts)), self.over.is_set).run
        )
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.over.set)
        return played

    def wait(self, key):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            for said, facts in list(self.said):
                if said == key:
                    return facts
            time.sleep(0.01)
        self.fail("never said %s, but %s" % (key, self.said))

    def test_the_best_prediction_is_tried_told_and_kept(self):
        played = self.start(0.7)
        letters = self.wait("found")["letters"]
        self.assertEqual(played.letters, letters)
        limit = measured.Profile(*self.profile)._replace(limit=played.limit).plannable()
        self.assertIn(fastest(self.profile, limit)[0][0], played.told)
        self.assertEqual(kept.load(os.path.join(self.folder, "kept"), self.profile.names, played.limit)["letters"], letters)

    def test_what_was_kept_holds_at_once_at_the_next_start(self):
        first = self.start(0.7)
        letters = self.wait("found")["letters"]
        second = self.start(0.7)
        self.assertEqual(self.wait("reused")["letters"], letters)
        self.assertEqual(second.told, [letters])
        self.assertEqual(first.letters, letters)

    def test_rescues_make_it_search_again_with_more_to_spare(self):
        played = self.start(0.7)
        self.wait("found")
        while not any(said == "again" for said, _ in list(self.said)):
            played.rescues += 3  # in every window: those of the first are no fault of the policy
            time.sleep(0.01)
        self.assertEqual(self.wait("again")["why"], "pressure")

    def test_a_policy_set_by_hand_stays(self):
        played = self.start(0.7)
        self.wait("found")
        played.letters = "KKKKK"
        self.wait("taken")
        self.assertEqual(played.letters, "KKKKK")

    def test_with_swapping_switched_off_nothing_is_swapped(self):
        self.profile = self.profile._replace(layers=[layer._replace(can="KSR", input=0) for layer in self.profile.layers])
        played = self.start(0.7)
        played.swap = "off"
        self.wait("found")
        self.assertNotIn("S", played.letters)


class WordsTest(unittest.TestCase):
    def test_the_switch_turns_swapping_on_unless_it_was_said(self):
        self.assertEqual(read(["--adaptive", "--", "train"]), ({"LACUNA_ADAPTIVE": "on", "LACUNA_SWAP": "on"}, ["train"]))
        self.assertEqual(read(["--adaptive", "--swap", "off", "train"])[0], {"LACUNA_ADAPTIVE": "on", "LACUNA_SWAP": "off"})

    def test_mindspeeds_own_switch_means_the_same_and_goes(self):
        words = ["torchrun", "pretrain.py", "--adaptive-memory-optimization", "--bf16"]
        settings, command = adaptive({}, words)
        self.assertEqual((settings["LACUNA_ADAPTIVE"], command), ("on", ["torchrun", "pretrain.py", "--bf16"]))
        self.assertEqual(adaptive({"LACUNA_ADAPTIVE": "off"}, words), ({"LACUNA_ADAPTIVE": "off"}, words))

    def test_a_policy_is_said_in_rows(self):
        self.assertEqual(runs("KKKSSRK"), "3K 2S R K")

    def test_both_languages_say_the_same_things(self):
        self.assertEqual(set(WORDS["en"]), set(WORDS["zh"]))

    def test_nobody_there_is_gone(self):
        with self.assertRaises(Gone):
            Agent("/nonexistent/agent.sock").ask("get")


if __name__ == "__main__":
    unittest.main()
