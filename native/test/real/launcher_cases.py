"""``python3 -m lacuna``: what the script sees, settings, usage."""

import os

from case import LIBRARY, NATIVE, Case


class Launcher(Case):
    def test_the_script_sees_what_it_would_see_without(self):
        script = self.script(
            """
            import json, os, sys
            path = [entry for entry in sys.path if entry != os.environ["REAL_PACKAGE"]]
            print(json.dumps([sys.argv, __name__, __file__, path, sys.flags.dev_mode, sys.flags.optimize,
                              sys.modules["__main__"].__dict__ is globals(), "torch" in sys.modules]))
            def fail():
                raise KeyError("gone")
            fail()
            """
        )
        package = os.path.join(NATIVE, "python")
        words = [script, "--capacity", "x", "-m", "y"]
        plain = self.run_plain(["-O", *words], REAL_PACKAGE=package)
        under = self.run_plain(["-O", "-m", "lacuna", "--capacity=1GiB", *words], REAL_PACKAGE=package)
        self.assertEqual((under.returncode, under.stdout, under.stderr), (plain.returncode, plain.stdout, plain.stderr))
        self.assertEqual(plain.returncode, 1)

    def test_modules_run_too(self):
        with open(os.path.join(self.directory, "package_under_test.py"), "w") as file:
            file.write("import sys; print(__name__, sys.argv[1:])")
        path = os.path.join(NATIVE, "python") + ":" + self.directory
        done = self.run_under(["-m", "package_under_test", "a"], PYTHONPATH=path)
        self.assertEqual((done.stdout, done.stderr), ("__main__ ['a']\n", ""))

    def test_wrong_usage_exits_with_two(self):
        wrong = (
            [], ["--capacity"], ["--capacity", "8GB", "x.py"], ["--fraction", "0", "x.py"], ["--fraction=1.1", "x.py"],
            ["--optimisation", "maybe", "x.py"], ["--policy", "caching", "x.py"], ["--speed", "x.py"], ["-m"], ["--link", "fast", "x.py"],
            ["--link=24GB/s,soon", "x.py"], ["--link", "101TB/s", "x.py"], ["--link", "1B/s", "x.py"],
            ["--swap-budget", "999999TiB", "x.py"], ["--swap", "2GiB", "x.py"], ["--swap-budget", "much", "x.py"],
        )  # fmt: skip
        for arguments in wrong:
            done = self.run_under(arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn("usage: python3 -m lacuna", done.stderr)
        self.assertIn("--swap-budget takes a size", done.stderr)

    def test_a_capacity_the_agent_cannot_manage_is_refused(self):
        script = self.script("import os; print(os.environ['LACUNA_CAPACITY'])")
        for size in ("0", "2097151", "2047KiB", "1MiB", "1025TiB", "1125899906842625", "9" * 5000 + "GiB", "-8GiB"):
            done = self.run_under([script], ("--capacity=" + size,))
            self.assertEqual((done.returncode, done.stdout), (2, ""), size[:20])
            said = "lacuna: --capacity takes a size from 2MiB to 1024TiB, such as 8GiB, not '%s'" % size
            self.assertEqual(done.stderr.splitlines()[0], said)
        for size in ("2097152", "2MiB", "1024TiB", "1125899906842624B"):
            done = self.run_under([script], ("--capacity", size))
            self.assertEqual((done.returncode, done.stdout), (0, size + "\n"), done.stderr)

    def test_a_missing_library_is_said(self):
        done = self.run_under(["x.py"], LACUNA_LIBRARY="/nowhere/liblacuna_torch.so")
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot find /nowhere/liblacuna_torch.so", done.stderr)

    def test_what_was_preloaded_stays_and_children_inherit_it(self):
        script = self.script(
            """
            import os, subprocess, sys
            print(os.environ["LD_PRELOAD"])
            sys.stdout.flush()
            subprocess.check_call([sys.executable, "-c", "import ctypes; ctypes.CDLL(None).lacuna_process_phase"])
            """
        )
        done = self.run_under([script], LD_PRELOAD="libc.so.6 libm.so.6")
        self.assertEqual((done.stdout, done.stderr), (LIBRARY + ":libc.so.6:libm.so.6\n", ""))

    def test_settings_reach_the_agent(self):
        script = self.script("import torch; kept = torch.ones(9); import os; os.kill(os.getpid(), 9)")
        cases = (
            ((), {"MEMORY_FRAGMENTATION": "1"}, (8 << 30, 8 << 30, 1, 0)),
            (("--capacity", "1GiB", "--fraction", "0.5", "--optimisation", "off"), {}, (1 << 30, 1 << 29, 0, 0)),
            ((), {"LACUNA_CAPACITY": "2GiB", "MEMORY_FRAGMENTATION": "0"}, (2 << 30, 2 << 30, 0, 0)),
            (("--capacity", "1GiB", "--policy", "lifetime"), {}, (1 << 30, 1 << 30, 1, 1)),
            (("--capacity", "1GiB"), {"LACUNA_POLICY": "lifetime"}, (1 << 30, 1 << 30, 1, 1)),
        )
        for options, extra, wanted in cases:
            self.run_under([script], options, **extra)
            box = self.telemetry()
            self.assertEqual(tuple(map(box.device, ("total_bytes", "limit_bytes", "optimisation", "policy"))), wanted)
            for left in os.listdir(self.directory):
                if not left.endswith(".py"):
                    os.remove(os.path.join(self.directory, left))
