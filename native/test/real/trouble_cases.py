"""Out of memory, hostile surroundings, and the ways in which processes end."""

import importlib.util
import os
import shutil
import signal
import subprocess
import unittest

import watcher
from case import LIBRARY, LIMIT_SECONDS, WORKLOADS, Case, environment


def has_headers():
    """Whether this Python's PyTorch has its C++ headers, as extensions need them."""
    (package,) = importlib.util.find_spec("torch").submodule_search_locations
    return os.path.exists(os.path.join(package, "include", "c10", "util", "Exception.h"))


class OutOfMemory(Case):
    def test_python_sees_a_runtime_error_and_the_black_box_keeps_it(self):
        script = self.script(
            """
            import torch
            model = torch.nn.Linear(8, 8)
            kept = []
            try:
                for _ in range(1000):
                    kept.append(torch.ones(3 << 18))
            except RuntimeError as error:
                print(type(error).__name__, error)
                kept.pop()
                torch.ones(3 << 18)
            """
        )
        # The stock rules try to take a whole segment, and say so, as PyTorch does.
        for switch, tried in (("on", 3), ("off", 20)):
            done = self.run_under([script], ("--capacity", "64MiB", "--optimisation", switch))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            message = done.stdout.strip()
            for word in ("RuntimeError", "allocate %d.00 MiB" % tried, "64.00 MiB total", "already allocated", "free",
                         "reserved", "active", "releasable", "split", "pending"):  # fmt: skip
                self.assertIn(word, message)
            box = self.telemetry()
            self.assertEqual("RuntimeError " + box.text("oom_text"), message)
            self.assertEqual(box.header("agent_state"), 2)
            self.assertEqual(box.device("ooms"), 1)
            self.assertIn(("oom", tried << 20), list(box.events()))
            self.assertEqual(watcher.files(self.directory, ".sock"), [])
            os.remove(watcher.files(self.directory, ".mem")[0])

    def test_an_error_in_backward_arrives_too(self):
        script = self.script(
            """
            import torch
            x = torch.ones(1 << 20, requires_grad=True)
            y = x.exp().exp().sum()
            kept = []
            try:
                while True:
                    kept.append(torch.empty(1 << 20))
            except RuntimeError:
                pass
            try:
                y.backward()
            except RuntimeError as error:
                print(error)
            """
        )
        done = self.run_under([script], ("--capacity", "40MiB"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Tried to allocate", done.stdout)


    @unittest.skipIf(has_headers(), "PyTorch's headers are here")
    def test_headers_that_are_missing_for_the_extension_are_named_and_nothing_is_left(self):
        built = self.run_plain(["-m", "lacuna", "build-ext", "--out", os.path.join(self.directory, "built")])
        self.assertEqual(built.returncode, 3)
        self.assertIn("libtorch-dev", built.stderr)
        self.assertEqual(os.listdir(os.path.join(self.directory, "built")), [])

    @unittest.skipUnless(has_headers(), "PyTorch's headers are not here")
    @unittest.skipUnless(shutil.which("ninja") and shutil.which("c++"), "PyTorch compiles extensions with ninja and c++")
    def test_it_is_pytorchs_own_class_once_the_extension_is_built(self):
        built = self.run_plain(["-m", "lacuna", "build-ext", "--out", self.directory])
        self.assertEqual(built.returncode, 0, built.stderr)
        script = self.script(
            """
            import torch
            x = torch.ones(1 << 20, requires_grad=True)
            y = x.exp().exp().sum()
            kept = []
            for attempt in (lambda: kept.extend(torch.empty(1 << 20) for _ in range(1000)), y.backward):
                try:
                    attempt()
                except torch.cuda.OutOfMemoryError as error:
                    print(error)
            """
        )
        done = self.run_under([script], ("--capacity", "40MiB"), LACUNA_EXTENSIONS=self.directory)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count("Lacuna out of memory. Tried to allocate"), 2, done.stdout)


class HostileSurroundings(Case):
    def expect_plain_training(self, done, said):
        self.assertEqual(self.result(done)["losses"], self.result(self.run_plain([WORKLOADS, "cnn", "2"]))["losses"])
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("lacuna: no telemetry: ", done.stderr)
        self.assertIn(said, done.stderr)

    def mounted(self, options):
        """A command line that runs the rest with a tmpfs on the rendezvous directory."""
        mount = "mount -t tmpfs -o %s tmpfs %s && exec \"$@\"" % (options, self.directory)
        wrapper = ["unshare", "-m", "sh", "-c", mount, "sh"]
        if subprocess.run([*wrapper, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            self.skipTest("may not mount here")
        return subprocess.run(
            [*wrapper, *self.command([WORKLOADS, "cnn", "2"])], env=environment(self.directory), timeout=LIMIT_SECONDS,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip

    def test_a_full_disk(self):
        self.expect_plain_training(self.mounted("size=1m,mode=0700"), "No space left on device")

    def test_a_read_only_disk(self):
        self.expect_plain_training(self.mounted("ro,mode=0700"), "Read-only file system")

    def test_a_directory_open_to_others(self):
        os.chmod(self.directory, 0o755)
        done = self.run_under([WORKLOADS, "cnn", "2"])
        self.expect_plain_training(done, "open to others")

    def test_malformed_settings_are_named_once(self):
        done = self.run_under([WORKLOADS, "cnn", "1"], LACUNA_CAPACITY="lots", LACUNA_FRACTION="7")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 2, done.stderr)

    def test_telemetry_can_be_switched_off(self):
        script = self.script("import os, torch; torch.ones(9); print(os.listdir(%r))" % self.directory)
        done = self.run_under([script], LACUNA_TELEMETRY="off")
        self.assertEqual((done.stdout, done.stderr), ("['script.py']\n", ""))


class Ends(Case):
    def test_a_killed_process_leaves_a_readable_black_box(self):
        process = self.start_under([WORKLOADS, "cnn", "1000"])
        (path,) = watcher.wait_for(lambda: watcher.files(self.directory, ".mem"))
        where = watcher.layout(LIBRARY)
        watcher.wait_for(lambda: watcher.begun(path) and watcher.Telemetry(path, where).device("step") >= 3)
        process.send_signal(signal.SIGKILL)
        process.wait()
        box = self.telemetry()
        self.assertEqual(box.header("agent_state"), 1)
        self.assertEqual(box.header("pid"), process.pid)
        self.assertIn("workloads.py cnn 1000", box.text("command"))
        self.assertGreater(box.device("allocated_bytes"), 0)
        self.assertGreater(len(list(box.events())), 500)
        with self.assertRaises(ConnectionRefusedError):
            watcher.Control(watcher.files(self.directory, ".sock")[0])

    def test_every_orderly_end_removes_the_files(self):
        ends = {"pass": 0, "import sys; sys.exit(7)": 7, "import os; os._exit(9)": 9, "raise ValueError": 1}
        for end, status in ends.items():
            script = self.script("import torch\nkept = torch.ones(1000)\n" + end)
            self.assertEqual(self.run_under([script]).returncode, status, end)
            self.assertNothingLeft()
