"""Rules that choose for each saved tensor: trainings under a cap that they do not fit end with the same bits, within it."""

import watcher
from case import nightly
from policy_cases import Layers
from swap_cases import WORKLOADS, bits

CAPS = {"gpt": "158MiB", "resnet": "66MiB"}
STEPS = 14
SLOW, FAST = "200MB/s", "2GB/s"


class Rules(Layers):
    def ends_within(self, model, rule, link):
        """The most that was dropped to be computed again, while a training goes on under its cap."""
        wanted = self.whole(model, STEPS)
        self.process = self.start_under(
            [WORKLOADS, model, str(STEPS), "--hold"], ("--capacity", CAPS[model], "--swap", "on", "--link", link), LACUNA_SWAP_RULE=rule
        )
        self.step(STEPS - 1)
        (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"))
        self.control = watcher.Control(socket)  # not before: who says nothing for a minute is let go, and steps may take longer
        self.addCleanup(self.control.close)
        told = watcher.values(self.control.ask("get"))
        report = self.end()
        self.assertEqual(bits(report), wanted)
        self.assertLessEqual(report["memory"]["peak"], int(CAPS[model][:-3]) << 20)
        self.assertGreater(report["memory"]["rescues"], 0)  # the cap was one
        self.assertEqual(told["rule"], rule)
        return told["dropped_bytes"]

    @nightly("by day DTR trains a ResNet")
    def test_dtr_computes_again_where_the_link_is_slow(self):
        self.assertGreater(self.ends_within("gpt", "dtr", SLOW), 50 << 20)

    @nightly("by day DTR does, and Capuchin takes turns with letters")
    def test_capuchin_computes_again_where_no_copy_hides(self):
        self.assertGreater(self.ends_within("gpt", "capuchin", SLOW), 50 << 20)

    def test_dtr_trains_a_resnet(self):
        self.ends_within("resnet", "dtr", FAST)

    @nightly("by day DTR trains it")
    def test_capuchin_trains_a_resnet(self):
        self.ends_within("resnet", "capuchin", SLOW)

    @nightly("by day a rule holds from the start")
    def test_rules_take_turns_with_letters_in_a_process_that_runs(self):
        wanted = self.whole("gpt", 16)
        self.hold("gpt", 16, ("--swap", "on"))
        self.step()
        told = watcher.values(self.control.ask("get"))
        self.assertEqual((told["rule"], told["rules"]), ("none", "dtr,capuchin"))
        letters = self.allowed(self.profile(), "SKR")
        self.tell(letters)
        self.step(2)
        self.assertEqual(self.tell("dtr"), letters)
        self.step(2)
        self.assertIn(" policy=off rule=dtr ", self.control.ask("layers"))
        self.assertEqual(self.tell("capuchin"), "dtr")
        self.step(1)
        self.assertEqual(self.tell(letters), "capuchin")
        self.assertIn("error code=bad-request", self.control.ask("policy kinds=unheard-of"))
        self.assertEqual(bits(self.end()), wanted)

    def test_a_rule_needs_swapping(self):
        self.hold("gpt", 4)
        self.step()  # the rules are known from the first forward on
        self.assertIn("error code=swap-off", self.control.ask("policy kinds=dtr"))
        self.end()
