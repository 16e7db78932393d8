"""Real training under the agent, compared with training without it. Started by run.sh."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import watcher

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.dirname(os.path.dirname(HERE))
LIBRARY = os.environ.get("LACUNA_LIBRARY", os.path.join(NATIVE, "build", "liblacuna_torch.so"))
WORKLOADS = os.path.join(HERE, "workloads.py")
CHILDREN = os.path.join(HERE, "children.py")
LIMIT_SECONDS = 60


def environment(directory, threads=1, **extra):
    """What a user would have: the package on the path, a rendezvous directory of its own."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("LACUNA_", "LD_PRELOAD", "MEMORY_"))}
    inherited.update(
        PYTHONPATH=os.path.join(NATIVE, "python"), PYTHONDONTWRITEBYTECODE="1", LACUNA_DIR=directory,
        LACUNA_LIBRARY=LIBRARY, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads),
    )  # fmt: skip
    inherited.update(extra)
    return inherited


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="lacuna-real-")
        self.addCleanup(shutil.rmtree, self.directory, True)

    def command(self, arguments, options=()):
        return [sys.executable, "-m", "lacuna", *options, *arguments]

    def run_under(self, arguments, options=(), threads=1, **extra):
        return self.run_plain(self.command(arguments, options)[1:], threads, **extra)

    def run_plain(self, arguments, threads=1, **extra):
        return subprocess.run(
            [sys.executable, *arguments], env=environment(self.directory, threads, **extra), timeout=LIMIT_SECONDS,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip

    def start_under(self, arguments, options=(), **extra):
        process = subprocess.Popen(
            self.command(arguments, options), env=environment(self.directory, **extra), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip
        self.addCleanup(self._end, process)
        return process

    def _end(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def script(self, text):
        path = os.path.join(self.directory, "script.py")
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))
        return path

    def result(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def telemetry(self):
        (path,) = watcher.files(self.directory, ".mem")
        return watcher.Telemetry(path, watcher.layout(LIBRARY))

    def assertNothingLeft(self):
        self.assertEqual(watcher.files(self.directory, ".mem") + watcher.files(self.directory, ".sock"), [])


class TrainingIsBitIdentical(Case):
    def compare(self, model, steps, threads=1, switches=("on", "off"), arguments=()):
        words = [WORKLOADS, model, str(steps), *arguments]
        wanted = self.result(self.run_plain(words, threads))
        self.assertEqual(len(set(wanted["losses"])), steps)
        for switch in switches:
            done = self.run_under(words, ("--optimisation", switch), threads)
            self.assertEqual(self.result(done), wanted, switch)
            self.assertEqual(done.stderr, "")
        self.assertNothingLeft()

    def test_gpt_of_varying_length(self):
        self.compare("gpt", 12)

    def test_gpt_with_two_threads(self):
        self.compare("gpt", 8, threads=2, switches=("on",))

    def test_cnn(self):
        self.compare("cnn", 12)

    def test_scaler_and_schedule(self):
        self.compare("cnn", 6, switches=("on",), arguments=("--scaled",))


class Children(Case):
    def test_loaders_queues_and_forks_give_the_same_tensors_and_leave_nothing(self):
        wanted = self.result(self.run_plain([CHILDREN]))
        done = self.run_under([CHILDREN])
        self.assertEqual(self.result(done), wanted)
        self.assertEqual(done.stderr, "")
        self.assertEqual(wanted["bare"], [0, 49995000.0])
        watcher.wait_for(lambda: not watcher.files(self.directory, ".mem"))
        self.assertNothingLeft()


class LiveControl(Case):
    def test_fifty_changes_during_training_leave_the_numbers_alone(self):
        steps = 50
        words = [WORKLOADS, "gpt", str(steps)]
        wanted = self.result(self.run_plain(words))
        process = self.start_under([*words, "--hold"])
        for step in range(steps):
            self.assertEqual(process.stdout.readline(), "step %d\n" % step)
            if step == 0:
                (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"))
                control = watcher.Control(socket)
                self.assertTrue(control.ask("hello").startswith("ok pid=%d layout=1 " % process.pid))
            self.change(control, step)
            process.stdin.write("\n")
            process.stdin.flush()
        control.close()
        out, err = process.communicate(timeout=LIMIT_SECONDS)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(json.loads(out), wanted)
        self.assertNothingLeft()
        with open(os.path.join(self.directory, "audit.log")) as audit:
            self.assertEqual(len(audit.readlines()), steps)

    def change(self, control, step):
        switch, fraction = ("off", "on")[step % 2], (0.9, 0.5, 0.94, 1.0)[step % 4]
        reply = control.ask("set optimisation=%s fraction=%s by=test" % (switch, fraction))
        holds = watcher.values(reply)
        self.assertTrue(reply.startswith("ok optimisation=%s fraction=%g " % (switch, fraction)), reply)
        self.assertEqual(holds["limit_bytes"], int(fraction * (8 << 30)))
        now = watcher.values(control.ask("get"))
        self.assertEqual((now["optimisation"], now["limit_bytes"]), (switch, holds["limit_bytes"]))
        self.assertEqual(now["step"], step)


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
        watcher.wait_for(lambda: watcher.Telemetry(path, where).device("step") >= 3)
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
            ["--optimisation", "maybe", "x.py"], ["--speed", "x.py"], ["-m"], ["--link", "24GB/s", "x.py"],
        )  # fmt: skip
        for arguments in wrong:
            done = self.run_under(arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn("usage: python3 -m lacuna", done.stderr)
        self.assertIn("not in this version", done.stderr)

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
            ((), {"MEMORY_FRAGMENTATION": "1"}, (8 << 30, 8 << 30, 1)),
            (("--capacity", "1GiB", "--fraction", "0.5", "--optimisation", "off"), {}, (1 << 30, 1 << 29, 0)),
            ((), {"LACUNA_CAPACITY": "2GiB", "MEMORY_FRAGMENTATION": "0"}, (2 << 30, 2 << 30, 0)),
        )
        for options, extra, wanted in cases:
            self.run_under([script], options, **extra)
            box = self.telemetry()
            self.assertEqual(tuple(map(box.device, ("total_bytes", "limit_bytes", "optimisation"))), wanted)
            for left in os.listdir(self.directory):
                if not left.endswith(".py"):
                    os.remove(os.path.join(self.directory, left))


class Phases(Case):
    PREAMBLE = """
        import os, sys, torch
        from torch import nn
        model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Sequential(nn.Linear(8, 8)))
        first, second = (torch.optim.Adam(model.parameters()) for _ in range(2))
        def loss():
            return model(torch.ones(4, 8)).sum()
        """

    def marks(self, body, **extra):
        """The marks that a script leaves; it ends by killing itself, so that the black box stays."""
        path = self.script(textwrap.dedent(self.PREAMBLE) + textwrap.dedent(body) + "\nos.kill(os.getpid(), 9)\n")
        done = self.run_under([path], **extra)
        self.assertEqual(done.returncode, -9, done.stderr)
        self.said = done.stderr
        marks = list(self.telemetry().phases())
        os.remove(watcher.files(self.directory, ".mem")[0])
        return marks

    def test_setup_forwards_and_steps(self):
        marks = self.marks(
            """
            with torch.no_grad():
                loss()
            for _ in range(3):
                for _ in range(2):
                    loss().backward()
                first.step()
                model.eval()
                with torch.no_grad():
                    loss()
            """
        )
        forward = ["+forward", "-forward"]
        self.assertEqual(
            marks,
            ["+setup", "-setup", "+step", *forward * 2, "+setup", "-setup", "-step", "step 1", "+step"]
            + [*forward * 2, "-step", "step 2", "+step", *forward * 2, "-step", "step 3", "+step"],
        )
        self.assertEqual(self.said, "")

    def test_the_first_optimizer_marks_and_each_sets_up_once(self):
        marks = self.marks(
            """
            from torch.optim.lr_scheduler import LambdaLR
            schedule = LambdaLR(second, lambda epoch: 0.9)
            loss().backward()
            for _ in range(2):
                second.step()
                schedule.step()
                first.step()
            """
        )
        self.assertEqual(
            marks,
            ["+setup", "-setup", "+step", "+forward", "-forward", "+setup", "-setup", "-step", "step 1", "+step"]
            + ["+setup", "-setup", "-step", "step 2", "+step"],
        )
        self.assertEqual(self.said, "")

    def test_a_failing_step_or_forward_closes_what_it_opened(self):
        marks = self.marks(
            """
            class Broken(torch.optim.SGD):
                def step(self, closure=None):
                    super().step()
                    raise ArithmeticError
            broken = Broken(model.parameters(), 0.1)
            try:
                model(torch.ones(3))
            except RuntimeError:
                pass
            for _ in range(2):
                try:
                    broken.step()
                except ArithmeticError:
                    pass
            """
        )
        self.assertEqual(marks, ["+setup", "-setup", "+step", "+forward", "-forward"] + ["+setup", "-setup"] * 2)
        self.assertEqual(self.said, "")

    def test_interrupts_at_any_moment_leave_no_phase_open(self):
        marks = self.marks(
            """
            import random, signal
            chance, caught = random.Random(3), 0
            def interrupt(*arguments):  # as Ctrl-C, and as a time-out of the script's own
                raise chance.choice((KeyboardInterrupt, TimeoutError))
            signal.signal(signal.SIGALRM, interrupt)
            for _ in range(2000):
                try:
                    signal.setitimer(signal.ITIMER_REAL, chance.uniform(1e-6, 8e-4))
                    for _ in range(1000):  # ends only where Python dropped the interrupt, as in a finalizer
                        loss()
                        first.step()
                        second.step()
                except (KeyboardInterrupt, TimeoutError):
                    caught += 1
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            assert caught > 1900, caught
            torch.set_grad_enabled(True)  # an interrupt inside no_grad can leave it off
            for _ in range(3):
                loss()
                second.step()
                first.step()
            """
        )
        self.assertNotIn("no longer marked", self.said)
        opened = set()
        for mark in marks[-200:]:
            if mark[0] in "+-":
                (opened.add if mark[0] == "+" else opened.discard)(mark[1:])
        self.assertEqual(opened, {"step"})
        last = int(marks[-2].split()[1])
        around = ["+forward", "-forward", "-step"]
        self.assertEqual(
            marks[-10:], [*around, "step %d" % (last - 1), "+step", *around, "step %d" % last, "+step"]
        )

    def interrupted_at(self, mark, moment):
        """Marks of training that is interrupted once just before or after the agent is told."""
        return self.marks(
            """
            marker = next(cell.cell_contents for cell in type(first).step.__wrapped__.__closure__
                          if type(cell.cell_contents).__name__ == "_Marker")
            tell, awaited, when = marker._tell, (%d, %d), %r
            def interrupted(*told):
                global awaited
                if told != awaited:
                    return tell(*told)
                awaited = None
                if when == "after":
                    tell(*told)
                raise KeyboardInterrupt
            loss()
            first.step()
            marker._tell = interrupted
            for optimizer in (first, second, first, first):
                try:
                    loss()
                    optimizer.step()
                except KeyboardInterrupt:
                    sys.stderr.write("interrupted")
            """
            % (*mark, moment)
        )

    def test_an_interrupt_beside_each_mark_is_made_good(self):
        for phase in range(3):
            for begin in (0, 1):
                for moment in ("before", "after"):
                    with self.subTest(phase=phase, begin=begin, moment=moment):
                        marks = self.interrupted_at((phase, begin), moment)
                        self.assertEqual(self.said, "interrupted")
                        done = marks[-2]
                        self.assertRegex(done, "step [345]")
                        self.assertEqual(marks[-5:], ["+forward", "-forward", "-step", done, "+step"])
                        self.assertEqual(marks.count("+setup"), marks.count("-setup"))

    def test_tracers_that_restore_calls_do_not_end_the_marks(self):
        marks = self.marks(
            """
            import torch.fx
            torch.fx.symbolic_trace(model)
            first.step()
            loss()
            calls = []
            original = nn.Module.__call__
            def counted(module, *arguments):
                calls.append(module)
                return original(module, *arguments)
            nn.Module.__call__ = counted
            first.step()
            loss()
            nn.Module.__call__ = original
            first.step()
            loss()
            sys.stderr.write("%d calls, %s" % (len(calls), nn.Module.__call__ is original))
            """
        )
        self.assertEqual(self.said, "5 calls, True")
        self.assertEqual(marks.count("+forward"), 3)

    def test_workers_that_load_data_are_not_in_setup(self):
        script = self.script(
            """
            import os, torch
            from torch.utils.data import DataLoader
            class Killed(torch.utils.data.Dataset):
                def __len__(self): return 2
                def __getitem__(self, index):
                    kept = torch.ones(5)
                    os.kill(os.getpid(), 9)
            def main():
                try:
                    list(DataLoader(Killed(), num_workers=1, multiprocessing_context=os.environ["METHOD"]))
                except RuntimeError:
                    print("killed")
            if __name__ == "__main__":
                main()
            """
        )
        for method in ("fork", "spawn"):
            done = self.run_under([script], METHOD=method)
            self.assertEqual(done.stdout, "killed\n", done.stderr)
            self.assertEqual(self.telemetry().device("phases"), 0, method)
            os.remove(watcher.files(self.directory, ".mem")[0])

    def test_a_fault_in_the_marks_is_said_once_and_training_goes_on(self):
        marks = self.marks(
            """
            marker = next(cell.cell_contents for cell in type(first).step.__wrapped__.__closure__
                          if type(cell.cell_contents).__name__ == "_Marker")
            def fault(*arguments):
                raise OSError("broken")
            marker._tell = fault
            for _ in range(3):
                loss().backward()
                first.step()
            """
        )
        self.assertEqual(marks, ["+setup"])
        self.assertEqual(self.said, "lacuna: phases are no longer marked: OSError('broken')\n")

    def test_tracebacks_show_no_frame_of_ours_for_inner_modules(self):
        script = self.script(textwrap.dedent(self.PREAMBLE) + "\nmodel(torch.ones(3))\n")
        done = self.run_under([script])
        self.assertEqual(done.returncode, 1)
        self.assertLessEqual(done.stderr.count("phases.py"), 1)


class Program:
    """Counts like the project's other test programs do."""

    def run(self):
        suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
        if len(sys.argv) > 1:
            suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:], sys.modules["__main__"])
        began = time.monotonic()
        result = unittest.TextTestRunner(verbosity=2).run(suite)
        failed = len(result.failures) + len(result.errors)
        sys.stderr.write("%.0f s\n" % (time.monotonic() - began))
        line = "%d passed, %d failed" % (result.testsRun - failed - len(result.skipped), failed)
        print(line + (", %d skipped" % len(result.skipped) if result.skipped else ""))
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(Program().run())
