"""Rules that choose for each saved tensor, without PyTorch: what goes first, and how, on offers that are made up."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "python"))

from lacuna.run.command import read  # noqa: E402
from lacuna.swap.rules import RULES  # noqa: E402
from lacuna.swap.rules.capuchin import Capuchin, Plan  # noqa: E402
from lacuna.swap.rules.dtr import Dtr  # noqa: E402
from lacuna.swap.rules.offer import Candidate, LayerCall, Offer, Seen  # noqa: E402

MS = 10**6


class Entry:
    """What a candidate is made of."""

    def __init__(self, key, size, accessed=0):
        self.key, self.bytes, self.accessed_ns = key, size, accessed


def candidate(key, size, accessed=0, layer=None):
    if layer is not None:
        layer.bytes += size
    return Candidate(Entry(key, size, accessed), layer)


def done(rule, offer, host=10**9):
    """[(key, letter)] as a chooser would do it."""
    gone = []
    for each, letter in rule.layer_over(offer):
        if letter == "S" and host < each.bytes:
            offer.can_swap = False
            continue
        if letter == "S":
            host -= each.bytes
        else:
            each.layer.dropped = True
        offer.room += each.bytes
        gone.append((each.key, letter))
    return gone


class DtrTest(unittest.TestCase):
    def rule(self, needed):
        """One that has learned that so many bytes must be free at the end of the second layer."""
        rule = Dtr()
        done(rule, Offer(1, [], 0, 0, 0, 0, 1))
        done(rule, Offer(2, [], 0, 0, 0, 0, 1))
        done(rule, Offer(1, [], 0, needed, 0, 0, 1))
        return rule

    def test_nothing_goes_as_long_as_nothing_was_missing(self):
        self.assertEqual(done(Dtr(), Offer(1, [candidate("a", 10)], 0, 0, 0, 100, 1)), [])

    def test_where_it_was_missing_it_is_free_the_next_time_and_elsewhere_not(self):
        rule = self.rule(20)
        self.assertEqual(done(rule, Offer(1, [candidate("a", 10)], 0, 0, 0, 100, 1)), [])
        self.assertEqual(done(rule, Offer(2, [candidate("a", 10), candidate("b", 15)], 5, 0, 0, 100, 1)), [("a", "S"), ("b", "S")])
        self.assertEqual(done(rule, Offer(2, [candidate("a", 10)], 20, 0, 0, 100, 1)), [])

    def test_the_least_cost_over_size_and_staleness_goes_first(self):
        old, big = candidate("old", 10, accessed=0), candidate("big", 40, accessed=90)
        cheap = candidate("cheap", 10, accessed=90, layer=LayerCall("l", 1, True))  # of what is dropped already: costs nothing
        self.assertEqual(done(self.rule(1), Offer(2, [big, old, cheap], 0, 0, 0, 100, 1)), [("cheap", "R")])
        self.assertEqual(done(self.rule(1), Offer(2, [big, old], 0, 0, 0, 100, 1)), [("old", "S")])

    def test_it_takes_the_way_back_that_costs_less(self):
        for forward, letter in ((100, "S"), (10, "R")):
            layer = LayerCall("l", forward, False)
            self.assertEqual(done(self.rule(1), Offer(2, [candidate("a", 20, 0, layer)], 0, 0, 0, 100, 1)), [("a", letter)])

    def test_a_full_host_leaves_what_can_be_computed_again(self):
        layer = LayerCall("l", 10**6, False)
        offer = Offer(2, [candidate("a", 20), candidate("b", 20, 0, layer)], 0, 0, 0, 100, 1)
        self.assertEqual(done(self.rule(40), offer, host=0), [("b", "R")])

    def test_calm_steps_with_memory_to_spare_ask_for_less(self):
        rule = self.rule(64)
        rule.step_over(0, 1, True)
        self.assertEqual(done(rule, Offer(2, [candidate("a", 10)], 56, 0, 0, 100, 1)), [])
        self.assertEqual(done(rule, Offer(2, [candidate("a", 10)], 55, 0, 0, 100, 1)), [("a", "S")])


class CapuchinTest(unittest.TestCase):
    SEEN = {  # saved, wanted, bytes; a byte takes a millisecond to copy
        "first": Seen(0, 1000 * MS, 100, "one"), "second": Seen(50 * MS, 900 * MS, 100, "one"), "last": Seen(400 * MS, 410 * MS, 100, "two"),
    }  # fmt: skip

    def plan(self, missing, layers=(), forward=()):
        return Plan(self.SEEN, dict(layers), dict(forward), lambda size: size * MS).of(missing)

    def test_what_hides_best_leaves_first_and_no_more_than_is_missing(self):
        self.assertEqual(self.plan(0), {})
        self.assertEqual(self.plan(100), {"first": "S"})
        self.assertEqual(self.plan(101), {"first": "S", "second": "S"})

    def test_copies_that_were_chosen_count_for_others(self):
        plan = Plan({"a": Seen(0, 300 * MS, 100, "l"), "b": Seen(0, 300 * MS, 100, "l")}, {}, {}, lambda size: size * MS)
        self.assertEqual(plan.exposed(["a"]), 0)
        self.assertEqual(plan.exposed(["a", "b"]), 100 * MS)

    def test_what_no_copy_hides_is_computed_again_where_that_costs_less(self):
        layers = [("last", "two")]
        self.assertEqual(self.plan(300, layers, {"two": 10 * MS}), {"first": "S", "second": "S", "last": "R"})
        self.assertEqual(self.plan(300, layers, {"two": 10**5 * MS}), {"first": "S", "second": "S", "last": "S"})

    def test_computing_again_takes_the_layer_that_frees_most_a_second(self):
        seen = {key: Seen(0, 1, size, key) for key, size in (("small", 10), ("large", 100))}
        layers = {"small": "s", "large": "l"}
        self.assertEqual(Plan(seen, layers, {"s": MS, "l": MS}, lambda size: size * MS).of(1), {"large": "R"})

    def test_it_looks_first_and_follows_its_plan_then(self):
        rule = Capuchin()
        self.assertTrue(rule.looking)
        rule.ran(self.SEEN)
        offer = [candidate("first", 100), candidate("last", 100)]
        self.assertEqual(done(rule, Offer(1, offer, 0, 0, 100, 0, MS)), [])
        rule.step_over(50, 0, False)
        self.assertFalse(rule.looking)
        self.assertEqual(done(rule, Offer(1, offer, 0, 0, 0, 0, MS)), [("first", "S")])
        self.assertEqual(done(rule, Offer(1, offer, 0, 0, 0, 0, MS), host=0), [])

    def test_it_plans_for_more_where_rescues_go_on_and_for_less_where_memory_is_to_spare(self):
        rule = Capuchin()
        rule.ran(self.SEEN)
        done(rule, Offer(1, [], 0, 0, 100, 0, MS))
        rule.step_over(50, 0, False)
        rule.step_over(1000, 0, False)
        self.assertEqual(rule.plan, {"first": "S", "second": "S"})
        rule.step_over(0, 1000, False)
        self.assertEqual(len(rule.plan), 2)
        rule.step_over(0, 40, True)
        self.assertEqual(rule.plan, {"first": "S"})


class WordsTest(unittest.TestCase):
    def test_a_rule_is_asked_for_by_the_flag_of_adaptive_memory(self):
        for name in RULES:
            settings, command = read(["--adaptive=" + name, "--", "train", "--adaptive-memory-optimization"])
            self.assertEqual((settings["LACUNA_SWAP_RULE"], settings["LACUNA_SWAP"], command), (name, "on", ["train"]))
            self.assertLess(len(name), 16)  # LACUNA_RULE_BYTES


if __name__ == "__main__":
    unittest.main()
