"""Layers are measured, and told to keep, swap or recompute while they train: to the same bits."""

import json
import os
import random
import signal
import subprocess
import sys

import watcher
from case import HERE, LIMIT_SECONDS, Case, environment, nightly
from swap_cases import WORKLOADS, bits

MIB = 1 << 20


def layers_of(reply):
    """(name, parts after it) of each layer in one reply."""
    words = [word.partition("=")[2].split(":") for word in reply.split() if word.startswith("layer.")]
    return [(word[0], word[1:]) for word in words]


class Layers(Case):
    """A training that waits before each step, and a client that talks to it in between."""

    limit_seconds = 240
    wholes = {}

    def whole(self, model, steps, arguments=()):
        """Losses and weights of the training without an agent."""
        key = (model, steps, *arguments)
        if key not in self.wholes:
            self.wholes[key] = bits(self.result(self.run_plain([WORKLOADS, model, str(steps), *arguments])))
        return self.wholes[key]

    def hold(self, model, steps, options=(), arguments=()):
        self.process = self.start_under([WORKLOADS, model, str(steps), "--hold", *arguments], ("--capacity", "2GiB", *options))
        self.step()
        (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"))
        self.control = watcher.Control(socket)
        self.addCleanup(self.control.close)

    def step(self, count=1):
        """Lets this many steps begin, and waits for the end of those before."""
        for _ in range(count):
            self.assertTrue(self.process.stdout.readline().startswith("step "))
            self.process.stdin.write("\n")
            self.process.stdin.flush()

    def end(self):
        out, err = self.process.communicate("\n" * 100, timeout=self.limit_seconds)
        self.assertEqual((self.process.returncode, err), (0, ""))
        return json.loads(out.splitlines()[-1])

    def all_layers(self, verb):
        found, more = [], True
        while more:
            reply = self.control.ask("%s first=%d" % (verb, len(found)))
            self.assertTrue(reply.startswith("ok "), reply)
            found += layers_of(reply)
            more = " more=yes" in reply
        return found

    def profile(self):
        """Asks for one, lets the steps run that it takes, and gives its layers."""
        self.assertIn(" measuring=yes ", self.control.ask("profile"))
        steps = 0
        while " measuring=yes " in self.control.ask("profile"):
            self.step()
            steps += 1
            self.assertLess(steps, 12)
        return self.all_layers("profile")

    def tell(self, kinds):
        reply = self.control.ask("policy by=test kinds=" + kinds)
        self.assertTrue(reply.startswith("ok layers="), reply)
        return watcher.values(reply)["before"]

    def allowed(self, layers, kinds):
        """The kinds in turn, K where a layer cannot."""
        turns = [kinds[number % len(kinds)] for number in range(len(layers))]
        return "".join(kind if kind in parts[-1] else "K" for kind, (_, parts) in zip(turns, layers))

    def peak_of_last_step(self):
        return self.telemetry().device("last_step_peak_allocated_bytes")


class Profiles(Layers):
    def test_a_profile_says_what_each_layer_takes_and_keeps(self):
        wanted = self.whole("gpt", 12)
        self.hold("gpt", 12)
        layers = dict(self.profile())
        reply = watcher.values(self.control.ask("profile"))
        self.assertEqual(bits(self.end()), wanted)
        saved = 0
        for number in range(8):
            forward, backward, kept, given, _, _, steps, can = layers["blocks.%d" % number]
            self.assertGreater(int(forward), 0)
            self.assertGreater(int(backward), 0)
            self.assertEqual((int(given), int(steps), can), (16 * 128 * 128 * 4, 4, "KSR"))
            saved += int(kept)
        # What blocks keep for backward is most of the peak, and the other part is what it says.
        self.assertGreater(saved, reply["peak_allocated_bytes"] // 2)
        self.assertLess(saved + reply["other_bytes"], reply["peak_allocated_bytes"] * 1.01)
        self.assertGreater(reply["other_bytes"], 0)
        self.assertGreater(reply["link_bytes_per_second"], 0)
        taken = sum(int(parts[0]) + int(parts[1]) for parts in layers.values())
        self.assertLess(taken, reply["step_ns"])
        self.assertEqual(layers["Gpt"][-1], "KS")

    def kept(self, told="", options=()):
        """(bytes that the step would hold with everything kept, those beside what layers save, the peak as it ran), profiled
        while this policy is in force."""
        self.hold("gpt", 20, options)
        if told:
            letters = self.allowed(self.profile(), told)
            self.tell(letters)
            self.step(3)
            self.assertIn(" measuring=yes ", self.control.ask("profile fresh=yes"))
        saved = sum(int(parts[2]) for _, parts in self.profile())
        reply = watcher.values(self.control.ask("profile"))
        self.end()
        return saved + reply["other_bytes"], reply["other_bytes"], reply["peak_allocated_bytes"]

    @nightly("by day a profile says what each layer keeps")
    def test_a_profile_tells_of_keeping_everything_whatever_was_away(self):
        whole, beside, peak = self.kept()
        self.assertEqual(whole, peak)
        short = "%dMiB" % (peak * 0.6 // MIB)
        less = ("--capacity", "%dMiB" % (peak * 0.88 // MIB))  # where there is room nobody waits for late copies
        cases = [("SKR", ("--swap", "on")), ("", ("--capacity", short, "--swap", "on"))]
        cases += [("", (*less, "--swap", "all")), ("S", (*less, "--swap", "on")), ("R", ())]
        for told, options in cases:
            with self.subTest(told=told, options=options):
                again, other, ran = self.kept(told, options)
                self.assertLess(ran, 0.9 * peak)
                self.assertAlmostEqual(again, whole, delta=0.04 * whole)
                self.assertAlmostEqual(other, beside, delta=0.04 * whole)

    def test_copies_are_measured_where_layers_swap(self):
        self.hold("resnet", 12, ("--swap", "all", "--link", "4GB/s"))
        layers = dict(self.profile())
        reply = watcher.values(self.control.ask("profile"))
        self.end()
        out, back = int(layers["blocks.0"][4]), int(layers["blocks.0"][5])
        at_rate = int(layers["blocks.0"][2]) / 4e9 * 1e9
        self.assertGreaterEqual(out, at_rate * 0.99)
        self.assertGreaterEqual(back, at_rate * 0.99)
        self.assertLessEqual(reply["link_bytes_per_second"], 4.01e9)

    @nightly("by day a profile says what each layer keeps")
    def test_several_micro_batches_keep_more_at_a_time(self):
        self.hold("resnet", 12, (), ("--micro", "3"))
        several = dict(self.profile())
        self.end()
        block = 4 * 24 * 16 * 64 * 64 * 4  # four results of a block, bytes of a micro-batch
        self.assertGreaterEqual(int(several["blocks.0"][2]), 3 * block)


class Policies(Layers):
    def follows(self, model, kinds, options=(), arguments=(), less=0.9):
        """A policy told while it trains changes memory and no bit."""
        steps = 20
        whole = self.whole(model, steps, arguments)
        self.hold(model, steps, options, arguments)
        letters = self.allowed(self.profile(), kinds)
        before = self.peak_of_last_step()
        if "S" in kinds:
            self.assertTrue(self.control.ask("set swap=on by=test").startswith("ok "))
        self.assertEqual(self.tell(letters), "off")
        self.step(3)
        after = self.peak_of_last_step()
        for _ in range(8):  # where there is room, a machine that copies late shows it in the peak
            if after < before * less:
                break
            self.step()
            after = self.peak_of_last_step()
        places = self.all_layers("layers")
        self.assertEqual("".join(parts[4] for _, parts in places), letters)
        self.assertEqual("".join(parts[5] for _, parts in places), letters)
        done = self.end()
        self.assertEqual(bits(done), whole)
        self.assertLess(after, before * less)
        return letters, done

    @nightly("by day layers are recomputed under limits that do not change")
    def test_a_layer_that_fits_only_once_is_recomputed_under_the_limit_that_wants_it(self):
        steps = 22
        whole = self.whole("resnet", steps)
        self.hold("resnet", steps, ("--swap", "on"))
        layers = self.profile()
        self.assertTrue(self.control.ask("set fraction=%.4f force=yes by=test" % (64 * MIB / (2 << 30))).startswith("ok "))
        self.step(3)  # of rescues
        largest = max(range(len(layers)), key=lambda number: int(layers[number][1][2]))
        self.assertGreater(2 * int(layers[largest][1][2]), 64 * MIB * 3 // 4)
        self.tell("".join("R" if number == largest else "K" for number in range(len(layers))))
        self.step(4)
        self.assertEqual(self.all_layers("layers")[largest][1][5], "R")
        self.assertEqual(self.telemetry().device("ooms"), 0)
        self.assertEqual(bits(self.end()), whole)

    @nightly("a minute; by day resnet is recomputed")
    def test_gpt_recomputed(self):
        letters, done = self.follows("gpt", "R", less=0.35)
        self.assertEqual(letters.count("R"), 11)
        self.assertEqual(done["memory"]["swapped_out_bytes"], 0)

    @nightly("two minutes; by day resnet is mixed")
    def test_gpt_mixed_without_the_optimisation(self):
        self.follows("gpt", "KRS", ("--optimisation", "off"), less=0.8)

    def test_resnet_mixed_keeps_its_statistics(self):
        self.follows("resnet", "RSKR", less=0.9)

    @nightly("by day resnet is mixed")
    def test_resnet_recomputed_in_micro_batches(self):
        letters, _ = self.follows("resnet", "R", (), ("--micro", "3"), less=0.8)
        self.assertIn("R", letters)

    @nightly("by day plans are told to a training while clients die (scripts/test-live-plans.py)")
    def test_many_policies_in_one_training_while_clients_die(self):
        turns = 30
        steps = turns + 15  # and those that a profile takes
        whole = self.whole("resnet", steps)
        self.hold("resnet", steps, ("--swap", "on"))
        layers, dice = self.profile(), random.Random(5)
        for turn in range(turns):
            letters = self.allowed(layers, "".join(dice.choice("KSR") for _ in layers))
            client = self.start_client()
            if turn % 7 == 6:
                letters = "off"
            self.tell(letters)
            self.assertEqual(self.tell(letters), letters)
            if turn % 10 == 5:
                self.control.ask("profile fresh=yes")
            self.step()
            os.kill(client.pid, signal.SIGKILL)
            client.wait()
        self.assertEqual(bits(self.end()), whole)

    def start_client(self):
        """Somebody who looks at layers and tells nonsense, until he is killed in the middle of it."""
        text = (
            "import sys, watcher\nc = watcher.Control(watcher.files(sys.argv[1], '.sock')[0])\n"
            "while True:\n c.ask('layers'); c.ask('profile'); c.ask('policy first=0 kinds=XX')"
        )
        return subprocess.Popen(
            [sys.executable, "-c", text, self.directory], env=environment(self.directory, PYTHONPATH=HERE),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def counted_step(self):
        """The counters between two steps; then lets the next begin."""
        self.assertTrue(self.process.stdout.readline().startswith("step "))
        telemetry = self.telemetry()
        counters = {name: telemetry.device(name) for name in ("swapped_out_bytes", "rescued_bytes")}
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return counters

    @nightly("by day rescues are tried without policies")
    def test_what_is_kept_moves_for_rescues_alone(self):
        steps = 24
        whole = self.whole("resnet", steps)
        self.hold("resnet", steps, ("--swap", "on"))
        layers = self.profile()
        cap = 0.7 * self.peak_of_last_step() / (2 << 30)
        self.assertTrue(self.control.ask("set fraction=%.4f force=yes by=test" % cap).startswith("ok "))
        self.step(3)  # rescues, after which as much is sent ahead of need
        self.tell("K" * len(layers))
        self.step(2)
        first = self.counted_step()
        self.step(3)
        last = self.counted_step()
        moved, rescued = (last[name] - first[name] for name in first)
        self.assertGreater(rescued, 0)
        self.assertLessEqual(moved, rescued)
        self.assertEqual({parts[5] for _, parts in self.all_layers("layers")}, {"K"})
        self.assertEqual(bits(self.end()), whole)

    def test_undo_is_the_policy_before(self):
        self.hold("resnet", 14)
        layers = self.profile()
        first = self.allowed(layers, "RK")
        self.tell(first)
        before = self.tell(self.allowed(layers, "KR"))
        self.assertEqual(before, first)
        self.tell(before)
        self.assertEqual(self.tell("off"), first)
        self.step(2)
        self.assertEqual({parts[5] for _, parts in self.all_layers("layers")}, {"K"})
        self.end()

    def test_swapping_needs_to_be_on(self):
        self.hold("resnet", 12)
        layers = self.profile()
        self.assertIn("code=swap-off", self.control.ask("policy kinds=" + "S" * len(layers)))
        self.assertIn("code=cannot", self.control.ask("policy kinds=R"))
        self.assertIn("policy=off", self.control.ask("layers"))
        self.end()


class Refusals(Case):
    """Layers that cannot be computed again safely stay as they are, and say so."""

    def train(self, *words):
        script = os.path.join(HERE, "odd_layers.py")
        done = self.run_under([script, *words], ("--capacity", "1GiB"))
        self.assertEqual(done.stderr, "")
        return self.result(done)

    def plainly(self, script, *words):
        """Without an agent."""
        package = os.path.join(os.path.dirname(os.path.dirname(HERE)), "python")
        return self.result(subprocess.run(
            [sys.executable, os.path.join(HERE, script), *words], env=environment("", PYTHONPATH=package, LACUNA_DIR=""),
            timeout=LIMIT_SECONDS, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        ))  # fmt: skip

    def test_what_cannot_be_recomputed_stays(self):
        whole, told = self.plainly("odd_layers.py")["bits"], self.train()
        self.assertEqual(told["bits"], whole)
        self.assertEqual(self.train("look")["bits"], whole)
        does = told["does"]
        recomputed = {"Plain", "Statistics", "ChangingBuffer", "Shared", "Named"}
        self.assertEqual({kind for kind, what in does.items() if what == "KSR:R"}, recomputed)
        self.assertEqual({what for kind, what in does.items() if kind not in recomputed}, {"KS:K"})
        self.assertEqual(len(does), 26)
        self.assertEqual(self.train("tight"), told)

    def test_a_trial_that_runs_out_of_memory_is_not_made_each_step(self):
        told = self.train("crowded")
        self.assertEqual(told["bits"], self.plainly("odd_layers.py")["bits"])
        self.assertGreater(len(told["tried"]), 0)
        self.assertEqual(sorted(told["tried"]), sorted(set(told["tried"])))

    def test_what_changes_between_forward_and_backward_is_as_it_was_or_an_error(self):
        whole = self.plainly("changing_layers.py")
        done = self.run_under([os.path.join(HERE, "changing_layers.py")], ("--capacity", "1GiB"))
        told = self.result(done)
        self.assertEqual(told["losses"], whole["losses"])
        self.assertEqual(set(told["does"].values()), {"R"})
        self.assertEqual(set(whole["errors"].values()), {""})
        for kind, name in (
            ("WeightWritten", "weight inside.weight"), ("WeightReplaced", "weight inside.weight"), ("BufferWritten", "buffer scale"),
            ("AttributeWritten", "tensor plain"), ("LargeWritten", "tensor plain"), ("InputWritten", "input 0"),
        ):  # fmt: skip
            self.assertRegex(told["errors"].pop(kind), "lacuna: layer blocks.[0-9]+ was .* its %s was changed" % name)
        self.assertEqual(told["errors"], {})

    def test_nothing_is_recomputed_once_threads_train_side_by_side(self):
        whole, told = self.plainly("odd_layers.py", "beside")["bits"], self.train("beside")
        self.assertEqual(told["bits"], whole)
        self.assertEqual(set(told["does"].values()), {"KS:K:threads"})

    def test_children_copies_and_a_second_backward(self):
        told = self.train("again")
        self.assertTrue(told["same"])
        self.assertEqual(set(told["does"].values()), {"KSR:R"})
