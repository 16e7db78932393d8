"""Rescues: trainings of all kinds live on 60 % of their peak, to the same bits, and what is saved outside of modules counts."""

import os
import re
import textwrap

import watcher
from case import LIMIT_SECONDS, NIGHTLY, Case, nightly
from rescue_runs import JOBS, MODELS, PLENTY, busy_neighbours, rescued, train
from swap_cases import Compared

RUNS = int(os.environ.get("LACUNA_RESCUE_RUNS") or (2 if NIGHTLY else 1))  # ./bench --only rescue has five
STEPS = 4
SHAPES = (False, True) if NIGHTLY else (False,)


class Rescue(Case):
    wholes = {}

    def whole(self, model, varying, seed):
        """The training where nothing is short."""
        key = model, varying, seed
        if key not in self.wholes:
            self.wholes[key] = train(model, STEPS, ("--capacity", PLENTY), varying, seed)
            self.assertEqual(self.wholes[key].status, 0, self.wholes[key].said)
        return self.wholes[key]

    def finish(self, model, share, varying):
        """How many of the runs finish at a share of their peak, and that all that finish have the bits of the plain ones."""
        finished = 0
        for seed in range(RUNS):
            whole = self.whole(model, varying, seed)
            done = rescued(whole, model, STEPS, share, varying, seed)
            if done.status == 0:
                self.assertEqual((done.said, done.bits), ("", whole.bits))
                self.assertGreater(done.result["memory"]["rescues"], 0)
                finished += 1
            else:
                self.assertIn("Swapping let go of", done.said)  # not less than a word
        return finished

    def test_all_kinds_finish_at_60_percent_beside_busy_neighbours(self):
        with busy_neighbours(2 if NIGHTLY else 0):
            for model in MODELS if NIGHTLY else ("cnn", "functional"):
                for varying in SHAPES:
                    with self.subTest(model=model, varying=varying):
                        self.assertEqual(self.finish(model, 0.6, varying), RUNS)

    @nightly("twenty-four trainings more, beside neighbours")
    def test_five_of_six_finish_at_50_percent(self):
        with busy_neighbours():
            for varying in SHAPES:
                whole = [model for model in MODELS if self.finish(model, 0.5, varying) == RUNS]
                self.assertGreaterEqual(len(whole), 5, whole)

    def test_swapping_that_is_asked_for_later_finds_a_model_without_modules_too(self):
        script = self.script(
            """
            import json, sys, torch, lacuna
            torch.manual_seed(1)
            weights = [torch.randn(256, 256).div_(16).requires_grad_() for _ in range(10)]
            optimizer = torch.optim.SGD(weights, 0.01)
            for step in range(4):
                y = x = torch.randn(2048, 256)
                for weight in weights:
                    y = torch.tanh(y @ weight)
                ((y - x) ** 2).mean().backward()
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
                print(lacuna.memory_stats("cpu")["allocated_bytes.all.peak"], lacuna.swap_stats("cpu")["rescues"], flush=True)
                sys.stdin.readline()
            """
        )
        process = self.start_under([script], ("--capacity", "256MiB"))
        peak, rescues = map(int, process.stdout.readline().split())
        (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"))
        control = watcher.Control(socket)
        for change in "swap=on", "fraction=%.6f" % (peak * 0.7 / (256 << 20)):
            reply = control.ask("set force=yes by=test " + change)
            self.assertTrue(reply.startswith("ok "), reply)
            process.stdin.write("\n")  # what is switched on within a step counts from its end on
            process.stdin.flush()
            process.stdout.readline()
        out, err = process.communicate("\n" * 10, timeout=LIMIT_SECONDS)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertGreater(int(out.splitlines()[-1].split()[1]), 0)
        control.close()

    def test_an_out_of_memory_says_what_was_tried_and_the_black_box_too(self):
        done = self.run_under([JOBS, "mlp", "2"], ("--capacity", "30MiB", "--swap", "on"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("Swapping let go of", done.stderr)
        self.assertRegex(done.stderr, r"It needs [0-9.]+ MiB here at least\.")
        box = self.telemetry()
        self.assertIn("Swapping let go of", box.text("oom_text"))

    def test_the_least_that_swapping_can_do_with_is_told_beforehand(self):
        script = self.script(
            """
            import sys, torch, lacuna
            sys.argv = ["x"]
            model = torch.nn.Sequential(*(torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.Tanh()) for _ in range(12)))
            optimizer = torch.optim.SGD(model.parameters(), 0.01)
            def train(steps):
                for step in range(steps):
                    model(torch.randn(4096, 256)).sum().backward()
                    optimizer.step()
                    optimizer.zero_grad(set_to_none=True)
            train(3)
            print(lacuna.memory_stats("cpu")["allocated_bytes.all.peak"], flush=True)
            sys.stdin.readline()
            train(2)
            """
        )
        process = self.start_under([script], ("--capacity", "512MiB", "--swap", "on"))
        peak = int(process.stdout.readline())
        (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"))
        control = watcher.Control(socket)
        least = int(watcher.values(control.ask("get"))["swap_least_bytes"])
        self.assertGreater(least, 0)
        self.assertLess(least, peak // 2)
        reply = control.ask("set force=yes by=test fraction=%.6f" % (least * 0.8 / (512 << 20)))
        self.assertEqual(int(watcher.values(reply)["swap_least_bytes"]), least)
        control.close()
        out, err = process.communicate("\n", timeout=LIMIT_SECONDS)
        self.assertEqual(process.returncode, 1)
        need = -(-least // (2 << 20)) * 2
        said = "lacuna: swapping cannot reach a cap of [0-9.]+ MiB: steps like the last one need %d MiB at least, whatever leaves" % need
        self.assertEqual(len(re.findall(said, err)), 1, err)
        self.assertIn("Swapping let go of", err)


class OutsideOfModules(Compared):
    HEAD = Compared.HEAD + textwrap.dedent(
        """
        import torch.nn.functional as F
        def rescues():
            import lacuna
            return lacuna.swap_stats("cpu")["rescues"]
        """
    )

    def both_on(self, text, capacity, said=""):
        """Prints the same in so little memory, where something was rescued."""
        path = self.script("")
        with open(path, "w") as file:
            file.write(self.HEAD + textwrap.dedent(text))
        plain = self.run_plain([path], PYTHONPATH="")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        managed = self.run_under([path], ("--capacity", capacity, "--swap", "on"))
        self.assertEqual((managed.returncode, managed.stdout), (0, plain.stdout), managed.stderr)
        self.assertEqual(managed.stderr, said)

    def test_a_loss_of_many_parts(self):
        self.both_on(
            """
            model = nn.Linear(N, N)
            for step in range(3):
                y = model(torch.randn(N, N))
                loss = sum((y * (k + 1)).sigmoid().mul(y).tanh().mean() for k in range(8))
                model.zero_grad(set_to_none=True)
                loss.backward()
                print(digest(model.weight.grad))
            assert swapped() != 0
            """,
            "72MiB",
        )

    def test_gradients_of_gradients_of_a_function(self):
        self.both_on(
            """
            w = torch.randn(N, N).div_(32).requires_grad_()
            def f(x):
                for _ in range(6):
                    x = torch.tanh(x @ w)
                return x.sum()
            for step in range(2):
                given = torch.randn(N, N, requires_grad=True)
                (slope,) = torch.autograd.grad(f(given), given, create_graph=True)
                (second,) = torch.autograd.grad((slope ** 2).sum(), w)
                print(digest(slope, second))
            assert swapped() != 0
            """,
            "72MiB",
        )

    def test_the_scripts_own_hooks_around_everything(self):
        self.both_on(
            """
            model, packed = nn.Sequential(*(nn.Sequential(nn.Linear(N, N), nn.Sigmoid()) for _ in range(3))), []
            def pack(tensor):
                packed.append(1)
                return tensor
            for step in range(3):
                with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
                    loss = (model(x) * x).sigmoid().mean()
                print(len(packed))
                loss.backward()
                loss = (model(x) * x).sigmoid().mean()
                loss.backward()
                print(len(packed), digest(x.grad))
            """,
            "256MiB",
            said="lacuna: a forward within the script's own hooks for saved tensors is left to them\n",
        )

    def test_functorch_between_forwards(self):
        self.both_on(
            """
            import functorch
            model = nn.Linear(N, N)
            for step in range(2):
                y = model(x)
                slope = functorch.grad(lambda v: (v * v).sigmoid().sum())(y.detach())
                (y * slope).sum().backward()
                print(digest(x.grad))
            """,
            "256MiB",
        )

    def test_a_tensor_changed_in_place_is_still_an_error(self):
        self.both_on(
            """
            for change in False, True:
                y = x.sigmoid()
                z = (y * y).sum()
                if change:
                    with torch.no_grad():
                        y.add_(1)
                rows = [torch.ones(N, N) for _ in range(12)]
                print(outcome(z))
                del rows
            """,
            "96MiB",
        )

    def test_time_outs_and_interrupts_reach_a_script_without_modules(self):
        self.both(
            """
            import signal
            class TimeOut(Exception):
                pass
            def strike(number, frame):
                if turn % 2:
                    raise KeyboardInterrupt()
                raise TimeOut()
            signal.signal(signal.SIGALRM, strike)
            weights = [torch.randn(64, 64, requires_grad=True) for _ in range(12)]
            small, struck = torch.randn(64, 64), [0, 0]
            for turn in range(80):
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.0015 + 0.00005 * turn)
                    while True:
                        y = small
                        for weight in weights:
                            y = torch.tanh(y @ weight)
                except TimeOut:
                    struck[0] += 1
                except KeyboardInterrupt:
                    struck[1] += 1
            print(struck)
            """,
            mode="on",
        )
