"""Tensors that lie in no block of the agent: they stay where they are, and everything else is swapped as before."""

import os

import watcher
from case import HERE, LIMIT_SECONDS, Case, nightly

WORKLOADS = os.path.join(HERE, "foreign_workloads.py")


class ForeignMemory(Case):
    limit_seconds = 2 * LIMIT_SECONDS  # of so many kinds

    def trained(self, done):
        """Lines of the kinds, and the bytes that left."""
        self.assertEqual((done.returncode, done.stderr), (0, ""), "died of %d after\n%s" % (-done.returncode, done.stdout))
        *kinds, last = done.stdout.splitlines()
        word, left = last.split()
        self.assertEqual(word, "swapped")
        return kinds, int(left)

    def control_of(self, pid):
        """Of the training itself: a loader's workers have sockets too, as long as they live."""
        for path in watcher.files(self.directory, ".sock"):
            try:
                control = watcher.Control(path)
            except OSError:
                continue
            if control.ask("hello").startswith("ok pid=%d " % pid):
                return control
            control.close()
        return None

    def test_everything_trains_to_the_same_bits_with_swapping_on_and_all(self):
        plain = self.run_plain([WORKLOADS], PYTHONPATH="")
        self.assertEqual((plain.returncode, plain.stderr), (0, ""))
        for mode, swaps in (("on", False), ("all", True)):
            with self.subTest(mode):
                kinds, left = self.trained(self.run_under([WORKLOADS], ("--swap", mode)))
                self.assertEqual(kinds, plain.stdout.splitlines())
                self.assertEqual(left > 0, swaps)

    @nightly("by day with swapping on and all")
    def test_everything_is_swapped_that_can_be_where_memory_is_short(self):
        plain = self.run_plain([WORKLOADS], PYTHONPATH="")
        for capacity in ("8MiB", "9MiB", "10MiB"):  # the least that is enough for this PyTorch
            done = self.run_under([WORKLOADS], ("--swap", "on", "--capacity", capacity))
            if "Lacuna out of memory" not in done.stderr:
                break
        kinds, left = self.trained(done)
        self.assertEqual(kinds, plain.stdout.splitlines())
        self.assertGreater(left, 0)

    @nightly("by day with swapping on and all")
    def test_the_same_when_swapping_is_turned_on_and_off_in_the_middle(self):
        plain = self.run_plain([WORKLOADS], PYTHONPATH="")
        process = self.start_under([WORKLOADS, "--hold"])
        kinds, changes = [], ("swap=on", "swap=all", "swap=off")
        for number, line in enumerate(plain.stdout.splitlines()):
            half = process.stdout.readline()
            self.assertEqual(half, "half of %s\n" % line.split()[0], kinds)
            control = watcher.wait_for(lambda: self.control_of(process.pid))
            self.assertTrue(control.ask("set by=test " + changes[number % len(changes)]).startswith("ok "))
            control.close()
            process.stdin.write("\n")
            process.stdin.flush()
            kinds.append(process.stdout.readline().rstrip("\n"))
        out = process.stdout.read()  # communicate() would lose what came with the last line
        _, err = process.communicate(timeout=self.limit_seconds)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(kinds, plain.stdout.splitlines())
        self.assertGreater(int(out.split()[1]), 0)
