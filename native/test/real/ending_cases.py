"""How a process ended, as its telemetry tells it: by itself, by Ctrl-C, by an exception, or by what left it no time."""

import os
import re
import signal
import subprocess
import sys

import watcher
from case import LIBRARY, Case, environment

UNTOLD, FINISHED, INTERRUPTED, EXCEPTION = range(4)
RUNNING, EXITED = 1, 2


class Endings(Case):
    TRAIN = """\
        import sys, time, torch
        kept = torch.ones(1000)
        %s
        try:
            print("trains", flush=True)
            while True:
                kept = kept + 1
                time.sleep(0.01)
        %s
    """

    def train(self, before="", catching="finally:\n            print('cleans up', flush=True)"):
        return self.script(self.TRAIN % (before, catching))

    def until_it_trains(self, process):
        """Byte by byte: communicate() reads the rest, and does not look into a buffer."""
        said = b""
        while not said.endswith(b"\n"):
            byte = os.read(process.stdout.fileno(), 1)
            self.assertTrue(byte, said)
            said += byte
        self.assertEqual(said, b"trains\n")

    def after(self, process, *signals):
        """Header, exit status and output of a training process that gets these signals, seen by who had the file open."""
        self.until_it_trains(process)
        (path,) = watcher.files(self.directory, ".mem")
        seen = "/proc/self/fd/%d" % os.open(path, os.O_RDONLY)
        self.addCleanup(os.close, int(os.path.basename(seen)))
        for one in signals:
            process.send_signal(one)
        out, err = process.communicate(timeout=self.limit_seconds)
        return watcher.Telemetry(seen, watcher.layout(LIBRARY)), process.returncode, out, err

    def without_agent(self, script, *signals):
        """Exit status and output of the same script in an interpreter of its own."""
        process = subprocess.Popen(
            [sys.executable, script], env=environment(self.directory, PYTHONPATH=""), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip
        self.addCleanup(self._end, process)
        self.until_it_trains(process)
        for one in signals:
            process.send_signal(one)
        out, err = process.communicate(timeout=self.limit_seconds)
        return process.returncode, out, err

    def test_an_unhandled_interrupt_is_told_and_leaves_no_files(self):
        script = self.train()
        box, status, out, err = self.after(self.start_under([script]), signal.SIGINT)
        self.assertEqual((box.header("ending"), box.header("agent_state")), (INTERRUPTED, EXITED))
        self.assertNothingLeft()
        frames = re.compile(r"  File .*|    .*")  # where it struck is chance
        plain_status, plain_out, plain_err = self.without_agent(script, signal.SIGINT)
        self.assertEqual((status, out), (plain_status, plain_out))
        self.assertEqual(frames.sub("", err).split(), frames.sub("", plain_err).split())

    def test_an_interrupted_process_still_dies_of_the_signal(self):
        box, status, out, err = self.after(self.start_under([self.train()]), signal.SIGINT)
        self.assertEqual((status, out), (-signal.SIGINT, "cleans up\n"))
        self.assertEqual(err.splitlines()[-1], "KeyboardInterrupt")
        self.assertEqual(box.header("ending"), INTERRUPTED)

    def test_it_is_told_under_an_exception_hook_and_exit_handlers_of_the_scripts(self):
        hook = "import atexit; atexit.register(print, 'bye'); sys.excepthook = lambda kind, *rest: print('hooked', kind.__name__)"
        box, status, out, err = self.after(self.start_under([self.train(hook)]), signal.SIGINT)
        self.assertEqual((status, out, err), (-signal.SIGINT, "cleans up\nhooked KeyboardInterrupt\nbye\n", ""))
        self.assertEqual(box.header("ending"), INTERRUPTED)
        self.assertNothingLeft()

    def test_an_interrupt_that_the_script_handles_is_no_end(self):
        script = self.train(catching="except KeyboardInterrupt:\n            print('saved', flush=True)")
        box, status, out, err = self.after(self.start_under([script]), signal.SIGINT)
        self.assertEqual((status, out, err), (0, "saved\n", ""))
        self.assertEqual((box.header("ending"), box.header("agent_state")), (FINISHED, EXITED))
        self.assertNothingLeft()

    def test_an_unhandled_exception_is_told_by_its_type(self):
        script = self.train("kept = None  # so that adding to it fails")
        box, status, out, _ = self.after(self.start_under([script]))
        self.assertEqual((status, out), (1, "cleans up\n"))
        self.assertEqual((box.header("ending"), box.text("ending_text")), (EXCEPTION, "TypeError"))
        self.assertNothingLeft()

    def test_a_black_box_of_an_out_of_memory_tells_the_exception_too(self):
        script = self.script("import torch\nkept = [torch.ones(1 << 20) for _ in range(100)]")
        self.assertEqual(self.run_under([script], ["--capacity", "64MiB"]).returncode, 1)
        box = self.telemetry()
        self.assertEqual((box.header("ending"), box.text("ending_text")), (EXCEPTION, "RuntimeError"))
        self.assertGreater(box.header("oom_text_length"), 0)

    def test_an_exit_status_of_the_scripts_own_is_an_end_in_good_order(self):
        script = self.train(catching="except KeyboardInterrupt:\n            sys.exit(7)")
        box, status, _, err = self.after(self.start_under([script]), signal.SIGINT)
        self.assertEqual((status, err, box.header("ending")), (7, "", FINISHED))

    def test_signals_that_leave_no_time_tell_nothing_and_leave_the_box(self):
        for one in (signal.SIGTERM, signal.SIGKILL):
            box, status, _, _ = self.after(self.start_under([self.train()]), one)
            self.assertEqual((status, box.header("ending"), box.header("agent_state")), (-one, UNTOLD, RUNNING))
            (path,) = watcher.files(self.directory, ".mem")
            os.unlink(path)

    def test_what_was_raised_while_somebody_typed_is_not_the_end(self):
        typed = "sys.ps1, sys.last_type = '>>> ', KeyboardInterrupt"
        script = self.train(typed, "except KeyboardInterrupt:\n            pass")
        box, status, _, err = self.after(self.start_under([script]), signal.SIGINT)
        self.assertEqual((status, err, box.header("ending")), (0, "", FINISHED))
