"""What is told to be safe is safe: real trainings set live to their lowest safe limit go on for 200 steps of like shapes.

LACUNA_SAFE_JOBS says how many; without it 3, and 30 where LACUNA_NIGHTLY is set.
"""

import os
import random
import time

import watcher
from case import HERE, LIBRARY, NIGHTLY, Case, nightly

JOBS = int(os.environ.get("LACUNA_SAFE_JOBS") or (30 if NIGHTLY else 3))
KINDS = ("fixed", "varying", "accumulating")
SWAPS = ("off", "off", "on", "all")
MIB = 1 << 20
CAPACITY = 1 << 30


class Safe(Case):
    limit_seconds = 300

    def begin(self, seed, kind, optimisation, swap="off", steps=4):
        options = ["--capacity", str(CAPACITY), "--optimisation", optimisation, "--swap", swap]
        arguments = [os.path.join(HERE, "safe_jobs.py"), str(seed), kind]
        process = self.start_under(arguments, options, LACUNA_SWAP_SMALLEST="4KiB", LACUNA_DIR=self.place())
        self.assertEqual(process.stdout.readline(), "steps\n", "ended early")
        (socket,) = watcher.wait_for(lambda: watcher.files(self.at, ".sock"))
        control = watcher.Control(socket)
        self.addCleanup(control.close)
        watcher.wait_for(lambda: int(watcher.values(control.ask("get"))["step"]) >= steps, 120)
        return process, control

    def place(self):
        """Each trainer has a rendezvous directory of its own."""
        self.count = getattr(self, "count", 0) + 1
        self.at = os.path.join(self.directory, str(self.count))
        os.mkdir(self.at, 0o700)
        return self.at

    def finish(self, process):
        """200 steps more: how it ended, and what it said."""
        out, err = process.communicate("go\n", timeout=self.limit_seconds)
        return process.returncode, out, err

    def lowest(self, control):
        reply = control.ask("set fraction=0.0001")
        self.assertTrue(reply.startswith("error code=would-fail "), reply)
        return watcher.values(reply)

    def test_random_jobs_live_at_the_lowest_limit_that_is_told(self):
        for seed in range(JOBS):
            lot = random.Random(seed)
            kind, optimisation, swap = KINDS[seed % 3], lot.choice(["on", "off"]), lot.choice(SWAPS)
            with self.subTest(seed=seed, kind=kind, optimisation=optimisation, swap=swap):
                process, control = self.begin(seed, kind, optimisation, swap, lot.randint(4, 40))
                told = self.lowest(control)
                self.assertIn(told["basis"], ("replayed", "varying"))
                if int(told["lowest_safe_bytes"]) <= CAPACITY:
                    reply = self.set_to_lowest(control, told)
                    self.assertTrue(reply.startswith("ok "), reply)
                time.sleep(0.05)
                status, out, err = self.finish(process)
                self.assertEqual(status, 0, f"{told} {err[-2000:]}")
                self.assertIn("done", out)

    def set_to_lowest(self, control, told):
        """A figure that rises between asking and setting is refused with the next one, as an operator would see it."""
        for _ in range(10):
            reply = control.ask(f"set fraction={told['lowest_safe_fraction']}")
            if reply.startswith("ok "):
                break
            told = watcher.values(reply)
        return reply

    def test_the_window_s_mark_is_the_figure_of_the_guard(self):
        process, control = self.begin(3, "fixed", "on")
        told = self.lowest(control)
        values = watcher.values(control.ask("get"))
        telemetry = watcher.Telemetry(watcher.files(self.at, ".mem")[0], watcher.layout(LIBRARY))
        self.assertEqual(values["basis"], "replayed")
        self.assertEqual(values["lowest_safe_bytes"], told["lowest_safe_bytes"])
        self.assertEqual(telemetry.device("lowest_safe_limit_bytes"), int(told["lowest_safe_bytes"]))
        self.assertEqual(telemetry.device("safe_basis"), 1)
        self.assertEqual(self.finish(process)[0], 0)

    def test_switching_off_under_a_tight_cap_kills_nobody(self):
        process, control = self.begin(5, "fixed", "on")
        self.assertTrue(self.set_to_lowest(control, self.lowest(control)).startswith("ok "))
        control.ask("set optimisation=off")
        self.assertEqual(self.finish(process)[0], 0)

    def survives(self, seed, limit):
        process, control = self.begin(seed, "fixed", "off" if seed % 2 else "on")
        self.assertTrue(control.ask("set fraction=%.12f force=yes" % (limit / CAPACITY)).startswith("ok "))
        return self.finish(process)[0] == 0

    @nightly("twenty trainings a search; guard_test.c searches played jobs every time")
    def test_a_live_search_finds_hardly_less_than_what_is_told(self):
        for seed in range(100, 106):
            with self.subTest(seed=seed):
                process, control = self.begin(seed, "fixed", "off" if seed % 2 else "on")
                told = int(self.lowest(control)["lowest_safe_bytes"])
                low = self.peak()
                process.kill()
                high = told
                while high - low > MIB:
                    middle = (low + high) // 2
                    if self.survives(seed, middle):
                        high = middle
                    else:
                        low = middle
                self.assertLessEqual(told, high + max(4 * MIB, high // 50))

    def peak(self):
        telemetry = watcher.Telemetry(watcher.files(self.at, ".mem")[0], watcher.layout(LIBRARY))
        return telemetry.device("last_step_peak_allocated_bytes")
